"""Tests of the vendoring: what is accepted, from where, and what a person reads when it is not."""

from __future__ import annotations

import hashlib
import http.client
import io
import json
import ssl
import tempfile
import unittest
import urllib.error
import zipfile
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

import vendor
from sources import OfficialRelease, Unavailable, WheelOnPyPI
from wheels import DownloadError


def entry(file_name: str, content: bytes, depends: list[str] | None = None) -> dict:
    sha256 = hashlib.sha256(content).hexdigest()
    return {"file_name": file_name, "sha256": sha256, "depends": depends or [], "version": "1.0"}


class Shelf:
    """A source with the files that a test puts there."""

    def __init__(self, name: str, files: dict[str, bytes]):
        self.name = name
        self.files = files
        self.asked: list[str] = []

    def read(self, file_name: str) -> bytes:
        self.asked.append(file_name)
        if file_name not in self.files:
            raise Unavailable("it has no such file")
        return self.files[file_name]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def vendor(self, *arguments):
        with redirect_stderr(io.StringIO()):
            return vendor.vendor(*arguments)


class TestClosure(unittest.TestCase):
    packages = {
        "scikit-learn": entry("s.whl", b"s", ["SciPy", "joblib"]),
        "scipy": entry("p.whl", b"p", ["numpy"]),
        "joblib": entry("j.whl", b"j"),
        "numpy": entry("n.whl", b"n"),
        "unrelated": entry("u.whl", b"u"),
    }

    def test_follows_dependencies_whatever_the_spelling(self):
        self.assertEqual(
            list(vendor.closure(self.packages, ["Scikit_Learn"])), ["joblib", "numpy", "scikit-learn", "scipy"]
        )

    def test_survives_a_circle(self):
        packages = {"a": entry("a", b"a", ["b"]), "b": entry("b", b"b", ["a"])}
        self.assertEqual(list(vendor.closure(packages, ["a"])), ["a", "b"])

    def test_names_an_unknown_package_and_who_asked(self):
        with self.assertRaisesRegex(vendor.VendorError, 'no package "nmpy".*packages.txt'):
            vendor.closure(self.packages, ["nmpy"])
        packages = {"a": entry("a", b"a", ["ghost"])}
        with self.assertRaisesRegex(vendor.VendorError, '"ghost".*asked for by a'):
            vendor.closure(packages, ["a"])


class TestFetch(Case):
    def setUp(self):
        super().setUp()
        self.sha256 = hashlib.sha256(b"right").hexdigest()

    def fetch(self, *sources) -> Path:
        return vendor.fetch("x.whl", self.sha256, sources, self.folder)

    def test_refuses_other_bytes_and_asks_the_next_source(self):
        wrong, right = Shelf("first", {"x.whl": b"wrong"}), Shelf("second", {"x.whl": b"right"})
        self.assertEqual(self.fetch(wrong, right).read_bytes(), b"right")

    def test_refuses_when_nobody_has_the_right_bytes(self):
        with self.assertRaisesRegex(vendor.VendorError, "(?s)first: .*sha256 differs.*second: it has no such file"):
            self.fetch(Shelf("first", {"x.whl": b"wrong"}), Shelf("second", {}))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_asks_nobody_twice(self):
        shelf = Shelf("only", {"x.whl": b"right"})
        self.fetch(shelf)
        self.fetch(shelf)
        self.assertEqual(shelf.asked, ["x.whl"])

    def test_replaces_a_damaged_file_in_the_cache(self):
        (self.folder / self.sha256).write_bytes(b"half")
        self.assertEqual(self.fetch(Shelf("only", {"x.whl": b"right"})).read_bytes(), b"right")


