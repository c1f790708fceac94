"""Two mistakes in one function: both are named where nothing else fits, and nothing false is ever named."""

import io
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
import two_faults
from rich.console import Console

from attnlab import texts
from attnlab.checking import diagnose, suspects
from attnlab.emit import as_json, html, terminal
from attnlab.emit.words import Words, plain
from attnlab.labs import merging
from attnlab.labs.attention.misconceptions import MISCONCEPTIONS
from attnlab.notebook import judge
from attnlab.sandbox import agent
from attnlab.sandbox.here import HereTarget

FACTS_ONLY = {"columns_in_place", "flipped_in_place"}  # both faults sit in one place, and how they meet is not known


@pytest.fixture(scope="module")
def named(lab, cases):
    """``named(part, function)``: the ideas that a function is told about, judged in this process."""

    def ask(name, function):
        part, seen = lab.part(name), []
        for check in lab.checks_of(name):
            for case in cases[check.id]:
                with agent.quiet():
                    seen.append((case, agent.run_case(function, len(part.outputs), case.layout, case.calls)))
        return frozenset(diagnose.diagnose(lab, part, seen, HereTarget({}).run_case))

    return ask


def test_there_are_enough_functions_with_two_faults_and_the_ideas_they_name_exist():
    assert len(two_faults.MADE) >= 60
    assert set(Counter(part for part, _, _ in two_faults.MADE)) == {m.part for m in MISCONCEPTIONS}
    ideas = {m.misconception for m in MISCONCEPTIONS}
    assert all(len(both) == 2 and both <= ideas for _, both, _ in two_faults.MADE)


def test_none_of_them_is_written_as_the_registry_merges_it(lab):
    merged = set()
    for part in lab.parts:
        for one, other in combinations(suspects.of_part(lab, part.name), 2):
            function = suspects.put_in(lab, part, one, other) if one.idea != other.idea else None
            if function is not None:
                merged.add((function.__code__.co_code, function.__code__.co_names, function.__code__.co_consts[1:]))
    codes = [f.__code__ for _, _, f in two_faults.MADE]
    assert not merged & {(c.co_code, c.co_names, c.co_consts[1:]) for c in codes}


@pytest.mark.parametrize(("part", "both", "function"), two_faults.MADE, ids=[f.__name__ for _, _, f in two_faults.MADE])
def test_both_faults_are_named_and_never_others(part, both, function, named):
    told = named(part, function)
    assert told in (frozenset(), both)
    assert bool(told) is (function.__name__ not in FACTS_ONLY)


@pytest.mark.parametrize("part", ["causal_mask", "softmax", "attention", "causal_self_attention", "sigmoid", "gate"])
def test_the_plain_versions_are_right(part, lab, cases, named):
    function = getattr(lab.plain(), lab.part(part).function)
    assert named(part, function) == frozenset()
    assert judge(part, function, "attention").part(part).status == "passed"


def test_where_more_than_one_pair_fits_none_is_named(named, monkeypatch):
    """A second idea of the same behaviour makes the pair no longer the only one."""
    before = suspects.of_part

    def of_part(lab, part):
        found = before(lab, part)
        twin = next((s for s in found if s.idea == "no_scale"), None)
        return found if twin is None else (*found, suspects.Suspect("twin", twin.part, twin.name, twin.function))

    assert named("attention", two_faults.forgets_scale_and_mask) == {"no_scale", "mask_result_dropped"}
    monkeypatch.setattr(suspects, "of_part", of_part)
    assert named("attention", two_faults.forgets_scale_and_mask) == frozenset()


def test_a_third_fault_beside_the_two_is_told_by_facts_only(named):
    def three(Q, K, V, mask=None):
        out, weights = two_faults.forgets_scale_and_mask(Q, K, V, mask)
        return out + 0.01, weights

    assert named("attention", three) == frozenset()


@pytest.mark.parametrize("value", [0, 1, -1, 0.5, np.nan, np.inf, -np.inf, True, False])
@pytest.mark.parametrize("part", ["causal_mask", "softmax", "attention", "sigmoid"])
def test_results_that_are_the_same_all_over_are_not_taken_for_two_mistakes(part, value, named):
    """Zeros come of rounding, of a mask, of stubs: there are always two ideas that give them as well."""
    same = {
        "causal_mask": lambda T: np.full((T, T), value),
        "softmax": lambda x: np.full(x.shape, value),
        "sigmoid": lambda x: np.full(x.shape, value),
        "attention": lambda Q, K, V, mask=None: (
            np.full((*Q.shape[:-1], V.shape[-1]), value),
            np.full((*Q.shape[:-1], K.shape[-2]), value),
        ),
    }
    assert len(named(part, same[part])) < 2


