"""Read a lab's mathematics as text: its functions, and the module with their bodies taken out."""

import ast
from dataclasses import dataclass

from attnlab.authoring.lesson import BuildError

INDENT = "    "
STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")  # nbgrader's own words, so its release equals our notebook


@dataclass(frozen=True)
class Function:
    """One function of the core, cut after its docstring.

    Attributes
    ----------
    name : str
        Its name.
    head : str
        From ``def`` to the end of the docstring.
    body : str
        The statements behind it, indented as in the core.
    first, last : int
        Its lines in the core, counted from 1.
    """

    name: str
    head: str
    body: str
    first: int
    last: int

    @property
    def solution(self) -> str:
        """The function as the core has it."""
        return f"{self.head}\n{self.body}"

    def stub(self, steps: tuple[str, ...]) -> str:
        """Return the function with its body replaced by the steps to take and a ``NotImplementedError``."""
        return "\n".join([self.head, *_todo(steps), *(INDENT + line for line in STUB)])

    def marked(self, steps: tuple[str, ...]) -> str:
        """Return stub and solution in one, with nbgrader's markers around what students do not get."""
        begin, end = f"{INDENT}### BEGIN SOLUTION", f"{INDENT}### END SOLUTION"
        return "\n".join([self.head, *_todo(steps), begin, self.body, end])


def _todo(steps: tuple[str, ...]) -> list[str]:
    return [f"{INDENT}# TODO {step}" for step in steps]


@dataclass(frozen=True)
class Core:
    """A lab's mathematics module: its place in the repository, text, where the docstring ends, imports, functions."""

    path: str
    text: str
    doc_end: int
    imports: tuple[str, ...]
    functions: dict[str, Function]

    def module(self, header: str, replaced: dict[str, str]) -> str:
        """Return the module with another docstring and some functions replaced.

        Parameters
        ----------
        header : str
            First paragraphs of the docstring; everything behind the core's first line stays.
        replaced : dict
            New source for functions, by name.
        """
        lines = self.text.splitlines()
        for function in sorted(self.functions.values(), key=lambda f: f.first, reverse=True):
            if function.name in replaced:
                lines[function.first - 1 : function.last] = replaced[function.name].splitlines()
        opening = lines[0].partition('"""')[0] + '"""'
        rest = lines[1 : self.doc_end] or ['"""']
        return "\n".join([opening + header, *rest, *lines[self.doc_end :]]) + "\n"


def read_core(text: str, path: str) -> Core:
    """Find the functions of a core module.

    Raises
    ------
    BuildError
        When the module, or a function, has no docstring.
    """
    lines = text.splitlines()
    tree = ast.parse(text)
    if ast.get_docstring(tree) is None:
        raise BuildError(f"{path}, line 1: a core module starts with a docstring.")
    functions = {}
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if ast.get_docstring(node) is None or len(node.body) < 2:
            raise BuildError(f"{path}, line {node.lineno}: `{node.name}` needs a docstring and a body.")
        cut = node.body[0].end_lineno
        head, body = lines[node.lineno - 1 : cut], lines[cut : node.end_lineno]
        functions[node.name] = Function(node.name, "\n".join(head), "\n".join(body), node.lineno, node.end_lineno)
    imports = tuple(ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    return Core(path, text, tree.body[0].end_lineno, imports, functions)
