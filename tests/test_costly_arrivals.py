"""Submissions that cost far more than they are worth: what is read, compiled and copied of one is bounded."""

import json
import os
import time
from pathlib import PurePath

import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: there is no course to grade")

from attnlab import reading, submission
from attnlab.grading import packing, records
from attnlab.magics import cell_code


def cpu(function, *arguments):
    """Return what a call gives, and the seconds of processor time it took."""
    began = time.process_time()
    found = function(*arguments)
    return found, time.process_time() - began


@pytest.mark.parametrize("key", ["cells", "metadata"])
def test_entries_are_counted_before_anything_is_made_of_them(key):
    text = json.dumps({"cells": [], "metadata": {}, key: [{}] * 1_300_000}, separators=(",", ":"))

    def read():
        with pytest.raises(reading.Unreadable) as refused:
            reading.notebook(text, PurePath("a.ipynb"))
        return refused.value.message

    message, seconds = cpu(read)
    assert message == "read.too_many_values"
    assert seconds < 0.2


def test_cells_are_counted_before_they_are_built(monkeypatch):
    monkeypatch.setattr(reading, "_cell", None)
    with pytest.raises(reading.Unreadable) as refused:
        reading.notebook(json.dumps({"cells": [{}] * 5001}), PurePath("a.ipynb"))
    assert refused.value.message == "arrival.too_many_cells"
    assert refused.value.facts == {"path": "a.ipynb", "count": 5001}


LARGE = "def f():\n" + "    x = [1, 2, 3, 4]\n" * 15_000
HOSTILE = {
    "loose ends behind a large cell": [LARGE] + ["    y = (\n"] * 200,
    "magics in loose ends": ["def f():\n" + "    x = 1\n" * 1100] + ["    %a\n" * 40 + "    y = (\n"] * 200,
    "magics in broken cells": ["%a\n" * 60 + "x = (\n"] * 5000,
    "prompts in broken cells": [">>> %a\n" * 60 + ">>> x = (\n"] * 3000,
}


@pytest.mark.parametrize("cells", HOSTILE.values(), ids=HOSTILE)
def test_no_number_of_broken_cells_takes_long(cells):
    whole, seconds = cpu(submission.whole_cells, cells)
    assert len(whole) == len(cells)
    assert seconds < 6


def test_right_cells_are_read_behind_any_number_of_broken_ones():
    right = ["%pwd\nx = 1", "text = '''\n%not magic\n'''", "def f():\n    return (1 +\n", "            2)"]
    found = [code for _, code in submission.whole_cells([*HOSTILE["magics in broken cells"], *right])]
    assert {"pass\nx = 1", right[1]} <= set(found)
    assert [code for _, code in submission.whole_cells(right)] == ["pass\nx = 1", right[1], "\n".join(right[2:])]


def test_a_large_right_function_may_be_cut_apart():
    pieces = [LARGE, *["    y = 1\n"] * 60, "    return 5"]
    ((start, code),) = submission.whole_cells(pieces)
    assert (start, code) == (0, "\n".join(pieces))
    assert cell_code("%time y = 1\nz = 2") == "y = 1\nz = 2"


# --- around the notebook ----------------------------------------------------------------------------------------------


def sparse(path, size):
    """Write a file that holds nothing, and takes no room for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        file.truncate(size)
    return path


def test_a_large_file_is_not_read_to_see_whether_it_changed(tmp_path):
    data = [sparse(tmp_path / f"data{n}.bin", 64 << 30) for n in range(3)]
    before, seconds = cpu(records.digest, tmp_path, "")
    assert seconds < 2
    assert records.digest(tmp_path, "") == before
    for change in (lambda: os.truncate(data[0], (64 << 30) + 1), lambda: os.utime(data[1], (1, 1))):
        change()
        assert records.digest(tmp_path, "") != before
        before = records.digest(tmp_path, "")
    with open(data[2], "r+b") as file:
        stamp = os.fstat(file.fileno()).st_mtime_ns
        file.write(b"changed")
    os.utime(data[2], ns=(stamp, stamp))
    assert records.digest(tmp_path, "") != before


def test_of_many_files_no_more_is_read_than_of_one(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "MAX_READ", 10 << 20)
    for n in range(40):
        sparse(tmp_path / f"{n:02}.bin", 3 << 20)
    read = []
    take_in = records._take_in
    monkeypatch.setattr(records, "_take_in", lambda *a: read.append(take_in(*a)) or read[-1])
    before = records.digest(tmp_path, "")
    assert sum(read) <= 10 << 20
    os.utime(tmp_path / "39.bin", (1, 1))
    assert records.digest(tmp_path, "") != before


def test_a_small_file_is_known_by_what_is_in_it(tmp_path):
    (tmp_path / "a.ipynb").write_text("1", encoding="utf-8")
    before = records.digest(tmp_path, "")
    os.utime(tmp_path / "a.ipynb", (1, 1))
    assert records.digest(tmp_path, "") == before
    (tmp_path / "a.ipynb").write_text("2", encoding="utf-8")
    assert records.digest(tmp_path, "") != before


def test_what_travels_to_another_machine_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(packing, "MAX_PACKED", 1 << 20)
    for n in range(4):
        sparse(tmp_path / "from" / f"{n}.bin", 400_000)
    (tmp_path / "to").mkdir()
    packing.unpack(packing.pack(tmp_path / "from"), tmp_path / "to")
    assert len(list((tmp_path / "to").iterdir())) == 2