def test_pairs_are_looked_at_only_where_no_single_one_fits(named, monkeypatch):
    monkeypatch.setattr(diagnose, "_pair", lambda *_: pytest.fail("compared with pairs"))
    single = next(m for m in MISCONCEPTIONS if m.id == "no_scale")
    assert named("attention", single.function) == {"no_scale"}


# how it is told


@pytest.fixture(scope="module")
def both():
    """The report on a function that forgets the scale and the mask."""
    return judge("attention", two_faults.forgets_scale_and_mask, "attention")


def sentences(lang):
    """Return what each of the two ideas is to be told with."""
    table = texts.misconceptions(lang, "attention")
    return [sentence for id in ("no_scale", "mask_result_dropped") for sentence in table[id].values()]


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_every_way_out_tells_both_ideas(lang, both):
    result, words = both.part("attention"), Words(both, lang)
    console = Console(file=io.StringIO(), width=80, color_system=None, legacy_windows=False)
    terminal.show(both, lang, console)
    card = ElementTree.fromstring(f"<html>{html.card(words, result)}</html>")
    document = as_json.document(both, lang)["functions"]["attention"]
    assert document["misconception"] is None
    assert document["misconceptions"] == ["no_scale", "mask_result_dropped"]
    lead = texts.say(lang, "report.two_at_once", {"part": "attention"})
    shown = console.file.getvalue(), "".join(card.itertext()), " ".join(document["diagnosis"]), plain(words, result)
    for told in shown:
        told = " ".join(told.replace("`", "").split())
        places = [told.index(" ".join(s.replace("`", "").split())) for s in (lead, *sentences(lang))]
        assert places == sorted(places)


def test_a_single_idea_is_told_without_a_number(both):
    single = next(m for m in MISCONCEPTIONS if m.id == "no_scale")
    report = judge("attention", single.function, "attention")
    words, result = Words(report, "en"), report.part("attention")
    assert words.several(result) == []
    assert words.diagnosis(result) == list(texts.misconceptions("en", "attention")["no_scale"].values())


# merging


def right(x):
    """Shift, then divide."""
    shifted = x - x.max(axis=-1)
    if shifted is not None:
        shifted = np.exp(shifted)
    return shifted / shifted.sum(axis=-1)


def no_shift(x):
    shifted = x
    if shifted is not None:
        shifted = np.exp(shifted)
    return shifted / shifted.sum(axis=-1)


def columns(x):
    shifted = x - x.max(axis=-2)
    if shifted is not None:
        shifted = np.exp(shifted)
    return shifted / shifted.sum(axis=-2)


def base_two(x):
    shifted = x - x.max(axis=-1)
    if shifted is not None:
        shifted = np.exp2(shifted)
    return shifted / shifted.sum(axis=-1)


def last_row(x):
    shifted = x - x.max(axis=-1)
    if shifted is not None:
        shifted = np.exp(shifted)
    return shifted[-1] / shifted.sum(axis=-1)


def other_sum(x):
    shifted = x - x.max(axis=-1)
    if shifted is not None:
        shifted = np.exp(shifted)
    return shifted / shifted.sum(axis=0)


def merged(one, other):
    """Return the merged lines without spaces; None if the two get in each other's way."""
    plain = merging.lines_of(right)
    edits = [merging.edits(plain, merging.lines_of(f)) for f in (one, other)]
    body = merging.merge(plain, *edits)
    return body and [line.replace(" ", "") for line in body.splitlines()]


def test_edits_of_different_lines_are_both_done():
    assert merged(no_shift, base_two) == [
        "shifted=x",
        "ifshiftedisnotNone:",
        "shifted=np.exp2(shifted)",
        "returnshifted/shifted.sum(axis=-1)",
    ]


def test_edits_of_different_places_of_one_line_are_both_done():
    assert merged(columns, last_row)[-1] == "returnshifted[-1]/shifted.sum(axis=-2)"


def test_what_one_deletes_the_other_need_not_change_if_something_is_left_of_it():
    assert merged(no_shift, columns) == [
        "shifted=x",
        "ifshiftedisnotNone:",
        "shifted=np.exp(shifted)",
        "returnshifted/shifted.sum(axis=-2)",
    ]


def test_edits_of_the_same_place_are_not_merged():
    assert merged(columns, other_sum) is None
    assert merged(no_shift, no_shift) is None


def test_the_order_of_the_two_does_not_matter():
    for one, other in combinations((no_shift, columns, base_two, last_row, other_sum), 2):
        assert merged(one, other) == merged(other, one)


def test_another_array_and_another_axis_of_one_name_are_a_third_mistake(lab):
    one, other = (
        next(s for s in suspects.of_part(lab, "attention") if s.function.__name__ == name)
        for name in ("scale_from_d_v", "scale_from_number_of_queries")
    )
    assert suspects.put_in(lab, lab.part("attention"), one, other) is None
