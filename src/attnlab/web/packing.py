"""The part of this package that runs in the browser, as one archive: what `inside` imports, and a lab's data."""

import ast
import io
import re
import tarfile
from importlib import resources

from ..labs.model import Lab
from .exploring import LAB
from .light import light

FORMAT = "bztar"  # as Pyodide and shutil call it
MODULES = (
    "__init__.py", f"{LAB}.py", "live.py", "magics.py", "plots.py", "reading.py", "submission.py", "texts.py",
    "checking", "emit/__init__.py", "emit/as_json.py", "emit/html.py", "emit/words.py", "labs/__init__.py",
    "labs/merging.py", "labs/model.py", "labs/registry.py", "sandbox/__init__.py", "sandbox/answers.py",
    "sandbox/agent/__init__.py", "sandbox/agent/calling.py", "sandbox/agent/loading.py",
    "sandbox/agent/standins.py", "sandbox/agent/wire.py", "sandbox/right.py", "web/__init__.py", "web/exploring.py",
    "web/inside.py", "web/light.py", "web/limits.py", "web/notebooks.py", "web/running.py",
    "web/surroundings.py", "web/target.py", "web/threads.py",
)  # fmt: skip
UNUSED = ("checking/shrink.py",)  # needs Hypothesis, which has no build for the browser
OF_A_LAB = (
    "__init__.py", "checks.py", "misconceptions", "observe.py", "oracle.py", "experiment.py", "pictures.py",
    "start/{lab.name}.py", "messages.{lang}.toml", "misconceptions.{lang}.toml",
)  # fmt: skip
SAID = ("explore", "fault", "outcome", "problem", "read", "report", "web")  # groups of sentences that the browser says
NOT_SAID = re.compile(r"^page_.*\n", re.MULTILINE)  # the script has its own


def archive(lab: Lab, lang: str) -> bytes:
    """Return the archive (tar, bzip2) for the page of one lab in one language. The same files give the same bytes.

    One stream of all files is a quarter smaller than a file of files each by itself.
    """
    package = resources.files("attnlab")
    of_lab = [f"labs/{lab.name}/" + name.format(lab=lab, lang=lang) for name in OF_A_LAB]
    core = lab.core.removeprefix("attnlab.").replace(".", "/") + ".py"
    files = dict(entry for name in (*MODULES, core, *of_lab) for entry in _files(package, name))
    files = {name: _shorn(data) if _may_be_shorn(name) else data for name, data in files.items()}
    files[f"labs/{lab.name}/cases.bin"] = light(lab)
    catalogue = f"texts.{lang}.toml"
    files[catalogue] = _said(package.joinpath(catalogue).read_text(encoding="utf-8")).encode()
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:bz2", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(files):
            entry = tarfile.TarInfo(f"attnlab/{name}")
            entry.size = len(files[name])
            tar.addfile(entry, io.BytesIO(files[name]))
    return buffer.getvalue()


def _may_be_shorn(name):
    """Say whether nobody reads a module's text: wrong versions are put together from theirs, students get stubs."""
    return name.endswith(".py") and "/misconceptions/" not in name and "/start/" not in name


def _shorn(source):
    """Return a module without docstrings and comments: there is nobody to read them, and they are a third of it."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree).encode()


def _said(catalogue):
    """Return the groups of a catalogue that are needed."""
    groups = re.split(r"^(?=\[)", catalogue, flags=re.MULTILINE)
    return NOT_SAID.sub("", "".join(g for g in groups if g.startswith(tuple(f"[{name}]" for name in SAID))))


def _files(package, name):
    """Yield a file of the package, or the Python files of a folder; nothing for what a lab does not have."""
    path = package.joinpath(*name.split("/"))
    if path.is_file():
        if name not in UNUSED:
            yield name, path.read_bytes()
    elif path.is_dir():
        for entry in path.iterdir():
            if (entry.is_dir() and entry.name != "__pycache__") or entry.name.endswith(".py"):
                yield from _files(package, f"{name}/{entry.name}")
