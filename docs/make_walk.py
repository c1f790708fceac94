"""Record a newcomer's walk: six files with one common mistake each, and what `attnlab check` says to each.

``python docs/make_walk.py`` writes ``walk.en.md`` and ``walk.ru.md`` beside this file. Every message on them is really
what came out; the words between the messages stand here.
"""

import ast
import inspect
import io
import re
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from attnlab import labs
from attnlab.emit import terminal
from attnlab.judge import check_path
from attnlab.labs.attention.misconceptions import MISCONCEPTIONS

DOCS = Path(__file__).parent
LAB = labs.get("attention")
WRONG = {m.id: m for m in MISCONCEPTIONS}
COMMAND = "python docs/make_walk.py"


@dataclass(frozen=True)
class Step:
    """One file: the functions that are right by now, the wrong version under work, and what to say around it."""

    wrong: str
    right: tuple[str, ...]
    before: dict[str, str]
    after: dict[str, str]


STEPS = (
    Step(
        "one_future_token", (),
        {
            "en": "The mask comes first. The newcomer remembers that there was something about a diagonal and `k`.",
            "ru": "Сначала маска. Новичок помнит: там было что-то про диагональ и `k`.",
        },
        {
            "en": "Two tokens are enough to see it: token 0 sees token 1. Without `k=1` the diagonal itself "
            "is the border.",
            "ru": "Чтобы увидеть ошибку, хватило двух токенов: токен 0 видит токен 1. Без `k=1` граница — "
            "сама диагональ.",
        },
    ),
    Step(
        "no_max_subtraction", ("causal_mask",),
        {
            "en": "Next `softmax`, straight from the formula.",
            "ru": "Теперь `softmax`, прямо по формуле.",
        },
        {
            "en": "The formula is right and the ordinary numbers pass; the checks with large scores do not. "
            "Subtracting each row's maximum changes no weight and keeps `exp` within range.",
            "ru": "Формула верна, и обычные числа проходят, а проверки с большими оценками — нет. "
            "Если вычесть из строки её максимум, веса не изменятся, а `exp` не переполнится.",
        },
    ),
    Step(
        "no_scale", ("causal_mask", "softmax"),
        {
            "en": "`attention`: scores, mask, softmax, average. Something is missing.",
            "ru": "`attention`: оценки, маска, softmax, среднее. Чего-то не хватает.",
        },
        {
            "en": "The weights sum to 1 and stand in the right places, only too sharp: the scores need `/ sqrt(d_k)`.",
            "ru": "Сумма весов равна 1, и стоят они на месте, только слишком острые: оценки надо разделить "
            "на `sqrt(d_k)`.",
        },
    ),
    Step(
        "hidden_scores_set_to_zero", ("causal_mask", "softmax"),
        {
            "en": "With the scale in place, the newcomer rewrites the mask more tidily: multiplying by it "
            "takes one line.",
            "ru": "Масштаб на месте, и новичок переписывает маску покороче: умножить на неё — одна строка.",
        },
        {
            "en": "A score of 0 is not “never look here”: exp(0) is 1. Hidden scores have to become minus infinity.",
            "ru": "Оценка 0 не значит «сюда не смотреть»: exp(0) равно 1. Скрытые оценки должны стать минус "
            "бесконечностью.",
        },
    ),
    Step(
        "all_axes_reversed", ("causal_mask", "softmax"),
        {
            "en": "The mask is back to minus infinity. For one sequence everything is right; then comes a batch.",
            "ru": "Маска снова ставит минус бесконечность. Для одной последовательности всё верно; затем "
            "приходит батч.",
        },
        {
            "en": "`K.T` turns round all axes, the batch included; only the last two should change places.",
            "ru": "`K.T` переворачивает все оси вместе с осью батча, а поменяться местами должны только две последние.",
        },
    ),
    Step(
        "query_and_key_exchanged", ("causal_mask", "softmax", "attention"),
        {
            "en": "Last, the three projections. All shapes fit, so the slip is easy to miss.",
            "ru": "Наконец, три проекции. Все формы подходят, и описку легко не заметить.",
        },
        {
            "en": "Queries come from `W_q`, keys from `W_k`: who asks and who is asked is not symmetric.",
            "ru": "Запросы даёт `W_q`, ключи — `W_k`: кто спрашивает и кого спрашивают — не одно и то же.",
        },
    ),
)  # fmt: skip
TEXTS = {
    "en": {
        "title": "A newcomer's walk",
        "intro": "Six common mistakes, made one after the other, and what `attnlab check attention.py` says to each. "
        "What has not been written yet is a stub. In every counterexample `<…>` marks the entry in question.",
        "written": "The newcomer writes:",
        "told": "`attnlab check attention.py` says:",
        "last": "All right",
        "end": "With the slip mended and the bonus written as well:",
        "generated": f"Generated by `{COMMAND}` from real runs; do not edit.",
        "other": "[По-русски](walk.ru.md)",
    },
    "ru": {
        "title": "Путь новичка",
        "intro": "Шесть частых ошибок одна за другой — и что на каждую отвечает `attnlab check attention.py`. "
        "Что ещё не написано, остаётся заготовкой. В каждом контрпримере `<…>` отмечает число, о котором идёт речь.",
        "written": "Новичок пишет:",
        "told": "`attnlab check attention.py` отвечает:",
        "last": "Всё верно",
        "end": "Описка исправлена, и бонус тоже написан:",
        "generated": f"Создано командой `{COMMAND}` из настоящих запусков; не правьте руками.",
        "other": "[In English](walk.en.md)",
    },
}


