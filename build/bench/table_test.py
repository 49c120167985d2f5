"""Tests of the table: this time's numbers take the place of earlier ones, all others stay."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

import table

AIMS = {"b.first": "≤ 1", "a.second": "≤ 2"}
PAGE = f"# Page\n\n{table.OPENED}\n\n{table.CLOSED}\n\nThe end.\n"


def rows(**values: float) -> dict[str, str]:
    keys = {name.replace("_", "."): value for name, value in values.items()}
    return {key: table.row(key, value, AIMS) for key, value in keys.items()}


class TestTable(unittest.TestCase):
    def test_the_page_gets_the_rows_in_the_order_of_the_aims(self):
        page = table.with_table(PAGE, rows(a_second=2.0, z_other=3.14159, b_first=0.5), AIMS)
        inside = "| `b.first` | 0.5 | ≤ 1 |\n| `a.second` | 2 | ≤ 2 |\n| `z.other` | 3.14 |  |\n"
        self.assertIn(f"| key | value | aim |\n|---|---|---|\n{inside}\n{table.CLOSED}\n\nThe end.\n", page)

    def test_rows_that_were_not_measured_stay(self):
        page = table.with_table(PAGE, rows(b_first=0.5, z_other=1), AIMS)
        page = table.with_table(page, rows(b_first=0.75), AIMS)
        self.assertIn("| `b.first` | 0.75 | ≤ 1 |\n| `z.other` | 1 |  |", page)
        self.assertNotIn("| 0.5 |", page)

    def test_the_same_numbers_give_the_same_page(self):
        page = table.with_table(PAGE, rows(b_first=0.5), AIMS)
        self.assertEqual(table.with_table(page, rows(b_first=0.5), AIMS), page)

    def test_a_page_without_both_marks_is_refused(self):
        for page in ("", table.OPENED, table.CLOSED):
            with self.subTest(page=page), self.assertRaisesRegex(table.TableError, "/bench"):
                table.with_table(page, {}, AIMS)

    def test_the_project_s_page_has_a_place_for_it(self):
        table.with_table((table.ROOT / "README.md").read_text(), {}, AIMS)

    def test_numbers_that_were_not_measured_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bench.json"
            self.assertEqual(table.merged(path, {"a": 1}), {"a": 1})
            path.write_text(json.dumps({"a": 1, "b": 2}))
            self.assertEqual(table.merged(path, {"a": 3}), {"a": 3, "b": 2})


if __name__ == "__main__":
    unittest.main()
