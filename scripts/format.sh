#!/usr/bin/env bash
# Formats the C++ sources; with --check only says which ones are not formatted.
# Other versions of clang-format lay code out differently, so it is version 14 or none.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for tool in clang-format-14 clang-format; do
  if "$tool" --version 2>/dev/null | grep -q 'version 14\.'; then
    arguments=(-i)
    [ "${1:-}" = --check ] && arguments=(--dry-run -Werror)
    find src tests -name '*.cpp' -print0 -o -name '*.hpp' -print0 | xargs -0 -r "$tool" "${arguments[@]}"
    exit
  fi
done
echo 'clang-format 14 is not on PATH' >&2
exit 1
