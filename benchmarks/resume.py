"""``python benchmarks/resume.py [KILLS] [--db URL]``: kill -9 at random moments, resume, compare.

The class is graded again from nothing until `KILLS` runs have been killed; after every few kills it is graded to the
end, and everything written is compared with an undisturbed run: the gradebook without its random ids, the notebooks,
the feedback.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from classroom import make_course
from nbgrader.api import Gradebook

ATTNLAB = [sys.executable, "-c", "from attnlab.cli import main; main()", "grade"]
STUDENTS = 30
KILLS_A_ROUND = 5


def book(url):
    """Return what a gradebook says, without its ids."""
    with Gradebook(url, "attnlab") as gradebook:
        return {
            s.student.id: (
                s.score, s.timestamp, s.needs_manual_grade,
                sorted((n.name, g.name, g.auto_score, g.manual_score) for n in s.notebooks for g in n.grades),
                sorted((n.name, c.name, c.comment or "") for n in s.notebooks for c in n.comments),
            )
            for s in gradebook.assignment_submissions("attention")
        }  # fmt: skip


def files(course):
    """Return all that was written for students and instructors."""
    return {
        path.relative_to(course): path.read_bytes()
        for step in ("autograded", "feedback")
        for path in (course / step).rglob("*")
        if path.is_file()
    }


def clear(course, url):
    """Forget all results."""
    for name in ("autograded", "feedback", ".attnlab"):
        shutil.rmtree(course / name, ignore_errors=True)
    with Gradebook(url, "attnlab") as gradebook:
        for submission in list(gradebook.assignment_submissions("attention")):
            gradebook.remove_submission("attention", submission.student.id)


def main():
    """Kill, resume, compare."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kills", nargs="?", type=int, default=50)
    parser.add_argument("--db")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        course = make_course(Path(folder) / "course", STUDENTS)
        url = options.db or f"sqlite:///{course}/gradebook.db"
        command = [*ATTNLAB, str(course), "-j", "2", "--db", url]
        began = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        undisturbed, whole, seconds = book(url), files(course), time.monotonic() - began
        print(f"undisturbed: {len(undisturbed)} students in {seconds:.1f} s")
        killed = rounds = 0
        while killed < options.kills:
            clear(course, url)
            for _ in range(min(KILLS_A_ROUND, options.kills - killed)):
                running = subprocess.Popen(
                    command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
                )
                try:
                    running.wait(random.uniform(1.5, seconds))
                except subprocess.TimeoutExpired:
                    os.kill(running.pid, signal.SIGKILL)
                    killed += 1
                running.wait()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            rounds += 1
            if book(url) != undisturbed or files(course) != whole:
                raise SystemExit(f"after {killed} kills the result differs: {course}")
        print(f"{killed} kills in {rounds} rounds: gradebook, notebooks and feedback as undisturbed")


if __name__ == "__main__":
    main()
