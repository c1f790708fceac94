"""Cells that were copied, deleted, moved, turned into other cells, split or merged."""

import copy

from arrivals.packaging import cell, code, place, registry

PACKAGINGS, packaging = registry()
ANSWERS = ("softmax", "causal_mask", "attention", "causal_self_attention", "sigmoid")


@packaging()
def as_released(work, notebook):
    return notebook


@packaging("arrival.copies")
def answer_copied(work, notebook):
    at = place(notebook, "stub-softmax")
    notebook["cells"].insert(at + 1, copy.deepcopy(notebook["cells"][at]) | {"id": "copy"})
    return notebook


@packaging("arrival.copies")
def answer_before_an_untouched_copy(work, notebook):
    at = place(notebook, "stub-softmax")
    notebook["cells"].insert(at + 1, copy.deepcopy(cell(work.released, "stub-softmax")) | {"id": "copy"})
    return notebook


@packaging("arrival.copies")
def answer_after_a_wrong_copy(work, notebook):
    at = place(notebook, "stub-softmax")
    wrong = copy.deepcopy(notebook["cells"][at]) | {"id": "copy", "source": "def softmax(x):\n    return x"}
    notebook["cells"].insert(at, wrong)
    return notebook


@packaging("arrival.moved")
def copy_used_for_another_answer(work, notebook):
    for name in ANSWERS[1:]:
        cell(notebook, f"stub-{name}")["metadata"] = copy.deepcopy(cell(notebook, "stub-softmax")["metadata"])
    return notebook


@packaging("arrival.copies")
def check_copied(work, notebook):
    at = place(notebook, "check-softmax")
    notebook["cells"].insert(at, copy.deepcopy(notebook["cells"][at]) | {"id": "copy"})
    return notebook


@packaging("arrival.put_back")
def checks_deleted(work, notebook):
    notebook["cells"] = [c for c in notebook["cells"] if not c["id"].startswith("check-")]
    return notebook


@packaging("arrival.put_back")
def given_deleted(work, notebook):
    notebook["cells"] = [c for c in notebook["cells"] if not c["id"].startswith("given-")]
    return notebook


@packaging("arrival.put_back")
def everything_but_answers_deleted(work, notebook):
    notebook["cells"] = [c for c in notebook["cells"] if c["id"].startswith("stub-")]
    return notebook


@packaging()
def answers_in_new_cells_at_the_top(work, notebook):
    answers = [code(work.function(name), f"own-{name}") for name in ANSWERS]
    notebook["cells"] = answers + copy.deepcopy(work.released["cells"])
    return notebook


@packaging()
def answers_in_new_cells_at_the_end(work, notebook):
    answers = [code(work.function(name), f"own-{name}") for name in ANSWERS]
    notebook["cells"] = copy.deepcopy(work.released["cells"]) + answers
    return notebook


@packaging("arrival.recognised")
def answers_deleted_and_written_in_new_cells(work, notebook):
    notebook["cells"] = [
        code(c["source"], f"own{i}") if c["id"].startswith("stub-") else c for i, c in enumerate(notebook["cells"])
    ]
    return notebook


@packaging("arrival.moved")
def answers_swapped(work, notebook):
    one, other = cell(notebook, "stub-softmax"), cell(notebook, "stub-causal_mask")
    one["source"], other["source"] = other["source"], one["source"]
    return notebook


@packaging()
def all_answers_in_the_first(work, notebook):
    for name in ANSWERS:
        cell(notebook, f"stub-{name}")["source"] = cell(work.released, f"stub-{name}")["source"]
    cell(notebook, "stub-softmax")["source"] = "\n\n".join(work.function(name) for name in ANSWERS)
    return notebook


@packaging("arrival.reordered")
def reversed_order(work, notebook):
    notebook["cells"].reverse()
    return notebook


@packaging("arrival.reordered")
def checks_first(work, notebook):
    notebook["cells"].sort(key=lambda c: not c["id"].startswith("check-"))
    return notebook


@packaging("arrival.retyped")
def answer_made_text(work, notebook):
    _retype(cell(notebook, "stub-softmax"), "markdown")
    return notebook


@packaging("arrival.retyped")
def answers_made_raw(work, notebook):
    for name in ANSWERS:
        _retype(cell(notebook, f"stub-{name}"), "raw")
    return notebook


@packaging("arrival.retyped")
def answer_made_raw_without_metadata(work, notebook):
    _retype(cell(notebook, "stub-attention"), "raw")
    cell(notebook, "stub-attention")["metadata"] = {}
    return notebook


@packaging()
def old_attempt_laid_aside_as_raw(work, notebook):
    at = place(notebook, "stub-softmax")
    notebook["cells"].insert(at + 1, code(notebook["cells"][at]["source"], "own"))
    notebook["cells"][at]["source"] = "def softmax(x):\n    return x  # no"
    _retype(notebook["cells"][at], "raw")
    notebook["cells"].insert(at + 2, copy.deepcopy(notebook["cells"][at]) | {"id": "aside", "metadata": {}})
    return notebook


