"""What a class shows when it is counted: marks, misconceptions, equal behaviour, and how hard each check was."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import numpy as np

from ... import labs
from .reading import Assignment, Record, Told

BINS = 10
ENOUGH, ENOUGH_EACH = 10, 3  # students, and of these right and wrong ones, for a correlation to mean anything
LOW = 0.1  # a discrimination below it deserves a look at the check
GROUPS = {
    "passed": "right", "failed": "wrong", "stale": "wrong", "error": "stopped", "timeout": "stopped",
    "died": "stopped", "todo": "unwritten", "missing": "unwritten",
}  # fmt: skip


@dataclass(frozen=True)
class Marks:
    """The distribution of final marks. Shares are of the points that could be gained."""

    count: int
    max_score: float
    mean: float
    deviation: float
    lowest: float
    quartiles: tuple[float, float, float]
    highest: float
    full: int
    bins: tuple[int, ...]
    """Students by share of the points, in `BINS` steps of equal width; the last one includes full marks."""


@dataclass(frozen=True)
class PartCount:
    """How many students have a part right, wrong, stopped by an error, or unwritten."""

    lab: str
    part: str
    bonus: bool
    right: int
    wrong: int
    stopped: int
    unwritten: int


@dataclass(frozen=True)
class Misconception:
    """One idea that went wrong, and who has it."""

    lab: str
    part: str
    id: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class Cluster:
    """Students whose failed part gives the very same outputs on all cases, without a known name for it.

    Parts that fail, or may fail, only because of functions they use are left out. `checks` are the ids of the checks
    that every member fails, `message` what every member was told first; empty if they were told different things.
    `status` is the part's, `whole` says whether all of its checks fail.
    """

    lab: str
    part: str
    behaviour: str
    students: tuple[str, ...]
    checks: tuple[str, ...]
    message: str
    status: str
    whole: bool


@dataclass(frozen=True)
class Difficulty:
    """How hard one check was.

    `discrimination` is the point-biserial correlation of passing it with the points for all other checks that count;
    None where there are too few students, or nearly all have it right or wrong.
    """

    lab: str
    check: str
    part: str
    title: str
    bonus: bool
    judged: int
    passed: int
    discrimination: float | None

    @property
    def share(self) -> float:
        """The share that passed."""
        return self.passed / self.judged


@dataclass(frozen=True)
class Sentence:
    """Something said about one student's work."""

    student: str
    told: Told


