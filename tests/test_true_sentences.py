"""What is told of odd work is true: each file here was once told something that was not."""

import json

import pytest
from conftest import ROOT

pytest.importorskip("nbgrader", reason="nbgrader is not installed: there is no course to grade")

from arrivals import released_notebook, work_of
from arrivals.packaging import cell, code, place, text, write

from attnlab import submission, texts
from attnlab.grading.arrivals import SourceNotebook, collect


@pytest.fixture(scope="module")
def source():
    """The source notebook of the course."""
    (found,) = SourceNotebook.load_all(ROOT / "grading" / "source" / "attention")
    return found


@pytest.fixture
def work(source, solution):
    """The reference solution in the released notebook, to be spoilt."""
    return work_of(solution, released_notebook(source)).fresh()


@pytest.fixture
def told(tmp_path, source):
    """``told() -> (Arrival, messages)``: what came of what was handed in in the test's folder."""

    def found():
        (arrival,) = collect(tmp_path, [source])
        notes = [*arrival.notes, *filter(None, [arrival.unreadable])]
        assert all(texts.say(lang, n.message, n.facts) for n in notes for lang in texts.LANGUAGES)
        return arrival, [note.message for note in notes]

    return found


def compile_all(arrival):
    for label, source in arrival.chunks:
        compile(source, label, "exec", dont_inherit=True)


@pytest.mark.parametrize("spoil", ["\ufeff{}", "{}\n# \0 end", "{}\0\0"], ids=["mark", "NUL", "NULs behind"])
def test_characters_that_nobody_sees_cost_nothing(spoil, work, tmp_path, told):
    for c in work["cells"]:
        if c["id"].startswith("stub-"):
            c["source"] = spoil.format(c["source"])
    write(tmp_path, work)
    arrival, messages = told()
    compile_all(arrival)
    assert messages == []
    assert sum("def softmax" in source for _, source in arrival.chunks) == 1


@pytest.mark.parametrize("data", ["{}\0\0\0", "{}\x1a", "\ufeff\ufeff{}"])
def test_a_script_padded_by_a_program_is_read(data, tmp_path, solution):
    (tmp_path / "attention.py").write_bytes(data.replace("{}", solution).encode())
    assert submission.read(tmp_path / "attention.py").chunks == (("attention.py", solution),)


@pytest.mark.parametrize(("major", "shown"), [(4.0, None), (None, "?"), (3.5, "?"), (3, "3")])
def test_the_format_told_is_that_of_the_file(major, shown, work, tmp_path, told):
    write(tmp_path, work | {"nbformat": major})
    arrival, messages = told()
    assert messages == (["arrival.format"] if shown else [])
    assert all(str(note.facts["format"]) == shown for note in arrival.notes)


def test_fenced_code_in_text_is_run(work, tmp_path, told):
    answer = cell(work, "stub-softmax")
    answer |= {"cell_type": "markdown", "source": f"```python\n{answer['source']}\n```"}
    write(tmp_path, work)
    arrival, messages = told()
    assert messages == ["arrival.retyped"]
    assert any("def softmax" in source for _, source in arrival.chunks)
    compile_all(arrival)


def test_what_cannot_be_turned_back_is_not_told_to_have_been(work, tmp_path, told):
    cell(work, "stub-softmax").update(cell_type="markdown", source="My softmax: `def softmax(x)` and so on.")
    write(tmp_path, work)
    assert told()[1] == ["arrival.not_run"]


@pytest.mark.parametrize("behind", ["given-setup", "check-softmax"])
def test_a_new_cell_in_place_of_deleted_ones_is_no_disorder(behind, work, tmp_path, told, solution):
    at = place(work, behind) + 1
    work["cells"].insert(at, code(solution, "mine"))
    work["cells"] = [c for c in work["cells"] if not c["id"].startswith("stub-")]
    write(tmp_path, work)
    arrival, messages = told()
    assert "arrival.reordered" not in messages
    assert messages == ["arrival.recognised"]
    assert "had lost" not in texts.say("en", arrival.notes[0].message, arrival.notes[0].facts)


@pytest.mark.parametrize("data", [
    (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "read.pdf"),
    (b"version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12345\n", "read.lfs_pointer"),
], ids=["PDF", "LFS"])  # fmt: skip
@pytest.mark.parametrize("name", ["attention.ipynb", "attention.py"])
def test_what_another_program_wrote_is_called_what_it_is(data, name, tmp_path, told):
    (tmp_path / name).write_bytes(data[0])
    assert told()[1] == [data[1]]


@pytest.mark.parametrize("more", ["twice", "behind"])
def test_what_goes_on_after_its_end_is_told_so(more, work, tmp_path, told):
    whole = text(work)
    (tmp_path / "attention.ipynb").write_text(whole + (whole if more == "twice" else "\nx"), encoding="utf-8")
    arrival, messages = told()
    assert messages == ["read.more_than_json"]
    assert arrival.unreadable.facts["line"] > 100
    assert json.loads(whole)["cells"]
