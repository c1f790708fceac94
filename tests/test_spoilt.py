"""Right answers rounded, cut off or cast on their way out: each way must cost points wherever it changes values."""

from functools import cache
from importlib import import_module

import numpy as np
import pytest

from attnlab import labs
from attnlab.checking import cases as drawn
from attnlab.checking import engine
from attnlab.sandbox.here import HereTarget

SPOILS = {
    "int": lambda a: a.astype(int),
    "bool": lambda a: a.astype(bool),
    "float16": lambda a: a.astype(np.float16),
    "round": np.round,
    "round to two digits": lambda a: np.round(a, 2),
    "round to four digits": lambda a: np.round(a, 4),
    "abs": np.abs,
    "clip at 1": lambda a: a.clip(-1, 1),
    "negatives to 0": lambda a: np.maximum(a, 0),
}
ANY = np.array([-1e4, -2.71828, 0.0, 0.314159, 1.0, 3e4])
RANGES = {  # of outputs that are not any number: some ways to spoil them change nothing
    "mask": np.array([0.0, 1.0]),
    "visible": np.array([0.0, 1.0]),
    "weights": np.linspace(0, 1, 8),
    "share": np.linspace(0, 1, 8),
    "sigmoid.gate": np.linspace(0, 1, 8),
    "silu.gate": np.array([-0.27846, 0.0, 0.314159, 3e4]),
    "gate_values.gate": np.array([-0.27846, 0.0, 0.314159, 20.5]),
    "jacobian": np.linspace(-0.25, 0.25, 8),
    "entropy": np.linspace(0, 6, 8),
    "scale": np.array([0.0, 0.314159, 1.5]),
    "n_bytes": np.array([1.0, 4097.0]),
}


def spoilt_outputs():
    """Yield each output of each part with each way to spoil it that would be seen in some right answer."""
    for name in labs.LABS:
        for part in labs.get(name).parts:
            for number, output in enumerate(part.outputs):
                values = RANGES.get(f"{part.name}.{output.name}", RANGES.get(output.name, ANY))
                for spoil, do in SPOILS.items():
                    if not np.array_equal(do(values), values):
                        yield pytest.param(name, part, number, do, id=f"{name}-{part.name}-{output.name}-{spoil}")


def spoilt(function, n_outputs, number, do):
    """Return `function` with one of its outputs spoilt."""

    def spoiling(*args):
        value = function(*args)
        if n_outputs == 1:
            return value if value is None else do(np.asarray(value))
        return tuple(do(v) if n == number else v for n, v in enumerate(value))

    return spoiling


@pytest.fixture(scope="module")
def drawn_for():
    """``drawn_for(lab, seed)``: its cases, the visible ones without a seed."""
    return cache(lambda lab, seed: drawn.visible(lab) if seed is None else drawn.draw(lab, seed, hidden=True))


@pytest.mark.parametrize("seed", [None, 1], ids=["visible", "hidden"])
@pytest.mark.parametrize(("name", "part", "number", "do"), spoilt_outputs())
def test_a_right_answer_spoilt_on_its_way_out_loses_points(name, part, number, do, seed, drawn_for):
    lab = labs.get(name)
    function = getattr(import_module(lab.core), part.function)
    target = HereTarget({part.function: spoilt(function, len(part.outputs), number, do)})
    report = engine.check(lab, target, drawn_for(lab, seed), parts=(part.name,), shrink=False, explain=False)
    assert report.part(part.name).status == "failed"
    assert report.part(part.name).score < lab.points(part.name)


@pytest.mark.parametrize("part", ["split_heads", "merge_heads", "repeat_kv"])
def test_what_was_cut_off_is_not_said_to_come_from_another_place(part, drawn_for):
    lab = labs.get("multihead")
    target = HereTarget({part: spoilt(getattr(import_module(lab.core), part), 1, 0, SPOILS["int"])})
    report = engine.check(lab, target, drawn_for(lab, None), parts=(part,), shrink=False, explain=False)
    told = {check.fault.message for check in report.part(part).checks if check.fault is not None}
    assert "fault.value" in told
    assert "multihead.from_elsewhere" not in told
