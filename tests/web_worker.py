"""The page's Python in a CPython process of its own, and what waits outside it: limits, losses, a new worker.

Run as a program it is the worker: a line of JSON in, lines of JSON out. `Page` is the other side: what the page's
script does in a browser.
"""

import json
import os
import select
import subprocess
import sys
import time

LIMITS = {"load": 10.0, "case": 2.0, "after_timeout": 1.0}


class Page:
    """Checks sources one after another, and starts a new worker whenever one is lost or no longer clean."""

    def __init__(self, folder):
        self._folder, self.workers = folder, 0
        self._start()

    def check(self, lab: str, source: str, parts=None) -> dict:
        """Return what `inside.check` does, however many workers it takes."""
        lost = []
        while len(lost) < 40:
            request = {"lab": lab, "source": source, "parts": parts, "lost": lost}
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            at = ("load", 0)
            try:
                while (answer := self._read(limit := _limit(at, lost)))[0] == "at":
                    at = tuple(answer[1:])
            except TimeoutError:
                lost.append((*at, "timeout", f"{limit:g}"))
                self._start()
                continue
            except EOFError:
                lost.append((*at, "died", "exit"))
                self._start()
                continue
            told = json.loads(answer[1])
            if not told["clean"]:
                self._start()
            return told
        raise AssertionError(f"forty workers were lost: {lost}")

    def close(self):
        """End the worker."""
        self._process.kill()
        self._process.communicate()

    def _start(self):
        if self.workers:
            self.close()
        self.workers += 1
        self._rest = b""
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=self._folder, env=os.environ | {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
        assert self._read(60) == ["ready"]

    def _read(self, seconds):
        end = time.monotonic() + seconds
        while b"\n" not in self._rest:
            if not select.select([self._process.stdout], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError
            data = os.read(self._process.stdout.fileno(), 1 << 16)
            if not data:
                raise EOFError
            self._rest += data
        line, self._rest = self._rest.split(b"\n", 1)
        return json.loads(line)


def _limit(at, lost):
    if at[0] == "load":
        return LIMITS["load"]
    return LIMITS["after_timeout" if any(entry[2] == "timeout" for entry in lost) else "case"]


def main():
    """Be the worker."""
    from attnlab.web import inside

    out, requests = os.fdopen(os.dup(1), "w"), os.fdopen(os.dup(0))
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1):
        os.dup2(null, fd)

    def say(*words):
        out.write(json.dumps(words) + "\n")
        out.flush()

    say("ready")
    for line in requests:
        asked = json.loads(line)
        parts = json.dumps(asked["parts"])
        told = inside.check(
            asked["source"], asked["lab"], "en", parts, json.dumps(asked["lost"]), lambda *at: say("at", *at)
        )
        say("done", told)


if __name__ == "__main__":
    main()
