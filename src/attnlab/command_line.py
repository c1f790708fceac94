"""What the commands share: the option for the language, and how a command ends that cannot go on."""

import shutil
import sys
import textwrap
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated

import typer

from . import texts


class Lang(StrEnum):
    """Languages there are texts in."""

    en = "en"
    ru = "ru"


LangOption = Annotated[Lang | None, typer.Option("--lang", help="Language of the messages. Default: your locale.")]


def language(lang: Lang | None) -> str:
    """Return the language asked for, or that of the user's locale."""
    return lang.value if lang is not None else texts.default_language()


def console():
    """Return the terminal; nothing in a text is taken for markup."""
    from rich.console import Console

    return Console(highlight=False)


def stop(sentence: str, code: int = 4) -> None:
    """End the command with a sentence on stderr: wrapped between words in a terminal, one line in a file."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        sentence = textwrap.fill(sentence, width, break_long_words=False, break_on_hyphens=False)
    print(sentence, file=sys.stderr)
    raise typer.Exit(code)


@contextmanager
def sentences(lang: str, *passed_on: str):
    """End with the sentence of a `UsageError`, except for messages that the caller wants to see itself."""
    from .submission import UsageError

    try:
        yield
    except UsageError as error:
        if error.message in passed_on:
            raise
        stop(texts.say(lang, error.message, error.facts))
