#!/usr/bin/env bash
# Fails when a generated file is not what its source says: generates all of it in a copy and compares.
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' path; do
  if [ -e "$path" ]; then printf '%s\0' "$path"; fi
done | tar --null --no-recursion -cf - -T - | tar -xf - -C "$copy"
# The bindings do not depend on the pages, but the program that lists them embeds some.
mkdir -p "$copy/frontend/dist"
touch "$copy/frontend/dist/index.html"

# Generating empties its folders first, so a file without a source shows as one that is only here.
with_progress "generated files" build/generate.sh "$copy"
drifted=0
for path in internal/store frontend/wailsjs go.mod; do
  diff -r -u "$path" "$copy/$path" || drifted=1
done
[ "$drifted" = 0 ] || fail drift "generated files are not current (above); run make generate"
echo "generated files are current"
