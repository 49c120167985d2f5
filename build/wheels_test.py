"""Tests of the wheels in the cache: fetched once, and once more when they are damaged."""

from __future__ import annotations

import io
import subprocess
import tempfile
import unittest
import zipfile
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

from wheels import DownloadError, wheel

NAME = "some_name-1.0-py3-none-any.whl"


def packed() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("inner.txt", "the text of the file inside")
    return content.getvalue()


WHEEL = packed()


class TestWheel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.keep = Path(folder.name) / "wheels"
        self.keep.mkdir()
        self.downloads = 0

    def wheel(self, brings: bytes = WHEEL, status: int = 0) -> Path:
        def download(command: list[str], **_):
            self.downloads += 1
            (Path(command[command.index("--dest") + 1]) / NAME).write_bytes(brings)
            return subprocess.CompletedProcess(command, status)

        with mock.patch("subprocess.run", download), redirect_stderr(io.StringIO()):
            return wheel("some-name==1.0", "for a test", self.keep)

    def test_it_is_downloaded_once(self):
        self.assertEqual(self.wheel(), self.wheel())
        self.assertEqual(self.downloads, 1)

    def test_a_damaged_one_is_fetched_once_more(self):
        cut, changed = WHEEL[:-30], WHEEL.replace(b"the text", b"another!")
        for content in (b"", cut, changed):
            with self.subTest(length=len(content)):
                (self.keep / NAME).write_bytes(content)
                self.downloads = 0
                self.assertEqual(self.wheel().read_bytes(), WHEEL)
                self.assertEqual(self.downloads, 1)

    def test_a_download_that_is_damaged_is_not_kept(self):
        with self.assertRaisesRegex(DownloadError, "damaged"):
            self.wheel(b"half")
        self.assertEqual(list(self.keep.iterdir()), [])

    def test_a_failure_of_pip_is_told(self):
        with self.assertRaisesRegex(DownloadError, "could not download some-name==1.0"):
            self.wheel(status=1)


if __name__ == "__main__":
    unittest.main()
