#!/usr/bin/env bash
# Brings what the build needs and this machine lacks: checks the toolchains, then installs the packages of apt.txt.
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_tool() {
  command -v "$1" >/dev/null || fail setup "$1 is missing; Lathe is built with $2"
}

missing_packages() {
  local name
  sed 's/#.*//' "$ROOT/build/apt.txt" | tr -d ' \t' | while read -r name; do
    [ -z "$name" ] || [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || echo "$name"
  done
}

need_tool go "Go 1.26"
need_tool node "Node 20"
need_tool npm "Node 20 and its npm"
need_tool python3 "Python 3.11"
need_tool gcc "gcc"

if ! command -v dpkg-query >/dev/null; then
  say setup "this is no Debian, so the packages named in build/apt.txt are taken to be there"
  exit 0
fi

mapfile -t missing < <(missing_packages)
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail setup "please install these packages as root, then try again: ${missing[*]}"
  as_root=(sudo)
  sudo -v || fail setup "please install these packages as root, then try again: ${missing[*]}"
fi
say setup "installing ${#missing[@]} Debian packages for the window and its tests (once; a few minutes): ${missing[*]}"
as_root+=(env DEBIAN_FRONTEND=noninteractive)
with_progress "apt-get update" "${as_root[@]}" apt-get update
with_progress "apt-get install" "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}"
