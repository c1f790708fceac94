"""What a save changed: a submission's code without layout and comments, and which parts a change can reach."""

import ast
from dataclasses import dataclass

from .. import submission
from ..labs.model import Lab, Part


@dataclass(frozen=True)
class Outline:
    """A submission's code without layout and comments: each of the lab's functions, what it names, and all the rest."""

    functions: dict[str, tuple[str, ...]]
    names: dict[str, frozenset[str]]
    rest: tuple[str, ...]


def outline(chunks, functions: tuple[str, ...]) -> Outline | None:
    """Return the outline of a submission; None if a chunk is not Python."""
    found, names, rest = {}, {}, []
    for _, source in chunks:
        try:
            body = ast.parse(source).body
        except submission.NOT_PYTHON:
            return None
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name in functions:
                found[node.name] = (*found.get(node.name, ()), ast.dump(node))
                used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                names[node.name] = names.get(node.name, frozenset()) | used
                rest.append(node.name)  # where it stands among the others
            else:
                rest.append(ast.dump(node))
    return Outline(found, names, tuple(rest))


def touched(lab: Lab, before: Outline | None, after: Outline | None) -> tuple[str, ...]:
    """Return the parts whose result a change can alter: all of them unless only functions of the lab changed."""
    if before is None or after is None or before.rest != after.rest:
        return tuple(part.name for part in lab.parts)
    changed = {f for f in lab.functions if before.functions.get(f) != after.functions.get(f)}
    return tuple(part.name for part in lab.parts if changed & reach(lab, part, before, after))


def reach(lab: Lab, part: Part, *outlines: Outline) -> set[str]:
    """Return the functions that a part may come to call: what it names, what that names, and what the lab expects."""
    todo, found = [part.function, *(lab.part(name).function for name in part.uses)], set()
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += {n for o in outlines for n in o.names.get(name, ())} & set(lab.functions)
    return found
