"""The quiz as a form of ipywidgets; importing it fails where they are not installed."""

from collections.abc import Sequence
from html import escape

import ipywidgets as widgets

from .. import texts
from .quiz import Question, score_line, told

AUTO = widgets.Layout(width="auto")
WIDTH = widgets.Layout(width="20em", max_width="100%")
PROSE = "max-width:46em;line-height:1.4"
GREEN, RED = "#238636", "#da3633"  # readable on white and on black


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
        colour = "inherit" if not verdict.understood else GREEN if verdict.right else RED
        lines = [f"<b style='color:{colour}'>{escape(head)}</b>", *map(escape, rest)]
        result.value = f"<div style='{PROSE}'>{'<br>'.join(lines)}</div>"
        if verdict.understood:
            judged(question, verdict)

    button.on_click(press)
    text = widgets.HTML(f"<div style='{PROSE}'><b>{number}.</b> {escape(question.text)}</div>")
    return widgets.VBox([text, field, button, result], layout=widgets.Layout(margin="0 0 1.2em 0"))


def _field(question):
    """Return the widget for an answer and a function that reads it as text.

    The options stand as text above the controls, which bear letters only: labels of controls do not wrap.
    """
    if not question.options:
        line = widgets.Text(placeholder=question.how_to_answer(), continuous_update=False, layout=WIDTH)
        return line, lambda: line.value
    letters = [letter for letter, _, _ in question.options]
    lines = [
        f"<div style='margin-left:1.4em;text-indent:-1.4em'>{x}) {escape(y)}</div>" for x, y, _ in question.options
    ]
    text = widgets.HTML(f"<div style='{PROSE}'>{''.join(lines)}</div>")
    if question.kind == "choice":
        choice = widgets.RadioButtons(options=letters, value=None, orientation="horizontal", layout=AUTO)
        return widgets.VBox([text, choice]), lambda: choice.value or ""
    boxes = [widgets.Checkbox(description=letter, value=False, indent=False, layout=AUTO) for letter in letters]
    row = widgets.HBox(boxes, layout=widgets.Layout(flex_flow="row wrap", grid_gap="0 1.2em"))
    return widgets.VBox([text, row]), lambda: " ".join(x for x, box in zip(letters, boxes, strict=True) if box.value)
