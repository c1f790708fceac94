"""Two faults in one function: a three-way merge of two wrong versions, as of two branches of a file.

Each wrong version is a set of edits of the plain right one. Where the edits of two of them do not get in each other's
way, doing both gives a function with both faults; so no pair is ever written down. Whole lines are aligned first and
then the tokens of lines that correspond, because `/ math.sqrt(d_k)` may be forgotten on the line on which `K.T` is
also wrong.
"""

import inspect
import io
import textwrap
import tokenize
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import chain

SIMILAR = 0.6  # share of tokens in common from which one line counts as an edit of the other
INDENT = "    "
LEFT_OUT = (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER)


@dataclass(frozen=True)
class Edit:
    """Tokens `start` to `end` (exclusive) of the plain version become `tokens`."""

    start: int
    end: int
    tokens: tuple[str, ...]

    @property
    def replaces(self) -> bool:
        """Whether something else comes in place of something: it neither only deletes nor only inserts."""
        return self.start < self.end and bool(self.tokens)



def _hinder(one, other, plain):
    """Say whether doing both edits would not be doing both: they overlap, or meet in one place or in one name.

    `Q.shape[-1]` with another array and another axis is neither of the two mistakes but a third one.
    """
    first, last = sorted((one, other), key=lambda e: (e.start, e.end))
    if last.start < first.end or first.start == last.start:
        return bool(first.tokens or first.end > last.start)
    between = plain[first.end : last.start]
    if first.replaces and last.replaces:
        return bool(between) and all(t.isidentifier() or t in tuple(".[-") for t in between)
    return not between and bool(first.tokens and last.tokens)


def _swallows(deleted, edit, plain):
    """Say whether all that `edit` changes is deleted, within a line: a line that is gone may only have moved."""
    inside = not deleted.tokens and deleted.start <= edit.start and edit.end <= deleted.end
    return inside and "\n" not in plain[deleted.start : deleted.end] and _whole(edit, plain)


def _whole(edit, plain):
    """Say whether an edit opens no bracket that another one closes: then it can be left out by itself."""
    return _depth(edit.tokens) == 0 == _depth(plain[edit.start : edit.end])


def _depth(tokens):
    return sum(t in tuple("([{") for t in tokens) - sum(t in tuple(")]}") for t in tokens)


@cache
def lines_of(function: Callable) -> tuple[tuple[str, ...], ...]:
    """Return the body of a function as lines of tokens, without docstring; the first token is the indentation.

    Raises
    ------
    OSError
        If the source is not at hand, as in an installation without it.
    """
    source = textwrap.dedent(inspect.getsource(function))
    lines, line, depth = [], [], 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.INDENT:
            depth += 1
        elif token.type == tokenize.DEDENT:
            depth -= 1
        elif token.type == tokenize.NEWLINE:
            if depth and not (len(line) == 2 and line[1].startswith('"""')):
                lines.append((*line, "\n"))
            line = []
        elif token.type not in LEFT_OUT:
            line = line or [INDENT * depth]
            line.append(token.string)
    return tuple(lines)


def edits(plain: tuple, version: tuple) -> tuple[Edit, ...]:
    """Return what turns the lines of `plain` into those of `version`."""
    starts = [0]
    for line in plain:
        starts.append(starts[-1] + len(line))
    found = []
    for tag, i, end, j, stop in SequenceMatcher(None, plain, version, autojunk=False).get_opcodes():
        if tag != "equal":
            found += _edits_of_lines(plain[i:end], version[j:stop], starts[i])
    return tuple(found)


def _edits_of_lines(old, new, start):
    """Align the most similar pair of lines first, then what stands before and behind it."""
    if not old and not new:
        return []
    likeness = {(i, j): _likeness(a, b) for i, a in enumerate(old) for j, b in enumerate(new)}
    i, j = max(likeness, key=likeness.get, default=(0, 0))
    if likeness.get((i, j), 0) < SIMILAR:
        return [Edit(start, start + sum(map(len, old)), tuple(chain(*new)))]
    here = start + sum(map(len, old[:i]))
    within = [
        Edit(here + a, here + b, tuple(new[j][c:d]))
        for tag, a, b, c, d in _matcher(old[i], new[j]).get_opcodes()
        if tag != "equal"
    ]
    before = _edits_of_lines(old[:i], new[:j], start)
    return before + within + _edits_of_lines(old[i + 1 :], new[j + 1 :], here + len(old[i]))


def _likeness(one, other):
    """Return which share of the shorter line stands in the other."""
    return sum(block.size for block in _matcher(one, other).get_matching_blocks()) / min(len(one), len(other))


def _matcher(one, other):
    return SequenceMatcher(None, one, other, autojunk=False)


def merge(plain: tuple, one: tuple[Edit, ...], other: tuple[Edit, ...]) -> str | None:
    """Return the body with both sets of edits done, None if they get in each other's way.

    What one version deletes, the other need not have changed, as long as something is left of its own edits: whoever
    drops the maximum from softmax has no wrong axis there any more, but may still have one in the sum.
    """
    tokens, out, at = tuple(chain(*plain)), [], 0
    left = tuple(e for e in one if not any(_swallows(d, e, tokens) for d in other))
    right = tuple(e for e in other if not any(_swallows(d, e, tokens) for d in one))
    if not left or not right or any(_hinder(a, b, tokens) for a in left for b in right):
        return None
    for edit in sorted((*left, *right), key=lambda e: e.start):
        out += [*tokens[at : edit.start], *edit.tokens]
        at = edit.end
    return " ".join([*out, *tokens[at:]]).replace("\n ", "\n")
