"""Tests of the notices: every shipped part has a text, and the same parts give the same file."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import notices
from notices import Notice


class TestNotices(unittest.TestCase):
    def collect(self, *parts: Notice):
        quiet = {name: lambda: iter(()) for name in ("npm_packages", "python_packages", "models")}
        with mock.patch.multiple(notices, go_modules=lambda: iter(parts), **quiet):
            return notices.collect()

    def test_a_part_without_a_text_is_named(self):
        parts = [Notice("Go modules", "a", "v1", "text"), Notice("Go modules", "b", "v2", " \n")]
        with self.assertRaisesRegex(notices.NoticeError, "b v2") as caught:
            self.collect(*parts)
        self.assertNotIn("a v1", str(caught.exception))

    def test_a_text_kept_here_stands_in_for_a_forgotten_one(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(notices, "TEXTS", Path(folder)):
            (Path(folder) / "x_y.txt").write_text("kept\n")
            [found] = self.collect(Notice("Go modules", "x/y", "v1", ""))
        self.assertEqual(found.text, "kept")

    def test_the_same_text_is_written_once(self):
        parts = [Notice("Pages", name, "1", "MIT text") for name in ("a", "b")]
        rendered = notices.render(parts)
        self.assertEqual(rendered.count("MIT text"), 1)
        self.assertIn("a 1 [1]\nb 1 [1]", rendered)
        self.assertEqual(rendered, notices.render(parts))

    def test_code_is_no_licence(self):
        self.assertTrue(notices.is_licence("pkg/LICENSE.txt"))
        self.assertFalse(notices.is_licence("pkg/license.go"))
        self.assertFalse(notices.is_licence("pkg/README.md"))


if __name__ == "__main__":
    unittest.main()
