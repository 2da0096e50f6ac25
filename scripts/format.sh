#!/usr/bin/env bash
# Formats the C++ sources; with --check only says which ones are not formatted.
# Other versions of clang-format lay code out differently, so it is version 14 or none.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for tool in clang-format-14 clang-format; do
  "$tool" --version 2>/dev/null | grep -q 'version 14\.' && break
  tool=
done
[ -n "$tool" ] || { echo 'clang-format 14 is not on PATH' >&2; exit 1; }

status=0
while IFS= read -r file; do
  if [ "${1:-}" != --check ]; then
    "$tool" -i "$file"
  elif ! "$tool" "$file" | cmp -s - "$file"; then
    echo "$file is not formatted; scripts/format.sh does it"
    status=1
  fi
done < <(find src tests -name '*.cpp' -o -name '*.hpp')
exit $status
