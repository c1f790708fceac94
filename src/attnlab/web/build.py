"""The whole site: pages, script and style, the archives for the browser, Python itself, and the list of it all."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable
from importlib import resources
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from .. import labs
from ..authoring.scripts import solution_text
from ..authoring.sources import LANGUAGES, read_sources
from ..files import write_whole
from ..submission import UsageError
from . import packing, pages, runtime
from .cells import baked
from .document import document
from .released import released

SERVICE = "sw.js"
ON_INDEX = {"style": "page.css", "theme": "theme.js"}
LISTED = "self.ATTNLAB="  # the service worker begins with the list of what it keeps


def build(
    out: Path,
    course: Iterable[str] = labs.LABS,
    pyodide_url: str | None = None,
    told: Callable[[str], None] = lambda name: None,
) -> dict[str, int]:
    """Write the site.

    Parameters
    ----------
    out : Path
        A folder that is new, empty, or holds such a site.
    course : iterable of str
        The labs.
    pyodide_url : str, optional
        Where pages find Pyodide, in place of a copy in the site.
    told : callable
        Called with the name of what is worked at.

    Returns
    -------
    dict
        The size of each file written, by its path in the site.

    Raises
    ------
    UsageError
        If the folder is somebody else's or cannot be written to, or Python cannot be had.
    """
    course = tuple(course)
    before = _before(out)
    distribution = None if pyodide_url else runtime.obtain(told)
    site = _site(course, distribution, pyodide_url, told)
    copies = {f"python/{name}": path for name, path in (distribution or {}).items()}
    lazy = {f"python/{name}" for name in distribution or {} if name not in _at_every_visit()}
    site[SERVICE] = _service(site, copies, lazy)
    try:
        for name, data in site.items():
            _write(out / name, data)
        for name, path in copies.items():
            if not (out / name).is_file() or (out / name).stat().st_size != path.stat().st_size:
                (out / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, out / name)
        for name in before - site.keys() - copies.keys():
            (out / name).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError("web.denied", path=out, why=error.strerror or type(error).__name__) from None
    return {name: len(data) for name, data in site.items()} | {n: p.stat().st_size for n, p in copies.items()}


def _before(out):
    """Return what an earlier build left in the folder; refuse a folder with anything else in it."""
    try:
        if not out.exists() or not any(out.iterdir()):
            return set()
        first = (out / SERVICE).read_text(encoding="utf-8").partition("\n")[0]
        listed = json.loads(first.removeprefix(LISTED).rstrip(";"))
        return {entry["name"] for entry in listed["files"] if _stays_inside(entry["name"])}
    except NotADirectoryError:
        raise UsageError("web.not_a_folder", path=out) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError("web.not_empty", path=out) from None


def _stays_inside(name):
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts


def _write(path, data):
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data, sync=False)


def _site(course, distribution, url, told):
    """Return ``{path: bytes}`` of everything but Pyodide's own files and the service worker."""
    bundle = {name: _bundled(name) for name in ("page.js", "page.css", "worker.js", "theme.js")}
    site = {f"assets/{name}": data for name, data in bundle.items()}
    python = _python(distribution, url)
    if distribution is not None:
        site[f"python/{runtime.LOCK}"] = runtime.lock(_packages(distribution))
        python["files"] = _python_files(site[f"python/{runtime.LOCK}"])
    titles = {lang: [] for lang in LANGUAGES}
    policy = _policy(url)
    for name in course:
        told(name)
        sources = read_sources(labs.get(name))
        zipped = {lang: f"assets/attnlab-{name}-{lang}.tar.bz2" for lang in LANGUAGES}
        site |= {path: packing.archive(sources.lab, lang) for lang, path in zipped.items()}
        notebooks = {lang: f"assets/notebook-{name}-{lang}.ipynb" for lang in LANGUAGES}
        site |= {path: released(sources, lang).encode() for lang, path in notebooks.items()}
        shown = baked(sources, solution_text(sources))
        site |= {pages.picture_path(name, cell): b.picture for cell, b in shown.items() if b.picture}
        at = {path: f"../../{path}?v={_mark(data)}" for path, data in site.items() if path.startswith("assets/")}
        links = {"style": at["assets/page.css"], "script": at["assets/page.js"], "theme": at["assets/theme.js"]}
        for lang in LANGUAGES:
            assets = {
                "worker": at["assets/worker.js"],
                "zip": at[zipped[lang]],
                "archive": packing.FORMAT,
                "notebook": at[notebooks[lang]],
                "sw": f"../../{SERVICE}",
            }
            data = document(sources, lang, python, assets, course)
            text = pages.page(sources, lang, shown, data, links, policy)
            site[f"{lang}/{name}/index.html"] = text.encode()
            titles[lang].append((name, sources.lessons[lang].title))
    links = {kind: f"assets/{name}?v={_mark(bundle[name])}" for kind, name in ON_INDEX.items()}
    site["index.html"] = pages.index(titles, links, policy).encode()
    return site


def _bundled(name):
    path = resources.files(__package__).joinpath("bundle", name)
    return path.read_bytes() if path.is_file() else b""


def _packages(distribution):
    there = [p for p in runtime.EXTRA if set(runtime.files_of(p)) <= distribution.keys()]
    return (*runtime.PACKAGES, *there)


def _python(distribution, url):
    """Return what pages know of Python before they load it."""
    extra = runtime.EXTRA if url else _packages(distribution)[len(runtime.PACKAGES) :]
    return {
        "version": runtime.known()["version"],
        "url": url.rstrip("/") + "/" if url else "../../python/",
        "packages": list(runtime.PACKAGES),
        "extra": list(extra),
        "files": [_told(name) for name in _at_every_visit()],
    }


def _at_every_visit():
    return [*runtime.CORE, *(name for package in runtime.PACKAGES for name in runtime.files_of(package))]


def _told(name):
    return {"name": name, **runtime.known()["files"][name]}


def _python_files(lock):
    listed = {"name": runtime.LOCK, "bytes": len(lock), "sha256": hashlib.sha256(lock).hexdigest()}
    names = _at_every_visit()
    core = len(runtime.CORE)
    return [*map(_told, names[:core]), listed, *map(_told, names[core:])]


def _policy(url):
    """Return the Content-Security-Policy: nothing from elsewhere but what `url` says. Cards bring their own styles."""
    origin = ""
    if url:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc or any(c in url for c in " ;,'\""):
            raise UsageError("web.not_an_address", url=url)
        origin = f" {parts.scheme}://{parts.netloc}"
    return (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        f"script-src 'self' 'wasm-unsafe-eval'{origin}; connect-src 'self'{origin}; worker-src 'self' blob:"
    )


def _service(site, copies, lazy):
    """Return the service worker behind the list of all files: name, hash, size."""
    known = runtime.known()["files"]
    files = [{"name": name, "hash": _mark(data), "bytes": len(data)} for name, data in sorted(site.items())]
    for path in sorted(copies):
        entry = known[path.removeprefix("python/")]
        files.append({"name": path, "hash": entry["sha256"][:8], "bytes": entry["bytes"]})
        if path in lazy:
            files[-1]["lazy"] = True
    version = _mark(json.dumps(files).encode() + _bundled(SERVICE))
    listed = json.dumps({"version": version, "files": files}, separators=(",", ":"))
    return f"{LISTED}{listed};\n".encode() + _bundled(SERVICE)


def _mark(data):
    return hashlib.sha256(data).hexdigest()[:8]
