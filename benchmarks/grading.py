"""``python benchmarks/grading.py [STUDENTS] [--nbgrader N] [--large N]``: a class through nbgrader and through attnlab.

Both grade the same submissions from end to end: gradebook, autograded notebooks, feedback. nbgrader runs as it is, with
its own Execute and the course's cells. With ``--nbgrader N`` it grades the first N only; the time of each is compared.

Per core means on one core: nbgrader and ``-j1`` each have one processor to themselves, with everything they start, and
``-j2`` has two. (A worker and the process of its student's code take turns, but not always: left free, ``-j1`` uses
more than one processor.)
"""

import argparse
import ctypes
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from classroom import STOCK, make_course

from attnlab.grading.demo.run import nbgrader_environment

PR_SET_CHILD_SUBREAPER = 36
MEMORY = 8 << 30  # bytes of addresses
ATTNLAB = [sys.executable, "-c", "from attnlab.cli import main; main()"]


def timed(command, course, cores=None):
    """Run a command in a course, on so many cores or all; return seconds of wall time and of processors."""

    def confine():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # nbgrader's kernels have no limit of their own
        if cores is not None:
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])

    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, cwd=course, env=nbgrader_environment(course.parent), capture_output=True, text=True, preexec_fn=confine
    )
    with suppress(ChildProcessError):
        while True:  # what it left to us: processes started for it by others
            os.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command[-4:])} failed:\n{done.stderr[-2000:]}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, used


def stock(course, students):
    """Grade the first `students` with nbgrader alone; return seconds for each of the two steps."""
    folder = course.parent / "stock"
    shutil.copytree(course, folder)
    for path in sorted((folder / "submitted").iterdir())[students:]:
        shutil.rmtree(path)
    with open(folder / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write(STOCK)
    nbgrader = [sys.executable, "-m", "nbgrader"]
    return [timed([*nbgrader, step, "attention"], folder, 1) for step in ("autograde", "generate_feedback")]


def ours(course, jobs, cores=None):
    """Grade all with attnlab, from nothing; return seconds of wall time and of processors."""
    folder = course.parent / f"ours{jobs}"
    shutil.copytree(course, folder)
    found = timed([*ATTNLAB, "grade", ".", "-j", str(jobs)], folder, cores)
    shutil.rmtree(folder)
    return found


def peak_memory(course):
    """Grade with one process and return the largest resident size in MB of the process that records."""
    folder = course.parent / "large"
    shutil.copytree(course, folder)
    code = (
        "import resource\nfrom attnlab.grading import session\nfrom pathlib import Path\n"
        "session.grade(session.Options(Path('.'), 'attention', 2), 'en', None)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    environment = nbgrader_environment(course.parent)
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True)
    shutil.rmtree(folder)
    return time.perf_counter() - began, int(done.stdout.split()[-1])


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("students", nargs="?", type=int, default=200)
    parser.add_argument("--nbgrader", type=int)
    parser.add_argument("--large", type=int, default=0)
    options = parser.parse_args()
    count = options.students
    sample = count if options.nbgrader is None else options.nbgrader
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start; {count} submissions")
    with tempfile.TemporaryDirectory() as folder:
        course = make_course(Path(folder) / "course", count)
        one, two, free = ours(course, 1, 1), ours(course, 2, 2), ours(course, 1)
        for name, (wall, used) in {"-j1, one core": one, "-j2, two cores": two, "-j1, all cores": free}.items():
            print(
                f"attnlab grade {name}: {wall:7.1f} s ({wall / count:.3f} s each, {used / count:.3f} s of processors); "
                f"{one[0] / wall:.2f} times one core"
            )
        if sample:
            steps = stock(course, sample)
            wall = sum(s[0] for s in steps)
            print(
                f"nbgrader on {sample}: {steps[0][0]:.1f} s autograde, {steps[1][0]:.1f} s generate_feedback "
                f"({wall / sample:.3f} s each, {sum(s[1] for s in steps) / sample:.3f} s of processors)"
            )
            print(f"ratio, one core each: {wall / sample / (one[0] / count):.1f}")
        for size in (options.large // 4, options.large // 2, options.large) if options.large else ():
            seconds, megabytes = peak_memory(make_course(Path(folder) / "course", size))
            print(f"{size:5} submissions, -j2: {seconds:7.1f} s ({seconds / size:.4f} s each), recorder {megabytes} MB")


if __name__ == "__main__":
    main()