class TestSources(Case):
    def test_an_unreachable_release_is_asked_once(self):
        # Port 9 of the loopback refuses at once; what is counted is that the second answer is the remembered one.
        release = OfficialRelease("1.2.3", "http://127.0.0.1:9")
        with self.assertRaisesRegex(Unavailable, "cannot be reached") as first:
            release.read("a.whl")
        with self.assertRaises(Unavailable) as second:
            release.read("b.whl")
        self.assertEqual(str(first.exception), str(second.exception))
        self.assertIsNone(second.exception.__cause__)

    def test_every_fault_of_the_network_leads_to_the_next_source(self):
        faults = [
            http.client.IncompleteRead(b"half"),
            http.client.BadStatusLine("?"),
            http.client.RemoteDisconnected(),
            TimeoutError("timed out"),
            ConnectionResetError(),
            ssl.SSLError("no certificate"),
            urllib.error.URLError("no such host"),
            urllib.error.HTTPError("http://localhost", 503, "", None, None),
        ]
        for fault in faults:
            for when in ("opened", "read"):
                with self.subTest(fault=type(fault).__name__, when=when):
                    opened = mock.MagicMock()
                    opened.__enter__.return_value.read.side_effect = fault
                    answer = {"side_effect": fault} if when == "opened" else {"return_value": opened}
                    shelf = Shelf("next", {"x.whl": b"right"})
                    with mock.patch("urllib.request.urlopen", **answer):
                        sha256 = hashlib.sha256(b"right").hexdigest()
                        kept = self.folder / f"{type(fault).__name__}-{when}"
                        vendor.fetch("x.whl", sha256, [OfficialRelease("1.2.3", "http://localhost"), shelf], kept)
                    self.assertEqual(shelf.asked, ["x.whl"])

    def test_a_wheel_is_read_by_file_name(self):
        path = self.folder / "some_name-1.0-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("inner/x.whl", b"right")
        source = WheelOnPyPI("some-name==1.0", "inner", lambda requirement, about: path)
        self.assertEqual(source.read("x.whl"), b"right")
        with self.assertRaisesRegex(Unavailable, "no such file"):
            source.read("y.whl")

    def test_a_wheel_that_cannot_be_had_is_asked_for_once(self):
        asked = []

        def find(requirement: str, about: str) -> Path:
            asked.append(requirement)
            raise DownloadError("no such wheel")

        source = WheelOnPyPI("some-name==1.0", "inner", find)
        for _ in range(2):
            with self.assertRaisesRegex(Unavailable, "no such wheel"):
                source.read("x.whl")
        self.assertEqual(asked, ["some-name==1.0"])


class TestVendor(Case):
    def setUp(self):
        super().setUp()
        self.core = self.folder / "core"
        self.core.mkdir()
        for name in vendor.CORE:
            (self.core / name).write_text(name)
        packages = {"a": entry("a.whl", b"a", ["b"]), "b": entry("b.whl", b"b"), "c": entry("c.whl", b"c")}
        self.lock = {"info": {"python": "3.12"}, "packages": packages}
        (self.core / vendor.LOCK).write_text(json.dumps(self.lock))
        self.target = self.folder / "out" / "pyodide"

    def test_the_lock_names_only_what_is_there(self):
        shelf = Shelf("only", {"a.whl": b"a", "b.whl": b"b"})
        self.vendor(self.core, ["a"], [shelf], self.folder / "kept", self.target)
        there = {path.name for path in self.target.iterdir()}
        self.assertEqual(there, {*vendor.CORE, vendor.LOCK, "a.whl", "b.whl"})
        written = json.loads((self.target / vendor.LOCK).read_text())
        self.assertEqual(written["packages"], {name: self.lock["packages"][name] for name in "ab"})
        self.assertEqual(written["info"], self.lock["info"])

    def test_what_is_changed_there_does_not_change_the_cache(self):
        kept = self.folder / "kept"
        self.vendor(self.core, ["b"], [Shelf("only", {"b.whl": b"b"})], kept, self.target)
        (self.target / "b.whl").write_bytes(b"edited")
        self.assertEqual([path.read_bytes() for path in kept.iterdir()], [b"b"])

    def test_a_failure_leaves_what_was_there(self):
        self.target.mkdir(parents=True)
        (self.target / "old").touch()
        with self.assertRaises(vendor.VendorError):
            self.vendor(self.core, ["a"], [Shelf("empty", {})], self.folder / "kept", self.target)
        self.assertEqual([path.name for path in self.target.iterdir()], ["old"])


class TestPins(Case):
    def test_a_range_is_refused(self):
        path = self.folder / "package.json"
        path.write_text(json.dumps({"dependencies": {"pyodide": "^0.27.7"}}))
        with self.assertRaisesRegex(vendor.VendorError, "exact version"):
            vendor.pinned_version(path)

    def test_another_installed_version_is_refused(self):
        (self.folder / "pyodide").mkdir()
        (self.folder / "pyodide" / "package.json").write_text('{"version": "0.1.0"}')
        with self.assertRaisesRegex(vendor.VendorError, "0.1.0 is installed, 0.27.7 is wanted"):
            vendor.core_folder(self.folder, "0.27.7")

    def test_comments_and_empty_lines_are_no_packages(self):
        self.assertEqual(vendor.wanted_packages("# a\n\nnumpy # fast\n  pandas\n"), ["numpy", "pandas"])


if __name__ == "__main__":
    unittest.main()
