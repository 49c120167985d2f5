"""Tests of what the build scripts share: an interruption leaves nothing at work, copies are no links."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

LIB = Path(__file__).resolve().parent / "lib.sh"


def interruptible() -> None:
    # A shell cannot catch what was ignored when it started, as it is in a job in the background.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class TestLib(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def bash(self, script: str) -> subprocess.Popen:
        process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", f'. "{LIB}"\n{script}'],
            cwd=self.folder,
            env={**os.environ, "XDG_CACHE_HOME": str(self.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=interruptible,
        )
        self.addCleanup(process.kill)
        return process

    def until(self, true, what: str):
        ends = time.monotonic() + 30
        while not true():
            self.assertLess(time.monotonic(), ends, what)
            time.sleep(0.02)

    def test_an_interruption_ends_the_command_and_all_that_it_started(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number.name):
                (self.folder / "pid").unlink(missing_ok=True)
                work = "deep() { sleep 300 & echo $! >pid.new; mv pid.new pid; wait; }\n"
                # What was cleaned up before is cleaned up still, and what would follow does not.
                shell = self.bash(f"{work}trap 'echo cleaned' EXIT\nwith_progress work deep\necho went on")
                self.until((self.folder / "pid").exists, "the command did not start")
                deep = int((self.folder / "pid").read_text())
                shell.send_signal(number)
                out, errors = shell.communicate(timeout=30)
                self.assertEqual(shell.returncode, 130)
                self.assertEqual(out, "cleaned\n")
                self.assertIn("work: interrupted", errors)
                self.until(lambda pid=deep: not alive(pid), "the command's own child is still at work")

    def test_an_interruption_reaches_a_long_command_inside_another(self):
        inner = f'. "{LIB}"; deep() {{ sleep 300 & echo $! >pid.new; mv pid.new pid; wait; }}; with_progress inner deep'
        shell = self.bash(f"outer() {{ bash -c '{inner}'; }}\nwith_progress outer outer")
        self.until((self.folder / "pid").exists, "the command did not start")
        deep = int((self.folder / "pid").read_text())
        shell.send_signal(signal.SIGINT)
        shell.communicate(timeout=30)
        self.until(lambda: not alive(deep), "the inner command is still at work")

    def test_a_failure_is_told_with_the_end_of_its_log(self):
        shell = self.bash("broken() { echo the reason; return 3; }\nwith_progress work broken\necho went on")
        out, errors = shell.communicate(timeout=30)
        self.assertEqual((shell.returncode, out), (1, ""))
        self.assertIn("the reason", errors)

    def test_a_copy_is_changed_alone(self):
        (self.folder / "kept").write_text("kept")
        self.bash("copy_into kept out").communicate(timeout=30)
        (self.folder / "out" / "kept").write_text("edited")
        self.assertEqual((self.folder / "kept").read_text(), "kept")

    def test_versions_are_compared_by_number(self):
        for wanted, found, enough in (
            ("1.26", "1.26.0", True),
            ("1.26", "1.26", True),
            ("1.26.0", "1.26.8", True),
            ("1.26", "1.9", False),
            ("20.19", "20.9.1", False),
            ("20.19", "22.0.0", True),
            ("3.11", "3.9.18", False),
        ):
            with self.subTest(wanted=wanted, found=found):
                shell = self.bash(f"at_least {wanted} {found}")
                shell.communicate(timeout=30)
                self.assertEqual(shell.returncode == 0, enough)


if __name__ == "__main__":
    unittest.main()
