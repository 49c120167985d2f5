#!/usr/bin/env bash
# Generates what is committed: the database code from its queries, the window's bindings from the bound services.
# Usage: build/generate.sh [FOLDER]   another copy of the project than this one
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "${1:-$ROOT}"
sqlc=$("$ROOT/build/tool.sh" sqlc)
wails=$("$ROOT/build/tool.sh" wails)

"$sqlc" generate -f internal/store/sqlc.yaml
# Wails compiles the application in a mode of its own, which excludes the two modes of a finished one.
modes=desktop,production,
"$wails" generate module -tags "${TAGS/#$modes/}"
