"""Files as they really arrive: odd encodings, line endings, notebooks of every kind, things that are no notebook."""

import json
import os
from pathlib import Path

import pytest

from attnlab import submission

CODE = "x = 'Карп прыгает через врата'\n"


def written(tmp_path, data, name="attention.py"):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def notebook(*cells, **more):
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | more)


def code(source, **metadata):
    return {"cell_type": "code", "source": source, "metadata": metadata, "outputs": [], "execution_count": None}


@pytest.mark.parametrize(
    "data",
    [
        CODE.encode(), b"\xef\xbb\xbf" + CODE.encode(), CODE.encode("utf-16"), CODE.encode("utf-16-le"),
        CODE.encode("utf-16-be"), CODE.encode("utf-32"), CODE.encode("cp1251"),
        b"# -*- coding: koi8-r -*-\n" + CODE.encode("koi8-r"), CODE.replace("\n", "\r\n").encode(),
    ],
    ids=["utf-8", "bom", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1251", "declared", "crlf"],
)  # fmt: skip
def test_any_usual_encoding_is_read(tmp_path, data):
    ((label, source),) = submission.read(written(tmp_path, data)).chunks
    assert label == "attention.py"
    assert source.endswith(CODE)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.py", "", "read.empty"),
        ("a.py", "   \n\n", "read.empty"),
        ("a.py", "def f(:\n", "read.syntax"),
        ("a.py", "def f():\nreturn 1\n", "read.syntax"),
        ("a.py", "x = 1\0\n", "read.encoding"),
        ("a.ipynb", "", "read.empty"),
        ("a.ipynb", '{"cells": [{"cell_type": "code", "sou', "read.not_json"),
        ("a.ipynb", "def softmax(x) pass", "read.not_json"),
        ("a.ipynb", "<!DOCTYPE html>\n<html><body>softmax</body></html>", "read.web_page"),
        ("a.ipynb", "[" * 100_000, "read.not_json"),
        ("a.ipynb", "[1, 2]", "read.not_notebook"),
        ("a.ipynb", '"text"', "read.not_notebook"),
        ("a.ipynb", '{"cells": 3}', "read.not_notebook"),
        ("a.ipynb", '{"cells": [], "nbformat": 4}', "read.no_code"),
        ("a.ipynb", '{"cells": [null, 7, {"cell_type": "markdown"}]}', "read.no_code"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(tmp_path, name, data, message):
    with pytest.raises(submission.Unreadable) as caught:
        submission.read(written(tmp_path, data, name))
    assert caught.value.message == message


def test_the_course_s_own_cells_of_a_notebook_are_left_out(tmp_path):
    path = written(tmp_path, notebook(
        {"cell_type": "markdown", "source": "text", "metadata": {}},
        code("import numpy as np", attnlab={"role": "given", "name": "setup"}),
        code(["def softmax(x):\n", "    return x"], attnlab={"role": "solution", "name": "softmax"}),
        code("check('softmax', softmax)", attnlab={"role": "check"}),
        code("plt.plot()", attnlab={"role": "given", "name": "picture"}),
        code("assert False", nbgrader={"grade": True, "solution": False, "locked": True}),
        code("helper = 1"),
    ), "a.ipynb")  # fmt: skip
    assert submission.read(path).chunks == (
        ("cell 1", "import numpy as np"), ("cell 2", "def softmax(x):\n    return x"), ("cell 6", "helper = 1"),
    )  # fmt: skip


def test_a_notebook_of_format_3_is_read(tmp_path):
    cell = {"cell_type": "code", "input": ["x = 1\n", "y = 2"], "language": "python"}
    path = written(tmp_path, json.dumps({"nbformat": 3, "worksheets": [{"cells": [cell]}]}), "a.ipynb")
    assert submission.read(path).chunks == (("cell 1", "x = 1\ny = 2"),)


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install numpy\nx = 1", "pass\nx = 1"),
        ("files = !ls\nx = 1", "files = None\nx = 1"),
        ("t = %timeit -o f()\nx = 1", "t = None\nx = 1"),
        ("%%time\nx = 1", "#\nx = 1"),
        ("%%bash\nls", ""),
        ("if True:\n    %time f()\nx = 1", "if True:\n    pass\nx = 1"),
        ("np.tri?\nx = 1", "pass\nx = 1"),
        ("?np.tri\nx = 1", "pass\nx = 1"),
        ("x = 5 \\\n% 3", "x = 5 \\\n% 3"),
        ("text = '''\n%not magic\n'''", "text = '''\n%not magic\n'''"),
    ],
)
def test_magics_and_shell_lines_do_nothing(source, plain):
    assert submission.without_magics(source) == plain


def test_a_folder_means_the_lab_s_file_in_it(tmp_path):
    path = written(tmp_path, CODE)
    assert submission.find(tmp_path, "attention") == path


@pytest.mark.parametrize(
    ("path", "message"),
    [("nothing.py", "read.no_path"), (".", "read.empty_folder"), ("notes.txt", "read.not_a_file")],
)
def test_a_path_that_makes_no_sense_is_a_usage_error(tmp_path, path, message):
    written(tmp_path, "hello", "notes.txt")
    with pytest.raises(submission.UsageError) as caught:
        submission.find(tmp_path / path, "attention")
    assert caught.value.message == message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "attention.py")
    with pytest.raises(submission.UsageError):
        submission.find(tmp_path / "attention.py", "attention")


def test_a_file_of_absurd_size_is_not_read(tmp_path):
    path = written(tmp_path, CODE, "a.ipynb")
    os.truncate(path, submission.MAX_BYTES + 1)
    with pytest.raises(submission.Unreadable) as caught:
        submission.read(path)
    assert caught.value.message == "read.too_large"


def test_two_files_that_could_be_meant_are_asked_about(tmp_path):
    written(tmp_path, CODE)
    written(tmp_path, "{}", "attention.ipynb")
    with pytest.raises(submission.UsageError) as caught:
        submission.find(tmp_path, "attention")
    assert caught.value.message == "read.several"


def test_the_path_may_be_cyrillic(tmp_path):
    folder = tmp_path / "Задание первое"
    folder.mkdir()
    assert submission.read(written(folder, CODE, "Внимание.py")).path == Path(folder / "Внимание.py")
