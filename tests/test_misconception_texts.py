"""What a lab says about misconceptions, in hints and in the quiz: complete, in both languages, no solution in it."""

import ast
import re
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from conftest import each_lab_s, every_lab

from attnlab import attention as core
from attnlab import labs

LANGUAGES = ("en", "ru")
LEAST = {"attention": (60, 6)}  # ideas and questions
LEAST_OF_OTHERS = (20, 3)
GIVEAWAYS = ("@K.swapaxes", "np.exp(x", "np.tri(", "np.tril(", "np.where(mask", "np.where(~mask", "x.max(", "X@W_q")
"""Pieces of other people's solutions, beside those of the reference: each would do instead of thinking."""


def load(lab, name):
    """Return one of a lab's TOML files."""
    return tomllib.loads(lab.folder.joinpath(name).read_text(encoding="utf-8"))


def ideas(lab):
    """Return the ids that can be named to students."""
    return sorted({m.misconception for m in lab.misconceptions()})


def questions(lab):
    """Return the keys of a lab's quiz, by id."""
    return {question["id"]: question for question in load(lab, "quiz.toml")["question"]}


every_idea = each_lab_s("id", lambda lab: ideas(labs.get(lab)), str)
every_part = each_lab_s("part", lambda lab: [part.name for part in labs.get(lab).parts], str)
every_question = each_lab_s("question", lambda lab: questions(labs.get(lab)).values(), lambda q: q["id"])


def strings(value):
    """Yield every string in a table, however deep."""
    if isinstance(value, str):
        yield value
    else:
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


@cache
def expressions_of_the_reference(lab):
    """Return the calls, products and comparisons of the solution that are long enough to be recognised, unspaced."""
    nodes = ast.walk(ast.parse(Path(find_spec(lab.core).origin).read_text(encoding="utf-8")))
    wanted = (n for n in nodes if isinstance(n, (ast.Call, ast.BinOp, ast.Subscript, ast.Assign)))
    unspaced = {re.sub(r"\s", "", ast.unparse(n)) for n in wanted}
    return {e for e in unspaced if len(e) >= 10}


def giveaways(lab, text):
    """Return the pieces of code in `text` that give a line of the solution away."""
    unspaced = re.sub(r"[\s`]", "", text)
    return {piece for piece in expressions_of_the_reference(lab) | set(GIVEAWAYS) if piece in unspaced}


def prose(sentence):
    """Return `sentence` without the code in it."""
    return re.sub(r"`[^`]*`", "", sentence)


# misconceptions


@every_lab
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_misconception_that_can_be_named_has_its_sentences(lab, lang):
    table = load(lab, f"misconceptions.{lang}.toml")
    assert sorted(table) == ideas(lab)
    assert all(list(sentences) == ["what", "why", "way"] for sentences in table.values())


@every_lab
def test_there_are_enough_ideas_and_no_two_tell_the_same_story(lab):
    assert len(ideas(lab)) >= LEAST.get(lab.name, LEAST_OF_OTHERS)[0]
    for lang in LANGUAGES:
        stories = [tuple(sentences.values()) for sentences in load(lab, f"misconceptions.{lang}.toml").values()]
        assert len(set(stories)) == len(stories)


@pytest.mark.parametrize("lang", LANGUAGES)
@every_idea
def test_a_sentence_is_one_short_calm_sentence(lab, lang, id):
    for sentence in load(lab, f"misconceptions.{lang}.toml")[id].values():
        assert 15 <= len(sentence) <= 200
        assert sentence == sentence.strip()
        assert sentence[-1] in ".?"
        assert not re.search(r"[.?…] +[A-ZА-ЯЁ]", sentence)
        assert not set("!{}\n") & set(prose(sentence))
        assert sentence.count("`") % 2 == 0


@pytest.mark.parametrize("lang", LANGUAGES)
@every_idea
def test_no_sentence_gives_the_line_away(lab, lang, id):
    sentences = load(lab, f"misconceptions.{lang}.toml")[id].values()
    assert {piece for s in sentences for piece in giveaways(lab, s)} == set()


def test_the_search_for_giveaways_finds_them(lab):
    assert giveaways(lab, "Write `Q @ K.swapaxes(-1, -2)` here.")
    assert giveaways(lab, "Try `np.exp(x - x.max())`.")
    assert giveaways(lab, "return `weights @ V, weights`") == set()  # the lesson itself says so
    for line in ("np.tri(T, dtype=bool)", "sigmoid(X @ W_gate) * out", "x.max(axis=-1, keepdims=True)"):
        assert giveaways(lab, f"`{line}`")


@every_lab
@pytest.mark.parametrize("name", ["misconceptions", "hints", "quiz"])
def test_the_russian_texts_are_russian_and_the_english_ones_english(lab, name):
    russian = list(strings(load(lab, f"{name}.ru.toml")))
    assert [s for s in russian if not re.search("[а-яё]", s)] == []
    assert [s for s in strings(load(lab, f"{name}.en.toml")) if re.search("[А-Яа-яЁё]", s)] == []


@every_lab
@pytest.mark.parametrize("name", ["misconceptions", "hints", "quiz"])
def test_both_languages_name_the_same_code(lab, name):
    def code(value):
        return [set(re.findall(r"`([^`]*)`", s)) for s in strings(value)]

    english, russian = load(lab, f"{name}.en.toml"), load(lab, f"{name}.ru.toml")
    assert list(english) == list(russian)
    assert [id for id in english if code(english[id]) != code(russian[id])] == []


# hints


@every_lab
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_part_has_three_hints(lab, lang):
    hints = load(lab, f"hints.{lang}.toml")
    assert set(hints) == {part.name for part in lab.parts}
    for hint in hints.values():
        assert list(hint) == ["levels"]
        assert len(hint["levels"]) == len(set(hint["levels"])) == 3
        assert all(level.strip() == level and len(level) > 40 for level in hint["levels"])


