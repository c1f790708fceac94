"""Watching a file: only what a change can touch is judged again, and saves are noticed."""

import io
import json
import os
import threading
import time
from dataclasses import replace

import pytest
from conftest import ROOT
from rich.console import Console

from attnlab import texts
from attnlab.checking.target import Interrupted
from attnlab.sandbox.process import ProcessTarget
from attnlab.student import rounds as judging
from attnlab.student import watch as watching
from attnlab.student.outline import outline, touched
from attnlab.student.rounds import Round, Superseded, Watcher

ALL = ("causal_mask", "softmax", "attention", "causal_self_attention", "sigmoid", "gate")
NO_SCALE = ("math.sqrt(d_k)", "1")


@pytest.fixture
def watched(tmp_path, lab, solution):
    """``watched(old, new) -> Round``: the last round after the solution was changed; all at once without arguments."""
    path = tmp_path / "attention.py"
    path.write_text(solution, encoding="utf-8")
    watcher = Watcher(path, lab, "en")

    def change(old="", new=""):
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new) if old else text + new, encoding="utf-8")
        return list(watcher.rounds())[-1]

    change.watcher = watcher
    yield change
    watcher.close()


def parts_touched(lab, before, after):
    one, two = (outline((("attention.py", source),), lab.functions) for source in (before, after))
    return touched(lab, one, two)


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("# (..., n)", "# other words", ()),
        ("j <= i", "j <= i + 0", ("causal_mask", "causal_self_attention", "gate")),
        ("x.max(", "1 * x.max(", ("softmax", "attention", "causal_self_attention", "gate")),
        (*NO_SCALE, ("attention", "causal_self_attention", "gate")),
        ("np.exp(-np.abs(x))", "np.exp(-abs(x))", ("causal_self_attention", "sigmoid", "gate")),
        ("import math\n", "import math\n\nEPS = 0\n", ALL),
        ("def softmax(x):", "def soft_max(x):", ALL),
        (
            "def softmax(x):",
            "@staticmethod\ndef softmax(x):",
            ("softmax", "attention", "causal_self_attention", "gate"),
        ),
    ],
)
def test_a_change_touches_what_it_can_reach(lab, solution, old, new, parts):
    assert old in solution
    assert parts_touched(lab, solution, solution.replace(old, new)) == parts


def test_a_function_that_calls_one_it_need_not_is_touched_with_it(lab, solution):
    calls = solution.replace('"""Turn each row', '"""Turn each row', 1).replace(
        "    weights = x -", "    sigmoid(x)\n    weights = x -"
    )
    changed = calls.replace("def sigmoid(x):", "def sigmoid(x, y=0):")
    assert {"softmax", "attention", "sigmoid"} <= set(parts_touched(lab, calls, changed))


def test_code_that_is_no_python_touches_everything(lab, solution):
    assert outline((("cell 1", "def f(:"),), lab.functions) is None
    assert touched(lab, None, outline((("attention.py", solution),), lab.functions)) == ALL


def test_the_first_round_judges_everything_and_later_ones_what_changed(watched):
    first = watched()
    assert first.judged == ALL
    assert first.report.passed
    wrong = watched(*NO_SCALE)
    assert wrong.judged == ("attention", "causal_self_attention", "gate")
    assert [r.status for r in wrong.report.parts] == ["passed", "passed", "failed", "failed", "passed", "failed"]
    assert watched("", "# a remark\n").judged == ()
    assert watched("/ 1", "/ math.sqrt(d_k)").report.passed


def test_results_of_parts_judged_again_are_those_of_a_whole_check(watched, judged, monkeypatch):
    monkeypatch.setattr(judging, "EXPLAINED", 60.0)  # however busy the machine is
    watched()
    changed = watched("x.max(axis=-1", "x.max(axis=0").report
    whole = judged(watched.watcher.path.read_text(encoding="utf-8"))
    assert [(r.part.name, r.status, r.score) for r in changed.parts] == [
        (r.part.name, r.status, r.score) for r in whole.parts
    ]
    assert [r.right_given_right_helpers for r in changed.parts] == [r.right_given_right_helpers for r in whole.parts]


def test_a_message_that_names_a_line_is_told_anew_when_the_line_moves(watched):
    before = (
        watched("    weights = x -", "    weights = missing -").report.part("softmax").checks[0].fault.facts["line"]
    )
    after = watched("import math\n", "# one\n# two\nimport math\n").report.part("softmax").checks[0].fault.facts["line"]
    assert after == before + 2


