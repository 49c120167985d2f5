#!/usr/bin/env bash
# Draws build/appicon.png from build/appicon.svg. The picture is committed; run this after changing the drawing.
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for package in librsvg2-bin:rsvg-convert imagemagick:mogrify; do
  command -v "${package#*:}" >/dev/null || fail icon "${package#*:} is missing; please install ${package%:*}"
done

rsvg-convert -w 512 -h 512 "$ROOT/build/appicon.svg" -o "$ROOT/build/appicon.png"
# Metadata such as the time of drawing would make every drawing another file.
mogrify -strip -define png:compression-level=9 "$ROOT/build/appicon.png"
[ "$(stat -c %s "$ROOT/build/appicon.png")" -lt 40960 ] || fail icon "the picture is larger than 40 kB"
