"""The part of this package that runs in the browser, as one archive: what `inside` imports, and the labs' data."""

import io
import zipfile
from importlib import resources

MODULES = (
    "__init__.py", "attention.py", "live.py", "magics.py", "plots.py", "reading.py", "submission.py", "texts.py",
    "checking", "emit/__init__.py", "emit/as_json.py", "emit/html.py", "emit/words.py", "labs/__init__.py",
    "labs/merging.py", "labs/model.py", "labs/registry.py", "sandbox/__init__.py", "sandbox/answers.py",
    "sandbox/agent/__init__.py", "sandbox/agent/calling.py", "sandbox/agent/loading.py",
    "sandbox/agent/standins.py", "sandbox/agent/wire.py", "sandbox/right.py", "texts.en.toml", "texts.ru.toml",
    "web/__init__.py", "web/exploring.py", "web/inside.py", "web/limits.py", "web/notebooks.py", "web/running.py",
    "web/surroundings.py", "web/target.py",
)  # fmt: skip
UNUSED = ("checking/shrink.py",)  # needs Hypothesis, which has no build for the browser
OF_A_LAB = (
    "__init__.py", "cases.bin", "checks.py", "misconceptions", "observe.py", "oracle.py", "experiment.py",
    "pictures.py", "start/en.ipynb", "start/ru.ipynb",
)  # fmt: skip
TEXTS_OF_A_LAB = ("messages", "misconceptions")


def archive(lab: str) -> bytes:
    """Return the archive for the pages of one lab. The same files give the same bytes."""
    package = resources.files("attnlab")
    wanted = [*MODULES, f"{lab}.py", *(f"labs/{lab}/{name}" for name in OF_A_LAB)]
    wanted += [f"labs/{lab}/{kind}.{lang}.toml" for kind in TEXTS_OF_A_LAB for lang in ("en", "ru")]
    files = dict(entry for name in wanted for entry in _files(package, name))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as zip:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"attnlab/{name}", (1980, 1, 1, 0, 0, 0))
            zip.writestr(entry, files[name], zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


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
