"""The pages of the newcomer's walk say what the command says today."""

import importlib.util

import pytest
from conftest import ROOT

from attnlab import texts


@pytest.fixture(scope="module")
def make_walk():
    """The script that writes the pages."""
    spec = importlib.util.spec_from_file_location("make_walk", ROOT / "docs" / "make_walk.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_the_page_is_what_the_command_says_today(lang, make_walk):
    """But for the counterexamples: which one is found depends on how much time the search has."""
    page = (ROOT / "docs" / f"walk.{lang}.md").read_text(encoding="utf-8")
    assert make_walk.outline(page) == make_walk.outline(make_walk.walk(lang, shrink=False)), f"run {make_walk.COMMAND}"


def test_an_outline_keeps_sentences_and_points_and_leaves_numbers_of_examples_out(make_walk):
    page = " ✗ softmax 0.5 / 2\n   `weights[0, 1]` is 0.25; it\n   should be 1e-05\n     x = [ 1  2 ]\n3 of 10 points"
    other = " ✗ softmax 0.5 / 2\n   `weights[2]` is -3; it should\n   be 4\n     x = [ 1 ]\n3 of 10 points"
    assert make_walk.outline(page) == make_walk.outline(other)
    for told in ("softmax 0.5", "it", "be", "3 of"):
        assert make_walk.outline(page) != make_walk.outline(page.replace(told, "other"))
