"""How long `attnlab check --watch` takes from a save to the new result on the screen.

Run: python benchmarks/watch.py [every]    (of the suite's wrong files every fifth is tried unless told otherwise)
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROUNDS = 20
END = "Ctrl-C"  # in the last line of each result
QUIET = 3.0  # seconds without a further result: the round is over


class Watched:
    """The command at work on a file of its own."""

    def __init__(self, folder, source):
        self.path = Path(folder) / "attention.py"
        self.path.write_text(source, encoding="utf-8")
        command = [sys.executable, "-m", "attnlab.cli", "check", str(self.path), "--watch", "--lang", "en"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"PYTHONUTF8": "1"})
        os.set_blocking(self.process.stdout.fileno(), False)
        self.results(time.perf_counter())

    def save(self, source):
        """Save as editors do, through a second file; return the seconds until each result."""
        beside = self.path.with_name(".attention.tmp")
        beside.write_text(source, encoding="utf-8")
        start = time.perf_counter()
        os.replace(beside, self.path)
        return self.results(start)

    def results(self, start, patience=20.0):
        """Return the seconds from `start` to each result that comes."""
        times, seen, last = [], b"", start
        while time.perf_counter() < last + (QUIET if times else patience):
            seen += self.process.stdout.read() or b""
            while END.encode() in seen:
                seen = seen.partition(END.encode())[2]
                last = time.perf_counter()
                times.append(last - start)
            time.sleep(0.001)
        return times

    def close(self):
        """End the command."""
        self.process.terminate()
        self.process.wait()


def repeated(source):
    """Return the seconds to the first and to the last result of each of many saves, everything judged again."""
    with tempfile.TemporaryDirectory() as folder:
        watched = Watched(folder, source)
        try:
            rounds = [watched.save(f"{source}\n\nROUND = {number}\n") for number in range(ROUNDS)]
        finally:
            watched.close()
    return [times[0] for times in rounds], [times[-1] for times in rounds]


def wrong_files(every):
    """Return ``[(seconds to the last result, to the first one, name)]`` of the wrong files of the test suite."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        watched = Watched(folder, (ROOT / "solutions" / "attention.py").read_text(encoding="utf-8"))
        try:
            for path in sorted((ROOT / "tests" / "wrong").glob("*.py"))[::every]:
                times = watched.save(path.read_text(encoding="utf-8"))
                if times:
                    found.append((times[-1], times[0], path.stem))
        finally:
            watched.close()
    return sorted(found)


def main():
    """Print the figures."""
    right = (ROOT / "solutions" / "attention.py").read_text(encoding="utf-8")
    sources = {
        "right file": right,
        "no scale": right.replace("math.sqrt(d_k)", "1"),
        "softmax of the wrong axis": right.replace("axis=-1", "axis=0"),
    }
    for name, source in sources.items():
        first, last = repeated(source)
        print(f"{name:<28} median of {ROUNDS}: first result {statistics.median(first):.3f} s, ", end="")
        print(f"with smallest counterexamples {statistics.median(last):.3f} s (worst {max(last):.3f} s)", flush=True)
    found = wrong_files(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    first = statistics.median(times[1] for times in found)
    print(f"{len(found)} wrong files of the suite: first result, median {first:.3f} s; slowest to the last one:")
    for last, first, name in found[-3:]:
        print(f"  {name:<40} {last:.3f} s (first {first:.3f} s)")


if __name__ == "__main__":
    main()
