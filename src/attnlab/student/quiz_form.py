"""The quiz as a form of ipywidgets; importing it fails where they are not installed."""

from collections.abc import Sequence
from html import escape

import ipywidgets as widgets

from .. import texts
from .quiz import Question, score_line, told

WIDE = widgets.Layout(width="auto")


def form(questions: Sequence[Question], lang: str) -> widgets.Widget:
    """Return a form that judges each answer when its button is pressed and counts the right ones."""
    right: dict[str, bool] = {}
    score = widgets.HTML()

    def judged(question, verdict):
        right[question.id] = verdict.right
        score.value = f"<b>{escape(score_line(sum(right.values()), len(questions), lang))}</b>"

    blocks = [_block(n, question, lang, judged) for n, question in enumerate(questions, 1)]
    return widgets.VBox([*blocks, score])


def _block(number, question: Question, lang, judged):
    field, answer = _field(question)
    button = widgets.Button(description=texts.say(lang, "quiz.button"))
    result = widgets.HTML()

    def press(_):
        verdict = question.judge(answer())
        head, *rest = told(verdict, lang)
        colour = "inherit" if not verdict.understood else "#1a7f37" if verdict.right else "#cf222e"
        lines = [f"<b style='color:{colour}'>{escape(head)}</b>", *map(escape, rest)]
        result.value = f"<div style='max-width:46em;line-height:1.4'>{'<br>'.join(lines)}</div>"
        if verdict.understood:
            judged(question, verdict)

    button.on_click(press)
    text = widgets.HTML(f"<div style='max-width:46em;line-height:1.4'><b>{number}.</b> {escape(question.text)}</div>")
    return widgets.VBox([text, field, button, result], layout=widgets.Layout(margin="0 0 1.2em 0"))


def _field(question):
    """Return the widget for an answer and a function that reads it as text."""
    labels = [(f"{letter}) {text}", letter) for letter, text, _ in question.options]
    if question.kind == "choice":
        choice = widgets.RadioButtons(options=labels, value=None, layout=WIDE)
        return choice, lambda: choice.value or ""
    if question.kind == "several":
        boxes = [widgets.Checkbox(description=text, value=False, indent=False, layout=WIDE) for text, _ in labels]
        letters = [letter for _, letter in labels]
        return widgets.VBox(boxes), lambda: " ".join(x for x, box in zip(letters, boxes, strict=True) if box.value)
    line = widgets.Text(placeholder=question.how_to_answer(), continuous_update=False)
    return line, lambda: line.value
