"""How long it takes to judge the right solution: the engine alone, and the whole command against a bare start-up.

Run: python benchmarks/engine.py
"""

import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from attnlab import attention, labs
from attnlab.checking import cases, engine
from attnlab.sandbox.here import HereTarget
from attnlab.sandbox.process import ProcessTarget

SOLUTION = Path(attention.__file__)
ROUNDS = 15


def cpu():
    """CPU seconds of this process and of those it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def in_this_process(lab, drawn):
    """CPU milliseconds to judge the core in this process."""
    functions = {name: getattr(attention, name) for name in lab.functions}
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        report = engine.check(lab, HereTarget(functions), drawn)
        times.append(1000 * (time.process_time() - start))
        assert report.passed
    return times


def in_another_process(lab, drawn):
    """CPU milliseconds, of both processes together, to judge the core in a warm process of its own."""
    chunks = [(SOLUTION.name, SOLUTION.read_text(encoding="utf-8"))]
    times = []
    for _ in range(ROUNDS):
        target = ProcessTarget(chunks, lab.functions)
        target.survey()
        agent = target._process.pid
        start = time.process_time() + agent_cpu(agent)
        report = engine.check(lab, target, drawn)
        times.append(1000 * (time.process_time() + agent_cpu(agent) - start))
        target.close()
        assert report.passed
    return times


def agent_cpu(pid):
    """CPU seconds of the agent and of the children it has waited for (Linux)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def wall(command):
    """Wall milliseconds of a command, the median of several runs."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def main():
    """Print the figures."""
    lab = labs.get("attention")
    drawn = cases.visible(lab)
    count = sum(map(len, drawn.values()))
    for name, measure in (("in this process", in_this_process), ("in a process of its own", in_another_process)):
        times = measure(lab, drawn)
        print(f"engine, {count} cases, {name:<24} {statistics.median(times):6.1f} ms CPU (median of {ROUNDS})")
    bare = wall([sys.executable, "-c", "import numpy, typer, rich"])
    whole = wall([sys.executable, "-m", "attnlab.cli", "check", str(SOLUTION), "--lab", "attention"])
    print(f"python -c 'import numpy, typer, rich' {bare:20.0f} ms wall")
    print(f"attnlab check, a right file           {whole:20.0f} ms wall  (+{whole - bare:.0f} ms)")


if __name__ == "__main__":
    main()
