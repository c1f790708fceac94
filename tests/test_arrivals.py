"""Submissions as they really arrive: full marks for right work in any packaging, or a clear sentence; never a crash."""

import copy
import io
import json
import random
import re
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("nbgrader", reason="nbgrader is not installed: there is no course to grade")

import nbformat
from arrivals import PACKAGINGS, released_notebook, work_of
from arrivals.packaging import cell, code, functions_of, text, write
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import compute_checksum

from attnlab import reading, submission, texts
from attnlab.checking import engine
from attnlab.grading import arrivals, handed_in
from attnlab.grading.arrivals import SourceNotebook, collect
from attnlab.grading.handed_out import prepared
from attnlab.sandbox.agent.loading import load
from attnlab.sandbox.here import HereTarget

READABLE = [p for p in PACKAGINGS if not p.unreadable]
UNREADABLE = [p for p in PACKAGINGS if p.unreadable]
QUICK = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="session")
def source():
    """The source notebook of the course."""
    (found,) = SourceNotebook.load_all(ROOT / "grading" / "source" / "attention")
    return found


@pytest.fixture(scope="session")
def work(source, solution):
    """The reference solution in the released notebook."""
    return work_of(solution, released_notebook(source))


@pytest.fixture(scope="session")
def full_marks(lab, cases):
    """``full_marks(chunks) -> dict``: load cells as the sandbox does, here, and judge them."""
    judged = {}

    def marks(chunks):
        if chunks not in judged:
            module, _ = load("arrived", "", chunks, (), lambda *_: None)
            sys.modules.pop("arrived")
            functions = {name: vars(module)[name] for name in lab.functions if name in vars(module)}
            missing = {name: "missing" for name in lab.functions if name not in functions}
            parts = tuple(part.name for part in lab.parts if part.function in functions)
            report = engine.check(lab, HereTarget(functions), cases, parts=parts, shrink=False, explain=False)
            judged[chunks] = {r.part.name: r.status for r in report.parts} | missing
        return judged[chunks]

    return marks


def arrived(packaging, work, folder, source):
    submitted = folder / "submitted"
    submitted.mkdir()
    packaging.build(work, submitted)
    (arrival,) = collect(submitted, [source])
    return arrival


def well_formed(arrival, source):
    """Check that nbgrader accepts the document, and that it holds each cell of the source once, the locked restored."""
    notebook = nbformat.reads(json.dumps(arrival.document), as_version=4)
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    found = {c["id"]: c for c in arrival.document["cells"]}
    assert len(found) == len(arrival.document["cells"])
    assert "[" * 20 not in json.dumps(arrival.document, allow_nan=False)  # no program need read what is nested deeper
    for handed_out in source.cells:
        mine = found[handed_out.document["id"]]
        assert mine["cell_type"] == handed_out.kind
        assert mine["metadata"].get("nbgrader") == handed_out.document["metadata"].get("nbgrader")
        if handed_out.locked:
            assert mine["source"] == handed_out.source
    for c in notebook.cells:
        assert c.get("outputs", []) == []
        if c.id not in source.by_name and not any(c.id == s.document["id"] for s in source.cells):
            assert "nbgrader" not in c.metadata


def said(arrival):
    for note in (*arrival.notes, *filter(None, [arrival.unreadable])):
        for lang in texts.LANGUAGES:
            sentence = texts.say(lang, note.message, note.facts)
            assert re.match(r"[\w`…«“]", sentence), sentence
            assert sentence.isprintable(), sentence
            assert str(ROOT) not in sentence


def test_there_are_enough_kinds_and_each_has_its_own_name():
    assert len(PACKAGINGS) >= 120
    assert len({p.name for p in PACKAGINGS}) == len(PACKAGINGS)


@pytest.mark.parametrize("packaging", READABLE, ids=lambda p: p.name)
def test_right_work_gets_full_marks_in_any_packaging(packaging, work, tmp_path, source, full_marks):
    arrival = arrived(packaging, work, tmp_path, source)
    assert arrival.unreadable is None
    assert set(full_marks(arrival.chunks).values()) == {"passed"}
    assert {note.message for note in arrival.notes} >= set(packaging.notes)
    well_formed(arrival, source)
    said(arrival)
    assert arrival.path is not None
    assert (tmp_path / "submitted" / arrival.path).exists()


