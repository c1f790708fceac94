"""How fast the lesson in the browser is, how much is downloaded, and whether it judges as `attnlab check` does.

Run: PYTHONPATH=tests python benchmarks/web.py [--rounds N] [--table [LAB ...]] [--every N] [--only PATTERN]

Without options: open to first paint, to ready, a check of the whole lab, stop to ready, and bytes. With `--table` every
right file, wrong file and known wrong version of the test suite is checked, each lab's in one page, and by the command;
the table says where the two differ. `--every N` takes every N-th only.
"""

import argparse
import gzip
import json
import os
import statistics
import tempfile
import time
from fnmatch import fnmatch
from pathlib import Path
from urllib.parse import urlsplit

from browser import ROOT, Lesson, browser, by_command, missing, site, verdict

from attnlab import labs

PAINTED = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null"""
NOTE_READY = """new MutationObserver(() => {
    if (document.documentElement?.dataset.python === "ready") window.readyAt ??= performance.now();
}).observe(document, {attributes: true, subtree: true});"""
STOP = """() => new Promise((resolve) => {
    const begun = performance.now();
    const state = () => document.documentElement.dataset.python;
    let ready = 0;
    new MutationObserver(() => {
        if (!ready && state() === "ready") {
            ready = performance.now() - begun;
            document.getElementById("do-check").click();
        }
    }).observe(document.documentElement, {attributes: true});
    document.addEventListener("attnlab:report", () => resolve([ready, performance.now() - begun]), {once: true});
    document.getElementById("do-stop").click();
})"""


def opened(chromium, server, asked=None):
    """Open a lesson in a fresh profile; return it with the seconds to its first paint and to ready."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    if asked is not None:
        context.on("request", lambda request: asked.append(request))
    context.add_init_script(NOTE_READY)
    lesson = Lesson(context.new_page(), f"{server.url}en/attention/").ready()
    return lesson, lesson.page.evaluate(PAINTED) / 1000, lesson.page.evaluate("() => window.readyAt") / 1000


def spread(times):
    """Return median and extremes, in seconds."""
    return f"median {statistics.median(times):.3f} s ({min(times):.3f} to {max(times):.3f}, {len(times)} times)"


def figures(chromium, server, folder, rounds):
    """Print times and sizes."""
    paints, readies, again = [], [], []
    for number in range(rounds):
        asked = []
        lesson, painted, ready = opened(chromium, server, asked)
        paints.append(painted)
        readies.append(ready)
        if number == 0:
            sizes(asked, server, folder)
        lesson.page.wait_for_selector("html[data-kept=true]", state="attached")
        lesson.page.reload()
        lesson.ready()
        again.append(lesson.page.evaluate("() => window.readyAt") / 1000)
        if number < rounds - 1:
            lesson.page.context.close()
    print(f"open to first paint:    {spread(paints)}")
    print(f"open to ready:          {spread(readies)}")
    print(f"  at a second visit:    {spread(again)}")
    lesson.page.wait_for_timeout(6000)  # the spare one gets warm
    solution = (ROOT / "solutions" / "attention.py").read_text(encoding="utf-8")
    lesson.put(solution)
    checks = []
    for _ in range(4 * rounds):
        assert lesson.report()["score"] == 10
        checks.append(float(lesson.page.get_attribute(".results", "data-seconds")))
    print(f"check of the whole lab: {spread(checks[1:])}; the first one {checks[0]:.3f} s")
    stops = []
    lesson.put(solution + "\n\nif __name__ == '__main__':\n    while True:\n        pass\n")
    for _ in range(rounds):
        lesson.page.wait_for_timeout(6000)
        lesson.ready()
        lesson.page.click("#do-run")
        lesson.page.wait_for_timeout(500)
        stops.append(lesson.page.evaluate(STOP))
    print(f"stop to ready:          {spread([ready / 1000 for ready, _ in stops])}")
    print(f"stop to a whole check:  {spread([judged / 1000 for _, judged in stops])}")
    lesson.page.context.close()


