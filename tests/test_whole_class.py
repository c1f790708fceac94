"""One class with everything in it through `attnlab grade`: hostile files, every packaging, and right work in between.

A run of the suite takes a part of it. ``ATTNLAB_WHOLE_CLASS=1 python -m pytest tests/test_whole_class.py -s -n 0``
takes all, in every tier, and prints what came of it.
"""

import os
import stat
import sys
import time
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: there is no course to grade")

import classes
from arrivals import PACKAGINGS, work_of
from classes import SOLUTION
from victims import HOSTILE, Bait, adopt_orphans, children_of, credit_of

from attnlab import texts
from attnlab.grading import processes, records, session
from attnlab.sandbox import tiers

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the processes left behind are looked for in /proc"),
    pytest.mark.xdist_group("test_grading"),
]

WHOLE = os.environ.get("ATTNLAB_WHOLE_CLASS") == "1"
SAMPLE = 1 if WHOLE else 15
ONE_RIGHT_IN = 4
BOUND = 20.0  # seconds that a submission may take on average, endless ones included


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    return classes.course_template(tmp_path_factory.mktemp("courses") / "template")


def hand_in(course, bait):
    """Hand everything in; return what is due: parts that must pass, or None for a submission that cannot be read."""
    text = (course / "source" / "attention" / "attention.ipynb").read_text(encoding="utf-8")
    work = work_of(SOLUTION, classes.released(text))
    due = {}
    for path in HOSTILE[::SAMPLE]:
        source = path.read_text(encoding="utf-8")
        folder = course / "submitted" / f"hostile-{path.stem}" / "attention"
        folder.mkdir(parents=True)
        (folder / "attention.py").write_text(bait.given + source, encoding="utf-8")
        due[f"hostile-{path.stem}"] = credit_of(source)
    everything = {"causal_mask", "softmax", "attention", "causal_self_attention", "sigmoid", "gate"}
    for packaging in PACKAGINGS[::SAMPLE]:
        folder = course / "submitted" / f"packed-{packaging.name}" / "attention"
        folder.mkdir(parents=True)
        packaging.build(work, folder)
        due[f"packed-{packaging.name}"] = None if packaging.unreadable else everything
    for number in range(len(due) // ONE_RIGHT_IN):
        classes.hand_in(course, f"right-{number:03}", SOLUTION)
        due[f"right-{number:03}"] = everything
    return due


def plain_files(folder):
    """Return what is in the files below a folder, but for links and devices."""
    paths = (Path(root, name) for root, _, names in os.walk(folder) for name in names)
    return {path: path.read_bytes() for path in paths if stat.S_ISREG(path.lstat().st_mode)}


@pytest.mark.parametrize("name", tiers.NAMES if WHOLE else tiers.NAMES[:1])
def test_everybody_gets_what_is_due_and_nobody_is_hurt(name, template, tmp_path):
    tier = next((tier for tier in tiers.available() if tier.name == name), None)
    if tier is None:
        pytest.skip(f"{name} cannot be used here: {tiers._obstacle(name)}")
    course = classes.copied(template, tmp_path / "course")
    bait = Bait(tmp_path / "bait", name)
    due = hand_in(course, bait)
    handed_in = plain_files(course / "submitted")
    resource_tracker.ensure_running()  # multiprocessing's own, which stays as long as we do
    adopt_orphans(True)
    processes.prepare()  # the server that starts workers lives as long as this process
    before, began = children_of(os.getpid()), time.monotonic()
    try:
        summary = session.grade(session.Options(course, "attention", 2, tier=name), "en", None)
        seconds = time.monotonic() - began
        left, called = children_of(os.getpid()) - before, bait.somebody_called()
    finally:
        adopt_orphans(False)
        bait.close()
    differs, sentences = {}, {}
    for student, parts in due.items():
        record = records.load(course / ".attnlab" / "attention", student)
        (notebook,) = record["notebooks"]
        sentences[student] = str(notebook["report"])
        if parts is None:
            why = notebook["unreadable"]
            if record["score"] != 0 or not why or not texts.say("en", why["message"], why["facts"]):
                differs[student] = record["score"], why
            continue
        functions = notebook["report"]["functions"] if notebook["report"] else {}
        passed = {part for part, found in functions.items() if found["status"] == "passed"}
        if passed != parts or (student[0] in "pr" and record["score"] != 10):
            differs[student] = passed, notebook["unreadable"], record["score"]
    if WHOLE:
        counts = f"{len(due)} submissions, {summary.full} at full marks, {len(summary.unreadable)} unreadable, "
        counts += f"{summary.retried} graded again alone, {seconds:.0f} s"
        print(f"\n{name}: {counts}; {len(differs)} differ, {len(left)} processes left")
    assert differs == {}
    assert summary.broken == {}
    assert summary.graded == len(due)
    assert [student for student, said in sentences.items() if "GOTCHA" in said] == []
    assert bait.is_whole()
    assert called is None
    assert left == set()
    assert plain_files(course / "submitted") == handed_in
    assert seconds < BOUND * len(due)
