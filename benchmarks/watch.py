"""How long `attnlab check --watch` takes from a save to the new result on the screen.

Run: python benchmarks/watch.py [--every N] [--busy]

Every N-th wrong file of the test suite is tried (default: each). With `--busy` all cores but one have other work to do.
The next save is made only when the screen says that nothing more is to come for the last one, and shows nothing
further for a while, so every result belongs to its save. Files that are stopped at a time limit (a loop that never
ends, a wait without end) are counted apart: they are given their seconds before anybody calls them endless, and what
matters meanwhile is when the other parts' results are shown.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROUNDS = 20
END = "Ctrl-C ends it."  # the last line of each result
MORE = ("Still looking", "Not finished yet")  # in every result but the last one of a save
STOPPED = "too slow"
WHAT = {"shown": "something new is shown:", "judged": "every part is judged:", "last": "nothing more is to come:"}
QUIET = 0.3  # seconds without a further result
PATIENCE = 120.0


@dataclass(frozen=True)
class Saved:
    """What came of one save: the seconds until something new was shown, until all parts were judged, until the end."""

    shown: float
    judged: float
    last: float
    text: str

    @property
    def stopped(self):
        """Whether something was stopped at a time limit."""
        return STOPPED in self.text


class Watched:
    """The command at work on a file of its own."""

    def __init__(self, folder, source):
        self.path = Path(folder) / "attention.py"
        self.path.write_bytes(source)
        command = [sys.executable, "-m", "attnlab.cli", "check", str(self.path), "--watch", "--lang", "en"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"PYTHONUTF8": "1"})
        os.set_blocking(self.process.stdout.fileno(), False)
        self._seen, self.echoes = "", 0
        self.results(time.perf_counter())

    def save(self, source):
        """Save as editors do, through a second file; return what comes of it."""
        return self.results(self.replace(source))

    def replace(self, source):
        """Save, and return when."""
        beside = self.path.with_name(".attention.tmp")
        beside.write_bytes(source)
        start = time.perf_counter()
        os.replace(beside, self.path)
        return start

    def results(self, start):
        """Wait until nothing more is to come."""
        times, judged, text = [], None, MORE[0]
        while any(sign in text for sign in MORE):
            text = self.next(PATIENCE)
            if text is None:
                raise SystemExit(f"no result within {PATIENCE:g} s:\n{self._seen}")
            times.append(time.perf_counter() - start)
            if judged is None and MORE[1] not in text:
                judged = times[-1]
        while self.next(QUIET) is not None:
            self.echoes += 1
        return Saved(times[0], judged, times[-1], text)

    def next(self, seconds):
        """Return the next result, None if there is none for some seconds."""
        end = time.perf_counter() + seconds
        while END not in self._seen:
            if time.perf_counter() > end:
                return None
            if self.process.poll() is not None:
                raise SystemExit(f"the command ended with exit code {self.process.returncode}:\n{self._seen}")
            self._seen += (self.process.stdout.read() or b"").decode(errors="replace")
            time.sleep(0.001)
        text, _, self._seen = self._seen.partition(END)
        return text

    def close(self):
        """End the command."""
        self.process.terminate()
        self.process.wait()


@contextmanager
def watched(source):
    """Start the command on a file."""
    with tempfile.TemporaryDirectory() as folder:
        command = Watched(folder, source)
        try:
            yield command
        finally:
            command.close()
            if command.echoes:
                print(f"(results that no save had asked for: {command.echoes})")


def repeated(source):
    """Return the results of many saves, everything judged again."""
    with watched(source) as command:
        return [command.save(source + b"\n\nROUND = %d\n" % number) for number in range(ROUNDS)]


def interrupted(wrong, right):
    """Return the seconds from a save to its result where it falls into the search for an example of the one before."""
    with watched(right) as command:
        times = []
        for number in range(ROUNDS):
            command.replace(wrong + b"\n\nROUND = %d\n" % number)
            command.next(PATIENCE)  # there is more to come
            start = command.replace(right)
            while "Everything is right" not in command.next(PATIENCE):
                pass
            times.append(time.perf_counter() - start)
            while command.next(QUIET) is not None:
                command.echoes += 1
        return times


def wrong_files(every, right):
    """Return ``[(what came of it, name)]`` for the wrong files of the test suite."""
    with watched(right) as command:
        paths = sorted((ROOT / "tests" / "wrong" / "attention").glob("*.py"))[::every]
        return [(command.save(path.read_bytes()), path.stem) for path in paths]


def report(found, head):
    """Print when the first and the last results came, and the slowest files."""
    if not found:
        return
    found = sorted(found, key=lambda item: item[0].last)
    print(f"{head}: {len(found)}")
    for what in ("shown", "judged", "last"):
        times = [getattr(saved, what) for saved, _ in found]
        print(f"  {WHAT[what]:<32} median {statistics.median(times):.3f} s, worst {max(times):.3f} s")
    for saved, name in found[-3:]:
        print(f"    slowest: {name:<40} {saved.judged:.3f} s, {saved.last:.3f} s")


@contextmanager
def company(busy):
    """Keep all cores but one busy for a while, if asked to."""
    others = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range((os.cpu_count() or 1) - 1 if busy else 0)
    ]
    try:
        yield
    finally:
        for process in others:
            process.kill()
            process.wait()


def load():
    """Return how busy the machine was of late."""
    return f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""


def main():
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try every N-th wrong file")
    parser.add_argument("--busy", action="store_true", help="keep all cores but one busy meanwhile")
    options = parser.parse_args()
    right = (ROOT / "solutions" / "attention.py").read_bytes()
    sources = {
        "right file": right,
        "no scale": right.replace(b"math.sqrt(d_k)", b"1"),
        "softmax of the wrong axis": right.replace(b"axis=-1", b"axis=0"),
    }
    print(f"{load()} at the start")
    with company(options.busy):
        for name, source in sources.items():
            found = repeated(source)
            first, last = [saved.judged for saved in found], [saved.last for saved in found]
            print(f"{name:<28} median of {ROUNDS}: first result {statistics.median(first):.3f} s, ", end="")
            print(f"last {statistics.median(last):.3f} s (worst {max(last):.3f} s)", flush=True)
        times = interrupted(sources["softmax of the wrong axis"], right)
        print(
            f"{'a save during the search':<28} median of {ROUNDS}: its result {statistics.median(times):.3f} s ", end=""
        )
        print(f"(worst {max(times):.3f} s)", flush=True)
        found = wrong_files(options.every, right)
    report([item for item in found if not item[0].stopped], "wrong files of the suite")
    report([item for item in found if item[0].stopped], "wrong files of the suite stopped at a time limit")
    print(f"{load()} at the end")


if __name__ == "__main__":
    main()
