#!/usr/bin/env bash
# Measures real parts and writes build/bin/bench.json: a flat object from key to number.
# Each measurement is a script of its own in this folder, NAME.bench.mjs, which prints its keys as one JSON object;
# scripts run with a screen of their own, one after the other, so that they do not measure each other.
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

cd "$ROOT"
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
shopt -s nullglob
for script in build/bench/*.bench.mjs; do
  name=$(basename "$script" .bench.mjs)
  say bench "measuring $name (a few minutes)"
  build/window.sh node "$script" >"$parts/$name.json"
done
python3 - "$parts" <<'PYTHON' >build/bin/bench.json
import json, pathlib, sys

merged = {}
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
    merged.update(json.loads(path.read_text()))
print(json.dumps(merged, indent=2, sort_keys=True))
PYTHON
python3 - <<'PYTHON'
import json

print("| key | ratio |\n|---|---|")
for key, value in json.load(open("build/bin/bench.json")).items():
    print(f"| `{key}` | {value:.3g} |")
PYTHON
