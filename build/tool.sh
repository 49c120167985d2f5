#!/usr/bin/env bash
# Prints the path of a Go tool, which is built first where this machine does not have that version yet.
# Usage: build/tool.sh golangci-lint|gofumpt|sqlc|wails
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case "${1:-}" in
  golangci-lint) package=github.com/golangci/golangci-lint/v2/cmd/golangci-lint version=v2.15.0 time="2 minutes" ;;
  gofumpt) package=mvdan.cc/gofumpt version=v0.12.0 time="a few seconds" ;;
  sqlc) package=github.com/sqlc-dev/sqlc/cmd/sqlc version=v1.31.1 time="2 minutes" ;;
  wails) package=github.com/wailsapp/wails/v2/cmd/wails version=v2.16.0 time="a minute" ;;
  *) fail tool "usage: build/tool.sh golangci-lint|gofumpt|sqlc|wails" ;;
esac

# The compiler's version belongs to the key: a linter built with an older Go cannot read newer code.
folder="$CACHE/tools/$1-$version-$(go env GOVERSION)"
if [ ! -x "$folder/$1" ]; then
  say "$1" "building $1 $version, which this machine does not have yet (about $time)"
  install_tool() { cd / && GOBIN="$folder" GOFLAGS='' go install "$package@$version"; }
  with_progress "$1" install_tool
fi
printf '%s\n' "$folder/$1"
