#!/usr/bin/env bash
# Runs every test, after installing what is missing. Names of suites run only those: tests/run.sh native browser
# Closes with the totals as a line alone, and fails when anything failed.
#   ATTENTION_DATA   a folder of external cases; tests that need it are left out without it
#   CHROME_PATH      the browser, when it is not a chromium on PATH
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null # nothing asks questions

all_suites=(format types page javascript conformance native wasm agreement sanitizers browser)
suites=("${@:-${all_suites[@]}}")
for suite in "${suites[@]}"; do
  [[ " ${all_suites[*]} " == *" $suite "* ]] || { echo "There is no suite $suite; there are: ${all_suites[*]}" >&2; exit 2; }
done

. scripts/install.sh
want_for_build
want_for_tests
install_missing
install_node_modules
find_node
CHROME_PATH=$(find_chromium)
export CHROME_PATH
CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}
export CMAKE_BUILD_PARALLEL_LEVEL

logs=build/test-logs
mkdir -p $logs
passed=0
failed=0
summary=()

format() { scripts/format.sh --check; }

types() { "$NODE" node_modules/typescript/bin/tsc; }

page() { ./build-wasm.sh; }

native() { catch2 dev dev; }

wasm() { catch2 wasm wasm-tests; }

sanitizers() { catch2 asan asan; }

javascript() { node_test javascript 'tests/js/**/*.test.js'; }

# What the core computes natively and as WebAssembly, number by number.
agreement() {
  cmake --preset dev --log-level=WARNING >/dev/null && cmake --build --preset dev &&
    cmake --preset wasm --log-level=WARNING >/dev/null && cmake --build --preset wasm-tests &&
    build/dev/core_numbers >$logs/native.numbers && "$NODE" build/wasm/core_numbers.js >$logs/wasm.numbers &&
    "$NODE" tests/agreement/compare.mjs $logs/native.numbers $logs/wasm.numbers
}

# What other projects and engines say; the external cases when there is a folder of them.
conformance() { node_test conformance 'tests/conformance/**/*.test.js' 'tests/golden/**/*.test.js'; }

browser() { node_test browser 'tests/web/**/*.test.js'; }

# catch2 <configure and test preset> <build preset>
catch2() {
  cmake --preset "$1" --log-level=WARNING >/dev/null &&
    cmake --build --preset "$2" &&
    ctest --preset "$1" --verbose --no-tests=error --timeout 900
}

# node_test <suite> <files>...: readable here, countable in the log folder
node_test() {
  "$NODE" --test --test-timeout=900000 --test-concurrency="$CMAKE_BUILD_PARALLEL_LEVEL" \
    --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=tap --test-reporter-destination=$logs/"$1".tap "${@:2}"
}

# Suites whose every test is counted; the others count as one.
totals() {
  case $1 in
    native | wasm | sanitizers) "$NODE" scripts/test-totals.mjs ctest $logs/"$1".log ;;
    javascript | conformance | browser) "$NODE" scripts/test-totals.mjs tap $logs/"$1".tap ;;
    *) echo "$((1 - $2)) 0" ;;
  esac
}

run_suite() {
  local name=$1 start=$SECONDS status=0 good bad
  printf '\n== %s\n' "$name"
  rm -f $logs/"$name".*
  "$name" 2>&1 | tee $logs/"$name".log || status=1
  read -r good bad < <(totals "$name" $status 2>/dev/null || echo 0 0)
  # A suite that stopped early, or that ran nothing, has failed whatever it counted.
  if [ "$bad" = 0 ] && { [ $status != 0 ] || [ "$good" = 0 ]; }; then bad=1; fi
  passed=$((passed + good))
  failed=$((failed + bad))
  summary+=("$(printf '%-12s %5d passed %5d failed %5d s' "$name" "$good" "$bad" $((SECONDS - start)))")
  [ "$bad" = 0 ]
}

page_is_built=yes
for suite in "${suites[@]}"; do
  case $suite in
    page) run_suite page || page_is_built=no ;;
    javascript | conformance | browser)
      # They would run on what an earlier build left.
      if [ $page_is_built = no ]; then
        failed=$((failed + 1))
        summary+=("$(printf '%-12s not run: the page was not built' "$suite")")
        continue
      fi
      run_suite "$suite" || true
      ;;
    *) run_suite "$suite" || true ;;
  esac
done

printf '\n'
printf '%s\n' "${summary[@]}"
printf '\n%d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
