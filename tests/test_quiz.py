"""The quiz: which answers are right, what is said about wrong ones, and how it runs in terminals and notebooks."""

import io
import os
import re
import subprocess
import sys

import pytest

from attnlab import labs
from attnlab.student import quiz as asking

RIGHT = {"std": "8", "shape": "(2, 10, 10)", "no_scale": "b c e", "why_inf": "c", "by_hand": "0.196", "one_pass": "b"}


@pytest.fixture(params=["en", "ru"])
def course(request):
    """``{id: question}`` in each language."""
    return {question.id: question for question in asking.questions(labs.get("attention"), request.param)}


def run(answers, *arguments):
    command = [sys.executable, "-m", "attnlab.cli", "quiz", "--lang", "en", *arguments]
    env = os.environ | {"PYTHONUTF8": "1", "COLUMNS": "80"}
    return subprocess.run(command, input=answers, env=env, capture_output=True, text=True, encoding="utf-8")


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        *RIGHT.items(),
        ("std", "8.0"), ("std", " 8,0 "), ("std", "8."), ("std", "64/8"), ("std", "8e0"), ("std", "800%"),
        ("by_hand", "0,196"), ("by_hand", ".196"), ("by_hand", "0.1962"), ("by_hand", "0.195"), ("by_hand", "19.6%"),
        ("shape", "2, 10, 10"), ("shape", "2 10 10"), ("shape", "[2,10,10]"), ("shape", "2x10x10"),
        ("shape", "(2, 10, 10,)"),
        ("no_scale", "e, c, b"), ("no_scale", "BCE"), ("no_scale", "b) c) e)"), ("no_scale", "b с е"),  # Cyrillic
        ("why_inf", "C"), ("why_inf", "c)"), ("why_inf", "с"),
    ],
)  # fmt: skip
def test_a_right_answer_may_be_written_in_many_ways(course, id, answer):
    verdict = course[id].judge(answer)
    assert verdict.right
    assert verdict.sentences[0] == course[id].explanation


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("std", "64"), ("std", "-8"), ("std", "8.02"), ("by_hand", "0.194"), ("by_hand", "0.2"), ("shape", "(10, 10)"),
        ("shape", "(2, 10, 11)"), ("shape", "2"), ("no_scale", "b c"), ("no_scale", "a b c e"), ("why_inf", "a"),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_wrong_and_the_right_one_is_explained(course, id, answer):
    verdict = course[id].judge(answer)
    assert verdict.understood
    assert not verdict.right
    assert course[id].explanation in verdict.sentences


def test_each_slip_is_answered_with_its_own_explanation(course):
    for question in course.values():
        for value, why in question.slips:
            assert question.judge(asking.as_text(value)).sentences == (why, question.explanation)


def test_every_option_is_explained_and_the_ones_mistaken_come_first(course):
    question = course["no_scale"]
    sentences = question.judge("a b c").sentences[1:]
    assert [s[0] for s in sentences] == ["a", "e", "d", "b", "c"]
    assert all(why in s for s, (_, _, why) in zip(sorted(sentences), question.options, strict=True))


@pytest.mark.parametrize(
    ("id", "answer"),
    [("std", ""), ("std", "eight"), ("std", "1/0"), ("std", "nan"), ("shape", "two"), ("shape", "(2.5, 10)"),
     ("why_inf", "a b"), ("why_inf", "z"), ("why_inf", "в"), ("no_scale", ""), ("no_scale", "f")],
)  # fmt: skip
def test_what_is_no_answer_is_not_understood_rather_than_wrong(course, id, answer):
    verdict = course[id].judge(answer)
    assert not verdict.understood
    assert verdict.sentences == (course[id].how_to_answer(),)


def test_six_right_answers_end_with_exit_code_0():
    done = run("\n".join(RIGHT.values()))
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("6 of 6 right")
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


def test_a_wrong_answer_ends_with_exit_code_1():
    done = run("\n".join((RIGHT | {"std": "64"}).values()))
    assert done.returncode == 1
    assert "5 of 6 right" in done.stdout
    assert "64 is the variance" in done.stdout


def test_what_is_no_answer_counts_as_wrong_in_a_file_of_answers_and_shifts_no_other():
    done = run("\n".join((RIGHT | {"shape": "dunno"}).values()))
    assert "5 of 6 right" in done.stdout


def test_answers_that_end_early_are_exit_code_2_with_what_there_was():
    done = run("8\n(2, 10, 10)\n")
    assert done.returncode == 2
    assert "Answered so far: 2 of 6" in done.stdout


def test_people_are_asked_again_when_they_were_not_understood():
    lines = iter(["eh?", *RIGHT.values()])
    course = asking.questions(labs.get("attention"), "en")
    said = []
    assert asking.in_terminal(course, "en", lambda: next(lines), said.append, patient=True) == (6, 6)
    assert said.count("The answer is a number.") == 1


def test_quiz_called_with_answers_explains_them_and_returns_the_score(capsys):
    assert asking.quiz(lang="en", std=64, shape=(2, 10, 10), no_scale=["b", "c", "e"], by_hand=0.196) == 3
    shown = capsys.readouterr()
    assert "64 is the variance" in shown.out
    assert "3 of 6 right" in shown.out
    assert shown.err == ""


def test_quiz_called_without_answers_prints_every_question_with_its_name(capsys):
    assert asking.quiz(lang="ru") is None
    shown = capsys.readouterr().out
    assert all(f"[{id}]" in shown for id in RIGHT)
    assert 'quiz(std=1.5, shape=(3, 4), no_scale="a d")' in shown


@pytest.mark.parametrize("name", labs.LABS)
def test_the_call_that_is_shown_as_an_example_can_be_made(name, capsys):
    asking.quiz(name, lang="en")
    example = re.search(r"quiz\(.*\)", capsys.readouterr().out)[0]
    eval(example, {"quiz": lambda *args, **answers: asking.quiz(*args, lang="en", **answers)})
    assert "The answer is" not in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [{"lab": "nothing"}, {"lang": "de"}, {"sdt": 8}])
def test_quiz_says_what_it_does_not_know(wrong):
    with pytest.raises(ValueError, match=r"there (is|are) no"):
        asking.quiz(**({"lang": "en"} | wrong))


def test_the_form_judges_counts_and_escapes(course):
    widgets = pytest.importorskip("ipywidgets")
    from attnlab.student.quiz_form import form

    panel = form(tuple(course.values()), course["std"].lang)
    *blocks, score = panel.children
    assert len(blocks) == 6
    for (id, question), block in zip(course.items(), blocks, strict=True):
        _, field, button, result = block.children
        if question.kind == "choice":
            text, choice = field.children
            assert all(label.partition(" ")[0] in text.value for _, label, _ in question.options)
            choice.value = RIGHT[id]
        elif question.kind == "several":
            for letter, box in zip("abcde", field.children[1].children, strict=True):
                box.value = letter in RIGHT[id]
        else:
            assert isinstance(field, widgets.Text)
            field.value = "<b>"
            button.click()
            field.value = RIGHT[id]
        button.click()
        assert question.explanation.replace("&", "&amp;").partition("<")[0].partition("'")[0] in result.value
    assert score.value.count("6") == 2


def test_nothing_is_read_when_there_is_nothing_to_ask():
    assert asking.in_terminal((), "en", io.StringIO().readline, print, patient=False) == (0, 0)
