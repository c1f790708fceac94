"""A class of hostile submissions, in every tier: no undue credit, none lost, nobody hurt, nothing left behind."""

import os
import re
import sys
import time

import pytest
from conftest import FAIR
from victims import HOSTILE, Bait, adopt_orphans, children_of, credit_of

from attnlab import submission
from attnlab.checking import engine
from attnlab.sandbox import tiers
from attnlab.sandbox.host import Host
from attnlab.sandbox.limits import Limits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the processes left behind are looked for in /proc")

QUICK = Limits(load=1.0, case=0.5, after_timeout=0.3, cpu=15.0, wall=60.0, memory=1 << 30)
SECRET = "ATTNLAB_HOSTILE_SECRET"


class Victim:
    """What there is to attack, and a host whose submissions attack it."""

    def __init__(self, tier, folder):
        adopt_orphans(True)
        self.bait = Bait(folder / "course", tier.name)
        self.processes = children_of(os.getpid())
        self.host = Host(tier, QUICK)
        self.host_processes = children_of(os.getpid()) - self.processes

    def judge(self, lab, cases, source):
        """Return the report on a submission."""
        with self.host.target([("given", self.bait.given), ("s.py", source)], lab.functions) as target:
            return engine.check(lab, target, cases, shrink=False, explain=False)

    def close(self):
        """End the host."""
        self.host.close()
        adopt_orphans(False)
        self.bait.close()


@pytest.fixture(scope="module", params=tiers.NAMES)
def victim(request, tmp_path_factory):
    """One host for all submissions, as a grading worker has it."""
    found = [tier for tier in tiers.available() if tier.name == request.param]
    if not found:
        pytest.skip(f"{request.param} cannot be used here: {tiers._obstacle(request.param)}")
    os.environ[SECRET] = "secret"
    victim = Victim(found[0], tmp_path_factory.mktemp("hostile"))
    yield victim
    victim.host.close()
    deadline = time.monotonic() + 5  # what was killed may take a moment to be gone
    while (left := children_of(os.getpid()) - victim.processes) and time.monotonic() < deadline:
        time.sleep(0.05)
    victim.close()
    del os.environ[SECRET]
    assert left == set(), "a process has outlived its host"


@pytest.fixture(scope="module")
def few(lab, cases):
    """Two cases of each check: enough to see that a right solution is judged as ever."""
    return {check.id: cases[check.id][:2] for check in lab.checks}


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_a_hostile_submission_gains_nothing_and_costs_nobody(path, victim, lab, cases, few, solution):
    source = path.read_text(encoding="utf-8")
    report = victim.judge(lab, cases, source)
    seen = [problem.text for problem in report.problems]
    seen += [str(check.fault.facts) for part in report.parts for check in part.checks if check.fault is not None]
    assert [text for text in seen if "GOTCHA" in text] == []
    assert {part.part.name for part in report.parts if part.status == "passed"} == credit_of(source), report.problems
    assert victim.bait.is_whole()
    assert victim.bait.somebody_called() is None
    if victim.host.tier.name != "spawn":  # there each submission has processes of its own, gone by now
        assert victim.host_processes <= children_of(os.getpid()), "the warm process was lost"
    assert children_of(os.getpid()) - victim.processes - victim.host_processes == set(), "a process was left behind"
    assert os.listdir(victim.host._scratch.name) == []
    if victim.host.tier.name != "spawn" or HOSTILE.index(path) % 10 == 0:  # there each one is a Python started anew
        right = victim.judge(lab, few, solution)
        assert right.score == right.max_score


@pytest.mark.parametrize("path", FAIR, ids=lambda path: path.stem)
def test_a_fair_variant_gets_full_marks_in_every_tier(path, victim, lab, few):
    if victim.host.tier.name == "spawn" and FAIR.index(path) % 4:
        pytest.skip("every fourth here; test_variants_judged starts a Python for each of them")
    work = submission.read(path)
    with victim.host.target(work.chunks, lab.functions, name=work.name, limits=Limits()) as target:
        report = engine.check(lab, target, few, shrink=False, explain=False)
    assert report.score == report.max_score, report.problems
    assert not target.wall_limited


def test_there_are_many_of_them_and_each_says_what_it_tries():
    assert len(HOSTILE) >= 60
    for path in HOSTILE:
        assert re.match(r"# .+\n# credit: [a-z_ ]+\n", path.read_text(encoding="utf-8")), path.name
