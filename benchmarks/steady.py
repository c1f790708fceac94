"""``python benchmarks/steady.py [TIMES]``: right work of all kinds gets full marks every time, on a busy machine too.

The class is every fair file of the test suite: code that warns, prints to stderr, loops in plain Python, has odd names.
It is graded `TIMES` times in a row, every second time with all cores kept busy by others.
"""

import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from classroom import ROOT

from attnlab import labs
from attnlab.grading import new_course, records, session


@contextmanager
def busy(cores):
    """Keep processors busy meanwhile."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(cores)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def hand_in_all(course):
    """Hand in every fair file, for each lab there is an assignment of; return ``{assignment: how many}``."""
    counts = {}
    for folder in sorted((course / "source").iterdir()):
        for path in sorted((ROOT / "tests" / "fair" / folder.name).glob("*")):
            target = course / "submitted" / path.stem / folder.name
            target.mkdir(parents=True)
            shutil.copy(path, target / f"{folder.name}{path.suffix}")
            counts[folder.name] = counts.get(folder.name, 0) + 1
    return counts


def short_of_full(course, assignment):
    """Return the students who have less than all points that count; a bonus does not."""
    lab = labs.get(assignment)
    due = sum(lab.points(part.name) for part in lab.parts if not part.bonus)
    folder = course / ".attnlab" / assignment
    return [path.stem for path in sorted(folder.glob("*.json")) if records.load(folder, path.stem)["score"] < due]


def main():
    """Grade, count."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder) / "course"
        new_course.make(course, "en")
        counts, lost = hand_in_all(course), 0
        print(f"right submissions: {counts}")
        for number in range(times):
            with busy(2 * (number % 2)):
                for assignment, count in counts.items():
                    summary = session.grade(session.Options(course, assignment, 2, force=True), "en", None)
                    short = short_of_full(course, assignment)
                    lost += len(short) + count - summary.graded
                    when = f"{number + 1}{' (busy)' if number % 2 else ''}"
                    print(
                        f"{when} {assignment}: {count - len(short)} of {count} at full marks {short or ''}, "
                        f"{summary.retried} graded again alone, {summary.seconds:.0f} s"
                    )
        raise SystemExit(1 if lost else 0)


if __name__ == "__main__":
    main()
