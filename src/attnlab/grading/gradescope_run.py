"""What ``run_autograder`` starts inside Gradescope's container: grades one submission, writes ``results.json``.

``python -m attnlab.grading.gradescope_run ROOT``, where `ROOT` is ``/autograder``.
"""

import json
import sys
import time
from pathlib import Path

from .. import labs, submission, texts
from ..checking import engine
from ..checking.report import Report
from ..checking.target import Problem
from ..emit import gradescope as emit
from ..files import write_whole
from ..labs.model import Lab
from ..sandbox import tiers
from ..sandbox.host import Host
from ..sandbox.tiers import Tier
from ..student import workspace
from . import twice
from .gradescope import SECRET, SETTINGS

IGNORED = ("__MACOSX", "__pycache__")


def grade(folder: Path, lab: Lab, lang: str, secret: str, share: float, tier: Tier) -> Report:
    """Return the report on what a student handed in, with points as `attnlab.grading.cells.mark` gives them.

    Raises
    ------
    submission.UsageError
        If there is nothing in the folder that could be meant.
    """
    path = find(folder, lab)
    try:
        work = submission.read(path)
    except submission.Unreadable as error:
        return engine.unreadable(lab, Problem("unreadable", texts.say(lang, error.message, error.facts), path.name))
    with Host(tier) as host:

        def start():
            return host.target(work.chunks, lab.functions, name=work.name)

        report, waited = twice.judge(lab, start, secret, share, shrink=True)
        if waited:  # the machine may have been busy
            report, _ = twice.judge(lab, start, secret, share, shrink=True)
    return report


def find(folder: Path, lab: Lab) -> Path:
    """Return the file to grade: the lab's by name, or else the only script or notebook there is."""
    try:
        return workspace.find(folder, lab)
    except submission.UsageError as error:
        if error.message != "read.empty_folder":
            raise
        found = sorted(p for p in folder.rglob("*") if p.suffix.lower() in submission.SUFFIXES and _counts(p, folder))
        if len(found) == 1:
            return found[0]
        names = ", ".join(str(path.relative_to(folder)) for path in found)
        if found:
            raise submission.UsageError("export.several", names=names, lab=lab.name) from None
        raise submission.UsageError("export.nothing", lab=lab.name) from None


def _counts(path, folder):
    parts = path.relative_to(folder).parts
    return path.is_file() and not any(part.startswith(".") or part in IGNORED for part in parts)


def run(root: Path) -> dict:
    """Grade ``root/submission`` and return the document for Gradescope. Whatever happens, there is one."""
    started, lang = time.perf_counter(), "en"
    try:
        source = root / "source"
        settings = json.loads((source / SETTINGS).read_text(encoding="utf-8"))
        lang = settings["lang"] if settings["lang"] in texts.LANGUAGES else lang
        lab, share = labs.get(settings["lab"]), float(settings["carried_share"])
        secret = taken(source / SECRET)
        tier = tiers.choose()
        print(f"Student code is confined by {tier.name}{'' if tier.safe else ': no match for people who mean ill'}.")
        report = grade(root / "submission", lab, lang, secret, share, tier)
        return emit.document(report, lang, time.perf_counter() - started)
    except submission.UsageError as error:
        return emit.failed(texts.say(lang, error.message, error.facts))
    except Exception as error:
        print(f"The autograder itself failed: {type(error).__name__}: {error}")  # for instructors only
        return emit.failed(texts.say(lang, "export.grader_broke", {"type": type(error).__name__}))


def taken(path: Path) -> str:
    """Return the secret and remove its file, so that student code, which runs in the same container, finds none.

    The container grades one submission and is thrown away.
    """
    secret = path.read_text(encoding="utf-8").strip()
    path.unlink()
    return secret


def main(root: Path) -> None:
    """Write ``results/results.json`` whole or not at all."""
    document = run(root)
    (root / "results").mkdir(parents=True, exist_ok=True)
    write_whole(root / "results" / "results.json", json.dumps(document, indent=1, allow_nan=False))
    print(f"{document['score']:g} points")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "/autograder"))
