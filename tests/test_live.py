"""Who gets widgets: a live page does; nbconvert and nbgrader get text and pictures, and no word on stderr."""

import sys
from types import SimpleNamespace

import pytest

from attnlab import live, texts

PAGE = "5a8b9c1e-3f0d-4f6e-9d52-0c7c5bb0a1de"  # as JupyterLab and VS Code call their messages
PROGRAM = "9042027e-59e5a528807eb4c20b62a787_17100_3"  # as Python's jupyter_client does


@pytest.fixture
def shell(monkeypatch):
    """``shell(header)``: act as if a kernel were at work on a message."""

    def install(header, **attributes):
        kernel = SimpleNamespace(parent_header=header, **attributes)
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: kernel))

    return install


@pytest.mark.parametrize("wrap", [lambda header: header, lambda header: {"header": header, "content": {}}])
@pytest.mark.parametrize(("id", "expected"), [(PAGE, True), (PROGRAM, False)])
def test_a_page_is_told_from_a_program(shell, wrap, id, expected):
    shell(wrap({"msg_id": id}), kernel=object())
    assert live.is_live() == expected


def test_ipython_in_a_terminal_and_plain_python_are_no_page(shell, monkeypatch):
    shell({"msg_id": PAGE})
    assert not live.is_live()
    monkeypatch.delitem(sys.modules, "IPython")
    assert not live.is_live()


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_a_notebook_run_by_a_program_holds_no_widgets_and_nothing_on_stderr(lang, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipywidgets")
    cells = [f"from attnlab import explore, quiz\nquiz(lang={lang!r})", f"explore({lang!r})"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.outputs]
    assert {output.get("name", "stdout") for output in outputs} == {"stdout"}
    assert not [output for output in outputs if "application/vnd.jupyter.widget-view+json" in output.get("data", {})]
    assert "widgets" not in notebook.metadata
    assert "[by_hand]" in outputs[0].text
    assert "image/png" in outputs[-1].data
