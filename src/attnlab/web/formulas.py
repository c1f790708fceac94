"""Formulas at build time: LaTeX to MathML, so that a reader's browser needs neither a script nor a font."""

import re

from latex2mathml.converter import convert

UPRIGHT = re.compile(r'(?:<mi mathvariant="normal">[A-Za-z]</mi>){2,}')
NAMED = re.compile(r"<mi>(log|ln|exp|max|min)</mi>(?=<m(?!o\b))")


def mathml(latex: str, display: bool) -> str:
    """Return a formula as a ``math`` element.

    The letters of an upright name come out of the library one by one; a name in one piece is spaced, and read aloud, as
    a word. A named function gets a little room in front of an argument without brackets.
    """
    text = convert(latex.strip(), display="block" if display else "inline")
    text = UPRIGHT.sub(lambda match: f"<mi>{''.join(re.findall('>([A-Za-z])<', match[0]))}</mi>", text)
    return NAMED.sub(r'<mi>\1</mi><mspace width="0.167em" />', text)
