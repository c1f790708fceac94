"""The border between grader and student: only plain data crosses, and what claims to be more than it is, is refused."""

import ast
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnlab.sandbox import agent

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.binary()
    | st.text(st.characters(exclude_categories=("Cs",))),
    lambda inner: st.lists(inner, max_size=4)
    | st.lists(inner, max_size=4).map(tuple)
    | st.dictionaries(st.text(st.characters(exclude_categories=("Cs",))) | st.integers(), inner, max_size=3),
    max_leaves=12,
)  # fmt: skip
ARRAYS = hnp.arrays(st.sampled_from([np.dtype(c) for c in agent.DTYPES]), hnp.array_shapes(min_dims=0, min_side=0))


@given(PLAIN)
def test_plain_data_comes_back_as_it_was(value):
    assert agent.unpack(agent.pack(value)) == value


@given(ARRAYS)
def test_arrays_come_back_as_they_were(array):
    back = agent.unpack(agent.pack(array))
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert back.tobytes() == array.tobytes()


@given(ARRAYS)
def test_scalars_of_numpy_stay_scalars(array):
    for item in array.ravel()[:3]:
        back = agent.unpack(agent.pack(item))
        assert type(back) is type(item)
        assert back.tobytes() == item.tobytes()


@given(st.binary(max_size=60))
def test_any_bytes_are_decoded_or_refused(data):
    try:
        agent.unpack(data)
    except ValueError:
        pass


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<ccB2Q", b"a", b"d", 2, 2**40, 2**40),
        struct.pack("<ccB1Q", b"a", b"d", 1, 2**63) + bytes(8),
        struct.pack("<ccB1Q", b"a", b"O", 1, 1) + bytes(8),
        struct.pack("<cI", b"t", 2**31),
        struct.pack("<cI", b"s", 2**31) + b"x",
        (b"t" + struct.pack("<I", 1)) * 50 + b"N",
        b"m" + struct.pack("<I", 1) + b"t" + struct.pack("<I", 2) + b"l" + struct.pack("<I", 0) + b"N",
        b"m" + struct.pack("<I", 1) + b"N",
        b"g" + b"N",
        b"Nrest",
        b"",
    ],
    ids=[
        "terabytes", "overflow", "objects", "endless tuple", "short text", "deep", "list as a key", "no pair",
        "no scalar", "trailing", "nothing",
    ],
)
def test_a_frame_that_claims_too_much_is_refused(data):
    with pytest.raises(ValueError, match="malformed"):
        agent.unpack(data)


@pytest.mark.parametrize("value", [object(), {1}, 1j, np.array([None]), np.array(["a"])])
def test_nothing_else_is_sent(value):
    with pytest.raises(TypeError):
        agent.pack(value)


@pytest.mark.parametrize("file", sorted(Path(agent.__file__).parent.glob("*.py")), ids=lambda file: file.stem)
def test_the_agent_imports_the_standard_library_and_numpy_only(file):
    imported = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= 1, "imports from outside the agent's folder"
            imported |= {node.module.partition(".")[0]} if node.level == 0 else set()
    assert imported - {"numpy"} <= sys.stdlib_module_names


def called(function, *calls, n=1, layout="plain"):
    return agent.run_case(function, n, layout, calls)


def test_a_masked_entry_counts_as_no_weight():
    result = called(lambda x: np.ma.masked_array([1.0, 7.0], [False, True]), (1,))
    np.testing.assert_array_equal(result[0][1][0][1], [1.0, 0.0])


def test_an_input_written_to_is_reported():
    def spoil(x):
        x[0] = 5
        return x

    assert called(spoil, (np.zeros(2),))[0][2] == (0,)


def test_a_result_overwritten_by_the_next_call_is_reported():
    buffer = np.zeros(2)

    def reuse(x):
        buffer[:] = x
        return buffer

    assert called(reuse, (np.ones(2),), (np.full(2, 3.0),))[-1] == 0


def test_one_unchanging_cached_result_is_no_fault():
    cached = np.tri(3, dtype=bool)
    assert called(lambda T: cached, (3,), (3,))[-1] is None


def test_an_endless_iterable_is_not_unpacked_for_ever():
    import itertools

    assert called(lambda: itertools.count(), (), n=2)[0][1] == ("count", -1, "count")


def test_a_result_of_absurd_size_is_described_and_not_sent():
    huge = np.broadcast_to(np.float64(0), (10**7, 10**7))
    assert called(lambda: huge, ())[0][1] == (("big", (10**7, 10**7), "float64"),)


def test_a_lying_subclass_is_seen_as_the_plain_numbers_it_holds():
    class Liar(np.ndarray):
        def __eq__(self, other):
            return np.ones(self.shape, bool)

        def tobytes(self, *args):
            return b"lies"

    result = called(lambda: np.zeros(3).view(Liar), ())
    array = result[0][1][0][1]
    assert type(array) is np.ndarray
    np.testing.assert_array_equal(array, np.zeros(3))
