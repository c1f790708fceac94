"""What stands in cells: magics, shell lines, prompts, things that wait, sources of wrong types."""

from arrivals.packaging import cell, code, place, registry

PACKAGINGS, packaging = registry()


def _ahead(notebook, lines):
    for c in notebook["cells"]:
        if c["id"].startswith("stub-"):
            c["source"] = lines + "\n" + c["source"]
    return notebook


@packaging("arrival.magics")
def magics_shell_and_help_lines(work, notebook):
    lines = "%matplotlib inline\n!pip install numpy \\\n    scipy\nfiles = !ls\n%config X = 1\nnp.tri?\n?np.tri"
    lines += "\n%time t = 1\nassert t == 1 and files is None"
    return _ahead(notebook, lines)


@packaging("arrival.magics")
def cell_magics_that_run_the_cell(work, notebook):
    return _ahead(notebook, "%%capture out\n%%time")


@packaging()
def cell_magics_that_do_not(work, notebook):
    for i, head in enumerate(("%%bash", "%%writefile a.py", "%%html", "%%javascript", "%%unknown")):
        notebook["cells"].insert(14, code(f"{head}\ndef softmax(x):\n    return x", f"magic{i}"))
    return notebook


@packaging("arrival.magics")
def input_asked_for(work, notebook):
    return _ahead(
        notebook, 'name = input("? ")\nwhile True:\n    if input() == "q":\n        break\nprint(int(input()))'
    )


@packaging("arrival.magics")
def awaits_at_the_top(work, notebook):
    lines = "import asyncio\nawait asyncio.sleep(0)\nx = await asyncio.sleep(0, 1)\nasync with y as z:\n    pass"
    return _ahead(notebook, lines)


@packaging("arrival.magics")
def pasted_from_a_terminal(work, notebook):
    c = cell(notebook, "stub-softmax")
    first, *rest = c["source"].split("\n")
    c["source"] = "\n".join([f">>> {first}", *(f"... {line}" if line else "..." for line in rest)])
    return notebook


@packaging("arrival.magics")
def indented_as_a_whole(work, notebook):
    for c in notebook["cells"]:
        if c["id"].startswith("stub-"):
            c["source"] = "\n".join(f"    {line}" if line else "" for line in c["source"].split("\n"))
    return notebook


@packaging()
def percent_signs_that_are_no_magics(work, notebook):
    lines = 'text = """\n%not magic\n!nor this\n"""\nn = 7 \\\n% 4\nassert n == 3\n'
    return _ahead(notebook, lines + "assert text == '''\n%not magic\n!nor this\n'''")


@packaging()
def sources_as_lists(work, notebook):
    for c in notebook["cells"]:
        c["source"] = c["source"].splitlines(keepends=True)
    return notebook


@packaging()
def sources_as_lists_without_line_ends(work, notebook):
    for c in notebook["cells"]:
        c["source"] = c["source"].split("\n")
    return notebook


@packaging()
def odd_things_among_the_cells(work, notebook):
    odd = [None, 3, "cell", [], {}, {"cell_type": "code"}, {"cell_type": 5, "source": "x"}, {"source": ["a", 1, None]}]
    odd += [{"cell_type": "code", "source": value} for value in (None, 7, {"a": 1}, [[["x"]]], True)]
    notebook["cells"][5:5] = odd
    return notebook


@packaging()
def windows_line_ends_in_cells(work, notebook):
    for c in notebook["cells"]:
        c["source"] = c["source"].replace("\n", "\r\n")
    return notebook


@packaging()
def half_characters_in_comments(work, notebook):
    return _ahead(notebook, "# \\ud83d: \ud83d")


@packaging()
def blanks_at_line_ends_and_blank_lines(work, notebook):
    for c in notebook["cells"]:
        c["source"] = "\n\n" + c["source"].replace("\n", "   \n") + "\n\n\n"
    return notebook


@packaging()
def outputs_of_every_kind(work, notebook):
    outputs = [
        {"output_type": "stream", "name": "stderr", "text": "warning"},
        {"output_type": "display_data", "data": {"text/html": "<script>alert(1)</script>"}, "metadata": {}},
        {"output_type": "nonsense"}, 5, None,
    ]  # fmt: skip
    for c in notebook["cells"]:
        if c["cell_type"] == "code":
            c["outputs"], c["execution_count"] = outputs, "ten"
    return notebook


@packaging()
def functions_by_other_means(work, notebook):
    c = cell(notebook, "stub-softmax")
    c["source"] = c["source"].replace("def softmax(", "def _mine(") + "\n\nsoftmax = lambda x: _mine(x)"
    c = cell(notebook, "stub-causal_mask")
    body = "\n".join("    " + line for line in c["source"].split("\n"))
    c["source"] = f"try:\n{body}\nexcept ImportError:\n    pass"
    return notebook


@packaging()
def answer_far_from_its_place_and_a_wrong_one_before(work, notebook):
    right = cell(notebook, "stub-sigmoid")["source"]
    cell(notebook, "stub-sigmoid")["source"] = "def sigmoid(x):\n    return 0 * x"
    notebook["cells"].append(code(right, "late"))
    return notebook


@packaging()
def imports_in_own_cells_only(work, notebook):
    notebook["cells"].insert(place(notebook, "stub-softmax"), code("import numpy as np\nimport math", "imports"))
    return notebook


# what would take hours if anything grew with the square of the size


@packaging("arrival.magics")
def a_million_blanks(work, notebook):
    return _ahead(notebook, "!ls" + " " * 100_000 + "x\nn" + " " * 100_000 + "= !ls\n" + "\n" * 9000)


@packaging("arrival.magics")
def thousands_of_questions(work, notebook):
    notebook["cells"].append(code("input()\n" * 5000, "ask"))
    return notebook


@packaging()
def hundreds_of_loose_ends(work, notebook):
    notebook["cells"] += [code(f"    x{i} = [", f"loose{i}") for i in range(600)]
    return notebook
