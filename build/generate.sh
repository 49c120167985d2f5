#!/usr/bin/env bash
# Generates what is committed: the database code from its queries, the window's bindings from the bound services.
# Usage: build/generate.sh [FOLDER]   another copy of the project than this one
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "${1:-$ROOT}"
sqlc=$("$ROOT/build/tool.sh" sqlc)
wails=$("$ROOT/build/tool.sh" wails)

# Emptied first, so that nothing stays whose source is gone; what was there comes back when generating fails.
generated=(internal/store/db frontend/wailsjs/go)
aside=$(mktemp -d)
# shellcheck disable=SC2317 # called by the trap
ended() {
  local status=$? folder
  for folder in "${generated[@]}"; do
    if [ "$status" -ne 0 ] && [ -d "$aside/$folder" ]; then
      rm -rf "$folder"
      cp -a "$aside/$folder" "$folder"
    fi
  done
  rm -rf "$aside"
}
trap ended EXIT
for folder in "${generated[@]}"; do
  [ -d "$folder" ] || continue
  mkdir -p "$aside/$(dirname "$folder")"
  cp -a "$folder" "$aside/$folder"
  rm -rf "$folder"
done

"$sqlc" generate -f internal/store/sqlc.yaml
# Wails compiles the application in a mode of its own, which excludes the two modes of a finished one.
modes=desktop,production,
"$wails" generate module -tags "${TAGS/#$modes/}"
