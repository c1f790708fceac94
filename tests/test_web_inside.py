"""What the page's Python says is what the commands say. Here it runs under CPython; Chromium has tests of its own."""

import builtins
import json
import sys

import numpy as np
import pytest
from conftest import ROOT, fair, wrong
from web_worker import Page

from attnlab import labs, submission, texts
from attnlab.checking import cases as drawn
from attnlab.emit import as_json
from attnlab.judge import check_path
from attnlab.web import inside, light, notebooks

STEP = 9  # of the right and wrong files, and of the known wrong versions, each so manieth is compared here
HOSTILE = (
    "endless_recursion", "exception_in_the_middle", "hostile_exception", "infinite_loop_in_softmax", "missing_module",
    "misspelt_names", "os_exit_at_import", "os_exit_in_softmax", "patches_builtins", "patches_numpy", "reads_frames",
    "right_once", "searches_memory", "several_faults", "sys_exit_at_import", "tampers_with_modules",
    "tiny_recursion_limit", "untouched_stubs",
)  # fmt: skip
LEFT_OUT = (  # they work on descriptors, processes and threads, of which a page has none
    "closes_every_descriptor", "forges_a_report", "forks_once", "leaves_a_child_process", "rewrites_the_caller",
    "threads_left_running", "eats_memory", "segmentation_fault",
)  # fmt: skip


def sampled():
    """Name the files to compare."""
    for lab in labs.LABS:
        for path in [*fair(lab)[::STEP], *wrong(lab)[::STEP]]:
            if path.stem not in (*LEFT_OUT, *HOSTILE):
                yield pytest.param(lab, path, id=f"{lab}-{path.stem}")
    for name in HOSTILE:
        yield pytest.param("attention", ROOT / "tests" / "wrong" / "attention" / f"{name}.py", id=f"attention-{name}")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page's side."""
    if sys.platform == "win32":
        pytest.skip("waiting for a worker's pipe needs a POSIX system")
    page = Page(tmp_path_factory.mktemp("page"))
    yield page
    page.close()


def verdicts(document):
    """Return what must be equal: everything but the words and the examples, which the command makes smaller."""
    parts = {
        name: (part["status"], part["score"], part["right_given_right_helpers"], part["misconceptions"])
        for name, part in document["functions"].items()
    }
    return parts, {c["id"]: (c["outcome"], c["score"]) for c in document["checks"]}, document["root_cause"]


@pytest.mark.parametrize(("name", "path"), list(sampled()))
def test_the_page_judges_as_the_command_does(name, path, page):
    lab = labs.get(name)
    source = submission.decode(path.read_bytes(), path)
    expected = as_json.document(check_path(path, lab, "en", shrink=False), "en")
    assert verdicts(page.check(name, source)["report"]) == verdicts(expected)


@pytest.mark.parametrize("name", labs.LABS)
def test_known_wrong_versions_are_named_alike(name, page, tmp_path):
    lab = labs.get(name)
    for misconception in lab.misconceptions()[:: 2 * STEP]:
        path = tmp_path / f"{name}.py"
        path.write_text(lab.submission_source(misconception), encoding="utf-8")
        expected = as_json.document(check_path(path, lab, "en", shrink=False), "en")
        assert verdicts(page.check(name, path.read_text())["report"]) == verdicts(expected), misconception.id


def test_one_function_is_judged_with_what_it_uses(page):
    source = (ROOT / "solutions" / "attention.py").read_text().replace("math.sqrt(", "(")
    told = page.check("attention", source, ["attention"])
    assert set(told["html"]) == {"softmax", "attention"}
    assert told["report"]["functions"]["attention"]["misconception"] == "divided_by_d_k"


def test_right_code_leaves_the_worker_clean(page):
    page.check("attention", "")
    workers = page.workers
    for path in fair("attention")[:12]:
        assert page.check("attention", submission.decode(path.read_bytes(), path))["clean"], path.stem
    assert page.workers == workers


def test_who_closes_what_a_terminal_answers_over_has_lost_the_process_here_too(page):
    source = "import os\n\n\ndef softmax(x):\n    os.closerange(0, 4096)\n    return x\n"
    report = page.check("attention", source, ["softmax"])["report"]
    assert report["functions"]["softmax"]["status"] == "died"


def test_what_is_patched_is_put_back():
    import numpy as np

    before = np.exp, abs
    source = "import builtins\nimport numpy as np\nnp.exp = builtins.abs = lambda x: x\ndef softmax(x):\n    return x\n"
    told = json.loads(inside.check(source, "attention", "en"))
    assert not told["clean"]
    assert (np.exp, abs) == before


def test_a_file_that_cannot_be_read_is_one_sentence():
    told = json.loads(inside.check("def f(:\n", "attention", "ru"))
    assert told["unreadable"]
    assert [problem["line"] for problem in told["problems"]] == [1]
    assert all(part["status"] == "error" for part in told["report"]["functions"].values())


