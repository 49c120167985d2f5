"""Tests of the model server's licences: where the texts come from, and that they are gathered once."""

from __future__ import annotations

import io
import tempfile
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

import licence_texts
import server_notices
from licence_texts import Notice


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class TestTexts(Case):
    def test_a_licence_in_a_closing_comment(self):
        path = self.file("one.h", "/* first */\nint a;\n/*\nthe licence\n*/\n")
        self.assertEqual(licence_texts.closing_comment(path), "the licence")

    def test_a_comment_in_the_middle_is_no_licence(self):
        path = self.file("one.h", "/* first */\nint a;\n")
        self.assertEqual(licence_texts.closing_comment(path), "")
        self.assertEqual(licence_texts.closing_comment(self.folder / "none.h"), "")

    def test_a_licence_in_an_opening_comment(self):
        path = self.file("one.cpp", "// Copyright\n//\n// granted\n\n// about the code\n")
        self.assertEqual(licence_texts.opening_comment(path), "Copyright\n\ngranted")
        self.assertEqual(licence_texts.opening_comment(self.file("two.cpp", "int a;\n// later\n")), "")

    def test_a_module_brings_the_texts_of_the_folders_that_are_in_use(self):
        self.file("m/LICENSE", "module")
        self.file("m/inner/LICENSE", "inner")
        self.file("m/inner/package/code.go", "")
        self.file("m/unused/LICENSE", "unused")
        module = self.folder / "m"
        self.assertEqual(licence_texts.packages_text(module, {module / "inner" / "package"}), "module\n\ninner")


class TestServer(Case):
    def notices(self, found: list[Notice]) -> list[Notice]:
        patch = mock.patch.object(server_notices, "gather", return_value=found)
        with patch as self.gather, redirect_stderr(io.StringIO()):
            return server_notices.server_notices("v1", self.folder / "kept")

    def test_it_is_gathered_once(self):
        found = [Notice("g", "a", "v1", "text")]
        self.assertEqual(self.notices(found), found)
        self.assertEqual(self.notices([]), found)
        self.gather.assert_not_called()

    def test_a_gap_is_not_kept(self):
        self.notices([Notice("g", "a", "v1", "")])
        found = [Notice("g", "a", "v1", "text")]
        self.assertEqual(self.notices(found), found)

    def test_a_work_whose_licence_is_missing_is_told_by_an_empty_text(self):
        self.file("server/LICENSE", "text")
        with mock.patch.multiple(server_notices, STB_IMAGE=self.folder / "a", NLOHMANN_JSON=self.folder / "b"):
            found = list(server_notices.bundled_works(self.folder / "server", self.folder, "v1"))
        self.assertEqual([notice.name for notice in found if notice.text], ["Ollama"])
        missing = {notice.name for notice in found if not notice.text}
        self.assertLessEqual({"llama.cpp", "ggml", "nlohmann/json", "stb_image", "miniaudio"}, missing)

    def test_the_build_says_where_miniaudio_comes_from(self):
        self.assertRegex(server_notices.miniaudio_module(), r"^[^@\s]+@v[\d.]+$")
        with self.assertRaisesRegex(licence_texts.NoticeError, "MINIAUDIO_MODULE"):
            server_notices.miniaudio_module(self.file("build.sh", "nothing\n"))


if __name__ == "__main__":
    unittest.main()
