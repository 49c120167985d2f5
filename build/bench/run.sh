#!/usr/bin/env bash
# Measures real parts into build/bin/bench.json, a flat object from key to number, and prints them as a table; with
# --readme the table in README.md is brought up to date too. Numbers that are not measured this time stay in both.
# Each measurement is a script in this folder, NAME.bench.mjs, which prints its keys as a JSON object on one line;
# scripts run with a screen of their own, one after the other, so that they do not measure each other.
# Usage: build/bench/run.sh [--readme] [NAME...]   (all, where none is named)
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

cd "$ROOT"
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
options=()
if [ "${1:-}" = --readme ]; then
  options=(--readme)
  shift
fi
names=("$@")
if [ $# -eq 0 ]; then
  for script in build/bench/*.bench.mjs; do names+=("$(basename "$script" .bench.mjs)"); done
fi
for name in "${names[@]}"; do
  say bench "measuring $name (up to 20 minutes)"
  build/window.sh node "build/bench/$name.bench.mjs" >"$parts/$name.out"
  # Services of the session's bus write to the same output.
  grep '^{' "$parts/$name.out" >"$parts/$name.json"
done
build/bench/table.py "${options[@]}" "$parts"/*.json