@dataclass(frozen=True)
class Overview:
    """Everything a report shows of one assignment."""

    assignment: Assignment
    marks: Marks | None
    parts: tuple[PartCount, ...] = ()
    misconceptions: tuple[Misconception, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    single: int = 0
    """Failed parts without a name whose behaviour nobody shares."""
    difficulty: tuple[Difficulty, ...] = ()
    unreadable: tuple[Sentence, ...] = ()
    repaired: tuple[Sentence, ...] = ()
    late: tuple[Record, ...] = ()
    manual: tuple[str, ...] = ()
    retried: tuple[str, ...] = field(default=())


def overview(assignment: Assignment) -> Overview:
    """Return the counts of one assignment."""
    records = assignment.records
    clusters, single = _clusters(records)
    notebooks = [(record.student, notebook) for record in records for notebook in record.notebooks]
    return Overview(
        assignment,
        _marks(records),
        _parts(records),
        _misconceptions(records),
        clusters,
        single,
        _difficulty(records),
        tuple(Sentence(student, n.unreadable) for student, n in notebooks if n.unreadable is not None),
        tuple(Sentence(student, told) for student, n in notebooks for told in n.notes),
        tuple(record for record in records if record.late_penalty > 0),
        tuple(record.student for record in records if record.manual),
        tuple(record.student for record in records if record.retried),
    )


def _marks(records):
    if not records:
        return None
    scores = np.array([record.final for record in records])  # (n,)
    most = np.array([record.max_score for record in records])  # (n,)
    shares = np.divide(scores, most, out=np.zeros_like(scores), where=most > 0).clip(0, 1)  # (n,)
    bins = np.bincount(np.minimum((shares * BINS + 1e-9).astype(int), BINS - 1), minlength=BINS)  # (BINS,)
    quartiles = np.quantile(scores, [0.25, 0.5, 0.75])  # (3,)
    return Marks(
        len(records), float(most.max()), float(scores.mean()), float(scores.std()), float(scores.min()),
        tuple(map(float, quartiles)), float(scores.max()), int(((scores >= most) & (most > 0)).sum()),
        tuple(map(int, bins)),
    )  # fmt: skip


def _each(records):
    """Yield ``(student, lab, notebook)`` for each notebook that was judged."""
    for record in records:
        for notebook in record.notebooks:
            if notebook.checks:
                yield record.student, notebook.lab or notebook.name, notebook


def _parts(records):
    counts, bonus = defaultdict(Counter), {}
    for _, lab, notebook in _each(records):
        for part in notebook.parts:
            counts[lab, part.name][GROUPS[part.status]] += 1
            bonus.setdefault((lab, part.name), part.bonus)
    return tuple(
        PartCount(*key, bonus[key], *(count[group] for group in ("right", "wrong", "stopped", "unwritten")))
        for key, count in counts.items()
    )


def _misconceptions(records):
    having = defaultdict(list)
    for student, lab, notebook in _each(records):
        for part in notebook.parts:
            if part.misconception is not None:
                having[lab, part.name, part.misconception].append(student)
    found = (Misconception(*key, tuple(students)) for key, students in having.items())
    return tuple(sorted(found, key=lambda m: (-len(m.students), m.lab, m.part, m.id)))


def _clusters(records):
    uses = {(name, part.name): set(part.uses) for name in labs.LABS for part in labs.get(name).parts}
    members = defaultdict(list)
    for student, lab, notebook in _each(records):
        failed = {part.name for part in notebook.parts if part.status != "passed"}
        for part in notebook.parts:
            digest = notebook.behaviour.get(part.name)
            if digest is None or part.misconception is not None or GROUPS[part.status] not in ("wrong", "stopped"):
                continue
            if part.right_given_right_helpers is False or not failed & uses.get((lab, part.name), set()):
                members[lab, part.name, digest].append((student, notebook))
    found = []
    for (lab, part, digest), group in members.items():
        if len(group) > 1:
            own = [[c for c in n.checks if c.part == part] for _, n in group]
            failed = [[c for c in checks if c.outcome != "passed"] for checks in own]
            shared = set.intersection(*({c.id for c in checks} for checks in failed))
            first = {checks[0].message if checks else "" for checks in failed}
            ids = tuple(dict.fromkeys(c.id for c in failed[0] if c.id in shared))
            students = tuple(student for student, _ in group)
            message = first.pop() if len(first) == 1 else ""
            status = next(p.status for p in group[0][1].parts if p.name == part)
            found.append(Cluster(lab, part, digest, students, ids, message, status, len(ids) == len(own[0])))
    single = sum(len(group) == 1 for group in members.values())
    return tuple(sorted(found, key=lambda c: (-len(c.students), c.lab, c.part, c.behaviour))), single


def _difficulty(records):
    """Return one entry for each check, in the order in which they are first met."""
    by_lab = defaultdict(list)
    for _, lab, notebook in _each(records):
        by_lab[lab].append(notebook)
    found = []
    for lab, notebooks in by_lab.items():
        checks = {check.id: check for notebook in notebooks for check in notebook.checks}
        column = {id: j for j, id in enumerate(checks)}
        passed = np.full((len(notebooks), len(checks)), np.nan)  # (students, checks)
        points = np.zeros((len(notebooks), len(checks)))  # (students, checks)
        for i, notebook in enumerate(notebooks):
            for check in notebook.checks:
                passed[i, column[check.id]] = check.outcome == "passed"
                points[i, column[check.id]] = 0.0 if check.bonus else check.score
        total = points.sum(axis=1)  # (students,)
        for id, check in checks.items():
            j = column[id]
            judged = ~np.isnan(passed[:, j])  # (students,)
            right = passed[judged, j]  # (judged,)
            rest = (total - points[:, j])[judged]  # (judged,)
            found.append(
                Difficulty(
                    lab, id, check.part, check.title, check.bonus, int(judged.sum()), int(right.sum()),
                    discrimination(right, rest),
                )
            )  # fmt: skip
    return tuple(found)


def discrimination(right: np.ndarray, rest: np.ndarray) -> float | None:
    """Return the point-biserial correlation of a check with the rest of the marks, where it means something.

    Parameters
    ----------
    right : ndarray of 0 and 1, shape (n,)
        Who passed the check.
    rest : ndarray, shape (n,)
        Points without the check's own.
    """
    n, passed = len(right), int(right.sum())
    if n < ENOUGH or min(passed, n - passed) < ENOUGH_EACH or np.ptp(rest) == 0:
        return None
    p = passed / n
    gap = rest[right == 1].mean() - rest[right == 0].mean()
    return float(gap / rest.std() * np.sqrt(p * (1 - p)))
