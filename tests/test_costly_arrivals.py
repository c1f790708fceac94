"""Submissions that cost far more than they are worth: what is read, compiled and copied of one is bounded."""

import json
import time
from pathlib import PurePath

import pytest

from attnlab import reading, submission
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