@packaging("arrival.retyped")
def checks_made_text(work, notebook):
    for c in notebook["cells"]:
        if c["id"].startswith("check-"):
            _retype(c, "markdown")
    return notebook


@packaging("arrival.retyped")
def prose_made_code(work, notebook):
    for c in notebook["cells"]:
        if c["cell_type"] == "markdown":
            c |= {"cell_type": "code", "outputs": [], "execution_count": None}
    return notebook


@packaging("arrival.copies", "arrival.split")
def answer_split_behind_its_docstring(work, notebook):
    return _split(notebook, "stub-softmax", lambda lines: next(i for i, s in enumerate(lines) if i and '"""' in s) + 1)


@packaging("arrival.copies", "arrival.split")
def answer_split_behind_its_first_line(work, notebook):
    return _split(notebook, "stub-attention", lambda lines: 1)


@packaging("arrival.split")
def answer_split_into_single_lines(work, notebook):
    at = place(notebook, "stub-causal_self_attention")
    source = notebook["cells"].pop(at)["source"].split("\n")
    end = max(i for i, line in enumerate(source) if '"""' in line) + 1
    pieces = ["\n".join(source[:end]), *source[end:]]
    notebook["cells"][at:at] = [code(piece, f"piece{i}") for i, piece in enumerate(pieces)]
    return notebook


@packaging()
def cells_without_anything_between_them(work, notebook):
    notebook["cells"] = [c for c in notebook["cells"] if c["cell_type"] == "code" and c["source"].strip()]
    return notebook


@packaging("arrival.merged")
def check_merged_into_its_answer(work, notebook):
    for name in ANSWERS:
        check = notebook["cells"].pop(place(notebook, f"check-{name}"))
        cell(notebook, f"stub-{name}")["source"] += "\n\n" + check["source"]
    return notebook


@packaging("arrival.merged")
def all_code_merged_into_one_cell(work, notebook):
    merged = "\n\n".join(c["source"] for c in notebook["cells"] if c["cell_type"] == "code")
    notebook["cells"] = [c for c in notebook["cells"] if c["cell_type"] != "code"] + [code(merged, "own")]
    return notebook


@packaging("arrival.restored")
def checks_emptied_and_given_changed(work, notebook):
    for c in notebook["cells"]:
        if c["id"].startswith("check-"):
            c["source"] = "pass"
    cell(notebook, "given-setup")["source"] = "raise SystemExit"
    return notebook


@packaging("arrival.restored", "arrival.added")
def answer_inside_a_check(work, notebook):
    cell(notebook, "stub-softmax")["source"] = cell(work.released, "stub-softmax")["source"]
    cell(notebook, "check-softmax")["source"] = work.function("softmax") + "\n" + 'check("softmax", softmax)'
    return notebook


@packaging("arrival.restored", "arrival.added")
def helper_inside_the_given_setup(work, notebook):
    setup = cell(notebook, "given-setup")
    setup["source"] += "\nimport numpy as my_np\n\ndef my_exp(*x, **more):\n    return my_np.exp(*x, **more)"
    source = cell(notebook, "stub-softmax")
    source["source"] = source["source"].replace("np.exp(", "my_exp(")
    assert "my_exp(" in source["source"]
    return notebook


@packaging()
def own_experiments_and_notes(work, notebook):
    notes = {"cell_type": "markdown", "id": "note", "metadata": {}, "source": "Карп: *attention* is all I need"}
    picture = {"image.png": {"image/png": "iVBORw0KGgo="}}
    notebook["cells"].insert(3, notes | {"attachments": picture})
    notebook["cells"].insert(20, code("Q = np.ones((2, 3))\nprint(softmax(Q))", "try"))
    notebook["cells"].append(code("1 / 0\ndef softmax(x):\n    return x", "crash"))
    return notebook


@packaging()
def crash_at_the_top(work, notebook):
    notebook["cells"].insert(0, code("raise SystemExit(1)", "exit"))
    notebook["cells"].insert(0, code("undefined_name", "oops"))
    notebook["cells"].insert(0, code("def broken(:\n  pass", "broken"))
    return notebook


@packaging()
def empty_cells_everywhere(work, notebook):
    notebook["cells"] = [
        c for i, x in enumerate(notebook["cells"]) for c in (x, code("", f"e{i}"), code(" \n", f"f{i}"))
    ]
    return notebook


def _retype(c, kind):
    c["cell_type"] = kind
    c.pop("outputs", None)
    c.pop("execution_count", None)


def _split(notebook, name, where):
    """Split a cell as JupyterLab does: both halves keep the metadata."""
    at = place(notebook, name)
    whole = notebook["cells"][at]
    lines = whole["source"].split("\n")
    cut = where(lines)
    second = copy.deepcopy(whole) | {"id": "second", "source": "\n".join(lines[cut:])}
    whole["source"] = "\n".join(lines[:cut])
    notebook["cells"].insert(at + 1, second)
    return notebook
