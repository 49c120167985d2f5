#!/usr/bin/env bash
# Linters and format checks of every language in the project. All of them run, then the result is told.
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
failed=()
check() {
  local name=$1
  shift
  say lint "$name"
  "$@" || failed+=("$name")
}

tags_agree() {
  local linted
  linted=$(sed -n '/^  build-tags:/,/^[^ ]/s/^    - //p' .golangci.yml | paste -sd,)
  [ "$linted" = "$TAGS" ] || { echo ".golangci.yml has the build tags $linted, the Makefile has $TAGS"; return 1; }
}

go_formatted() {
  local files
  files=$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0r ls -d 2>/dev/null |
    xargs -r "$(build/tool.sh gofumpt)" -l)
  [ -z "$files" ] || { printf 'not formatted by gofumpt:\n%s\n' "$files"; return 1; }
}

go_linted() { "$(build/tool.sh golangci-lint)" run ./...; }

python_linted() {
  local ruff
  ruff=$(build/tool.sh ruff)
  "$ruff" check --config build/ruff.toml --quiet build && "$ruff" format --config build/ruff.toml --check --quiet build
}

scripts_checked() { git ls-files -z --cached --others --exclude-standard '*.sh' .ci/run | xargs -0 shellcheck -x; }

frontend_linted() { (cd frontend && npm run --silent lint); }

# The linter takes its rules relative to where it runs, the formatter its plugins.
build_scripts_linted() {
  local folders=(build/bench build/pyodide)
  frontend/node_modules/.bin/eslint --config frontend/eslint.config.js --max-warnings 0 "${folders[@]}" &&
    (cd frontend && node_modules/.bin/prettier --config .prettierrc.json --check --log-level warn "${folders[@]/#/../}")
}

check "the build tags are the same everywhere" tags_agree
check "Go: gofumpt" go_formatted
check "Go: golangci-lint (a minute or two the first time)" go_linted
check "shell: shellcheck" scripts_checked
check "Python: ruff" python_linted
check "TypeScript and Svelte: eslint, prettier" frontend_linted
check "build scripts and benchmarks: eslint, prettier" build_scripts_linted

[ ${#failed[@]} -eq 0 ] || fail lint "failed: $(printf '%s; ' "${failed[@]}")"
echo "every linter is content"
