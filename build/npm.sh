#!/usr/bin/env bash
# Installs a folder's npm packages exactly as its lock file names them.
# Usage: build/npm.sh FOLDER
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT/$1"
say npm "installing the packages of $1 (once for each change of its lock file; about a minute)"
with_progress "npm $1" npm ci --no-audit --no-fund
