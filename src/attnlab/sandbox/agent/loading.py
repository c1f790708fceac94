"""Loading the student's source, statement by statement, and saying what it defines."""

import ast
import builtins
import errno
import linecache
import os
import socket
import sys
import types
import warnings

from .calling import LABELS, MAX_NAME, describe_error


class _Anything:
    """Can be called, and asked for any attribute or item; nothing comes of it."""

    def __call__(self, *args, **kwargs):
        return self

    def __getitem__(self, key):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self


OF_A_SESSION = {"exit": sys.exit, "quit": sys.exit}  # names that Python has where somebody sits in front of it
OF_A_SESSION |= dict.fromkeys(("help", "copyright", "credits", "license"), _Anything())
NOT_HERE = ("ENOSYS", "ENOTSUP", "EOPNOTSUPP")  # what a browser says to a wish for another program
OF_A_NOTEBOOK = ("get_ipython", "display", "In", "Out", "_", "__", "___")


class _Bystander(types.ModuleType):
    """Stands in for a module that only notebooks have, and for `attnlab`: `check(...)` does nothing there."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything()


class _Closed:
    """An import hook that keeps the course package out of reach of submissions."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "attnlab":
            raise ImportError(f"{name} is not available to submissions: the functions must be your own")
        return None


def close_the_course():
    """Keep the course package out of reach, and let what only notebooks have do nothing."""
    sys.meta_path.insert(0, _Closed())
    for name in [m for m in sys.modules if m.partition(".")[0] == "attnlab"]:
        del sys.modules[name]
    sys.modules |= {name: _Bystander(name) for name in ("attnlab", "google.colab")}
    for name, value in OF_A_SESSION.items():
        if not hasattr(builtins, name):  # a Python that starts without `site` has none
            setattr(builtins, name, value)


def load(name, folder, chunks, skip, tell):
    """Execute the student's source, statement by statement.

    As in Python and in a notebook, a statement that fails ends its file or cell, and the next cell goes on. What fails
    only because something is not here ends nothing: neither the statement that wants a package, the network or another
    program, nor one that needs a name which it was to bind. Whatever does not need it is none the worse.

    Parameters
    ----------
    name, folder : str
        ``__name__`` of the module, and where a file stands.
    chunks : tuple of (label, source)
        A file, or the cells of a notebook in order.
    skip : tuple of (int, int)
        Statements (chunk, statement) not to run, because the process was lost in them before.
    tell : callable
        Called with (chunk, statement, line) before each statement in which the process could be lost.

    Returns
    -------
    module : ModuleType
    problems : tuple of tuple
        `describe_error` of each failed statement.
    """
    module = types.ModuleType(name)
    module.__dict__.update(dict.fromkeys(OF_A_NOTEBOOK, _Anything()))
    file = next((label for label, _ in chunks if label.endswith(".py")), None)  # a notebook has none
    if name != "__main__" or file is not None:
        module.__file__ = os.path.join(folder, file or chunks[0][0])
    sys.modules[name] = module
    problems, flags, absent = [], 0, set()
    for c, (label, source) in enumerate(chunks):
        LABELS.add(label)
        linecache.cache[label] = (len(source), None, source.splitlines(True), label)
        try:
            tree = ast.parse(source, label)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                flags |= compile(tree, label, "exec", flags, dont_inherit=True).co_flags & _FUTURES
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            problems.append((*describe_error(error)[:3], label, getattr(error, "lineno", 0) or 0))
            continue
        for s, statement in enumerate(tree.body):
            if (c, s) in skip:
                break
            if not _only_defines(statement):
                tell(c, s, statement.lineno)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    code = compile(ast.Module([statement], []), label, "exec", flags, dont_inherit=True)
                exec(code, module.__dict__)
            except BaseException as error:
                problems.append(describe_error(error))
                if not _for_want_of_something(error, statement, absent):
                    break
                absent |= _bound(statement) - module.__dict__.keys()
            else:
                absent &= absent - module.__dict__.keys()
    return module, tuple(problems)


def _only_defines(statement):
    """Say whether a statement is a docstring or a plain function definition, which runs nothing of the student's."""
    if isinstance(statement, ast.FunctionDef):
        outside = (*statement.args.defaults, *statement.args.kw_defaults)
        return not statement.decorator_list and all(d is None or isinstance(d, ast.Constant) for d in outside) and not (
            statement.returns or any(isinstance(node, ast.arg) and node.annotation for node in ast.walk(statement.args))
        )
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_refusal(error):
    if not isinstance(error, OSError):
        return False
    return isinstance(error, (PermissionError, socket.gaierror)) or errno.errorcode.get(error.errno) in NOT_HERE


def _for_want_of_something(error, statement, absent):
    """Say whether a statement failed only because something is not installed or not allowed here."""
    if _is_refusal(error) or _is_refusal(getattr(error, "reason", None)):  # urllib's has a reason
        return True
    if isinstance(error, NameError):
        return type(error.name) is str and error.name in absent
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return isinstance(error, ImportError)
    return isinstance(error, ModuleNotFoundError)


def _bound(statement):
    """Return the names that a statement would have bound in its own scope."""
    names, todo = set(), [statement]
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)  # and what is inside is a scope of its own
            continue
        if isinstance(node, ast.alias):
            names.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            names.add(node.name)
        if not isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            todo.extend(ast.iter_child_nodes(node))
    return names


def _future_flags():
    import __future__

    flags = 0
    for name in __future__.all_feature_names:
        flags |= getattr(__future__, name).compiler_flag
    return flags


_FUTURES = _future_flags()


def is_stub(function) -> bool:
    """Say whether a function's body is empty: nothing but a docstring, ``pass``, ``...`` or ``return None``."""
    import dis

    code = getattr(function, "__code__", None)
    if code is None or len(code.co_code) > 64:  # far longer than an empty body
        return False
    return {i.opname for i in dis.get_instructions(code)} <= {
        "RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "POP_TOP",
    } and all(c is None or isinstance(c, str) for c in code.co_consts)  # fmt: skip


def survey(find, names):
    """Say for each function name whether it is ``missing``, ``odd`` (not callable), a ``stub`` or ``there``."""
    found = []
    for name in names:
        try:
            value = find(name)
        except (AttributeError, KeyError):
            found.append("missing")
        else:
            try:
                found.append("odd" if not callable(value) else "stub" if is_stub(value) else "there")
            except Exception:
                found.append("odd")
    return tuple(found)


def own_functions(module):
    """Return the names of functions that the student's own source defines: one of them may be a misspelt one."""
    return tuple(
        name
        for name, value in list(module.__dict__.items())[:1000]
        if type(name) is str and len(name) <= MAX_NAME
        and type(value) is types.FunctionType and value.__code__.co_filename in LABELS
    )