@pytest.mark.parametrize("name", labs.LABS)
def test_the_light_cases_are_the_visible_ones(name):
    import numpy as np

    lab = labs.get(name)
    data = light.light(lab)
    for id, group in drawn.unpack(data)[1].items():
        for case, sent in zip(drawn.visible(lab)[id], group, strict=True):
            filled = light._filled(lab, sent)
            for wanted, given in zip(case.expected, filled.expected, strict=True):
                for one, other in zip(wanted, given, strict=True):
                    assert type(one) is type(other)
                    if isinstance(one, np.ndarray):
                        np.testing.assert_allclose(other, one, rtol=1e-11, atol=1e-12)
                        assert one.dtype == other.dtype
                    else:
                        assert one == other
    import zlib

    assert len(zlib.compress(zlib.decompress(data))) < 0.6 * (lab.folder / "cases.bin").stat().st_size


NARROW_COUNT = """
import numpy as np


def kv_cache_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    default = np.int32 if type(n_layers) is int else np.int64  # as in a browser
    sizes = np.array([2, n_layers, n_kv_heads, head_dim, seq_len, batch, bytes_per_value], {dtype})
    return int(sizes.prod(dtype={dtype}))
"""


def test_counts_for_which_the_browser_has_no_room_are_right_all_the_same(monkeypatch):
    def outcome(dtype):
        told = json.loads(inside.check(NARROW_COUNT.format(dtype=dtype), "multihead", "en", '["kv_cache_bytes"]'))
        return told["report"]["functions"]["kv_cache_bytes"]["status"]

    assert outcome("default") == "failed"
    monkeypatch.setattr("attnlab.web.target.NARROW", True)
    assert outcome("default") == "passed"
    assert outcome("np.int32") == "failed"


def test_a_gate_that_is_wrong_and_broadcasts_is_shown():
    source = (ROOT / "tests" / "wrong" / "gates" / "constants.py").read_text()
    assert json.loads(inside.check(source, "gates", "en"))["report"]["functions"]["gate_values"]["status"] == "failed"


# --- Run --------------------------------------------------------------------------------------------------------------


def run(source, cell=None, lang="en"):
    """Run a file; return what is shown, and what was printed."""
    printed = []
    told = json.loads(inside.run(source, lang, cell, lambda stream, text: printed.append(text)))
    return told, "".join(printed)


def test_run_shows_prints_and_the_last_value():
    told, printed = run("import numpy as np\nprint('here')\nnp.eye(2)")
    assert (told["ok"], printed, told["value"]) == (True, "here\n", "array([[1., 0.],\n       [0., 1.]])")


def test_an_error_is_told_with_the_readers_own_line():
    told, _ = run("def f(x):\n    return x @ 1\n\n\nf([1])")
    assert told["error"]["line"] == 2
    assert told["error"]["excerpt"] == "    return x @ 1"
    assert told["error"]["text"].startswith("TypeError")


def test_a_syntax_error_has_its_line():
    told, _ = run("x = 1\ny = (\n")
    assert (told["error"]["line"], told["error"]["text"]) == (2, "SyntaxError: '(' was never closed")


def test_input_says_that_it_is_not_there():
    told, _ = run("name = input('who? ')", lang="ru")
    assert "input()" in told["error"]["text"]
    assert "клавиатуры" in told["error"]["text"]


def test_endless_prints_are_cut():
    told, printed = run("for i in range(100000):\n    print('carp', i)")
    assert told["ok"]
    assert len(printed) < 110_000
    assert "more characters" in printed


def test_a_cell_of_the_lesson_runs_with_the_readers_functions():
    from attnlab.authoring.sources import read_sources
    from attnlab.web import cells

    sources = read_sources(labs.get("attention"))
    solution = (ROOT / "solutions" / "attention.py").read_text()
    cell = json.dumps(["permutation", cells.before(sources, "permutation", "en"), sources.cells["permutation"]])
    told, printed = run(solution, cell)
    assert told["ok"]
    assert printed.endswith("still so under the causal mask: False\n")
    told, _ = run((ROOT / "exercises" / "attention.py").read_text(), cell)
    assert told["error"]["place"] == "attention.py"
    assert told["error"]["text"] == "NotImplementedError"


def test_a_picture_is_shown_as_one():
    pytest.importorskip("matplotlib")
    told, _ = run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
    assert len(told["pictures"]) == 1


def test_extra_packages_are_asked_for_where_they_are_used():
    assert json.loads(inside.needs("import scipy.special\nfrom matplotlib import pyplot")) == ["matplotlib", "scipy"]
    assert json.loads(inside.needs("import numpy as np")) == []
    assert json.loads(inside.needs("", json.dumps(["x", "from attnlab import plots", ""]))) == ["matplotlib"]


# --- the explorer -----------------------------------------------------------------------------------------------------

SETTINGS = {
    "tokens": ["carp", "leaps", "over", "gate"], "token": 2, "d_k": 4, "scale": True, "mask": True, "gate": False,
    "temperature": 1.0, "seed": 0, "query": None, "reference": False,
}  # fmt: skip