IN_THEIR_OWN_ORDER = {  # a check that stands before its answer stays there, as handed in
    "reversed_order",
    "checks_first",
    "answers_swapped",
    "answers_in_new_cells_at_the_end",
    "answer_far_from_its_place_and_a_wrong_one_before",
}


@pytest.mark.parametrize("packaging", [p for p in READABLE if p.name not in IN_THEIR_OWN_ORDER], ids=lambda p: p.name)
def test_on_record_each_check_finds_the_answer_before_it(packaging, work, tmp_path, source):
    """Stock nbgrader runs the notebook from top to bottom: no stub put back may come behind an answer."""
    arrival = arrived(packaging, work, tmp_path, source)
    latest, checked = {}, set()
    for c in arrival.document["cells"]:
        if c["cell_type"] != "code" or c["source"].lstrip().startswith(
            ("%%bash", "%%writefile", "%%html", "%%j", "%%u")
        ):
            continue
        found = dict.fromkeys(re.findall(r"def (\w+)\(|^(\w+) =", c["source"], re.MULTILINE), c["source"])
        latest |= {a or b: text for (a, b), text in found.items()}
        if c["id"].startswith("check-"):
            for name in source.by_function:
                if re.search(rf"\b{name}\)", c["source"]):
                    checked.add(name)
                    assert "NotImplementedError" not in latest[name]
    assert checked == set(source.by_function)


@pytest.mark.parametrize("packaging", UNREADABLE, ids=lambda p: p.name)
def test_what_nothing_can_be_made_of_gets_a_sentence(packaging, work, tmp_path, source):
    arrival = arrived(packaging, work, tmp_path, source)
    assert arrival.unreadable is not None
    assert arrival.unreadable.message == packaging.unreadable
    assert arrival.chunks == ()
    assert arrival.document is None
    said(arrival)


def test_untouched_work_is_told_of_nothing(work, tmp_path, source):
    write(tmp_path, work.notebook)
    (arrival,) = collect(tmp_path, [source])
    assert arrival.notes == ()
    assert next(iter(arrival.chunks))[0] == "given-setup"
    assert [c["source"] for c in arrival.document["cells"] if c["id"].startswith("stub-")] == [
        c["source"] for c in work.notebook["cells"] if c["id"].startswith("stub-")
    ]


def test_an_untouched_notebook_is_all_to_do(work, tmp_path, source, full_marks):
    write(tmp_path, work.released)
    (arrival,) = collect(tmp_path, [source])
    assert arrival.notes == ()
    assert set(full_marks(arrival.chunks).values()) == {"todo"}
    assert arrival.document["cells"] == source.released["cells"]


def test_wrong_work_stays_wrong(work, tmp_path, source, full_marks):
    notebook = work.fresh()
    cell(notebook, "stub-softmax")["source"] = "def softmax(x):\n    return x"
    write(tmp_path, notebook)
    (arrival,) = collect(tmp_path, [source])
    assert full_marks(arrival.chunks)["softmax"] == "failed"


def test_the_last_definition_counts(work, tmp_path, source, full_marks):
    notebook = work.fresh()
    notebook["cells"].append(code("def softmax(x):\n    return x", "late"))
    write(tmp_path, notebook)
    (arrival,) = collect(tmp_path, [source])
    assert full_marks(arrival.chunks)["softmax"] == "failed"


def test_checks_and_demonstrations_are_never_run(work, tmp_path, source):
    write(tmp_path, work.notebook)
    (arrival,) = collect(tmp_path, [source])
    run = "\n".join(code for _, code in arrival.chunks)
    for handed_out in source.cells:
        if handed_out.kind == "code" and handed_out.locked and handed_out.name != "given-setup":
            assert handed_out.shown not in run


def test_a_given_cell_runs_where_the_student_builds_on_it(work, tmp_path, source):
    notebook = work.fresh()
    notebook["cells"].append(code("mine = alike + 1"))
    write(tmp_path, notebook)
    (arrival,) = collect(tmp_path, [source])
    assert [label for label, _ in arrival.chunks if label.startswith("given-")] == [
        "given-setup",
        "given-raw_embeddings",
    ]
    assert dict(arrival.chunks)["given-raw_embeddings"] == source.by_name["given-raw_embeddings"].source


