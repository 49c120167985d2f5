#!/usr/bin/env bash
# Compiles the application. Go's own cache decides what is compiled again.
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
[ -x build/bin/lathe ] || say app "compiling for the first time, SQLite's C code included (about 3 minutes)"
CGO_ENABLED=1 go build -tags "$TAGS" -trimpath -buildvcs=false -ldflags "-w -s" -o build/bin/lathe .
build/notices.py
