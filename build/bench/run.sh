#!/usr/bin/env bash
# Measures real parts and writes build/bin/bench.json: a flat object from key to number. What was not measured this
# time is not in it.
# Each measurement is a script of its own in this folder, NAME.bench.mjs, which prints its keys as a JSON object on one line;
# scripts run with a screen of their own, one after the other, so that they do not measure each other.
# Usage: build/bench/run.sh [NAME...]   (all, where none is named)
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

cd "$ROOT"
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
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

python3 - "$parts" <<'PYTHON'
import json, pathlib, sys

measured = {}
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
    measured.update(json.loads(path.read_text()))
pathlib.Path("build/bin/bench.json").write_text(json.dumps(measured, indent=2, sort_keys=True) + "\n")

aims = json.loads(pathlib.Path("build/bench/aims.json").read_text())
print("| key | value | aim |\n|---|---|---|")
for key in sorted(measured, key=lambda key: list(aims).index(key) if key in aims else len(aims)):
    print(f"| `{key}` | {measured[key]:.3g} | {aims.get(key, '')} |")
PYTHON
