"""The standing promise: right files pass, wrong files fail where they are wrong, hostile files cost only themselves."""

import re

import pytest
from conftest import FAIR, ROOT, WRONG

from attnlab import submission
from attnlab.labs.attention.misconceptions import MISCONCEPTIONS, submission_source

LISTED = {  # {id: (checks of its own part that reject it, how many of other parts)}
    m[1]: (m[2].split(", "), int(m[3] or 0))
    for m in re.finditer(
        r"^\| (?:&nbsp;)*`(\w+)` \| `\w+` \| .+ \| \d+ \| (.+?) \| (\d*) \|$",
        (ROOT / "docs" / "kill-matrix.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
}
TWO_AT_ONCE = {  # what files in tests/wrong really do wrong twice; any other pair named would be a false one
    "failing_demo_assert": {"softmax": ("no_max_subtraction", "over_all_entries")},
    "object_arrays": {"causal_self_attention": ("mask_forgotten", "tokens_compared_raw")},
    "several_faults": {
        "softmax": ("no_max_subtraction", "over_axis_before_last"),
        "causal_self_attention": ("mask_forgotten", "query_and_key_exchanged"),
    },
}
GRADED = ("causal_mask", "softmax", "attention", "causal_self_attention")


@pytest.mark.parametrize("misconception", MISCONCEPTIONS, ids=lambda m: m.id)
def test_a_wrong_version_loses_points_where_it_is_wrong_and_nowhere_else(misconception, judged, lab):
    report = judged(submission_source(misconception))
    failed = {result.part.name for result in report.parts if result.status != "passed"}
    assert misconception.part in failed
    assert all(misconception.part in lab.part(name).uses for name in failed - {misconception.part})
    assert report.part(misconception.part).score < report.part(misconception.part).max_score
    assert report.root_cause == misconception.part
    assert report.part(misconception.part).misconceptions in ((), (misconception.misconception,))
    assert {report.part(name).misconceptions for name in failed - {misconception.part}} <= {()}
    assert {report.part(name).right_given_right_helpers for name in failed - {misconception.part}} <= {True, None}
    kills = [c.check.id.split(".") for r in report.parts for c in r.checks if c.outcome != "passed"]
    own = [check for part, check in kills if part == misconception.part]
    assert LISTED[misconception.id] == (own, len(kills) - len(own)), "run python -m attnlab.emit.kill_matrix"


@pytest.mark.parametrize("path", FAIR, ids=lambda p: p.stem)
def test_a_fair_variant_gets_full_marks(path, judged):
    report = judged(None, chunks=submission.read(path).chunks)
    assert report.score == report.max_score == 10
    assert report.passed
    if not path.stem.startswith("no_bonus"):
        assert {result.status for result in report.parts} == {"passed"}


@pytest.mark.parametrize("path", WRONG, ids=lambda p: p.stem)
def test_a_hostile_file_gains_nothing_and_costs_only_itself(path, lab, cases, quick, judged):
    text = path.read_bytes().decode("utf-8", "replace")
    fails = re.search(r"^# fails: *(.*)$", text, re.MULTILINE)[1].split()
    passes = (re.search(r"^# passes: *(.*)$", text, re.MULTILINE) or ["", ""])[1].split()
    try:
        report = judged(None, chunks=submission.read(path).chunks, limits=quick)
    except submission.Unreadable:
        assert set(fails) >= set(GRADED)
        return
    statuses = {result.part.name: result.status for result in report.parts}
    assert fails
    assert {name for name in fails if statuses[name] == "passed"} == set()
    assert {name: statuses[name] for name in passes if statuses[name] != "passed"} == {}
    named = {result.part.name: result.misconceptions for result in report.parts if len(result.misconceptions) > 1}
    assert named == TWO_AT_ONCE.get(path.stem, {})