def sizes(asked, server, folder):
    """Print how many bytes a first visit takes until Python is ready, as a server sends them compressed."""
    urls = {request.url for request in asked if request.service_worker is None}  # that one loads what it keeps later
    names = sorted({urlsplit(url).path.lstrip("/") for url in urls if url.startswith(server.url)})
    total = {True: 0, False: 0}
    for name in names:
        path = folder / name / "index.html" if name.endswith("/") or not name else folder / name
        packed = len(gzip.compress(path.read_bytes(), 9))
        total[name.startswith("python/")] += packed
        if not name.startswith("python/"):
            print(f"  {packed / 1000:8.1f} kB  {name}")
    ours, python = total[False] / 1000, total[True] / 1e6
    print(f"gzipped until ready, without Pyodide: {ours:.0f} kB; Pyodide and NumPy: {python:.1f} MB")


def variants(lab):
    """Return ``(name, source or None)``; None for what is no text of Python."""
    found = []
    for kind in ("fair", "wrong"):
        for path in sorted((ROOT / "tests" / kind / lab.name).glob("*.py")):
            found.append((f"{kind}/{path.stem}", path.read_bytes()))
    found += [(f"known/{m.id}", lab.submission_source(m).encode()) for m in lab.misconceptions()]
    return found


def shown_by_page(lesson, name, data):
    """Return what the page makes of a file: its verdict, or ``unreadable``."""
    notice = lesson.put(data)
    if "is in the editor" not in notice:
        return "unreadable"
    lesson.ready()
    return verdict(lesson.report())


def agreement(shown, told, data):
    """Say whether page and command agree: ``yes``, in the ``points`` of every part only, or ``no``.

    What no editor can hold is refused by both.
    """
    if isinstance(shown, dict):
        return "yes" if shown == told else "points" if points(shown) == points(told) else "no"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "yes" if all(status == "error" for status, *_ in told["functions"].values()) else "no"
    return "no"


def points(found):
    """Return the points of each part."""
    return {name: score for name, (_, score, *_) in found["functions"].items()}


def brief(found):
    """Return a verdict in one cell of the table."""
    if isinstance(found, str):
        return found
    wrong = [f"{name} {status}" for name, (status, *_) in found["functions"].items() if status != "passed"]
    return f"{found['score']:g}: " + (", ".join(wrong) or "all right")


def table(chromium, server, names, every, only):
    """Print a table of verdicts; return how many points differ."""
    differing, count, unlike, begun = [], 0, 0, time.perf_counter()
    print("| lab | file | page | `attnlab check` | same |\n|---|---|---|---|---|")
    for name in names:
        lab = labs.get(name)
        lesson = Lesson(chromium.new_context().new_page(), f"{server.url}en/{name}/").ready()
        for variant, data in [v for v in variants(lab) if fnmatch(v[0], only)][::every]:
            with tempfile.TemporaryDirectory() as folder:
                told = verdict(by_command(data, lab.name, Path(folder)))
            try:
                shown = shown_by_page(lesson, variant, data)
            except Exception as error:
                shown = f"no verdict ({type(error).__name__})"
                lesson = Lesson(chromium.new_context().new_page(), f"{server.url}en/{name}/").ready()
            count += 1
            same = agreement(shown, told, data)
            if same != "yes":
                differing.append((name, variant, shown, told))
            unlike += same == "no"
            cells = (name, variant, brief(shown), brief(told), same if same == "yes" else f"**{same}**")
            print(f"| {' | '.join(cells)} |", flush=True)
        lesson.page.context.close()
    print(
        f"\n{count} files, {count - len(differing)} verdicts equal, {len(differing) - unlike} with the same points for "
        f"another reason, {unlike} with others ({time.perf_counter() - begun:.0f} s)"
    )
    for name, variant, shown, told in differing:
        print(f"\n{name} {variant}:\n  page    {json.dumps(shown)}\n  command {json.dumps(told)}")
    return unlike


def main():
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each thing is timed")
    parser.add_argument("--table", nargs="*", metavar="LAB", help="compare verdicts, of these labs or of all")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="compare every N-th file only")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="such as 'wrong/*'")
    options = parser.parse_args()
    if missing():
        raise SystemExit(f"This needs a browser: {missing()}.")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores at the start")
    names = labs.LABS if options.table == [] else options.table or ["attention"]
    with site(names) as server, browser() as chromium:
        if options.table is None:
            figures(chromium, server, server.folder, options.rounds)
        elif table(chromium, server, names, options.every, options.only):
            raise SystemExit(1)
    print(f"load average {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
