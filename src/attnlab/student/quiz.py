"""The quiz at the end of a lesson: questions and verdicts, free of any input or output; `quiz` for notebooks."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass

from .. import labs, texts
from ..labs.model import Lab
from ..live import is_live
from ..notebook import language

LOOKALIKES = str.maketrans("асе", "ace")  # Cyrillic letters typed for Latin ones
NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:\s*/\s*(\d+\.?\d*))?\s*(%?)")
SHAPE = re.compile(r"[(\[]?\s*(-?\d+(?:\s*[\s,;x×*]\s*-?\d+)*)\s*,?\s*[)\]]?")
EXAMPLES = {"number": "1.5", "shape": "(3, 4)", "choice": '"a"', "several": '"a d"'}  # what an answer looks like


@dataclass(frozen=True)
class Verdict:
    """What became of an answer. `understood` is False for what is no answer of the kind asked for."""

    right: bool
    sentences: tuple[str, ...]
    understood: bool = True


@dataclass(frozen=True)
class Question:
    """One question in one language.

    Attributes
    ----------
    id, kind, text, explanation : str
        `kind` is ``number``, ``shape``, ``choice`` or ``several``; `explanation` says why the right answer is right.
    right : tuple
        Letters of the right options, or the shape, or the one number.
    tolerance : float
        How far a number may be off.
    options : tuple of (letter, text, why)
    slips : tuple of (value, explanation)
        Wrong numbers or shapes that have an explanation of their own.
    """

    id: str
    kind: str
    text: str
    explanation: str
    right: tuple
    lang: str
    tolerance: float = 0.0
    options: tuple[tuple[str, str, str], ...] = ()
    slips: tuple[tuple[float | tuple[int, ...], str], ...] = ()

    def judge(self, answer: str) -> Verdict:
        """Return whether an answer is right, with the sentences that explain it."""
        given = _parse(self.kind, answer, {letter for letter, _, _ in self.options})
        if given is None:
            return Verdict(False, (self.how_to_answer(),), understood=False)
        if self.options:
            right = set(given) == set(self.right)
            return Verdict(right, (self.explanation, *self._each_option(given)))
        expected = self.right if self.kind == "shape" else self.right[0]
        if self._same(given, expected):
            return Verdict(True, (self.explanation,))
        slip = [why for value, why in self.slips if self._same(given, value)]
        return Verdict(False, (*slip[:1], self.explanation))

    def how_to_answer(self) -> str:
        """Return the sentence that says what an answer looks like."""
        messages = {
            "number": "quiz.answer_number",
            "shape": "quiz.answer_shape",
            "choice": "quiz.answer_choice",
            "several": "quiz.answer_several",
        }
        return texts.say(self.lang, messages[self.kind])

    def _same(self, given, value):
        return given == value if self.kind == "shape" else abs(given - value) <= self.tolerance * (1 + 1e-9)

    def _each_option(self, given):
        """Explain the options chosen wrongly or left out first, then the other wrong ones, then the rest."""
        wrong = [option for option in self.options if (option[0] in given) != (option[0] in self.right)]
        others = [option for option in self.options if option not in wrong]
        others.sort(key=lambda option: option[0] in self.right)
        for letter, _, why in (*wrong, *others):
            message = "quiz.option_right" if letter in self.right else "quiz.option_wrong"
            yield texts.say(self.lang, message, {"letter": letter, "why": why})


def _parse(kind, answer, letters):
    """Return a number, a tuple of integers or a string of letters; None for what is none of that kind."""
    answer = answer.strip().lower().replace("−", "-").rstrip(".;")
    if kind == "number":
        match = NUMBER.fullmatch(answer.replace(",", "."))
        if match is None or (match[2] and float(match[2]) == 0):
            return None
        return float(match[1]) / float(match[2] or 1) / (100 if match[3] else 1)
    if kind == "shape":
        match = SHAPE.fullmatch(answer)
        return tuple(map(int, re.findall(r"-?\d+", match[1]))) if match else None
    chosen = re.sub(r"[\s,;)(]+", "", answer.translate(LOOKALIKES))
    if not chosen or not set(chosen) <= letters or (kind == "choice" and len(set(chosen)) != 1):
        return None
    return chosen


def questions(lab: Lab, lang: str) -> tuple[Question, ...]:
    """Return the questions of a lab in one language, in order."""
    keys, words = (
        tomllib.loads(lab.folder.joinpath(f"quiz{ending}.toml").read_text(encoding="utf-8"))
        for ending in ("", f".{lang}")
    )
    return tuple(_question(entry, words[entry["id"]], lang) for entry in keys["question"])


def _question(entry, words, lang):
    kind = entry["kind"]
    right = entry["right"] if "options" in entry else entry["answer"]
    options = tuple((letter, o["text"], o["why"]) for letter, o in words.get("options", {}).items())
    slips = tuple((_parse(kind, value, set()), why) for value, why in words.get("slips", {}).items())
    right = tuple(right) if isinstance(right, list) else (right,)
    return Question(
        entry["id"], kind, words["text"], words["right"], right, lang, entry.get("tolerance", 0.0), options, slips
    )


def asked(question: Question, number: int, count: int) -> list[str]:
    """Return a question as lines: its number, its text, its options and how to answer."""
    head = texts.say(question.lang, "quiz.head", {"number": number, "count": count})
    options = [f"  {letter}) {text}" for letter, text, _ in question.options]
    return [head, question.text, *options, f"({question.how_to_answer()})"]


def told(verdict: Verdict, lang: str) -> list[str]:
    """Return a verdict as lines."""
    if not verdict.understood:
        return list(verdict.sentences)
    return [texts.say(lang, "quiz.right" if verdict.right else "quiz.wrong"), *verdict.sentences]


def score_line(right: int, count: int, lang: str) -> str:
    """Return ``5 of 6``, in words."""
    return texts.say(lang, "quiz.score", {"right": right, "count": count})


def in_terminal(asked_questions: Sequence[Question], lang: str, read, write, patient: bool) -> tuple[int, int]:
    """Ask every question and explain every answer.

    Parameters
    ----------
    asked_questions : sequence of Question
    lang : str
    read : callable
        ``read() -> str``, one line; EOFError when there are no more.
    write : callable
        ``write(line)``; is handed whole paragraphs.
    patient : bool
        Whether what is no answer is asked for again: yes for people, no for a file of answers.

    Returns
    -------
    right, answered : int
    """
    right = 0
    for number, question in enumerate(asked_questions, 1):
        for line in asked(question, number, len(asked_questions)):
            write(line)
        while True:
            try:
                verdict = question.judge(read())
            except EOFError:
                return right, number - 1
            if verdict.understood or not patient:
                break
            write(verdict.sentences[0])
        if not verdict.understood:
            write(texts.say(lang, "quiz.wrong"))
        for line in told(verdict, lang):
            write(line)
        write("")
        right += verdict.right
    return right, len(asked_questions)


def quiz(lab: str = labs.LABS[0], lang: str | None = None, **answers) -> int | None:
    """Ask the quiz in a notebook, or judge answers.

    Parameters
    ----------
    lab : str
    lang : {"en", "ru"}, optional
        That of your locale by default.
    **answers
        By the question's id, as in ``quiz(std=8, shape=(2, 10, 10), no_scale="b c")``. Without any, a live notebook
        shows a form, and anything else the questions.

    Returns
    -------
    right : int or None
        How many of the answers given are right.

    Raises
    ------
    ValueError
        If there is no such lab, language or question.
    """
    lang = language(lang)
    if lab not in labs.LABS:
        raise ValueError(f"there is no lab {lab!r}; the labs are {', '.join(labs.LABS)}")
    course = {question.id: question for question in questions(labs.get(lab), lang)}
    unknown = [id for id in answers if id not in course]
    if unknown:
        raise ValueError(f"there is no question {unknown[0]!r}; the questions are {', '.join(course)}")
    if not answers:
        _show(lab, tuple(course.values()), lang)
        return None
    right = 0
    for id, answer in answers.items():
        verdict = course[id].judge(as_text(answer))
        right += verdict.right
        print("\n".join([f"[{id}]", *told(verdict, lang), ""]))
    print(score_line(right, len(course), lang))
    return right


def as_text(answer) -> str:
    """Return an answer given in Python as it would be typed."""
    if isinstance(answer, (tuple, list, set, frozenset)):
        return ", ".join(map(str, answer))
    return str(answer)


def _show(lab, asked_questions, lang):
    if is_live():
        try:
            from .quiz_form import form
        except ImportError:
            pass
        else:
            from IPython.display import display

            display(form(asked_questions, lang))
            return
    for number, question in enumerate(asked_questions, 1):
        print("\n".join([f"[{question.id}]", *asked(question, number, len(asked_questions)), ""]))
    print(texts.say(lang, "quiz.how", {"example": _example(lab, asked_questions)}))


def _example(lab, asked_questions):
    """Return a call that answers the first few questions of a lab, somehow."""
    name = [] if lab == labs.LABS[0] else [f'"{lab}"']
    answers = [f"{question.id}={EXAMPLES[question.kind]}" for question in asked_questions[:3]]
    return f"quiz({', '.join(name + answers)})"
