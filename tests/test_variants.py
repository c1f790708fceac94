"""Wrong versions and students' files are well formed; whether the checks tell them apart is tested elsewhere."""

import ast
import builtins
import dis
import re
import types
import warnings
from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from conftest import every_fair_file, every_lab, every_misconception, every_wrong_file, fair, wrong

from attnlab import submission

LEAST = {"attention": (75, 45, 25, 5)}  # wrong versions, right files, wrong files, wrong versions of a part
LEAST_OF_OTHERS = (20, 12, 15, 1)


def parts_listed(text, word):
    """Return the parts named in a file's line ``# fails: part part``; None without such a line."""
    line = re.search(rf"^# {word}:(.*)$", text, re.MULTILINE)
    return line and line[1].split()


def globals_used(code):
    """Return the names that a code object, or one nested in it, looks up outside itself."""
    names = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "STORE_GLOBAL")}
    return names.union(*(globals_used(c) for c in code.co_consts if isinstance(c, types.CodeType)))


def parts(lab):
    """Return the names of a lab's parts."""
    return {part.name for part in lab.parts}


@every_lab
def test_there_are_enough_variants_of_every_part(lab):
    counts = Counter(m.part for m in lab.misconceptions())
    there = counts.total(), len(fair(lab.name)), len(wrong(lab.name)), min(counts.values())
    assert set(counts) == parts(lab)
    assert all(n >= least for n, least in zip(there, LEAST.get(lab.name, LEAST_OF_OTHERS), strict=True)), there


@every_lab
def test_ids_are_unique(lab):
    assert [id_ for id_, n in Counter(m.id for m in lab.misconceptions()).items() if n > 1] == []


@every_misconception
def test_a_misconception_says_in_one_sentence_what_is_wrong(misconception, lab):
    assert misconception.description.endswith(".")
    assert "\n" not in misconception.description


@every_misconception
def test_a_misconception_names_the_rows_of_the_collection_it_stands_for(misconception, lab):
    assert all(re.fullmatch(r"[ABC]\d+", fault) for fault in misconception.faults)


@every_misconception
def test_a_variant_shares_the_idea_the_part_and_the_section_of_a_version_that_is_no_variant_itself(misconception, lab):
    idea = {m.id: m for m in lab.misconceptions()}[misconception.misconception]
    assert idea.variant_of is None
    assert (idea.part, idea.section) == (misconception.part, misconception.section)
    assert misconception.misconception == (misconception.variant_of or misconception.id)


@every_misconception
def test_a_misconception_becomes_a_whole_submission(misconception, lab):
    namespace = {}
    exec(compile(lab.submission_source(misconception), misconception.id, "exec"), namespace)
    wanted = {name for name, f in vars(import_module(lab.core)).items() if isinstance(f, types.FunctionType)}
    assert wanted <= namespace.keys()
    for name in wanted:
        assert globals_used(namespace[name].__code__) <= namespace.keys() | vars(builtins).keys()


@every_misconception
def test_a_misconception_calls_neither_itself_nor_what_it_replaces(misconception, lab):
    used = globals_used(misconception.function.__code__)
    assert not used & {misconception.id, misconception.function_name}


@every_misconception
def test_only_the_function_at_fault_differs_from_the_solution(misconception, lab):
    core = Path(find_spec(lab.core).origin).read_text(encoding="utf-8")
    right = {f.name: ast.dump(f) for f in ast.parse(core).body if is_def(f)}
    handed_in = {f.name: ast.dump(f) for f in ast.parse(lab.submission_source(misconception)).body if is_def(f)}
    assert [name for name in right if handed_in[name] != right[name]] == [misconception.function_name]


def is_def(node):
    """Say whether a statement defines a function."""
    return isinstance(node, ast.FunctionDef)


@every_fair_file
def test_a_fair_file_is_legal_python_and_says_what_it_is(path, lab):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # students' string escapes and comparisons are their own affair
        tree = ast.parse(submission.read(path).chunks[0][1])
    assert ast.get_docstring(tree)


@every_wrong_file
def test_a_wrong_file_names_the_parts_that_must_not_pass(path, lab):
    text = path.read_text(encoding="utf-8", errors="replace")  # some are neither Python nor UTF-8
    fails, passes = parts_listed(text, "fails"), parts_listed(text, "passes") or []
    assert fails
    assert set(fails + passes) <= parts(lab)
    assert not set(fails) & set(passes)
    assert re.match(r'("""|#) ?\w', text)