def test_checksums_are_those_that_nbgrader_records(source):
    notebook = nbformat.reads(json.dumps(source.released), as_version=4)
    checked = [c for c in notebook.cells if "nbgrader" in c.metadata]
    assert len(checked) > 20
    assert all(c.metadata.nbgrader["checksum"] == compute_checksum(c) for c in checked)


def test_each_source_gets_its_own_notebook(work, tmp_path, source, solution):
    other = prepared("second", text(_second()))
    write(tmp_path, work.notebook)
    write(tmp_path, _second("def double(x):\n    return 2 * x"), "second.ipynb")
    one, two = collect(tmp_path, [source, other])
    assert (one.path, two.path) == (Path("attention.ipynb"), Path("second.ipynb"))
    assert one.notes == two.notes == ()
    assert [code for _, code in two.chunks] == ["def double(x):\n    return 2 * x"]


def test_a_missing_notebook_is_not_taken_from_another_source(work, tmp_path, source):
    other = prepared("second", text(_second()))
    write(tmp_path, work.notebook)
    one, two = collect(tmp_path, [source, other])
    assert one.unreadable is None
    assert two.unreadable.message == "arrival.nothing"


def _second(answer="### BEGIN SOLUTION\ndef double(x):\n    return x + x\n### END SOLUTION"):
    marks = {
        "grade": False,
        "solution": True,
        "locked": False,
        "task": False,
        "schema_version": 3,
        "grade_id": "double",
    }
    cells = [code(answer, "double", nbgrader=marks)]
    return {"cells": cells, "metadata": {"kernelspec": {"name": "python3", "display_name": "x", "language": "python"}},
            "nbformat": 4, "nbformat_minor": 5}  # fmt: skip


