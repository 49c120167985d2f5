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

# end_group PID: ends a process group, with force where it does not go within 5 seconds. Root's processes want root.
end_group() {
  local signal
  for signal in TERM KILL; do
    kill -"$signal" -- "-$1" 2>/dev/null || sudo -n kill -"$signal" -- "-$1" 2>/dev/null || return 0
    for _ in $(seq 50); do
      kill -0 -- "-$1" 2>/dev/null || [ -d "/proc/$1" ] || return 0
      sleep 0.1
    done
  done
}

# with_progress NAME COMMAND...: runs a long command with its output in a log, and shows every 15 seconds
# that it is still at work; the log's end is printed when it fails. An interruption ends the command too.
with_progress() {
  local name=$1 log started pid waited=0
  shift
  mkdir -p "$CACHE/log"
  log="$CACHE/log/${name//[^a-zA-Z0-9._-]/-}.log"
  started=$SECONDS
  # A process group of its own, so that all that the command has started can be ended with it.
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  set +m
  # shellcheck disable=SC2064 # the process of now is meant
  trap "end_group $pid; say '$name' interrupted; exit 130" INT TERM HUP
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    waited=$((waited + 1))
    if [ $((waited % 15)) -eq 0 ]; then
      say "$name" "still working, $((SECONDS - started)) s so far"
    fi
  done
  trap - INT TERM HUP
  if ! wait "$pid"; then
    tail -n 40 "$log" >&2
    fail "$name" "failed after $((SECONDS - started)) s; the whole log is $log"
  fi
  say "$name" "done in $((SECONDS - started)) s"
}

# copy_into FILE... FOLDER: copies, no links: what is changed in build/bin must not change the cache. Where the file
# system can, the copies share their blocks.
copy_into() {
  local folder=${*: -1}
  mkdir -p "$folder"
  cp -a -f --reflink=auto "${@:1:$#-1}" "$folder/"
}

# at_least WANTED FOUND: whether a version is the wanted one or a later one.
at_least() { [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }
