"""Tests of the set-up: a toolchain that is too old is named, with what is needed."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SETUP = Path(__file__).resolve().parent / "setup.sh"


class TestSetup(unittest.TestCase):
    def complaint(self, name: str, prints: str) -> str:
        """What the set-up says where a tool of this name prints this version."""
        with tempfile.TemporaryDirectory() as folder:
            tool = Path(folder) / name
            tool.write_text(f"#!/bin/sh\necho '{prints}'\n")
            tool.chmod(0o755)
            path = f"{folder}:{os.environ['PATH']}"
            result = subprocess.run(
                [SETUP], env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
            )
        self.assertEqual(result.returncode, 1, result.stderr)
        return result.stderr

    def test_an_old_toolchain_is_named_with_what_is_needed(self):
        for name, prints, says in (
            ("go", "go1.19.8", r"Go 1\.19\.8 is too old; .* Go 1\.26"),
            ("node", "v20.9.0", r"Node 20\.9\.0 is too old; .* Node 20\.19"),
            ("npm", "9.2.0", r"npm 9\.2\.0 is too old"),
            ("python3", "Python 3.9.2", r"Python 3\.9\.2 is too old; .* Python 3\.11"),
            ("node", "no idea", r"tells no version; .* Node 20\.19"),
        ):
            with self.subTest(tool=name, prints=prints):
                self.assertRegex(self.complaint(name, prints), says)


if __name__ == "__main__":
    unittest.main()
