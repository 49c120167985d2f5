#!/usr/bin/env bash
# Brings what the build needs and this machine lacks: checks the toolchains, then installs missing Debian packages.
# Usage: build/setup.sh [test]   the packages of apt.txt; with test, those of apt-test.txt as well
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# need NAME WANTED COMMAND...: fails where the version that the command prints is older than the wanted one.
need() {
  local name=$1 wanted=$2 found
  shift 2
  command -v "$1" >/dev/null || fail setup "$1 is missing; Lathe is built with $name $wanted or later"
  found=$("$@" 2>/dev/null | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1) || true
  [ -n "$found" ] || fail setup "\"$*\" tells no version; Lathe is built with $name $wanted or later"
  at_least "$wanted" "$found" || fail setup "$name $found is too old; Lathe is built with $name $wanted or later"
}

missing_packages() {
  local name
  sed 's/#.*//' "$@" | tr -d ' \t' | while read -r name; do
    [ -z "$name" ] || [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || echo "$name"
  done
}

cd "$ROOT"
# Each version stands where the language's own tools look for it.
need Go "$(sed -n 's/^go //p' go.mod)" go env GOVERSION
need Node "$(sed -n 's/.*"node": ">=\(.*\)".*/\1/p' frontend/package.json)" node --version
need npm 10 npm --version
need Python "$(sed -n 's/^target-version = "py\([0-9]\)\([0-9]*\)".*/\1.\2/p' build/ruff.toml)" python3 --version
command -v gcc >/dev/null || fail setup "gcc is missing; the window and the model server are built with it"

if ! command -v dpkg-query >/dev/null; then
  say setup "this is no Debian, so the packages named in build/apt.txt and build/apt-test.txt are taken to be there"
  exit 0
fi

lists=(build/apt.txt)
about="for the window and the model server"
if [ "${1:-}" = test ]; then
  lists+=(build/apt-test.txt)
  about="for tests and for a window without a screen"
fi
mapfile -t missing < <(missing_packages "${lists[@]}")
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail setup "please install these packages as root, then try again: ${missing[*]}"
  as_root=(sudo)
  sudo -v || fail setup "please install these packages as root, then try again: ${missing[*]}"
fi
say setup "installing ${#missing[@]} Debian packages $about (once; a few minutes): ${missing[*]}"
as_root+=(env DEBIAN_FRONTEND=noninteractive)
with_progress "apt-get update" "${as_root[@]}" apt-get update
with_progress "apt-get install" "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}"
