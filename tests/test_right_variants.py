"""Right solutions by chance get full marks, whatever way they are written, and nothing is held against them."""

import ast
import random

import pytest
import right_variants
from conftest import FAIR

from attnlab import submission
from attnlab.checking import engine
from attnlab.labs.attention.misconceptions import MISCONCEPTIONS
from attnlab.labs.attention.misconceptions.registry import REGISTRY
from attnlab.sandbox.here import HereTarget

WRITTEN = 36
BESIDE_A_WRONG_HELPER = 16
OF_FAIR_FILES = 20
NOT_TURNED = {
    "numpy_matrix",  # `*` is the matrix product there
    "reads_its_own_path",  # another text at that path is another solution
}
HELPERS = [m for m in MISCONCEPTIONS if m.part in ("causal_mask", "softmax", "sigmoid") and not m.stateful]


def judged_here(source, lab, cases, **instead):
    """Return the report on a file's functions, some of them replaced, in this process."""
    namespace = {}
    exec(compile(source, "student.py", "exec"), namespace)
    namespace |= instead
    functions = {name: namespace[name] for name in lab.functions}
    return engine.check(lab, HereTarget(functions), cases, shrink=False)


def source_of(seed):
    """Return the right file of a seed; every second one is rewritten as well."""
    rng = random.Random(seed)
    source = right_variants.written(rng)
    return right_variants.turned(source, rng) if seed % 2 else source


def fair_sources():
    """Yield the name and the text of each fair file that is Python and stands in one piece."""
    for path in FAIR:
        chunks = submission.read(path).chunks
        if path.stem not in NOT_TURNED and not path.stem.startswith("no_bonus") and len(chunks) == 1:
            yield path.stem, chunks[0][1]


def turned_fair(seed):
    """Return the name of a fair file and a rewriting of it."""
    rng = random.Random(seed)
    name, source = rng.choice(FAIR_SOURCES)
    return name, right_variants.turned(source, rng)


FAIR_SOURCES = list(fair_sources())


@pytest.mark.parametrize("seed", range(WRITTEN))
def test_a_right_file_put_together_by_chance_gets_full_marks(seed, lab, cases):
    report = judged_here(source_of(seed), lab, cases)
    assert {r.part.name: r.status for r in report.parts} == dict.fromkeys((p.name for p in lab.parts), "passed")
    assert all(result.misconceptions == () for result in report.parts)
    assert report.score == report.max_score


@pytest.mark.parametrize("seed", range(OF_FAIR_FILES))
def test_a_fair_file_rewritten_by_chance_gets_full_marks(seed, judged):
    name, source = turned_fair(seed)
    report = judged(source)
    assert {result.status for result in report.parts} == {"passed"}, f"{name}\n{source}"


@pytest.mark.parametrize("seed", range(BESIDE_A_WRONG_HELPER))
def test_right_functions_are_not_accused_of_what_a_wrong_helper_does(seed, lab, cases):
    rng = random.Random(f"helper {seed}")
    wrong = rng.choice(HELPERS)
    namespace = {}
    exec(compile(source_of(1000 + seed), "student.py", "exec"), namespace)
    namespace[REGISTRY.function_of[wrong.part]] = wrong.function
    report = engine.check(lab, HereTarget({n: namespace[n] for n in lab.functions}), cases, shrink=False)
    assert report.part(wrong.part).status != "passed"
    assert {r.part.name: r.misconceptions for r in report.parts if r.part.name != wrong.part and r.misconceptions} == {}


def test_the_variants_are_many_and_the_rewriting_changes_them():
    sources = [source_of(seed) for seed in range(200)]
    assert len(set(sources)) == len(sources)
    rewritten = [right_variants.turned(s, random.Random(i)) for i, (_, s) in enumerate(FAIR_SOURCES)]
    changed = [
        ast.dump(ast.parse(a)) != ast.dump(ast.parse(b)) for a, (_, b) in zip(rewritten, FAIR_SOURCES, strict=True)
    ]
    assert sum(changed) > 0.9 * len(changed)


def test_every_way_of_writing_a_step_is_used_by_the_seeds_of_this_suite():
    """So that a way that were wrong, or rejected, would show."""
    code = "".join(source_of(seed).replace(" ", "") for seed in range(0, 400, 2))
    steps = (*right_variants.CAUSAL_MASK, *right_variants.HIDE, *right_variants.SIGMOID)
    assert [step for step in steps if step.splitlines()[-1].replace(" ", "") not in code] == []
