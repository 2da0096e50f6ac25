#!/usr/bin/env bash
# Builds the page into dist/, after installing what is missing.
#   ./build-wasm.sh                     build
#   ./build-wasm.sh --serve [--port N]  build, then serve the page on this machine
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

usage='usage: ./build-wasm.sh [--serve [--port N]]'
serve=no
port=
while [ $# -gt 0 ]; do
  case $1 in
    --serve) serve=yes ;;
    --port)
      [[ ${2:-} =~ ^[0-9]{1,5}$ ]] || { echo "$usage" >&2; exit 2; }
      port=$2
      shift
      ;;
    -h | --help) echo "$usage"; exit ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift
done

. scripts/install.sh
want_for_build
install_missing
install_node_modules
find_node

cmake --preset wasm --log-level=WARNING >/dev/null
cmake --build --preset wasm
"$NODE" scripts/build-web.mjs

if [ $serve = yes ]; then
  exec "$NODE" scripts/serve.mjs ${port:+--port "$port"}
fi
