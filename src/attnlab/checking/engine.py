"""The engine: a Lab and a Target give a Report."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module

from ..labs.model import Case, Fault, Lab, Part
from . import compare
from .behaviour import fingerprint
from .cases import size
from .diagnose import diagnose
from .report import CheckResult, Counterexample, PartResult, Report
from .target import Lost, Survey, Target


def check(
    lab: Lab,
    target: Target,
    cases: Mapping[str, tuple[Case, ...]],
    *,
    parts: tuple[str, ...] | None = None,
    shrink: bool = True,
    explain: bool = True,
    name: bool = True,
    known: Mapping[str, PartResult] | None = None,
    failed: Mapping[str, PartResult] | None = None,
    progress: Callable[[PartResult], None] | None = None,
) -> Report:
    """Judge a target.

    Parameters
    ----------
    lab : Lab
    target : Target
    cases : mapping of check id to cases
        Drawn beforehand; see `attnlab.checking.cases`.
    parts : tuple of str, optional
        Judge these parts only.
    shrink : bool
        Whether to search for the smallest counterexample of each failed check.
    explain : bool
        Whether to judge failed parts again with right helpers.
    name : bool
        Whether to compare them, then, with known misconceptions.
    known : mapping of part name to PartResult, optional
        Results that are taken as they are.
    failed : mapping of part name to PartResult, optional
        Results that are taken as they are, too, but for what comes of the part with right helpers in place of those
        that are wrong here.
    progress : callable, optional
        Called with each part's result as soon as it is known.
    """
    survey = target.survey()
    results = []
    for part in lab.parts:
        if known and part.name in known:
            results.append(known[part.name])
        elif failed and part.name in failed and _wrong_helpers(part, results):
            results.append(_explained(lab, failed[part.name], (), results, target, cases, name))
        elif parts is None or part.name in parts:
            result, seen = _part(lab, part, target, survey, cases)
            if explain and seen is not None and result.status not in ("passed", "todo"):
                result = _explained(lab, result, seen, results, target, cases, name)
            if shrink and result.status != "passed" and not result.right_given_right_helpers:
                result = _shrunk(lab, result, target)
            results.append(result)
            if progress is not None:
                progress(result)
    return Report(lab, tuple(results), survey.problems)


def unreadable(lab: Lab, problem) -> Report:
    """Return the report of a file that could not be read or parsed: every part an error, with the sentence why."""
    fault = Fault("unreadable", "fault.unreadable", {"why": problem.text}, outcome="error")
    return Report(lab, tuple(_all(lab, part, "error", fault) for part in lab.parts), (problem,))


def _all(lab, part, outcome, fault):
    results = tuple(CheckResult(check, outcome, fault) for check in lab.checks_of(part.name))
    return PartResult(part, outcome, results)


def _part(lab: Lab, part: Part, target: Target, survey: Survey, cases):
    state = survey.functions[part.function]
    if state == "missing":
        return _missing(lab, part, survey), None
    if state == "odd":
        fault = Fault("not callable", "fault.not_callable", {"function": part.function}, outcome="error")
        return _all(lab, part, "error", fault), None
    ordered, seen = _judge(lab, part, target, cases)
    if state == "stub" and all(r.fault is not None and r.fault.kind == "none" for r in ordered):
        return _all(lab, part, "todo", Fault("todo", "fault.todo_empty", {}, outcome="todo")), None
    ordered = [_told_stale(lab, part, result, target) for result in ordered]
    status = _status(ordered)
    behaviour = "" if status == "passed" else fingerprint(seen)
    return PartResult(part, status, tuple(ordered), behaviour=behaviour), seen


def _told_stale(lab, part, result, target):
    """Tell a call that is wrong from one that is wrong only because another came before."""
    example = result.counterexample
    try:
        if example is not None and confirm_stale(lab, part, result.check, example, target):
            fault = replace(result.fault, outcome="stale")
            return replace(result, outcome="stale", fault=fault, counterexample=replace(example, fault=fault))
    except Lost:
        pass
    return result


def _shrunk(lab, result, target):
    from .shrink import smallest

    checks = smallest(lab, result.part, result.checks, target)
    return replace(result, checks=tuple(checks), status=_status(checks))


def _status(results):
    return next((r.outcome for r in results if r.outcome != "passed"), "passed")


def _judge(lab, part, target, cases, stand_ins=None):
    """Replay the cases of one part. Return the results of its checks and, for each case answered, what was answered."""
    todo = {check.id: cases[check.id] for check in lab.checks_of(part.name)}
    results, seen, last_loss = {}, [], None
    while todo:
        queue = [case for group in todo.values() for case in group]
        answers = target.run(part, queue, stand_ins or {})
        try:
            for id in list(todo):
                results[id] = _check(lab, part, lab_check(lab, id), todo[id], answers, seen)
                del todo[id]
            next(answers, None)
        except Lost as lost:
            id = next(iter(todo), None)
            if id is None:
                break
            results[id] = _lost(lab_check(lab, id), lost)
            del todo[id]
            last_loss = lost
            if lost.kind == "timeout":
                break
    for id in todo:
        results[id] = _lost(lab_check(lab, id), last_loss)
    return [results[check.id] for check in lab.checks_of(part.name)], tuple(seen)


def _explained(lab, result, seen, results, target, cases, name):
    """Find out what a failed part's own fault is: judge it again with right helpers, and compare its behaviour."""
    used = _wrong_helpers(result.part, results)
    own = [r for r in used if r.part.function == result.part.function]
    if any(not r.right_given_right_helpers for r in own):
        return result  # an option of a function that fails without it: nothing can be said apart
    failed = {r.part.function for r in used if r not in own}
    if failed:
        core = import_module(lab.core)
        stand_ins = {name: (getattr(core, name), lab.part(name).inputs) for name in sorted(failed)}
        again, seen = _judge(lab, result.part, target, cases, stand_ins)
        undecided = any(r.fault is not None and r.fault.kind == "error _Undecided" for r in again)
        result = replace(
            result,
            right_given_right_helpers=None if undecided else _status(again) == "passed",
            given=None if undecided else tuple(again),
        )
        if undecided or result.right_given_right_helpers:
            return result
    if not name:
        return result
    return replace(result, misconceptions=diagnose(lab, result.part, seen, target.run_case))


