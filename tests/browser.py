"""A built site, a server for it, Chromium, and the handles of a lesson page: what the tests in a browser share."""

import ast
import functools
import http.server
import json
import os
import shutil
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

from attnlab import labs
from attnlab.emit import as_json
from attnlab.judge import check_path
from attnlab.web import runtime

ROOT = Path(__file__).parents[1]
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
READY = "html[data-python=ready]"
LISTEN = """() => {
    window.told = new Promise((resolve) => {
        document.addEventListener("attnlab:report", (event) => resolve(event.detail), {once: true});
    });
}"""
PATIENCE = 60_000  # milliseconds


def chromium() -> str | None:
    """Return the path of the system's Chromium, None if there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("ATTNLAB_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def missing() -> str | None:
    """Say what the tests in a browser lack here, None if nothing."""
    try:
        import playwright.sync_api  # noqa: F401

        from attnlab.web import build  # noqa: F401
    except ImportError as error:
        return f"{error.name} is not installed"
    if chromium() is None:
        return "there is no Chromium here"
    if runtime.find() is None:
        return "the files of Pyodide are not here (make .venv/.pyodide fetches them)"
    return None


class Server:
    """Serves a folder on loopback; files can be made to fail, and everything at once can be made to go away.

    What is `shared` may be read by pages of other addresses.
    """

    def __init__(self, folder, shared=False):
        self.folder, self.shared = Path(folder), shared
        self.failing: set[str] = set()
        self.away = False
        self.asked: list[str] = []
        server = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
                ".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm",
            }  # fmt: skip

            def do_GET(self):
                server.asked.append(self.path)
                if server.away:
                    self.close_connection = True
                elif any(name in self.path for name in server.failing):
                    self.send_error(503)
                else:
                    super().do_GET()

            def end_headers(self):
                if server.shared:
                    self.send_header("Access-Control-Allow-Origin", "*")
                super().end_headers()

            def copyfile(self, source, outputfile):
                try:
                    super().copyfile(source, outputfile)
                except OSError:
                    pass  # the page was closed meanwhile

            def log_message(self, *args):
                pass

        self._server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))
        )
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def site(names=labs.LABS, pyodide_url=None):
    """Build a site in a folder of its own, and serve it."""
    from attnlab.web import build

    with tempfile.TemporaryDirectory() as folder:
        build.build(Path(folder) / "site", tuple(names), pyodide_url)
        server = Server(Path(folder) / "site")
        try:
            yield server
        finally:
            server.close()


@contextmanager
def browser():
    """Start Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            yield running
        finally:
            running.close()


class Lesson:
    """A lesson page, as a student handles it."""

    def __init__(self, page, url):
        self.page = page
        self.errors: list[str] = []
        self._files = 0
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.set_default_timeout(PATIENCE)
        page.goto(url)

    def ready(self):
        """Wait until Python is ready for the next thing."""
        self.page.wait_for_selector(READY, state="attached")
        return self

    @property
    def text(self) -> str:
        """What the editor holds, by the text that is kept: only what is in sight stands in the document."""
        self.page.locator(".cm-content").wait_for(state="attached")
        return self.page.evaluate("() => document.querySelector('.cm-content').cmTile.view.state.doc.toString()")

    @property
    def results(self) -> str:
        """What stands under the editor."""
        return self.page.inner_text(".results")

    @property
    def states(self) -> dict[str, str]:
        """The state of each part."""
        chips = self.page.locator(".chip").all()
        return {chip.get_attribute("data-part"): chip.get_attribute("data-state") for chip in chips}

    def put(self, source: str | bytes, kind: str = "py") -> str:
        """Open a file of one's own; return what the page says to it."""
        self._files += 1
        name = f"mine{self._files}.{kind}"
        data = source.encode() if isinstance(source, str) else source
        chooser = self.page.locator("input[type=file]")
        chooser.set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})
        notice = self.page.locator(".notice", has_text=name)
        notice.wait_for()
        return notice.inner_text()

    def type(self, source: str):
        """Write a file by hand, in place of everything that was there."""
        keyboard = self.page.keyboard
        self.page.click(".cm-content")
        keyboard.press("Control+a")
        keyboard.press("Delete")
        for number, line in enumerate(source.split("\n")):
            if number:
                keyboard.press("Enter")
                keyboard.press("Shift+Home")  # what the editor has indented is typed again
                if not line:
                    keyboard.press("Delete")
            keyboard.type(line)

    def report(self, press="#do-check") -> dict:
        """Press Check; return what the page makes of the file."""
        self.ready()
        self.page.evaluate(LISTEN)
        self.page.click(press)
        report = self.page.evaluate("() => window.told")
        assert "ended" not in report, report["ended"]
        return report

    def saved(self, item="Save as .py") -> tuple[str, str]:
        """Return name and text of what the file menu saves."""
        with self.page.expect_download() as download:
            self.page.click("summary.button")
            self.page.get_by_role("button", name=item).click()
        value = download.value
        return value.suggested_filename, Path(value.path()).read_text(encoding="utf-8")


def bare_solution(lab: str) -> str:
    """Return a reference solution without its docstrings and comments: what somebody might type."""
    tree = ast.parse((ROOT / "solutions" / f"{lab}.py").read_text(encoding="utf-8"))
    for node in [tree, *ast.walk(tree)]:
        if isinstance(node, (ast.FunctionDef, ast.Module)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.unparse(tree) + "\n"


def by_command(source: str | bytes, lab: str, folder: Path) -> dict:
    """Return what `attnlab check` makes of a file, as its JSON."""
    path = folder / f"{lab}.py"
    path.write_bytes(source.encode() if isinstance(source, str) else source)
    return as_json.document(check_path(path, labs.get(lab), "en"), "en")


def verdict(document: dict) -> dict:
    """Return of a report what page and command must agree on."""
    functions = {
        name: (part["status"], part["score"], part["right_given_right_helpers"], part["misconceptions"])
        for name, part in document["functions"].items()
    }
    outcomes = {check["id"]: check["outcome"] for check in document["checks"]}
    found = {"score": document["score"], "functions": functions, "outcomes": outcomes, "root": document["root_cause"]}
    return json.loads(json.dumps(found))  # tuples become lists, as on the page