@pytest.mark.parametrize("lang", LANGUAGES)
@every_part
def test_even_the_last_hint_stops_short_of_the_line(lab, lang, part):
    levels = load(lab, f"hints.{lang}.toml")[part]["levels"]
    assert {piece for level in levels for piece in giveaways(lab, level)} == set()


@pytest.mark.parametrize("lang", LANGUAGES)
@every_part
def test_tools_are_named_in_the_last_hint_and_numpy_s_in_no_other(lab, lang, part):
    idea, steps, tools = load(lab, f"hints.{lang}.toml")[part]["levels"]
    assert "np." not in idea + steps
    assert re.search(r"`(np\.\w+|[@*/%]+|\w+)`", tools)  # a tool, by its name


# quiz

QUESTIONS = questions(labs.get(labs.LABS[0]))


@every_lab
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_is_asked_and_explained(lab, lang):
    texts = load(lab, f"quiz.{lang}.toml")
    assert list(texts) == list(questions(lab))
    assert len(texts) >= LEAST.get(lab.name, LEAST_OF_OTHERS)[1]
    for id, question in questions(lab).items():
        text = texts[id]
        assert text["text"], id
        assert text["right"], id
        assert set(text) == {"text", "right"} | ({"options"} if "options" in question else {"slips"}), id
        if "options" in question:
            assert list(text["options"]) == question["options"]
            assert all(list(option) == ["text", "why"] for option in text["options"].values())
            assert len({option["text"] for option in text["options"].values()}) == len(question["options"])
        else:
            assert list(text["slips"]) == question["slips"]
        assert all(s.strip() == s and len(s) > 10 for s in strings(text))


@every_question
def test_a_question_has_the_fields_of_its_kind(lab, question):
    fields = {
        "number": {"answer", "tolerance", "slips"},
        "shape": {"answer", "slips"},
        "choice": {"options", "right"},
        "several": {"options", "right"},
    }[question["kind"]]
    assert set(question) == {"id", "section", "kind"} | fields
    if "options" in question:
        assert 3 <= len(question["options"]) <= 5
        assert set(question["right"]) < set(question["options"])
        assert len(question["right"]) == 1 if question["kind"] == "choice" else len(question["right"]) >= 2


def test_the_right_option_does_not_always_stand_in_the_same_place():
    asked = [question for lab in labs.LABS for question in questions(labs.get(lab)).values()]
    assert len({tuple(question["right"]) for question in asked if question["kind"] == "choice"}) > 1


@every_question
def test_no_slip_is_right(lab, question):
    if question["kind"] == "number":
        values = [float(slip) for slip in question["slips"]]
        assert min(abs(v - question["answer"]) for v in values) > question["tolerance"]
        assert all(abs(a - b) > 2 * question["tolerance"] for i, a in enumerate(values) for b in values[:i])
    elif question["kind"] == "shape":
        shapes = [ast.literal_eval(slip) for slip in question["slips"]]
        assert tuple(question["answer"]) not in shapes
        assert len(set(shapes)) == len(shapes)


@every_lab
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_section_that_is_named_exists_in_the_lesson(lab, lang):
    lesson = lab.folder.joinpath(f"lesson.{lang}.md").read_text(encoding="utf-8")
    named = {m.section for m in lab.misconceptions()} | {question["section"] for question in questions(lab).values()}
    assert named - set(re.findall(r"\{#([\w-]+)\}", lesson)) == set()


def accepts(id, value):
    """Say whether the quiz takes `value` for the right number."""
    return abs(value - QUESTIONS[id]["answer"]) <= QUESTIONS[id]["tolerance"]


def slip(id, value):
    """Say whether `value` is a wrong number with an explanation of its own."""
    return any(abs(value - float(s)) <= QUESTIONS[id]["tolerance"] for s in QUESTIONS[id]["slips"])


def test_the_spread_of_a_dot_product_is_as_the_quiz_says():
    q, k = np.random.default_rng(0).standard_normal((2, 100_000, 64))  # (n, d_k) twice
    measured = (q * k).sum(axis=-1).std()
    assert measured == pytest.approx(QUESTIONS["std"]["answer"], rel=0.01)
    assert accepts("std", np.sqrt(64))


def test_the_shape_of_the_scores_is_as_the_quiz_says():
    Q, K = np.random.default_rng(0).standard_normal((2, 2, 10, 64))  # (B, T, d_k) twice
    _, weights = core.attention(Q, K, K)
    assert list(weights.shape) == QUESTIONS["shape"]["answer"]
    assert str(np.dot(Q, K.swapaxes(-1, -2)).shape) in QUESTIONS["shape"]["slips"]


def test_the_weight_computed_by_hand_is_as_the_quiz_says():
    scores = np.array([0, 1.41, 1.41])
    hidden = np.array([0, 1.41, -np.inf])
    masked = core.softmax(hidden)
    assert accepts("by_hand", masked[0])
    assert slip("by_hand", masked[1])
    assert slip("by_hand", core.softmax(scores)[0])  # the mask forgotten
    assert slip("by_hand", core.softmax(np.array([0, 1.41, 0]))[0])  # 0 instead of -inf
    assert slip("by_hand", np.exp(-1.41))  # divided by the other exponential instead of the sum

    V = np.ones((3, 1))
    Q, K = np.array([[0, 2]]), np.array([[1, 0], [0, 1], [1, 1]])  # the worked example, token 1
    _, weights = core.attention(Q.astype(float), K.astype(float), V, np.array([True, True, False]))
    assert accepts("by_hand", weights[0, 0])