def functions(path: Path) -> dict[str, str]:
    """Return the source of each function of a file by name."""
    text = path.read_text(encoding="utf-8")
    return {n.name: ast.get_source_segment(text, n) for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}


def written(id: str) -> tuple[str, str]:
    """Return the name and the source, without docstring, of a wrong version as a student would write it."""
    wrong = WRONG[id]
    text = textwrap.dedent(inspect.getsource(wrong.function))
    (node,) = ast.parse(text).body
    lines = text.splitlines()
    head = lines[node.lineno - 1].replace(f"def {id}(", f"def {wrong.function_name}(")
    return wrong.function_name, "\n".join([head, *lines[node.body[0].end_lineno :]])


def said(source: str, lang: str, shrink: bool = True) -> str:
    """Return what the command prints about a file with this source, without colour on 80 columns."""
    console = Console(file=io.StringIO(), width=80, color_system=None, force_terminal=False, legacy_windows=False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "attention.py")
        path.write_text(source, encoding="utf-8")
        terminal.show(check_path(path, LAB, lang, shrink=shrink), lang, console)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def walk(lang: str, shrink: bool = True) -> str:
    """Return the page in one language; without `shrink` in a second or two, with larger counterexamples."""
    stubs = functions(DOCS.parent / "exercises" / "attention.py")
    right = functions(DOCS.parent / "solutions" / "attention.py")
    texts = TEXTS[lang]
    page = [f"# {texts['title']}", f"<!-- {texts['generated']} -->", texts["other"], texts["intro"]]
    for number, step in enumerate(STEPS, 1):
        name, code = written(step.wrong)
        source = module(stubs | {key: right[key] for key in step.right} | {name: code})
        page += [
            f"## {number}. `{name}`", step.before[lang], texts["written"], f"```python\n{code}\n```",
            texts["told"], f"```text\n{said(source, lang, shrink)}\n```", step.after[lang],
        ]  # fmt: skip
    page += [f"## {texts['last']}", texts["end"], f"```text\n{said(module(right), lang, shrink)}\n```"]
    page.append(f"*{texts['generated']}*")
    return "\n\n".join(page) + "\n"


def module(parts: dict[str, str]) -> str:
    """Return a student's file."""
    return "\n\n\n".join(["import math\n\nimport numpy as np", *parts.values()]) + "\n"


def outline(page: str) -> list[str]:
    """Return what of a page depends on checks and messages alone, not on which counterexample was found.

    Matrices are left out, and the numbers in the sentences about them; what the terminal has wrapped is joined again.
    """
    lines = []
    for line in page.splitlines():
        told = re.fullmatch(r" {3}(\S.*)", line)
        if not line.startswith(" " * 5):
            text = re.sub(r"\[#(, #)*\]", "[#]", re.sub(r"-?\d[\d.e+-]*", "#", told[1])) if told else line
            if told and lines and lines[-1].startswith("   "):
                lines[-1] += f" {text}"
            else:
                lines.append(f"   {text}" if told else text)
    return lines


if __name__ == "__main__":
    for lang in TEXTS:
        (DOCS / f"walk.{lang}.md").write_text(walk(lang), encoding="utf-8")
        print(f"walk.{lang}.md")
