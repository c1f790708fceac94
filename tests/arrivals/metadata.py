"""Metadata that programs take away, change or write in a format of their own."""

from arrivals.packaging import cell, registry

PACKAGINGS, packaging = registry()


def _answers(notebook):
    return [c for c in notebook["cells"] if c["id"].startswith("stub-")]


@packaging("arrival.recognised")
def stripped_by_colab(work, notebook):
    for i, c in enumerate(notebook["cells"]):
        c["metadata"] = {"id": f"Qx{i:04}", "colab": {"base_uri": "https://localhost:8080/", "height": 34}}
        del c["id"]
    notebook["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return notebook | {"nbformat_minor": 0}


@packaging("arrival.recognised")
def stripped_by_vs_code(work, notebook):
    for c in notebook["cells"]:
        c["metadata"] = {"vscode": {"languageId": "python"}}
        c["source"] = c["source"].splitlines(keepends=True)
    return notebook | {"metadata": {"language_info": {"name": "python"}, "orig_nbformat": 4}}


@packaging("arrival.recognised")
def stripped_by_datalore(work, notebook):
    for i, c in enumerate(notebook["cells"]):
        c["metadata"] = {"datalore": {"node_id": f"n{i}", "type": "CODE", "hide_input_from_viewers": True}}
        del c["id"]
    metadata = {
        "kernelspec": {"display_name": "Python", "language": "python", "name": "python"},
        "datalore": {"version": 1},
    }
    return notebook | {"metadata": metadata, "nbformat_minor": 4}


@packaging("arrival.recognised")
def no_metadata_at_all(work, notebook):
    notebook["cells"] = [{k: c[k] for k in ("cell_type", "source")} for c in notebook["cells"]]
    return {"cells": notebook["cells"], "nbformat": 4, "nbformat_minor": 2, "metadata": {}}


@packaging("arrival.recognised")
def grade_ids_changed(work, notebook):
    for i, c in enumerate(_answers(notebook)):
        c["metadata"]["nbgrader"]["grade_id"] = f"cell-{i}"
        c["id"] = f"changed-{i}"
    return notebook


@packaging("arrival.moved")
def grade_ids_exchanged(work, notebook):
    answers = _answers(notebook)
    ids = [c["metadata"]["nbgrader"]["grade_id"] for c in answers]
    for c, name in zip(answers, ids[1:] + ids[:1], strict=True):
        c["metadata"]["nbgrader"]["grade_id"] = name
    return notebook


def _schema(version):
    def change(work, notebook):
        for c in notebook["cells"]:
            if "nbgrader" in c["metadata"]:
                c["metadata"]["nbgrader"]["schema_version"] = version
        return notebook

    change.__name__ = f"schema_{version}".replace("-", "minus_")
    return change


for version in (0, 1, 2, 99, -1, "3", None, [3], 2.5):
    packaging("arrival.schema")(_schema(version))


@packaging("arrival.schema")
def schema_missing(work, notebook):
    for c in notebook["cells"]:
        c["metadata"].get("nbgrader", {}).pop("schema_version", None)
    return notebook


@packaging("arrival.schema")
def nothing_but_the_grade_id(work, notebook):
    for c in notebook["cells"]:
        if "nbgrader" in c["metadata"]:
            c["metadata"]["nbgrader"] = {"grade_id": c["metadata"]["nbgrader"]["grade_id"]}
    return notebook


@packaging()
def points_roles_and_checksums_forged(work, notebook):
    for c in notebook["cells"]:
        if "nbgrader" in c["metadata"]:
            forged = {"points": 1000, "grade": True, "solution": True, "locked": False, "checksum": "0" * 32}
            c["metadata"]["nbgrader"] |= forged
    return notebook


def _wrong(name, value):
    def change(work, notebook):
        for c in _answers(notebook):
            c[name] = value
        return notebook

    change.__name__ = f"{name}_is_{type(value).__name__}"
    return change


for value in (None, [], "nbgrader", 7, True):
    packaging("arrival.recognised")(_wrong("metadata", value))


def _wrong_marks(number, value):
    def change(work, notebook):
        for i, c in enumerate(_answers(notebook)):
            c["metadata"]["nbgrader"] = value
            c["id"] = f"x{i}"
        return notebook

    change.__name__ = f"marks_of_wrong_kind_{number}"
    return change


for number, value in enumerate((None, [], "stub", 7, {"grade_id": 5}, {"grade_id": ["stub-softmax"]})):
    packaging("arrival.recognised")(_wrong_marks(number, value))


@packaging("arrival.tags")
def everything_tagged_to_be_skipped(work, notebook):
    for c in notebook["cells"]:
        c["metadata"]["tags"] = ["skip-execution", "remove-cell", "hide-input"]
    return notebook


@packaging()
def tags_and_known_metadata_of_wrong_types(work, notebook):
    for c in _answers(notebook):
        c["metadata"] |= {"tags": "skip", "collapsed": "yes", "scrolled": 3, "name": 5, "jupyter": [], "execution": 1}
    return notebook


@packaging()
def cell_ids_missing(work, notebook):
    for c in notebook["cells"]:
        del c["id"]
    return notebook | {"nbformat_minor": 0}


@packaging()
def cell_ids_all_the_same(work, notebook):
    for c in notebook["cells"]:
        c["id"] = "same"
    return notebook


@packaging()
def cell_ids_of_wrong_kinds(work, notebook):
    for i, c in enumerate(notebook["cells"]):
        c["id"] = (None, 5, "with blanks", "ж" * 80, "")[i % 5]
    return notebook


@packaging()
def metadata_nested_deeply_and_not_finite(work, notebook):
    deep = []
    for _ in range(300):
        deep = [deep]
    for c in notebook["cells"]:
        c["metadata"] |= {"deep": deep, "number": float("nan"), "huge": float("inf"), "\ud800": "\udfff", "a\0b": 1}
    return notebook


@packaging()
def widget_state_left_in(work, notebook):
    state = {f"w{i}": {"model_name": "IntSliderModel", "state": {"value": i}} for i in range(50)}
    kind = "application/vnd.jupyter.widget-state+json"
    notebook["metadata"]["widgets"] = {kind: {"state": state, "version_major": 2, "version_minor": 0}}
    return notebook


@packaging()
def attachments_of_wrong_types(work, notebook):
    for i, c in enumerate(notebook["cells"]):
        if c["cell_type"] == "markdown":
            c["attachments"] = ([], "text", {"a.png": 3}, {"a.png": {"image/png": None}})[i % 4]
    return notebook


@packaging("arrival.format")
def format_3(work, notebook):
    cells = [_as_format_3(c) for c in notebook["cells"]]
    return {
        "metadata": {"name": ""},
        "nbformat": 3,
        "nbformat_minor": 0,
        "worksheets": [{"cells": cells, "metadata": {}}],
    }


@packaging("arrival.format")
def format_2(work, notebook):
    cells = [{k: v for k, v in _as_format_3(c).items() if k != "metadata"} for c in notebook["cells"]]
    return {"metadata": {}, "nbformat": 2, "worksheets": [{"cells": cells[:30]}, {"cells": cells[30:]}]}


@packaging("arrival.format")
def format_1(work, notebook):
    cells = [{"cell_type": c["cell_type"], "code": c["source"]} for c in notebook["cells"]]
    return {"nbformat": 1, "cells": cells}


@packaging("arrival.format")
def format_of_the_future(work, notebook):
    return notebook | {"nbformat": 7, "nbformat_minor": 1}


@packaging("arrival.format")
def format_missing(work, notebook):
    return {"cells": notebook["cells"], "metadata": "none"}


@packaging()
def format_4_4(work, notebook):
    for c in notebook["cells"]:
        del c["id"]
    return notebook | {"nbformat_minor": 4}


def _as_format_3(c):
    if c["cell_type"] == "code":
        return {
            "cell_type": "code", "collapsed": False, "input": c["source"].splitlines(keepends=True),
            "language": "python", "metadata": c["metadata"], "outputs": [], "prompt_number": 1,
        }  # fmt: skip
    if c["source"].startswith("## ") and "\n" not in c["source"]:
        return {"cell_type": "heading", "level": 2, "metadata": c["metadata"], "source": c["source"][3:]}
    return {"cell_type": "markdown", "metadata": c["metadata"], "source": c["source"]}


@packaging()
def checks_renamed(work, notebook):
    for c in notebook["cells"]:
        if c["id"].startswith("check-"):
            c["metadata"]["nbgrader"]["grade_id"] += "-mine"
            c["id"] += "-mine"
    return notebook


@packaging("arrival.recognised")
def one_answer_stripped(work, notebook):
    cell(notebook, "stub-attention")["metadata"] = {}
    return notebook
