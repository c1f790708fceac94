"""The site that `attnlab web build` writes, and `attnlab web serve`."""

import bz2
import io
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
from html.parser import HTMLParser

import pytest
from conftest import ROOT
from typer.testing import CliRunner

from attnlab import labs, texts
from attnlab.authoring.sources import read_sources
from attnlab.cli import app
from attnlab.submission import UsageError
from attnlab.web import build, cells, formulas, pages, prose, runtime

ELSEWHERE = "https://example.org/pyodide/v0.27.7/full"  # nothing is loaded from there: the address is only written


class Page(HTMLParser):
    """What tests ask of a page: its tags with their attributes, headings, ids, and whether it is well nested."""

    VOID = ("meta", "link", "img", "br", "hr", "input", "mspace", "path")

    def __init__(self, text):
        super().__init__()
        self.tags, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop() == tag

    def all(self, tag, **wanted):
        """Return the attributes of all tags of a kind that have these attributes."""
        wanted = {name.rstrip("_"): value for name, value in wanted.items()}
        return [a for t, a in self.tags if t == tag and wanted.items() <= a.items()]


def made_up(sources, solution):
    """Return something for every cell, without running it: that takes seconds, and has a test of its own."""
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\4\0\0\0\3"
    return {name: cells.Baked("printed <b>\n", png) for name in sources.cells}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site of all labs, Pyodide elsewhere."""
    out = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "baked", made_up)
        build.build(out, pyodide_url=ELSEWHERE)
    return out


def read(site, lang, lab):
    """Return a page, and the data in it."""
    text = (site / lang / lab / "index.html").read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json" id="attnlab">(.*?)</script>', text, re.DOTALL)[1]
    return Page(text), json.loads(data), text


every_page = pytest.mark.parametrize(("lang", "lab"), [(lang, lab) for lang in texts.LANGUAGES for lab in labs.LABS])


@every_page
def test_a_page_is_whole_and_well_nested(site, lang, lab):
    page, _, _ = read(site, lang, lab)
    assert page.open == []
    assert page.all("html", lang=lang)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {"lesson", "work", "top", "tools"} <= set(ids)
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    assert all(image.get("alt") and image["width"] for image in page.all("img"))


@every_page
def test_a_page_has_a_card_for_each_part_and_a_figure_for_each_cell(site, lang, lab):
    page, data, _ = read(site, lang, lab)
    cards = {card["data-part"]: card["data-function"] for card in page.all("div", class_="exercise")}
    assert cards == {part.name: part.function for part in labs.get(lab).parts}
    assert {figure["data-cell"] for figure in page.all("figure", class_="cell")} == set(data["cells"]) - {"setup"}
    assert len(page.all("section", id="quiz")) == 1
    assert len(page.all("div", id="explorer")) == (lab == "attention")


@every_page
def test_every_link_of_a_page_leads_to_a_file_of_the_site(site, lang, lab):
    page, data, _ = read(site, lang, lab)
    here = site / lang / lab
    links = [a[name] for _, a in page.tags for name in ("href", "src") if name in a]
    links += [value for name, value in data["assets"].items() if name != "archive"]
    links += [lab["href"] for lab in data["labs"]] + list(data["other"].values())
    for link in links:
        path = link.partition("?")[0]
        if path.startswith(("#", "data:")):
            continue
        assert not re.match(r"\w+:|/", link), link
        target = here / path
        assert (target / "index.html" if path.endswith("/") else target).is_file() or "bundle" in path, link
        assert target.resolve().is_relative_to(site.resolve())


@every_page
def test_a_page_asks_nobody_but_whom_it_was_told_to(site, lang, lab):
    page, _, text = read(site, lang, lab)
    (policy,) = [m["content"] for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy"]
    assert set(re.findall(r"https?://[^\s;\"]+", policy)) == {"https://example.org"}
    others = set(re.findall(r"https?://[^\s\"<)]+", text)) - {"http://www.w3.org/1998/Math/MathML"}
    assert all(url.startswith("https://example.org") for url in others)


@every_page
def test_the_lesson_on_the_page_speaks_of_no_notebook(site, lang, lab):
    _, _, text = read(site, lang, lab)
    ways = re.search(r'<section id="how-to-work">(.*?)</section>', text, re.DOTALL)[1]
    assert not re.search("notebook|Jupyter|блокнот", ways, re.IGNORECASE)
    assert texts.say(lang, "web.how_to_work").partition("`")[0] in ways


@every_page
def test_the_data_say_what_the_lab_says(site, lang, lab):
    from attnlab.student import hints, quiz

    _, data, _ = read(site, lang, lab)
    assert data["stub"] == (labs.get(lab).folder / "start" / f"{lab}.py").read_text(encoding="utf-8")
    assert {part: len(levels) for part, levels in data["hints"].items()} == {
        part: len(levels) for part, levels in hints.hints(labs.get(lab), lang).items()
    }
    asked = quiz.questions(labs.get(lab), lang)
    assert [(q["id"], q["right"], q["tolerance"]) for q in data["quiz"]] == [
        (q.id, list(q.right), q.tolerance) for q in asked
    ]
    sections = {attributes["id"] for attributes in read(site, lang, lab)[0].all("section")}
    assert {question["section"] for question in data["quiz"]} <= sections
    assert data["texts"]
    assert all(id.startswith("web.page_") for id in data["texts"])


def test_the_service_worker_knows_every_file(site):
    first = (site / "sw.js").read_text(encoding="utf-8").partition("\n")[0]
    listed = json.loads(first.removeprefix("self.ATTNLAB=").rstrip(";"))["files"]
    there = {p.relative_to(site).as_posix(): p.stat().st_size for p in site.rglob("*") if p.is_file()}
    del there["sw.js"]
    assert {entry["name"]: entry["bytes"] for entry in listed} == there


def test_the_archive_holds_no_answers_but_what_it_needs(site):
    with tarfile.open(fileobj=io.BytesIO((site / "assets" / "attnlab-masks-en.tar.bz2").read_bytes())) as tar:
        names = set(tar.getnames())
        said = tar.extractfile("attnlab/texts.en.toml").read().decode()
    assert "attnlab/web/inside.py" in names
    assert not [n for n in names if re.search(r"grading|cli|hypothesis|strategies|solution|gates|\.ru\.", n)]
    assert "[fault]" in said
    assert "page_" not in said


def test_what_is_shipped_suffices_to_check(site, tmp_path):
    data = bz2.decompress((site / "assets" / "attnlab-attention-ru.tar.bz2").read_bytes())
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        tar.extractall(tmp_path, filter="data")
    program = (
        "import json, sys; sys.modules['hypothesis'] = sys.modules['typer'] = sys.modules['rich'] = None\n"
        "from attnlab.web import inside; inside.warm('attention'); inside.rehearse('ru')\n"
        f"source = open({str(ROOT / 'tests/wrong/attention/several_faults.py')!r}).read()\n"
        "told = json.loads(inside.check(source, 'attention', 'ru'))\n"
        "print(told['report']['functions']['softmax']['status'])\n"
        "inside.explore(source, 'ru', json.dumps({'tokens': ['a', 'b'], 'token': 0, 'd_k': 2, 'scale': True, "
        "'mask': True, 'gate': False, 'temperature': 1, 'seed': 0}))\n"
        "inside.run('1 + 1', 'ru'); inside.source_of('x.py', b'x = 1', 'attention', 'ru')\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.strip() in ("failed", "error")


def test_building_again_changes_nothing_and_clears_away_what_is_gone(site, monkeypatch):
    monkeypatch.setattr(build, "baked", made_up)
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    build.build(site, pyodide_url=ELSEWHERE)
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()} == before
    other = site.parent / "one"
    build.build(other, ("attention", "masks"), pyodide_url=ELSEWHERE)
    build.build(other, ("masks",), pyodide_url=ELSEWHERE)
    assert not (other / "en" / "attention" / "index.html").exists()
    assert (other / "en" / "masks" / "index.html").exists()


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("all of it")
    with pytest.raises(UsageError, match="not_empty"):
        build.build(tmp_path, pyodide_url=ELSEWHERE)
    done = CliRunner().invoke(app, ["web", "build", str(tmp_path), "--pyodide-url", ELSEWHERE])
    assert done.exit_code == 4
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    "options",
    [["--lab", "nix"], ["--pyodide-url", "ftp://x"], ["--pyodide-url", "https://x y"], ["--pyodide-url", "x"]],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(tmp_path, options):
    done = CliRunner().invoke(app, ["web", "build", str(tmp_path / "new"), *options])
    assert done.exit_code == 4
    assert not (tmp_path / "new").exists()


def test_pyodide_is_taken_only_if_it_is_what_it_should_be(tmp_path, monkeypatch):
    monkeypatch.setenv(runtime.PLACE, str(tmp_path))
    for name in runtime.known()["files"]:
        (tmp_path / name).write_bytes(b"something else")
    monkeypatch.setattr(runtime, "__file__", str(tmp_path / "a" / "b" / "c" / "runtime.py"))
    assert runtime.find() is None
    monkeypatch.setattr(runtime, "_fetched", lambda: iter([("pyodide.mjs", b"not it")]))
    with pytest.raises(UsageError, match="python_differs"):
        runtime.obtain()


def test_a_site_with_pyodide_has_all_that_its_list_names(tmp_path, monkeypatch):
    if runtime.find() is None:
        pytest.skip("the files of Pyodide are not on this machine")
    monkeypatch.setattr(build, "baked", made_up)
    build.build(tmp_path / "site", ("masks",))
    _, data, _ = read(tmp_path / "site", "en", "masks")
    for entry in data["python"]["files"]:
        assert (tmp_path / "site" / "python" / entry["name"]).stat().st_size == entry["bytes"]
    lock = json.loads((tmp_path / "site" / "python" / runtime.LOCK).read_text())
    named = {package["file_name"] for package in lock["packages"].values()}
    assert named <= {path.name for path in (tmp_path / "site" / "python").iterdir()}


# --- the lesson as HTML -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lab", labs.LABS)
def test_every_formula_becomes_mathml(lab):
    for lang, lesson in read_sources(labs.get(lab)).lessons.items():
        html = "".join(prose.html(block.text) for block in lesson.of("prose"))
        assert html.count("<math") > 5, lang
        assert "$" not in re.sub(r"<(code|pre).*?</\1>", "", html, flags=re.DOTALL)
        assert not re.search(r">[^<]*\\[a-z]+[^<]*<", re.sub(r"<(code|pre).*?</\1>", "", html, flags=re.DOTALL))


def test_a_name_in_a_formula_is_one_word():
    assert "<mi>softmax</mi>" in formulas.mathml(r"\mathrm{softmax}(x)", False)
    assert 'display="block"' in formulas.mathml("x", True)


def test_what_a_cell_needs_comes_before_it():
    sources = read_sources(labs.get("attention"))
    needed = cells.before(sources, "heatmap", "en")
    assert "from attnlab import plots" in needed
    assert "out, weights = attention(Q, K, V, causal_mask(3))" in needed
    assert "plots" not in cells.before(sources, "cost", "en")


def test_cells_show_what_they_print_and_draw(monkeypatch):
    pytest.importorskip("PIL")
    sources = read_sources(labs.get("masks"))
    solution = (ROOT / "solutions" / "masks.py").read_text(encoding="utf-8")
    shown = cells.bake(sources, solution)
    assert shown["masks_picture"].picture.startswith(b"\x89PNG")
    assert shown["window_cost"].text
    page = Page(pages.lesson_html(sources, "ru", shown))
    assert len(page.all("img")) == sum(bool(baked.picture) for baked in shown.values())


# --- serve ------------------------------------------------------------------------------------------------------------


def test_serve_says_where_sends_the_right_types_and_ends_quietly(site):
    if sys.platform == "win32":
        pytest.skip("Ctrl-C cannot be sent to one process there")
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # jobs in the background do not
    process = subprocess.Popen(
        [sys.executable, "-c", f"{hears}; from attnlab.cli import main; main()", "web", "serve", site, "--lang", "en"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        url = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())[0]
        (site / "some.mjs").write_text("1")
        (site / "some.wasm").write_bytes(b"\0asm")
        for path, kind in (("", "text/html"), ("some.mjs", "text/javascript"), ("some.wasm", "application/wasm")):
            with urllib.request.urlopen(url + path) as answer:
                assert answer.headers["Content-Type"].startswith(kind)
        for path in ("../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "assets/pictures/"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(url + path)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) in (0, 2)
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.communicate()
        for name in ("some.mjs", "some.wasm"):
            (site / name).unlink(missing_ok=True)


def test_serve_refuses_a_folder_without_a_site(tmp_path):
    assert CliRunner().invoke(app, ["web", "serve", str(tmp_path)]).exit_code == 4
