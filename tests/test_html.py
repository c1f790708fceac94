"""The notebook card: heatmaps side by side, everything escaped, no script, small."""

from dataclasses import replace
from types import FunctionType
from xml.etree import ElementTree

import numpy as np
import pytest

from attnlab import labs
from attnlab.emit import html
from attnlab.emit.words import Words
from attnlab.labs.attention.misconceptions import MISCONCEPTIONS
from attnlab.labs.model import Fault
from attnlab.notebook import judge

SVG = "{http://www.w3.org/2000/svg}"
CARD = {"html", "div", "b", "span", "code", "pre", "details", "summary"}
WRONG = {m.id: m for m in MISCONCEPTIONS}
DRAWN = ("no_scale", "one_future_token", "softmax_over_queries", "masked_after_softmax", "no_max_subtraction")
PLAIN = ("output_alone", "extra_batch_axis", "changes_its_input", "float_triangle")


def shown(id, lang="en"):
    """Return the card of a wrong version and the words and result it was made from."""
    report = judge(WRONG[id].part, WRONG[id].function, "attention")
    words = Words(report, lang)
    result = report.part(WRONG[id].part)
    return html.card(words, result), words, result


def parsed(card):
    return ElementTree.fromstring(f"<html>{card}</html>")


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("id", DRAWN)
def test_a_wrong_matrix_of_weights_is_drawn_beside_the_expected_one(id, lang):
    card, words, _ = shown(id, lang)
    pictures = parsed(card).findall(f".//{SVG}svg")
    assert [p.get("aria-label").partition(":")[0] for p in pictures] == [
        words.say("report.got"),
        words.say("report.expected"),
    ]
    got, expected = ([title.text for title in p.iter(f"{SVG}title")] for p in pictures)
    assert len(got) == len(expected) > 1
    assert got != expected


@pytest.mark.parametrize("id", [*DRAWN, *PLAIN])
def test_a_card_is_well_formed_small_and_free_of_scripts_styles_and_ids(id):
    card, _, _ = shown(id)
    root = parsed(card)
    assert len(card.encode()) < 20_000
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {*CARD, "svg", "g", "title", "text", "path"}
    assert not [e for e in root.iter() if e.get("id") or e.get("class") or e.get("href")]


@pytest.mark.parametrize("id", PLAIN)
def test_what_is_no_matrix_of_weights_is_told_in_words_alone(id):
    card, _, _ = shown(id)
    assert "<svg" not in card


def test_a_right_function_has_a_card_without_pictures():
    from attnlab.attention import softmax

    report = judge("softmax", softmax, "attention")
    assert "<svg" not in html.card(Words(report, "en"), report.part("softmax"))


def groups(values, marked):
    """Return the shades, hatches, outlines and texts of one picture."""
    root = ElementTree.fromstring(html.svg(np.asarray(values), "weights", np.asarray(marked, dtype=bool)))
    return [list(group) for group in root.findall(f"{SVG}g")]


def test_the_entries_that_are_off_are_outlined():
    shades, _, outlines, _ = groups([[1.0, 0.0], [0.25, 0.75]], [[0, 1], [0, 0]])
    told = [shade.find(f"{SVG}title").text for shade in shades]
    assert told == ["[0, 0] = 1", "[0, 1] = 0", "[1, 0] = 0.25", "[1, 1] = 0.75"]
    assert len(outlines) == 1
    assert outlines[0].get("d").startswith("M43.5 21.5")


def test_nan_and_infinity_are_hatched_and_named():
    shades, hatches, _, texts = groups([[np.nan, -np.inf], [0.5, 1e-9]], np.zeros((2, 2)))
    assert [s.find(f"{SVG}title").text[9:] for s in shades] == ["NaN", "-inf", "0.5", "1e-09"]
    assert [t.text for t in texts] == ["NaN", "-inf", "0.5", "1e-09"]
    assert len(hatches) == 2


def test_numbers_outside_zero_and_one_keep_a_legal_shade():
    shades, *_ = groups([[1e6, -3.0]], np.zeros((1, 2)))
    assert [s.get("fill-opacity") for s in shades] == ["0.85", None]


@pytest.mark.parametrize(("side", "drawn"), [(12, True), (13, False)])
def test_a_matrix_of_more_than_twelve_rows_is_not_drawn(side, drawn):
    _, words, result = shown("one_future_token")
    example = result.checks[0].counterexample
    got, expected = np.tri(side, k=1, dtype=bool), np.tri(side, dtype=bool)
    example = replace(example, got=(got,), expected=(expected,), fault=replace(example.fault, where=(0, 1)))
    assert bool(html.heatmaps(words, example)) is drawn
    if drawn:
        assert len(html.heatmaps(words, example)) < 30_000


def test_of_a_batch_the_matrix_with_the_fault_is_drawn():
    _, words, result = shown("no_scale")
    check = next(c for c in result.checks if c.check.id == "attention.batch")
    *lead, _, _ = check.counterexample.fault.where
    pictures = html.heatmaps(words, check.counterexample)
    assert f"weights[{', '.join(map(str, lead))}]" in pictures


@pytest.mark.parametrize("id", ["first_head_gates_all"])
def test_an_answer_that_only_broadcasts_is_shown_by_the_entry_that_counts(id):
    wrong = {m.id: m for m in labs.get("gates").misconceptions()}[id]
    report = judge(wrong.part, wrong.function, "gates")
    words, result = Words(report, "en"), report.part(wrong.part)
    example = next(check.counterexample for check in result.checks if check.outcome == "failed")
    assert example.got[0].shape != np.shape(example.expected[0])
    assert "<" in "".join(line for line in words.lines(example) if line.startswith("you got"))
    assert parsed(html.card(words, result)) is not None


def test_what_a_student_wrote_is_escaped():
    _, words, result = shown("no_scale")
    facts = {"type": "ValueError", "text": "<script>alert('x')</script> & `a<b`", "place": "<i>&.py", "line": 3}
    fault = Fault("error ValueError", "fault.error", facts, outcome="error")
    checks = (replace(result.checks[0], outcome="error", fault=fault), *result.checks[1:])
    card = html.card(words, replace(result, checks=checks, status="error"))
    assert "<script" not in card
    assert "<i>" not in card
    text = "".join(parsed(card).itertext())
    assert "<script>alert('x')</script> & a<b" in text


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_named_misconception_leads_the_card(lang):
    _, words, result = shown("no_scale", lang)
    result = replace(result, misconceptions=("no_scale",))
    card = html.card(words, result)
    text = "".join(parsed(card).itertext())
    told = [sentence.replace("`", "") for sentence in words.diagnosis(result)]
    assert len(told) == 3
    assert [text.index(sentence) for sentence in told] == sorted(text.index(sentence) for sentence in told)
    assert text.index(told[0]) < text.index(words.title(result.checks[0]))


def test_a_part_that_fails_because_of_another_says_so():
    from attnlab.attention import attention

    names = dict(attention.__globals__) | {"softmax": WRONG["over_all_entries"].function}
    report = judge("attention", FunctionType(attention.__code__, names, "attention", (None,)), "attention")
    words, result = Words(report, "en"), report.part("attention")
    assert result.status == "failed"
    text = "".join(parsed(html.card(words, result)).itertext())
    assert words.consequence(result).replace("`", "") in text
    assert "softmax" in words.consequence(result)
