#!/usr/bin/env bash
# Prints the path of a tool, which is built or downloaded first where this machine does not have that version yet.
# Usage: build/tool.sh golangci-lint|gofumpt|ruff|sqlc|wails
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case "${1:-}" in
  golangci-lint) package=github.com/golangci/golangci-lint/v2/cmd/golangci-lint version=v2.15.0 time="2 minutes" ;;
  gofumpt) package=mvdan.cc/gofumpt version=v0.12.0 time="a few seconds" ;;
  ruff) version=0.17.5 time="a few seconds" ;;
  sqlc) package=github.com/sqlc-dev/sqlc/cmd/sqlc version=v1.31.1 time="2 minutes" ;;
  wails) package=github.com/wailsapp/wails/v2/cmd/wails version=v2.16.0 time="a minute" ;;
  *) fail tool "usage: build/tool.sh golangci-lint|gofumpt|ruff|sqlc|wails" ;;
esac

if [ "$1" = ruff ]; then
  # A program in a wheel. It goes into a folder of its own, so that no Python of this machine is changed.
  folder="$CACHE/tools/ruff-$version"
  tool="$folder/bin/ruff"
  install_tool() {
    rm -rf "$folder"
    python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder" "ruff==$version"
  }
else
  # The compiler's version belongs to the key: a linter built with an older Go cannot read newer code.
  folder="$CACHE/tools/$1-$version-$(go env GOVERSION)"
  tool="$folder/$1"
  install_tool() { cd / && GOBIN="$folder" GOFLAGS='' go install "$package@$version"; }
fi
if [ ! -x "$tool" ]; then
  say "$1" "getting $1 $version, which this machine does not have yet (about $time)"
  with_progress "$1" install_tool
fi
printf '%s\n' "$tool"
