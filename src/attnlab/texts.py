"""Every sentence that people read, in English and Russian, by message id.

Sentences for all labs stand in ``texts.<lang>.toml`` beside this module, a lab's own in ``messages.<lang>.toml`` in its
folder. A template names its facts in braces; the facts come from the engine, never from a student's source.
"""

import locale
import os
import re
import string
import tomllib
from functools import cache
from importlib import resources

LANGUAGES = ("en", "ru")
ODD = re.compile(
    "[^\t\n -~\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)  # also out: line and paragraph separators, embeddings and isolates of writing direction


@cache
def catalogue(lang: str, lab: str | None = None) -> dict[str, str]:
    """Return ``{message id: template}`` of the general catalogue, or of a lab's."""
    if lab is None:
        path = resources.files(__package__).joinpath(f"texts.{lang}.toml")
    else:
        path = resources.files(f"{__package__}.labs.{lab}").joinpath(f"messages.{lang}.toml")
    return _flat(tomllib.loads(path.read_text(encoding="utf-8")))


def _flat(table, prefix=""):
    flat = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value.strip()
    return flat


def say(lang: str, message: str, facts: dict | None = None, lab: str | None = None) -> str:
    """Return a sentence; KeyError for an unknown id or a missing fact."""
    template = catalogue(lang).get(message)
    if template is None and lab is not None:
        template = catalogue(lang, lab).get(message)
    if template is None:
        raise KeyError(message)
    return template.format(**{name: show(value) for name, value in (facts or {}).items()})


@cache
def misconceptions(lang: str, lab: str) -> dict[str, dict[str, str]]:
    """Return ``{id: {"what", "why", "way"}}``: what a wrong version does, why that is wrong, and which way to look."""
    path = resources.files(f"{__package__}.labs.{lab}").joinpath(f"misconceptions.{lang}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def placeholders(template: str) -> set[str]:
    """Return the names of the facts that a template asks for."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def show(value) -> str:
    """Return a fact as text: floats to four digits, the rest as it is but `visible`."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        if value != value:
            return "NaN"
        if value in (float("inf"), float("-inf")):
            return "inf" if value > 0 else "-inf"
        return f"{value:.4g}" if value != round(value) or abs(value) >= 1e6 else f"{value:.0f}"
    return visible(str(value))


def visible(text: str) -> str:
    """Return text in which no character does anything but stand there.

    Facts may hold what a student wrote. Control characters, terminal escapes, marks that turn the direction of writing,
    lone surrogates and what XML 1.0 forbids are written by number, as pytest writes them. Tabs and line feeds stay.
    """
    return ODD.sub(_numbered, text)


def _numbered(match):
    code = ord(match[0])
    return f"#x{code:02X}" if code < 0x100 else f"#x{code:04X}"


def told_apart(one, other) -> tuple[str, str]:
    """Return two numbers as text, with as many digits as it takes to see that they differ."""
    shown = show(one), show(other)
    digits = 5
    while shown[0] == shown[1] and digits <= 17 and isinstance(one, float):
        shown = f"{one:.{digits}g}", f"{float(other):.{digits}g}"
        digits += 1
    return shown


def default_language() -> str:
    """Return the language of the user's locale if there are texts in it, else English. ATTNLAB_LANG overrides."""
    try:
        system = locale.getlocale()[0] or ""
    except ValueError:
        system = ""
    for name in (os.environ.get(v, "") for v in ("ATTNLAB_LANG", "LC_ALL", "LC_MESSAGES", "LANG")):
        if name[:2].lower() in LANGUAGES:
            return name[:2].lower()
        if name and not name.startswith("C") and name != "POSIX":
            return "en"
    return "ru" if system[:2].lower() == "ru" else "en"