def explore(source, **changed):
    """Return what the explorer shows."""
    return json.loads(inside.explore(source, "en", json.dumps(SETTINGS | changed)))


def test_the_explorer_is_driven_by_the_readers_functions_once_they_are_right():
    right = (ROOT / "solutions" / "attention.py").read_text()
    assert explore(right)["whose"] == "yours"
    assert explore(right.replace("math.sqrt(", "("))["whose"] == "reference"
    assert explore("def f(:")["whose"] == "reference"
    assert explore(right)["row"] == explore("")["row"]


RIGHT = (ROOT / "solutions" / "attention.py").read_text(encoding="utf-8") + """

import builtins, sys

_causal_mask = causal_mask


def causal_mask(T):
    if T == WORDS:  # no case of a check has so many tokens
        HERE
    return _causal_mask(T)
"""


def in_explorer(statement):
    words = [f"word{i}" for i in range(8)]
    return explore(RIGHT.replace("WORDS", "8").replace("HERE", statement), tokens=words)


def test_what_the_readers_functions_change_while_the_explorer_calls_them_is_put_back():
    before = np.tanh, sys.getrecursionlimit(), builtins.ascii
    assert in_explorer("np.tanh = builtins.ascii = None; sys.setrecursionlimit(1_500)")["whose"] == "yours"
    assert (np.tanh, sys.getrecursionlimit(), builtins.ascii) == before


@pytest.mark.parametrize("raised", ["SystemExit", "KeyboardInterrupt", "ValueError", "BaseException"])
def test_where_the_readers_functions_fail_in_the_explorer_the_reference_steps_in(raised):
    shown = in_explorer(f"raise {raised}")
    assert (shown["whose"], shown["why_html"]) == ("reference", texts.say("en", "web.explore_failed"))


def test_the_explorer_follows_its_controls():
    shown = explore("")
    assert shown["visible"] == [True, True, True, False]
    assert shown["scores"][3] is None
    assert sum(shown["row"]) == pytest.approx(1, abs=1e-5)
    assert explore("", mask=False)["visible"] == [True] * 4
    assert explore("", scale=False)["row"] != shown["row"]
    assert max(explore("", temperature=0.1)["row"]) > max(shown["row"])
    assert explore("", query=[9.0, 0.0])["query"] == [9.0, 0.0]
    assert 0 < explore("", gate=True)["gate"] < 1
    other = explore("", tokens=["carp", "swims", "over", "gate"])
    assert [a == b for a, b in zip(shown["keys"], other["keys"], strict=True)] == [True, False, True, True]


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("name", labs.LABS)
def test_a_file_goes_into_the_released_notebook_and_comes_back(name, lang, tmp_path):
    pytest.importorskip("nbformat")
    from attnlab.authoring.sources import read_sources
    from attnlab.web.released import released

    lab = labs.get(name)
    handed_out = released(read_sources(lab), lang)
    source = (
        (ROOT / "solutions" / f"{name}.py").read_text().replace("import numpy as np", "import numpy as np\nN = 1", 1)
    )
    told = json.loads(inside.notebook(source, name, lang, handed_out))["text"]
    path = tmp_path / f"{name}.ipynb"
    path.write_text(told, encoding="utf-8")
    assert check_path(path, lab, lang, shrink=False).passed
    kept = [(cell["id"], cell["metadata"]) for cell in json.loads(told)["cells"]]
    assert kept == [(cell["id"], cell["metadata"]) for cell in json.loads(handed_out)["cells"]]
    back = json.loads(inside.source_of(path.name, told, name, lang))["text"]
    assert "N = 1" in back
    assert "plots" not in back
    assert json.loads(inside.check(back, name, lang))["report"]["score"] == 10
    untouched = json.loads(inside.notebook(notebooks.stub(lab), name, lang, handed_out))["text"]
    assert json.loads(untouched) == json.loads(handed_out)


def test_a_file_that_is_none_is_told_in_a_sentence():
    told = json.loads(inside.source_of("x.ipynb", b'{"a": 1}', "attention", "en"))
    assert (told["ok"], "notebook" in told["why"]) == (False, True)
    assert json.loads(inside.source_of("x.py", "x = 1\r\n".encode("utf-16"), "attention", "en"))["text"] == "x = 1\n"


def test_the_notebook_is_the_one_that_nbgrader_hands_out():
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbgrader", reason="nbgrader is not installed: there is no course to grade")
    from classes import released as by_nbgrader
    from nbgrader.preprocessors import ComputeChecksums

    from attnlab.authoring.sources import read_sources
    from attnlab.web.released import released

    ours = nbformat.reads(released(read_sources(labs.get("attention")), "en"), as_version=4)
    source = ROOT / "grading" / "source" / "attention" / "attention.ipynb"
    theirs = nbformat.from_dict(by_nbgrader(source.read_text(encoding="utf-8")))
    theirs, _ = ComputeChecksums().preprocess(theirs, {})  # its last step, once the hidden tests are gone
    assert ours == theirs
