#!/usr/bin/env bash
# Runs a command with a screen of its own (Xvfb, a window manager, a session bus) and ends all of it afterwards.
# With --offline the command sees no network but the loopback, where the machine allows that.
# Usage: build/window.sh [--offline] COMMAND...
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [ "${1:-}" = --offline ]; then
  shift
  if unshare -n true 2>/dev/null; then namespace=(unshare -n); else namespace=(unshare --map-root-user -n); fi
  if "${namespace[@]}" sh -c 'ip link set lo up' 2>/dev/null; then
    say window "running without a network, only the loopback interface is there"
    export LATHE_E2E_OFFLINE=1
    # shellcheck disable=SC2016 # expanded by the inner shell
    exec "${namespace[@]}" sh -c 'ip link set lo up && exec "$0" "$@"' "${BASH_SOURCE[0]}" "$@"
  fi
  say window "this machine allows no network namespace, so the network stays reachable during this run"
fi

# shellcheck disable=SC2317 # called by the trap
ended() {
  local pid
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$folder"
}
started=()
folder=$(mktemp -d)
trap ended EXIT

# Xvfb picks a free display and says which one it is.
Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>"$folder/display" >"$folder/xvfb.log" 2>&1 &
started+=($!)
for _ in $(seq 100); do
  [ ! -s "$folder/display" ] || break
  sleep 0.1
done
[ -s "$folder/display" ] || fail window "no virtual screen could be started: $(tail -n 3 "$folder/xvfb.log")"
DISPLAY=":$(tr -d '\n' <"$folder/display")"
export DISPLAY
# Drawn in software, without a desktop's accessibility bus: the same on every machine.
export GDK_BACKEND=x11 NO_AT_BRIDGE=1 LIBGL_ALWAYS_SOFTWARE=1
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS

openbox >"$folder/openbox.log" 2>&1 &
started+=($!)
status=0
dbus-run-session -- "$@" || status=$?
exit "$status"
