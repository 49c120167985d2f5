#!/usr/bin/env bash
# The end-to-end tests: the production binary in its real window, driven through WebKitWebDriver.
# Usage: build/e2e.sh automation   compiles the small library that lets a test drive the window
#        build/e2e.sh [NAME...]    runs all tests, or the named ones (frontend/e2e/tests/NAME.test.mjs)
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
if [ "${1:-}" = automation ]; then
  mkdir -p build/bin/e2e
  read -ra flags <<<"$(pkg-config --cflags --libs webkit2gtk-4.1)"
  exec gcc -shared -fPIC -O1 -Wall -o build/bin/e2e/automation.so frontend/e2e/automation.c "${flags[@]}"
fi

tests=()
for name in "$@"; do tests+=("frontend/e2e/tests/$name.test.mjs"); done
[ $# -gt 0 ] || tests=(frontend/e2e/tests/*.test.mjs)
# One after the other: windows share the screen's keyboard focus.
exec build/window.sh --offline node --test --test-concurrency=1 --test-reporter=spec "${tests[@]}"
