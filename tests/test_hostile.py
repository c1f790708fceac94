"""A class of hostile submissions, in every tier: no undue credit, none lost, nobody hurt, nothing left behind.

Each file of `tests/hostile` says in its first lines what it tries and which parts it has right. It is told by name
what an attacker would otherwise have to find out: ``GRADER`` (a process), ``PORT`` and ``ABSTRACT`` (where somebody
listens), ``OUTSIDE`` (a folder with a gradebook), ``PACKAGE`` (where attnlab is). An attack that succeeds raises
"GOTCHA".
"""

import contextlib
import ctypes
import os
import re
import socket
import sys
from pathlib import Path

import pytest
from conftest import FAIR, ROOT

import attnlab
from attnlab import submission
from attnlab.checking import engine
from attnlab.sandbox import tiers
from attnlab.sandbox.host import Host
from attnlab.sandbox.limits import Limits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the processes left behind are looked for in /proc")

HOSTILE = sorted((ROOT / "tests" / "hostile").glob("*.py"))
QUICK = Limits(load=1.0, case=0.5, after_timeout=0.3, cpu=15.0, wall=60.0, memory=1 << 30)
SECRET = "ATTNLAB_HOSTILE_SECRET"


def adopt_orphans(yes):
    """Have whoever is orphaned below us become our child, so that it is seen."""
    ctypes.CDLL(None).prctl(36, int(yes), 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def children_of(pid):
    """Return all processes below one, by number."""
    parents = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                fields = Path(entry.path, "stat").read_bytes().rpartition(b")")[2].split()
                if fields[0] != b"Z":
                    parents[int(entry.name)] = int(fields[1])
    found, todo = set(), [pid]
    while todo:
        above = todo.pop()
        below = {p for p, parent in parents.items() if parent == above} - found
        found |= below
        todo.extend(below)
    return found


def snapshot(folder):
    """Return all there is to see of a folder: names, contents, rights, times, links, attributes."""
    return {
        path.name: (
            path.stat().st_mode, path.stat().st_size, path.stat().st_mtime_ns, path.stat().st_nlink,
            os.listxattr(path), path.read_bytes() if path.is_file() else None,
        )
        for path in Path(folder).iterdir()
    }  # fmt: skip


class Victim:
    """What there is to attack, and a host whose submissions attack it."""

    def __init__(self, tier, folder):
        adopt_orphans(True)
        self.outside = folder / "course"
        self.outside.mkdir()
        (self.outside / "gradebook.db").write_text("marks", encoding="utf-8")
        (self.outside / "gradebook.db").chmod(0o644)
        self.abstract = f"attnlab-hostile-{os.getpid()}-{tier.name}"
        self.listeners = [
            socket.create_server(("127.0.0.1", 0)),
            self._bound(socket.SOCK_STREAM, str(self.outside / "socket")),
            self._bound(socket.SOCK_STREAM, f"\0{self.abstract}"),
            self._bound(socket.SOCK_DGRAM, f"\0{self.abstract}-datagram"),
        ]
        self.before = snapshot(self.outside)
        self.processes = children_of(os.getpid())
        self.host = Host(tier, QUICK)
        self.host_processes = children_of(os.getpid()) - self.processes
        given = {
            "GRADER": os.getpid(), "PORT": self.listeners[0].getsockname()[1], "ABSTRACT": self.abstract,
            "OUTSIDE": str(self.outside), "PACKAGE": str(Path(attnlab.__file__).parent),
        }  # fmt: skip
        self.given = "".join(f"{name} = {value!r}\n" for name, value in given.items())

    @staticmethod
    def _bound(kind, address):
        listener = socket.socket(socket.AF_UNIX, kind)
        listener.bind(address)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        return listener

    def judge(self, lab, cases, source):
        """Return the report on a submission."""
        with self.host.target([("given", self.given), ("s.py", source)], lab.functions) as target:
            return engine.check(lab, target, cases, shrink=False, explain=False)

    def somebody_called(self):
        """Say which listener was reached."""
        for listener in self.listeners:
            listener.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                if listener.type == socket.SOCK_DGRAM:
                    return listener.recv(1)
                return listener.accept()
        return None

    def close(self):
        """End the host."""
        self.host.close()
        adopt_orphans(False)
        for listener in self.listeners:
            listener.close()


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
    left = children_of(os.getpid()) - victim.processes
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
    credit = set(re.match(r"# .+\n# credit: (.+)\n", source)[1].split()) - {"none"}
    report = victim.judge(lab, cases, source)
    seen = [problem.text for problem in report.problems]
    seen += [str(check.fault.facts) for part in report.parts for check in part.checks if check.fault is not None]
    assert [text for text in seen if "GOTCHA" in text] == []
    assert {part.part.name for part in report.parts if part.status == "passed"} == credit, report.problems
    assert snapshot(victim.outside) == victim.before
    assert victim.somebody_called() is None
    if victim.host.tier.name != "spawn":  # there each submission has processes of its own, gone by now
        assert victim.host_processes <= children_of(os.getpid()), "the warm process was lost"
    assert children_of(os.getpid()) - victim.processes - victim.host_processes == set(), "a process was left behind"
    assert os.listdir(victim.host._scratch.name) == []
    if victim.host.tier.name != "spawn" or HOSTILE.index(path) % 10 == 0:  # there each one is a Python started anew
        right = victim.judge(lab, few, solution)
        assert right.score == right.max_score


@pytest.mark.parametrize("path", FAIR, ids=lambda path: path.stem)
def test_a_fair_variant_gets_full_marks_in_every_tier(path, victim, lab, few):
    work = submission.read(path)
    with victim.host.target(work.chunks, lab.functions, name=work.name, limits=Limits()) as target:
        report = engine.check(lab, target, few, shrink=False, explain=False)
    assert report.score == report.max_score, report.problems
    assert not target.wall_limited


def test_there_are_many_of_them_and_each_says_what_it_tries():
    assert len(HOSTILE) >= 60
    for path in HOSTILE:
        assert re.match(r"# .+\n# credit: [a-z_ ]+\n", path.read_text(encoding="utf-8")), path.name
