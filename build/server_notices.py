"""The licences of what is inside the bundled model server.

They are read from the sources that its build takes (build/ollama/build.sh) and kept in the user's cache, so that they
are gathered once for each version of the server.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from licence_texts import Notice, NoticeError, closing_comment, file_text, go, go_modules, opening_comment
from wheels import CACHE

GROUP = "Model server"
BUILD = Path(__file__).resolve().parent / "ollama" / "build.sh"
STB_IMAGE = Path("/usr/include/stb/stb_image.h")
# The headers themselves only name the licence; its text, and whose work is inside, stand in Debian's file.
NLOHMANN_JSON = Path("/usr/share/doc/nlohmann-json3-dev/copyright")
LLAMAFILE = "ml/backend/ggml/ggml/src/ggml-cpu/llamafile/sgemm.cpp"


def miniaudio_module(script: Path = BUILD) -> str:
    """The module that the build takes miniaudio.h from, which stands there alone."""
    found = re.search(r"^MINIAUDIO_MODULE=(\S+)", script.read_text(), re.MULTILINE)
    if not found:
        raise NoticeError(f"{script.name} does not say which module miniaudio.h is taken from (MINIAUDIO_MODULE=)")
    return found[1]


def module_folder(module: str) -> Path:
    # Outside the project, so that downloading a module leaves go.mod and go.sum alone.
    environment = {**os.environ, "GO111MODULE": "on", "GOFLAGS": "-mod=mod"}
    return Path(json.loads(go("mod", "download", "-json", module, cwd="/", env=environment))["Dir"])


def bundled_works(server: Path, miniaudio: Path, version: str) -> Iterator[Notice]:
    """The works in C and C++: those inside Ollama's module, and the three headers that are put beside it."""
    yield Notice(GROUP, "Ollama", version, file_text(server / "LICENSE"))
    inside = [
        ("llama.cpp", file_text(server / "llama" / "llama.cpp" / "LICENSE")),
        ("ggml", file_text(server / "ml" / "backend" / "ggml" / "ggml" / "LICENSE")),
        ("llamafile's matrix multiplication", opening_comment(server / LLAMAFILE)),
    ]
    for name, text in inside:
        yield Notice(GROUP, name, f"in Ollama {version}", text)
    yield Notice(GROUP, "nlohmann/json", "", file_text(NLOHMANN_JSON))
    yield Notice(GROUP, "stb_image", "", closing_comment(STB_IMAGE))
    yield Notice(GROUP, "miniaudio", "", closing_comment(miniaudio / "miniaudio.h"))


def gather(version: str) -> list[Notice]:
    server = module_folder(f"github.com/ollama/ollama@{version}")
    miniaudio = module_folder(miniaudio_module())
    # The environment of build_server in build.sh, which decides what is compiled in.
    modules = go_modules(f"{GROUP}: Go modules", server, {"GOFLAGS": "", "GOWORK": "off", "CGO_ENABLED": "1"})
    return [*bundled_works(server, miniaudio, version), *modules]


def inputs() -> list[Path]:
    """The files that decide the result beside the server's version."""
    here = Path(__file__)
    return [here, here.with_name("licence_texts.py"), BUILD, *(p for p in (NLOHMANN_JSON, STB_IMAGE) if p.is_file())]


def server_notices(version: str, kept: Path = CACHE / "notices") -> list[Notice]:
    """The licences for this version of the server, from the cache where they were gathered before."""
    key = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in inputs())).hexdigest()[:16]
    path = kept / f"ollama-{version}-{key}.json"
    if path.is_file():
        return [Notice(*one) for one in json.loads(path.read_text())]
    print("notices: gathering the licences of the model server (a few seconds, once)", file=sys.stderr, flush=True)
    found = gather(version)
    # What has a gap is not kept: it may be filled from elsewhere without any of the inputs changing.
    if all(notice.text for notice in found):
        kept.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps(found))
        partial.replace(path)
    return found
