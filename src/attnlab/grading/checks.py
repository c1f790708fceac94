"""What a graded cell asks for: one of the lab's parts to be checked, or whatever an instructor wrote there."""

import ast
from dataclasses import dataclass

from .. import labs

HOMES = {("attnlab", "check"), ("attnlab.grading.cells", "mark"), ("attnlab.notebook", "check")}


@dataclass(frozen=True)
class CourseCheck:
    """A cell that does nothing but ``check("softmax", softmax)``."""

    part: str
    lab: str
    lang: str | None


def course_check(source: str) -> CourseCheck | None:
    """Return what a cell checks, or None if it holds anything besides: such a cell has to be run."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    *imports, last = tree.body or [ast.Pass()]
    names = set()
    for statement in imports:
        if not isinstance(statement, ast.ImportFrom) or statement.level:
            return None
        for alias in statement.names:
            if (statement.module, alias.name) not in HOMES:
                return None
            names.add(alias.asname or alias.name)
    match last:
        case ast.Expr(ast.Call(ast.Name(name), [ast.Constant(str() as part), ast.Name(function)], keywords)):
            options = {k.arg: k.value.value for k in keywords if isinstance(k.value, ast.Constant)}
        case _:
            return None
    if name not in names or len(options) != len(keywords) or not set(options) <= {"lab", "lang"}:
        return None
    lab = options.get("lab") or labs.home(part)
    if lab not in labs.LABS or not any(p.name == part and p.function == function for p in labs.get(lab).parts):
        return None
    return CourseCheck(part, lab, options.get("lang"))
