"""A Report as a compact HTML card for Jupyter, VS Code, Colab and nbgrader's feedback: no script, no style sheet."""

from html import escape

from ..checking.report import CheckResult, PartResult
from .words import Words, headline, same_for_all

GREEN, RED, AMBER = "#2e8b57", "#c0392b", "#b7791f"
COLOURS = {"passed": GREEN, "todo": AMBER, "missing": AMBER}
PRE = "margin:.4em 0;padding:.4em .6em;border:1px solid rgba(128,128,128,.35);overflow-x:auto;white-space:pre"


def card(words: Words, result: PartResult) -> str:
    """Return one part's card: the outcome, what is wrong, the smallest example; the rest folded."""
    colour = COLOURS.get(result.status, RED)
    head = (
        f'<b style="color:{colour}">{"✓" if result.status == "passed" else "✗"} '
        f"{escape(headline(words, result))} · {escape(words.outcome(result.status))}</b>"
    )
    wrong = [c for c in result.checks if c.outcome != "passed"]
    right = [c for c in result.checks if c.outcome == "passed"]
    body = []
    if wrong:
        body.append(_item(words, wrong[0], same_for_all(result)))
        example = wrong[0].counterexample
        if example is not None:
            lines = "\n".join(words.lines(example))
            body.append(f'<pre style="{PRE}">{escape(lines)}</pre>')
    rest = [] if same_for_all(result) else [*wrong[1:], *right]
    if rest:
        items = "".join(f"<div>{_item(words, c)}</div>" for c in rest)
        total = words.say("report.checks", right=len(right), all=len(result.checks))
        body.append(f"<details><summary>{escape(total)}</summary>{items}</details>")
    return f'<div style="border-left:4px solid {colour};padding:.3em .8em;margin:.3em 0">{head}{"".join(body)}</div>'


def _item(words: Words, check: CheckResult, bare: bool = False) -> str:
    colour = COLOURS.get(check.outcome, RED)
    sign = "✓" if check.outcome == "passed" else "✗"
    message = words.message(check)
    title = "" if bare else f'<span style="color:{colour}">{sign}</span> {escape(words.title(check))}'
    told = f'<div style="margin-left:1.2em">{_code(message)}</div>' if message else ""
    return f"<div>{title}{told}</div>"


def _code(message: str) -> str:
    """Return an escaped sentence with its `names` set as code."""
    pieces = escape(message).split("`")
    if len(pieces) % 2 == 0:
        return "`".join(pieces)
    return "".join(f"<code>{p}</code>" if i % 2 else p for i, p in enumerate(pieces))
