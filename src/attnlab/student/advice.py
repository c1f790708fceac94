"""Commands that a student is told to type next, as a shell takes them."""

import os
import re
import shlex

from .. import texts

PLAIN = re.compile(r"[\w.,:/\\@%+=~-]+")  # in any alphabet: shlex would put quotes around a Cyrillic name


def command(*words: object, lang: str | None = None) -> str:
    """Return a command line that can be copied.

    Parameters
    ----------
    *words
        The command and its arguments; paths among them may hold blanks.
    lang : str, optional
        The language it is to answer in; named only where it is not that of the locale.
    """
    line = " ".join(map(_quoted, map(str, words)))
    return line if lang in (None, texts.default_language()) else f"{line} --lang {lang}"


def _quoted(word):
    if PLAIN.fullmatch(word):
        return word
    return f'"{word}"' if os.name == "nt" else shlex.quote(word)