def _wrong_helpers(part, results):
    return [r for r in results if r.status != "passed" and r.part.name in part.uses]


def lab_check(lab, id):
    """Return the check called `id`."""
    return next(check for check in lab.checks if check.id == id)


def _missing(lab, part, survey):
    """A function that is not there: because the code that was to define it failed, or because nobody wrote it."""
    cause = survey.causes.get(part.function)
    if cause is None and part.function in survey.close:
        facts = {"name": survey.close[part.function]}
        fault = Fault("missing", "fault.missing_close", facts, outcome="missing")
    elif cause is None:
        fault = Fault("missing", "fault.missing", {}, outcome="missing")
    else:
        facts = {"type": cause.kind, "text": cause.text, "place": cause.place, "line": cause.line}
        outcome = cause.kind if cause.kind in ("timeout", "died") else "error"
        fault = Fault("missing", f"problem.{outcome}", facts, outcome=outcome)
    return _all(lab, part, fault.outcome, fault)


def _check(lab, part, check, cases, answers, seen):
    """Judge one check. Every case is drained from `answers` and noted in `seen`.

    The first fault decides, a visible one before a hidden one; it is shown by the smallest case that has it.
    """
    found = None
    for case in cases:
        result = next(answers)
        seen.append((case, result))
        if found is not None and not _may_show_better(found, case):
            continue
        fault = compare.judge(lab, part, check, case, result)
        if fault is not None and (found is None or found[0].hidden or _same(found[2], fault)):
            found = case, result, fault
    if found is None:
        return CheckResult(check, "passed")
    case, result, fault = found
    if case.hidden:
        return CheckResult(check, fault.outcome, Fault("hidden", "fault.hidden", {}, outcome=fault.outcome))
    return CheckResult(check, fault.outcome, fault, counterexample(case, result, fault))


def _may_show_better(found, case):
    """Say whether a case is worth judging once a fault was found: visible after a hidden one, or smaller."""
    first, _, known = found
    if case.hidden or known.call >= len(case.calls):
        return False
    return first.hidden or size(case.calls[known.call]) < size(first.calls[known.call])


def _same(one, other):
    return (one.kind, one.outcome, one.call) == (other.kind, other.outcome, other.call)


def counterexample(case: Case, result: tuple, fault: Fault) -> Counterexample:
    """Return the call that shows a fault, with what was expected and what came."""
    call = fault.call
    first = _arrays(result, 0) if fault.compares else None
    return Counterexample(case, call, case.calls[call], case.expected[call], _arrays(result, call), fault, first)


def _arrays(result, call):
    """Return the arrays and numbers that one call gave, None for an output that is neither, None without outputs."""
    answer = result[call] if call < len(result) - 1 else ("error",)
    if answer[0] != "ok" or answer[1][0] == "count":
        return None
    return tuple(item[1] if item[0] in ("array", "int") else None for item in answer[1])


def _lost(check, lost):
    message = lost.kind
    if lost.kind == "died" and lost.detail != "exit":
        message = "babbled" if lost.detail == "babble" else "crashed"
    elif lost.in_all:
        message = "too_long"
    fault = Fault(lost.kind, f"fault.{message}", {"detail": lost.detail}, outcome=lost.kind)
    return CheckResult(check, lost.kind, fault)


def judge_again(lab: Lab, part: Part, check, case: Case, target: Target):
    """Judge one case in a fresh call; return ``(result, fault)``."""
    (result,) = target.run(part, (case,), {})
    return result, compare.judge(lab, part, check, case, result)


def confirm_stale(lab: Lab, part: Part, check, example: Counterexample, target: Target) -> bool:
    """Say whether a wrong later call is right when it is the first one."""
    case = example.case
    if example.call == 0 or not check.oracle or example.fault.outcome != "failed":
        return False
    only = slice(example.call, example.call + 1)
    alone = replace(case, calls=case.calls[only], expected=case.expected[only], tolerances=case.tolerances[only])
    return judge_again(lab, part, replace(check, relation=None), alone, target)[1] is None
