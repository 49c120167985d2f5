#!/usr/bin/env bash
# Makes the memory snapshot beside Pyodide's files where it is missing or of other files than those that are there.
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

folder=$ROOT/build/bin/resources/pyodide
scripts=$ROOT/build/pyodide
key=$(content_key "$folder/.complete" "$scripts/snapshot.mjs" "$scripts/warm.py" "$(node --version)")
[ "$(cat "$folder/.snapshot" 2>/dev/null)" != "$key" ] || exit 0
rm -f "$folder"/.snapshot "$folder"/snapshot*
with_progress "pyodide snapshot" node "$scripts/snapshot.mjs" "$folder"
printf %s "$key" >"$folder/.snapshot"
