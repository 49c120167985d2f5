# shellcheck shell=bash
# What every build script shares. Source it after `set -euo pipefail`.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/lathe"
export ROOT CACHE

# say NAME TEXT: one line that tells what is happening.
say() { printf '%s: %s\n' "$1" "$2" >&2; }

# fail NAME TEXT: the sentence a person reads when the build cannot go on.
fail() {
  printf '%s: %s\n' "$1" "$2" >&2
  exit 1
}

# content_key FILE-OR-TEXT...: a short key that changes when any file's content or any text does.
content_key() {
  local item
  for item in "$@"; do
    if [ -f "$item" ]; then sha256sum <"$item"; else printf '%s\n' "$item"; fi
  done | sha256sum | cut -c1-16
}

# with_progress NAME COMMAND...: runs a long command with its output in a log, and shows every 15 seconds
# that it is still at work; the log's end is printed when it fails.
with_progress() {
  local name=$1 log started pid waited=0
  shift
  mkdir -p "$CACHE/log"
  log="$CACHE/log/${name//[^a-zA-Z0-9._-]/-}.log"
  started=$SECONDS
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    waited=$((waited + 1))
    if [ $((waited % 15)) -eq 0 ]; then
      say "$name" "still working, $((SECONDS - started)) s so far"
    fi
  done
  if ! wait "$pid"; then
    tail -n 40 "$log" >&2
    fail "$name" "failed after $((SECONDS - started)) s; the whole log is $log"
  fi
  say "$name" "done in $((SECONDS - started)) s"
}

# link_into FILE... FOLDER: hard links where cache and project share a file system, copies elsewhere.
link_into() {
  local folder=${*: -1}
  mkdir -p "$folder"
  cp -fl "${@:1:$#-1}" "$folder/" 2>/dev/null || cp -f "${@:1:$#-1}" "$folder/"
}
