#!/usr/bin/env bash
# Everything that must pass. All parts run even when one fails; their closing lines stand together at the end.
# Usage: build/test.sh [PART...]   parts: go frontend types build lint generated e2e
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
LOGS=build/bin/test
mkdir -p "$LOGS"

# Some packages open a real window, so every package gets a screen and a session bus.
part_go() { CGO_ENABLED=1 build/window.sh go test -race -tags "$TAGS" -timeout 20m ./...; }
part_frontend() { (cd frontend && npm run --silent test); }
part_types() { (cd frontend && npm run --silent check); }
part_build() {
  local folder
  for folder in build build/bench build/pyodide; do
    python3 -m unittest discover -s "$folder" -t "$folder" -p '*_test.py' || return
  done
}
part_lint() { build/lint.sh; }
part_generated() { build/drift.sh; }
part_e2e() { build/e2e.sh; }

about() {
  case "$1" in
    go) echo "Go tests with the race detector (compiles SQLite once more for it: up to 10 minutes the first time)" ;;
    frontend) echo "the frontend's unit tests" ;;
    types) echo "the frontend's types" ;;
    build) echo "the build scripts' own tests" ;;
    lint) echo "linters (up to 5 minutes the first time)" ;;
    generated) echo "generated files against their sources" ;;
    e2e) echo "end-to-end tests with the real application and model (about 5 minutes)" ;;
    *) fail test "there is no part $1; the parts are go frontend types build lint generated e2e" ;;
  esac
}

parts=("$@")
[ $# -gt 0 ] || parts=(go frontend types build lint generated e2e)
failed=()
for part in "${parts[@]}"; do
  say test "$(about "$part")"
  "part_$part" 2>&1 | tee "$LOGS/$part.log" || failed+=("$part")
done

echo
for part in "${parts[@]}"; do
  echo "== $part"
  case "$part" in
    go) grep -E '^(ok|FAIL|---)' "$LOGS/go.log" || true ;;
    e2e) grep -E '^. (tests|pass|fail|cancelled|skipped) ' "$LOGS/e2e.log" || tail -n 3 "$LOGS/e2e.log" ;;
    *) tail -n 4 "$LOGS/$part.log" ;;
  esac
done
[ ${#failed[@]} -eq 0 ] || fail test "failed: ${failed[*]} (whole logs in $LOGS)"
echo "all parts passed: ${parts[*]}"
