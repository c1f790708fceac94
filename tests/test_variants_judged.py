"""The standing promise: right files pass, wrong files fail where they are wrong, hostile files cost only themselves."""

import re

from conftest import ROOT, every_fair_file, every_misconception, every_wrong_file

from attnlab import labs, submission
from attnlab.emit.kill_matrix import page_name


def rows(lab):
    """Return ``{id: (checks of its own part that reject it, how many of other parts)}`` as the page of a lab has it."""
    page = ROOT / "docs" / f"{page_name(lab)}.md"
    found = re.finditer(
        r"^\| (?:&nbsp;)*`(\w+)` \| `\w+` \| .+ \| \d+ \| (.+?) \| (\d*) \|$",
        page.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return {m[1]: (m[2].split(", "), int(m[3] or 0)) for m in found}


LISTED = {lab: rows(lab) for lab in labs.LABS}


@every_misconception
def test_a_wrong_version_loses_points_where_it_is_wrong_and_nowhere_else(misconception, judged, judged_here, lab):
    judge = judged if misconception.stateful else judged_here  # where it is told apart what one part leaves for another
    report = judge(lab.submission_source(misconception))
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
    listed = LISTED[lab.name].get(misconception.id)
    assert listed == (own, len(kills) - len(own)), f"run python -m attnlab.emit.kill_matrix {lab.name}"


@every_fair_file
def test_a_fair_variant_gets_full_marks(path, judged, lab):
    report = judged(None, chunks=submission.read(path).chunks)
    assert report.score == report.max_score == 10
    assert report.passed
    if not path.stem.startswith("no_bonus"):
        assert {result.status for result in report.parts} == {"passed"}


@every_wrong_file
def test_a_hostile_file_gains_nothing_and_costs_only_itself(path, lab, quick, judged):
    text = path.read_bytes().decode("utf-8", "replace")
    fails = re.search(r"^# fails: *(.*)$", text, re.MULTILINE)[1].split()
    passes = (re.search(r"^# passes: *(.*)$", text, re.MULTILINE) or ["", ""])[1].split()
    try:
        report = judged(None, chunks=submission.read(path).chunks, limits=quick)
    except submission.Unreadable:
        assert set(fails) >= {part.name for part in lab.parts if not part.bonus}
        return
    statuses = {result.part.name: result.status for result in report.parts}
    assert fails
    assert {name for name in fails if statuses[name] == "passed"} == set()
    assert {name: statuses[name] for name in passes if statuses[name] != "passed"} == {}
    two = {m[1]: tuple(m[2].split(", ")) for m in re.finditer(r"^# at once: (\w+) = (.+)$", text, re.MULTILINE)}
    named = {result.part.name: result.misconceptions for result in report.parts if len(result.misconceptions) > 1}
    assert named == two, "two mistakes are named that the file does not make"
