#!/usr/bin/env bash
# Opens the window; without a screen, takes the tour: the main job done once on a virtual screen, with pictures.
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec build/bin/lathe
fi
say run "there is no display, so Lathe runs on a virtual one and does its main job once (about a minute)"
make --no-print-directory equipment build/bin/stamps/e2e
build/window.sh node frontend/e2e/tour.mjs build/bin/tour
say run "the pictures are in $ROOT/build/bin/tour"