def test_written_answers_are_found_between_their_neighbours(tmp_path):
    marks = {"grade": True, "solution": True, "locked": False, "task": False, "schema_version": 3, "points": 2}

    def page(answer, strip):
        cells = [
            {"cell_type": "markdown", "id": f"q{i}", "metadata": {}, "source": f"## Question {i}"} for i in range(3)
        ]
        answered = {"cell_type": "markdown", "id": "a", "source": answer}
        cells.insert(2, answered | {"metadata": {} if strip else {"nbgrader": marks | {"grade_id": "why"}}})
        if strip:
            for i, c in enumerate(cells):
                c["id"] = f"new{i}"
        metadata = {"kernelspec": {"name": "python3", "display_name": "x", "language": "python"}}
        return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}

    written = prepared("words", text(page("Because", False)))
    write(tmp_path, page("Потому что ключи", True), "words.ipynb")
    (arrival,) = collect(tmp_path, [written])
    (answer,) = [c for c in arrival.document["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == "why"]
    assert answer["source"] == "Потому что ключи"
    well_formed(arrival, written)


def named(name):
    return next(p for p in PACKAGINGS if p.name == name)


@pytest.mark.parametrize("name", ["answer_copied", "answer_before_an_untouched_copy", "answer_after_a_wrong_copy"])
def test_of_copies_the_one_with_the_answer_that_counts_goes_on_record(name, work, tmp_path, source):
    arrival = arrived(named(name), work, tmp_path, source)
    assert cell(arrival.document, "stub-softmax")["source"] == work.function("softmax")


def test_hidden_files_and_timestamps_are_not_spoken_of(work, tmp_path, source):
    assert arrived(named("with_timestamp_and_hidden_files"), work, tmp_path, source).notes == ()


def test_an_endless_table_of_contents_is_refused_before_it_is_read(work, tmp_path, source, monkeypatch):
    (tmp_path / "submitted").mkdir()
    named("zip_with_endless_contents").build(work, tmp_path / "submitted")
    monkeypatch.setattr(handed_in.zipfile, "ZipFile", None)  # calling it would be told as `arrival.trouble`, or raise
    (arrival,) = collect(tmp_path / "submitted", [source])
    assert arrival.unreadable.message == "arrival.archive_too_large"


def test_names_in_old_archives_are_told_in_their_own_letters(work, tmp_path, source):
    for name in ("zip_with_names_in_cp866", "zip_with_unmarked_utf_8"):
        (tmp_path / name).mkdir()
        arrival = arrived(named(name), work, tmp_path / name, source)
        assert arrival.notes[0].facts == {"path": "Внимание.ipynb", "archive": "work.zip"}


def test_a_name_is_the_same_in_the_letters_of_a_mac(work, tmp_path, source):
    russian = replace(source, name="йод")
    write(tmp_path, work.notebook, unicodedata.normalize("NFD", "йод.ipynb"))
    write(tmp_path, work.notebook, "a.ipynb")
    (arrival,) = collect(tmp_path, [russian])
    assert unicodedata.normalize("NFC", str(arrival.path)) == "йод.ipynb"
    assert arrival.notes[0].facts == {"path": "йод.ipynb", "others": "`a.ipynb`"}


def test_a_file_that_may_not_be_read_gets_a_sentence(work, tmp_path, source, monkeypatch):
    write(tmp_path, work.notebook)

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(handed_in.os, "open", refuse)  # the tests may run as root, who may read everything
    (arrival,) = collect(tmp_path, [source])
    assert arrival.unreadable.message == "read.denied"


def test_a_folder_that_is_not_there_gets_a_sentence(tmp_path, source):
    (arrival,) = collect(tmp_path / "nobody", [source])
    assert arrival.unreadable.message == "arrival.no_folder"


def test_a_fault_of_ours_stops_no_class(work, tmp_path, source, monkeypatch):
    write(tmp_path, work.notebook)

    def fail(*_):
        raise RuntimeError

    monkeypatch.setattr(arrivals, "repair", fail)
    (arrival,) = collect(tmp_path, [source])
    assert arrival.unreadable.message == "arrival.trouble"
    said(arrival)


def test_a_source_that_cannot_be_used_gets_a_sentence(tmp_path):
    (tmp_path / "bad.ipynb").write_text("{}", encoding="utf-8")
    with pytest.raises(submission.UsageError) as refused:
        SourceNotebook.load_all(tmp_path)
    assert refused.value.message == "arrival.bad_source"
    assert {texts.say(lang, refused.value.message, refused.value.facts) != "" for lang in texts.LANGUAGES} == {True}


# --- large files ------------------------------------------------------------------------------------------------------


class Slow(io.BytesIO):
    """Hands over few bytes at a time, so that pieces end everywhere."""

    def __init__(self, data, size):
        super().__init__(data)
        self._size = size

    def read(self, size=-1):
        return super().read(self._size)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.sampled_from(['\\"', "[{", '"outputs": [']),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@QUICK
@given(data=st.data())
def test_outputs_of_a_large_notebook_are_left_out_and_nothing_else(data):
    cells = data.draw(
        st.lists(st.fixed_dictionaries({"source": st.text(), "metadata": JSON, "outputs": st.lists(JSON)}))
    )
    document = {"cells": cells, "after": data.draw(JSON)}
    written = json.dumps(document, ensure_ascii=data.draw(st.booleans()), indent=data.draw(st.sampled_from([None, 1])))
    size = data.draw(st.integers(1, 40))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "PIECE", size)
        kept = reading.read_bytes(Slow(written.encode("utf-8", "surrogatepass"), size), "a.ipynb")
    expected = _without_outputs(document) if len(written) > size else document
    assert json.loads(kept.decode("utf-8", "surrogatepass")) in (expected, document)
    assert len(written) <= size or json.loads(kept.decode("utf-8", "surrogatepass")) == expected


def _without_outputs(value):
    if isinstance(value, dict):
        return {k: [] if k == "outputs" and isinstance(v, list) else _without_outputs(v) for k, v in value.items()}
    return [_without_outputs(v) for v in value] if isinstance(value, list) else value


def test_two_hundred_megabytes_on_one_line_take_little_memory(work, tmp_path, source):
    import tracemalloc

    notebook = work.fresh()
    cell(notebook, "given-setup")["outputs"] = ["HERE"]
    before, after = text(notebook).encode().split(b'"HERE"')
    with open(tmp_path / "attention.ipynb", "wb") as file:
        file.write(before + b'{"text": "')
        for _ in range(200):
            file.write(b'x\\"]}' * 200_000)
        file.write(b'"}' + after)
    tracemalloc.start()
    try:
        (arrival,) = collect(tmp_path, [source])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        (tmp_path / "attention.ipynb").unlink()
    assert arrival.unreadable is None
    assert peak < 50e6


# --- anything at all --------------------------------------------------------------------------------------------------


def defined(chunks):
    return {name for _, code in chunks for name in functions_of_cell(code)}


def functions_of_cell(source):
    try:
        return functions_of(source)
    except SyntaxError:
        return {}


@QUICK
@given(seed=st.integers(0, 2**32))
def test_no_function_is_lost_when_cells_are_shuffled_copied_and_deleted(tmp_path_factory, work, source, seed):
    rng = random.Random(seed)
    notebook = work.fresh()
    cells = notebook["cells"]
    for _ in range(rng.randrange(8)):
        cells.insert(rng.randrange(len(cells)), copy.deepcopy(rng.choice(cells)))
    for _ in range(rng.randrange(20)):
        gone = rng.choice(cells)
        if not gone["id"].startswith("stub-") or sum(c["id"] == gone["id"] for c in cells) > 1:
            cells.remove(gone)
    for c in rng.sample(cells, rng.randrange(10)):
        c["metadata"] = rng.choice([{}, {"nbgrader": {}}, rng.choice(cells)["metadata"]])
    rng.shuffle(cells)
    folder = tmp_path_factory.mktemp("shuffled")
    write(folder, notebook)
    (arrival,) = collect(folder, [source])
    assert arrival.unreadable is None
    assert defined(arrival.chunks) >= set(functions_of(work.script))
    assert not any("NotImplementedError" in code for _, code in arrival.chunks)
    well_formed(arrival, source)
    said(arrival)


@QUICK
@given(seed=st.integers(0, 2**32), values=st.lists(JSON, min_size=1, max_size=6))
def test_no_damage_to_the_json_is_too_much(tmp_path_factory, work, source, seed, values):
    rng = random.Random(seed)
    notebook = work.fresh()
    for value in values:
        at = notebook
        while rng.random() < 0.9 and at and isinstance(at, (dict, list)):
            key = rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
            if not isinstance(at[key], (dict, list)) or not at[key] or rng.random() < 0.1:
                at[key] = value
                break
            at = at[key]
    folder = tmp_path_factory.mktemp("damaged")
    (folder / "attention.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    _survives(folder, source)


@QUICK
@given(
    data=st.binary(max_size=400), name=st.sampled_from(["attention.ipynb", "a.zip", "b.tar.gz", "c.py", "d", "e.txt"])
)
def test_no_bytes_are_too_much(tmp_path_factory, source, data, name):
    folder = tmp_path_factory.mktemp("bytes")
    (folder / name).write_bytes(data)
    _survives(folder, source)


@QUICK
@given(seed=st.integers(0, 2**32))
def test_no_bytes_changed_in_a_notebook_or_an_archive_are_too_much(tmp_path_factory, work, source, seed):
    rng = random.Random(seed)
    folder = tmp_path_factory.mktemp("changed")
    rng.choice([p for p in PACKAGINGS if p.name in ("as_released", "zip_in_a_zip", "tar_gz", "utf_16_be")]).build(
        work, folder
    )
    (path,) = folder.iterdir()
    data = bytearray(path.read_bytes())
    for _ in range(rng.randrange(1, 12)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    path.write_bytes(data[: rng.choice([len(data), rng.randrange(len(data))])])
    _survives(folder, source)


def _survives(folder, source):
    (arrival,) = collect(folder, [source])
    said(arrival)
    if arrival.unreadable is None:
        well_formed(arrival, source)
    else:
        assert arrival.unreadable.message != "arrival.trouble", arrival.unreadable


# --- `attnlab check` reads with the same eyes -------------------------------------------------------------------------

SHARED = [
    p for p in READABLE
    if p.name.startswith(("format_", "utf_", "cp1251", "crlf", "lone_cr", "magics_", "cell_magics", "input_", "awaits_",
                          "pasted_", "indented_", "answer_split_behind", "huge_output", "sources_as", "zeros_", "odd_"))
]  # fmt: skip


@pytest.mark.parametrize("packaging", SHARED, ids=lambda p: p.name)
def test_check_reads_what_the_grader_reads(packaging, work, tmp_path, full_marks):
    packaging.build(work, tmp_path)
    chunks = submission.read(tmp_path / "attention.ipynb").chunks
    assert set(full_marks(chunks).values()) == {"passed"}
