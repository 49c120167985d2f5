#!/usr/bin/env bash
# Builds the bundled model server: stock Ollama from its Go module, with one CPU library for each generation of
# processors, of which the server takes the best one when it starts. The result is kept in the user's cache.
set -euo pipefail
# shellcheck source=build/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

# Raise it when the way of building changes; a changed comment must not cost anybody six minutes.
RECIPE=1
DEST="$ROOT/build/bin/resources/ollama"
MINIAUDIO_MODULE=github.com/gen2brain/malgo@v0.11.24 # carries miniaudio.h, which Ollama's module zip lacks

ollama_version() {
  local version
  version=$(cd "$ROOT" && go list -m -f '{{.Version}}' github.com/ollama/ollama 2>/dev/null) || true
  [ -n "$version" ] || fail ollama "go.mod does not name github.com/ollama/ollama, so its version is unknown"
  printf '%s\n' "$version"
}

# Outside the project, so that downloading a module leaves go.mod and go.sum alone.
module_dir() {
  (cd / && GO111MODULE=on GOFLAGS=-mod=mod go mod download -json "$1") |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])'
}

# Module zips carry no vendor/ folders; these three headers stand in one of Ollama's.
gather_headers() {
  local include=$1
  mkdir -p "$include/stb" "$include/miniaudio"
  ln -sfn /usr/include/nlohmann "$include/nlohmann"
  ln -sf /usr/include/stb/stb_image.h "$include/stb/stb_image.h"
  ln -sf "$(module_dir "$MINIAUDIO_MODULE")/miniaudio.h" "$include/miniaudio/miniaudio.h"
}

build_variants() {
  local module=$1 tree=$2
  cmake -S "$module" -B "$tree" -G Ninja -DCMAKE_DISABLE_FIND_PACKAGE_Vulkan=ON \
    -DCMAKE_CUDA_COMPILER=NOTFOUND -DCMAKE_HIP_COMPILER=NOTFOUND -DGGML_CCACHE=OFF
  cmake --build "$tree" --target ggml-cpu
}

build_server() {
  local module=$1 include=$2 output=$3 version=$4
  cd "$module"
  GOFLAGS='' CGO_ENABLED=1 CGO_CPPFLAGS="-I$include" CGO_CFLAGS=-O2 CGO_CXXFLAGS=-O2 \
    go build -trimpath -ldflags "-w -s -X github.com/ollama/ollama/version.Version=${version#v}" -o "$output" .
}

main() {
  local version key kept work module
  version=$(ollama_version)
  key=$(content_key "recipe $RECIPE" "$version" "$(go env GOVERSION GOARCH)" "$(gcc -dumpfullversion)")
  kept="$CACHE/ollama/$version-$key"

  if [ ! -f "$kept/complete" ]; then
    say ollama "building the bundled model server $version from source (once; about 6 minutes on two cores)"
    work=$(mktemp -d)
    # shellcheck disable=SC2064 # the folder of now is meant
    trap "rm -rf '$work'" EXIT
    module=$(module_dir "github.com/ollama/ollama@$version")
    gather_headers "$work/include"
    with_progress "ollama CPU libraries (about 2 minutes)" build_variants "$module" "$work/cmake"
    with_progress "ollama server (about 4 minutes)" build_server "$module" "$work/include" "$work/ollama" "$version"
    rm -rf "$kept"
    mkdir -p "$kept/bin" "$kept/lib/ollama"
    cp "$work/ollama" "$kept/bin/ollama"
    cp -P "$work"/cmake/lib/ollama/*.so* "$kept/lib/ollama/"
    find "$kept/lib/ollama" -type f -exec strip --strip-unneeded {} +
    cp "$module/LICENSE" "$kept/LICENSE"
    touch "$kept/complete"
  fi

  [ "$(cat "$DEST/.complete" 2>/dev/null)" != "$version-$key" ] || return 0
  # The server looks for its libraries in ../lib/ollama of its real path, and hands that folder to its runner
  # whatever the environment says: hence bin/, and a link for those who start it.
  rm -rf "$DEST" "$DEST.new"
  copy_into "$kept/bin/ollama" "$DEST.new/bin"
  copy_into "$kept/lib/ollama" "$DEST.new/lib"
  copy_into "$kept/LICENSE" "$DEST.new"
  ln -sfn bin/ollama "$DEST.new/ollama"
  printf '%s' "$version-$key" >"$DEST.new/.complete"
  mv "$DEST.new" "$DEST"
}

main "$@"