def test_a_file_that_cannot_be_parsed_is_a_result_and_is_left_behind(watched, solution):
    watched()
    assert {r.status for r in watched("", "def f(:\n").report.parts} == {"error"}
    assert watched("def f(:\n", "").report.passed


def test_notebooks_are_watched_cell_by_cell_in_the_same_way(tmp_path, lab, solution):
    path = tmp_path / "attention.ipynb"

    def save(source):
        cells = [{"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}]
        path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}))

    save(solution)
    watcher = Watcher(path, lab, "en")
    try:
        assert list(watcher.rounds())[-1].report.passed
        save("%matplotlib inline\n" + solution)
        assert list(watcher.rounds())[-1].judged == ALL
        save("%matplotlib inline\n" + solution.replace("x.max(", "1 * x.max("))
        assert "causal_mask" not in list(watcher.rounds())[-1].judged
    finally:
        watcher.close()


def endless(solution):
    return solution.replace("    weights = x -", "    while True:\n        pass\n    weights = x -")


def test_a_part_that_takes_long_keeps_nobody_from_seeing_the_others(watched, solution):
    watched.watcher.path.write_text(endless(solution), encoding="utf-8")
    rounds = watched.watcher.rounds()
    first = next(rounds)
    rounds.close()
    assert not first.last
    assert first.running == ("softmax", "attention", "causal_self_attention", "gate")
    assert [(r.part.name, r.status) for r in first.report.parts] == [("causal_mask", "passed"), ("sigmoid", "passed")]


def test_a_loop_at_the_top_of_the_file_is_told_of_before_it_is_stopped(watched):
    watched.watcher.path.write_text("while True:\n    pass\n", encoding="utf-8")
    rounds = watched.watcher.rounds()
    assert next(rounds).running == ALL
    rounds.close()


def test_parts_put_off_get_their_full_time_and_are_not_accused(watched, monkeypatch):
    monkeypatch.setattr(judging, "PATIENCE", 0.0)
    monkeypatch.setattr(judging, "LOAD_PATIENCE", 0.0)
    for change in ((), ("x.max(", "1 * x.max(")):
        last = watched(*change)
        assert last.last
        assert last.running == ()
        assert [r.status for r in last.report.parts] == ["passed"] * len(ALL)


def test_a_newer_file_ends_the_search_for_examples_and_is_judged_whole(watched, solution, monkeypatch):
    watcher = watched.watcher

    def search(_, result, target, seconds):
        watcher.path.write_text(solution, encoding="utf-8")
        watcher.supersede()
        while True:  # as a search does, which asks its target again and again
            target.run_case(int, 1, "plain", ((),))

    monkeypatch.setattr(judging.shrink, "shrunk", search)
    with pytest.raises(Superseded):
        watched(*NO_SCALE)
    assert list(watcher.rounds())[-1].report.passed
    assert watched().judged == ()


@pytest.mark.parametrize(("surely", "ends"), [(False, False), (True, True)])
def test_a_save_that_changes_nothing_ends_nothing_unless_another_file_changed(watched, surely, ends):
    rounds = watched.watcher.rounds()
    watched.watcher.path.write_text(watched.watcher.path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    seen = next(rounds)
    assert seen.last
    rounds.close()
    watched.watcher.path.write_text(
        watched.watcher.path.read_text(encoding="utf-8").replace(*NO_SCALE), encoding="utf-8"
    )
    rounds = watched.watcher.rounds()
    assert not next(rounds).last
    watched.watcher.supersede(surely=surely)
    if ends:
        with pytest.raises(Superseded):
            list(rounds)
    else:
        assert list(rounds)[-1].last


def test_between_two_rounds_there_is_nothing_to_end(watched):
    watched()
    watched.watcher.supersede(surely=True)
    assert watched(*NO_SCALE).report.part("attention").status == "failed"


@pytest.mark.parametrize("step", ["explain", "shrink"])
def test_what_is_not_found_out_in_time_is_given_up_and_the_result_stands(watched, monkeypatch, step):
    for name in ("EXPLAINED", "SHRUNK", "LEAST", "GRACE"):
        monkeypatch.setattr(judging, name, 0.05)
    check = judging.engine.check

    def hang(target):
        while True:
            target.run_case(int, 1, "plain", ((),))

    if step == "shrink":
        monkeypatch.setattr(judging.shrink, "shrunk", lambda lab, result, target, seconds: hang(target))
    else:
        monkeypatch.setattr(
            judging.engine, "check",
            lambda lab, target, *args, **options: (
                check(lab, target, *args, **options) if "explain" in options else hang(target)
            ),
        )  # fmt: skip
    last = watched(*NO_SCALE)
    assert last.last
    assert last.report.part("attention").status == "failed"
    assert last.report.part("attention").checks


def test_a_target_can_be_ended_from_another_thread_and_stays_so():
    target = ProcessTarget([("student.py", "while True:\n    pass\n")], ("softmax",))
    timer = threading.Timer(0.3, target.interrupt)
    timer.start()
    try:
        with pytest.raises(Interrupted):
            target.survey()
        with pytest.raises(Interrupted):
            target.run_case(int, 1, "plain", ((),))
        with pytest.raises(Interrupted):
            target.survey()
    finally:
        timer.cancel()
        target.close()
    assert target._running is None


def test_a_screen_that_cannot_be_written_leaves_no_process_behind(watched, monkeypatch):
    def refuse(*_):
        raise BrokenPipeError

    monkeypatch.setattr(watching, "draw", refuse)
    watcher = watched.watcher
    with pytest.raises(BrokenPipeError):
        watching._round(watcher, Console(file=io.StringIO()), everything=True)
    waiting = watcher._waiting
    watcher.close()
    assert waiting._running is None
    assert watcher._target is None


def test_a_save_is_noticed_and_the_last_result_is_drawn(tmp_path, lab, solution):
    path, out, stop = tmp_path / "attention.py", io.StringIO(), threading.Event()
    path.write_text((ROOT / "exercises" / "attention.py").read_text(encoding="utf-8"), encoding="utf-8")
    console = Console(file=out, width=80, highlight=False)
    thread = threading.Thread(target=watching.watch, args=(path, lab, "en", console, stop))
    thread.start()
    try:
        wait_for(out, "0 of 10 points")
        beside = tmp_path / "attention.py.new"  # as editors save
        beside.write_text(solution, encoding="utf-8")
        os.replace(beside, path)
        wait_for(out, "Everything is right.")
    finally:
        stop.set()
        thread.join(20)
    assert not thread.is_alive()


def test_where_the_system_watches_no_more_files_they_are_looked_at_every_now_and_then(
    tmp_path, lab, solution, monkeypatch
):
    import watchfiles

    refused = []

    def none_left(*_, **options):
        refused.append(options)
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "watch", none_left)
    test_a_save_is_noticed_and_the_last_result_is_drawn(tmp_path, lab, solution)
    assert refused


def wait_for(out, words):
    end = time.monotonic() + 30
    while words not in out.getvalue():
        assert time.monotonic() < end, out.getvalue()
        time.sleep(0.02)


def test_the_screen_holds_no_more_than_fits_and_is_written_over_in_one_go(watched):
    found = watched(*NO_SCALE)
    out = io.StringIO()
    console = Console(file=out, width=80, height=30, force_terminal=True, highlight=False, legacy_windows=False)
    text = watching.screen(found, watched.watcher.path, "en", console)
    assert text.count("\n") < 30
    assert "causal_mask" in text
    assert "Ctrl-C" in text
    assert "and more: attnlab check" in text
    watching.draw(text, console)
    assert out.getvalue().startswith("\x1b[H")
    assert "\x1b[2J" not in out.getvalue()


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_the_screen_says_what_is_still_running(watched, lang):
    found = watched()
    some = replace(found.report, parts=found.report.parts[:1])
    console = Console(file=io.StringIO(), width=80, height=30, force_terminal=True, highlight=False)
    text = watching.screen(Round(some, ALL, 0.5, ALL[1:], last=False), watched.watcher.path, lang, console)
    assert all(name in text for name in ALL)
    assert text.count(texts.say(lang, "watch.runs")) == len(ALL) - 1
    assert texts.say(lang, "report.all_right") not in text
    assert texts.say(lang, "watch.goes_on") not in text  # nothing was found wrong yet


@pytest.mark.parametrize("last", [True, False])
def test_the_screen_says_whether_more_is_to_come(watched, last):
    found = replace(watched(), last=last)
    console = Console(file=io.StringIO(), width=80, height=30)
    text = watching.screen(found, watched.watcher.path, "en", console)
    assert (texts.say("en", "watch.goes_on") in text) == (not last)
