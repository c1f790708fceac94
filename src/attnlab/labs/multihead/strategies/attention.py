"""Inputs for multi-head and grouped-query attention.

Projections are drawn so that scores stay within a few units however wide the model is: a saturated softmax would hide a
wrong scale, and equal weights would hide wrong heads.
"""

import math

import numpy as np

from ...drawing import Strategy as S

F32 = np.float32


def weights(n, d_in, d_out, d_model, dtype=np.float64):
    """One projection; wide models get smaller entries."""
    return n.array(d_in, d_out, spread=1.0 if d_model <= 10 else 0.5, dtype=dtype)


def grouped(n, T, H_kv, n_rep, D, lead=(), dtype=np.float64, mask=None):
    """Tokens, four projections, the two numbers of heads, and a mask if `mask` makes one."""
    H = H_kv * n_rep
    d = H * D
    args = (
        n.array(*lead, T, d, spread=1.5, dtype=dtype),
        weights(n, d, d, d, dtype),
        weights(n, d, H_kv * D, d, dtype),
        weights(n, d, H_kv * D, d, dtype),
        weights(n, d, d, d, dtype),
        H,
        H_kv,
    )
    return args if mask is None else (*args, mask(n, lead, H, T))


def multi(n, T, H, D, lead=(), dtype=np.float64, mask=None):
    """Tokens, four projections and the number of heads, and a mask if `mask` makes one."""
    *arrays, H, _ = grouped(n, T, H, 1, D, lead, dtype)
    return (*arrays, H) if mask is None else (*arrays, H, mask(n, lead, H, T))


def some_mask(n, *shape):
    """A mask in which every row sees at least one key and, where there is room, hides at least one."""
    order = n.rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)  # (..., T, T)
    return order < n.rng.integers(1, max(2, shape[-1]), (*shape[:-1], 1))  # (..., T, T)


def causal(n, lead, H, T):
    """The mask of a language model, (T, T)."""
    return np.tri(T, dtype=bool)


def any_pairs(n, lead, H, T):
    """One mask for everything, (T, T)."""
    return some_mask(n, T, T)


def by_head(n, lead, H, T):
    """A mask for each head, (H, T, T)."""
    return some_mask(n, H, T, T)


def one_for_all_heads(n, lead, H, T):
    """A head axis of length 1, (1, T, T)."""
    return some_mask(n, 1, T, T)


def by_sequence(n, lead, H, T):
    """A mask for each sequence, (..., 1, T, T)."""
    return some_mask(n, *lead, 1, T, T)


def by_sequence_and_head(n, lead, H, T):
    """A mask for each head of each sequence, (..., H, T, T)."""
    return some_mask(n, *lead, H, T, T)


def keys_of_sequence(n, lead, H, T):
    """Padding: the same keys of a sequence are hidden from all its queries, (..., 1, 1, T)."""
    return some_mask(n, *lead, 1, 1, T)


def keys_of_head(n, lead, H, T):
    """The same keys are hidden from all queries of a head, (H, 1, T)."""
    return some_mask(n, H, 1, T)


def nothing_hidden(n, lead, H, T):
    """A mask that hides nothing."""
    return np.ones((T, T), bool)


def one_head_changed(n, T, H, D, lead=()):
    """The same tokens twice; the second time other columns of all projections for one head."""
    X, W_q, W_k, W_v, W_o, _ = multi(n, T, H, D, lead)
    h = int(n.rng.integers(H))
    others = []
    for W in (W_q, W_k, W_v):
        W = W.copy()
        W[:, h * D : (h + 1) * D] += n.rng.choice((-1.0, 1.0), (len(W), D)) * 0.75
        others.append(W)
    return (X, W_q, W_k, W_v, W_o, H), (X.copy(), *others, W_o.copy(), H)


def root(D):
    """The largest power of two up to sqrt(D): multiplying by it is exact in float32."""
    return 2.0 ** math.floor(math.log2(D) / 2)


def levelled(n, T, H_kv, n_rep, D, size=1e4, dtype=np.float64, lead=(), mask=None):
    """Scores near +size for some queries, near -size for others, in every head: levels differ between rows only."""
    X, W_q, W_k, W_v, W_o, H, _ = grouped(n, T, H_kv, n_rep, D, lead)
    levels = np.round(np.linspace(-size, size, T) * math.sqrt(D) / root(D))  # (T,)
    X[..., 0] = n.rng.permuted(levels)  # (..., T): the level of each query
    X[..., 1] = 1.0
    for W in (W_q, W_k, W_v):
        W[0] = 0.0
    W_q[:, ::D], W_k[:, ::D] = 0.0, 0.0  # the first column of each head carries the level
    W_q[0, ::D], W_k[1, ::D] = root(D), 1.0
    args = (*(a.astype(dtype) for a in (X, W_q, W_k, W_v, W_o)), H, H_kv)
    return args if mask is None else (*args, mask(n, lead, H, T))


def many_digits(n, T, H_kv, n_rep, D, size=9000.0):
    """Scores near `size` or -`size` whose digits go beyond what float32 holds."""
    *arrays, H, H_kv = levelled(n, T, H_kv, n_rep, D, size)
    arrays = [np.where(a == 0, 0.0, a + n.rng.uniform(-0.1, 0.1, a.shape)) for a in arrays]
    arrays[0][..., 1] = 1.0  # levels differ between queries only
    return (*arrays, H, H_kv)


def multi_of(build):
    """Turn a builder for grouped-query attention into one in which every head has keys and values of its own."""

    def built(n, T, H, D, **more):
        args = build(n, T, H, 1, D, **more)
        return (*args[:6], *args[7:])

    return built


def shared_out_unevenly(n, T, H, D, lead=()):
    """Once a width that the heads cannot share out evenly, once one that they can."""
    d = H * D + int(n.rng.integers(1, H))
    bad = (n.array(*lead, T, d, spread=1.5), *(weights(n, d, d, d) for _ in range(4)), H)
    return bad, multi(n, T, H, D, lead)


def too_many_kv_heads(n, T, D):
    """Once more key-value heads than query heads, once as many."""
    d = 2 * D
    wide = (weights(n, d, 3 * D, d) for _ in ("key", "value"))
    bad = (n.array(T, d, spread=1.5), weights(n, d, d, d), *wide, weights(n, d, d, d), 2, 3)
    return bad, grouped(n, T, 2, 1, D)


def groups_of_unequal_size(n, T, H_kv, n_rep, D, lead=()):
    """Once more heads than whole groups, once as many; both times the width can be shared out among the heads."""
    H = H_kv * n_rep + int(n.rng.integers(1, H_kv))
    d = H * D
    bad = (
        n.array(*lead, T, d, spread=1.5),
        weights(n, d, d, d),
        weights(n, d, H_kv * D, d),
        weights(n, d, H_kv * D, d),
        weights(n, d, d, d),
        H,
        H_kv,
    )
    return bad, grouped(n, T, H_kv, n_rep, D, lead)


SIZES, GROUPS, WITHIN = ("T", "H", "D"), ("T", "H_kv", "n_rep", "D"), ("T", "D")


def _in(lead=(), mask=None):
    """A batch of this shape, under this kind of mask."""
    return lambda n, **sizes: multi(n, **sizes, lead=lead, mask=mask)


MULTI_HEAD_ATTENTION = {
    "multi_head_attention.reference": (
        S("sizes that differ", multi, SIZES, high=5, cases=5),
        S("as many heads as numbers to each", lambda n, T, H: multi(n, T, H, H), ("T", "H"), high=4),
        S("as many tokens as heads", lambda n, T, D: multi(n, T, T, D), ("T", "D"), high=4),
        S("as many tokens as numbers to a head", lambda n, T, H: multi(n, T, H, T), ("T", "H"), high=4),
        S("one head", lambda n, T, D: multi(n, T, 1, D), ("T", "D")),
        S("one number to a head", lambda n, T, H: multi(n, T, H, 1), ("T", "H")),
        S("one token", lambda n, H, D: multi(n, 1, H, D), ("H", "D")),
        S("two tokens", lambda n, H, D: multi(n, 2, H, D), ("H", "D"), low=3, high=5),
        S("a longer sequence", lambda n, T: multi(n, T, 2, 3), ("T",), low=12, high=16),
    ),
    "multi_head_attention.heads": (
        S("one head changed", one_head_changed, SIZES, high=5, cases=4, together=True),
        S("one head changed in a batch", lambda n, T, H, D: one_head_changed(n, T, H, D, (2,)), SIZES, low=3, high=5,
          together=True),
        S("one of two heads changed", lambda n, T, D: one_head_changed(n, T, 2, D), ("T", "D"), low=3, together=True),
    ),
    "multi_head_attention.scale": (
        S("narrow heads", lambda n, T, H: multi(n, T, H, 2), ("T", "H"), low=3, high=5, cases=2),
        S("wide heads", lambda n, T: multi(n, T, 2, 9), ("T",), low=3, high=5),
        S("many heads", lambda n, T: multi(n, T, 7, 2), ("T",), low=3, high=5),
        S("heads of width 1", lambda n, T, H: multi(n, T, H, 1), ("T", "H"), low=3, high=7),
    ),
    "multi_head_attention.mask": (
        S("a causal mask", _in(mask=causal), SIZES, high=5, cases=2),
        S("one mask for all heads", _in(mask=any_pairs), SIZES, high=5, cases=2),
        S("a mask for each head", _in(mask=by_head), SIZES, high=5, cases=2),
        S("a mask with a head axis of length 1", _in(mask=one_for_all_heads), SIZES, high=5),
        S("keys hidden from whole heads", _in(mask=keys_of_head), SIZES, high=5),
        S("a mask that hides nothing", _in(mask=nothing_hidden), SIZES, high=5),
        S("one mask for a batch", _in((6,), causal), SIZES, high=5),
        S("a mask for each head, the same in a batch", _in((5,), by_head), SIZES, high=4),
        S("a mask for each sequence", _in((5,), by_sequence), SIZES, high=4, cases=2),
        S("padding in a batch", _in((5,), keys_of_sequence), SIZES, high=4, cases=2),
        S("a mask for each head of each sequence", _in((5,), by_sequence_and_head), SIZES, high=4),
        S("a mask for each sequence of two leading axes", _in((3, 2), by_sequence), SIZES, high=4),
        S("as many sequences as heads, a mask for each head",
          lambda n, T, H: multi(n, T, H, 2, (H,), mask=by_head), ("T", "H"), low=3, high=4),
        S("as many sequences as heads, a mask for each sequence",
          lambda n, T, H: multi(n, T, H, 2, (H,), mask=by_sequence), ("T", "H"), low=3, high=4),
        S("as many tokens as heads, a mask for each head",
          lambda n, T, D: multi(n, T, T, D, mask=by_head), ("T", "D"), low=3, high=4),
    ),
    "multi_head_attention.batch": (
        S("one leading axis", _in((5,)), SIZES, high=4, cases=2),
        S("two leading axes", _in((2, 3)), SIZES, high=4),
        S("three leading axes", _in((2, 1, 3)), SIZES, high=4),
        S("a batch of one", _in((1,)), SIZES, high=5),
        S("as many sequences as heads", lambda n, T, H, D: multi(n, T, H, D, (H,)), SIZES, high=5),
        S("as many sequences as tokens", lambda n, T, H, D: multi(n, T, H, D, (T,)), SIZES, high=5),
        S("a batch of one token each", lambda n, H, D: multi(n, 1, H, D, (4,)), ("H", "D"), high=3),
    ),
    "multi_head_attention.numbers": (
        S("float32", lambda n, T, H, D: multi(n, T, H, D, dtype=F32), SIZES, high=5),
        S("a float32 batch under a mask",
          lambda n, T, H, D: multi(n, T, H, D, (2,), F32, causal), SIZES, low=3, high=5),
        S("scores near 10000 and -10000", multi_of(levelled), SIZES, high=5, cases=2),
        S("scores near 10000 and -10000 under a mask",
          lambda n, T, H, D: multi_of(levelled)(n, T, H, D, mask=any_pairs), SIZES, high=5, cases=2),
        S("float32 scores near 200", lambda n, T, H, D: multi_of(levelled)(n, T, H, D, size=200.0, dtype=F32), SIZES,
          high=5),
        S("many digits", lambda n, T, D: multi_of(many_digits)(n, T, 2, D), ("T", "D"), low=3, high=5, cases=2),
    ),
    "multi_head_attention.divisible": (
        S("a width that leaves a rest", shared_out_unevenly, SIZES, high=5, cases=2, together=True),
        S("a batch of such a width", lambda n, T, H, D: shared_out_unevenly(n, T, H, D, (2,)), SIZES, low=3, high=5,
          together=True),
        S("as many tokens as heads", lambda n, T, D: shared_out_unevenly(n, T, T, D), ("T", "D"), high=5,
          together=True),
    ),
    "multi_head_attention.inputs": (
        S("read-only arrays", _in(mask=any_pairs), SIZES, high=5, layout="readonly"),
        S("arrays filled again between calls", _in(mask=any_pairs), SIZES, high=5, layout="refill"),
        S("views with gaps", _in((2,)), SIZES, low=3, high=5, layout="strided"),
        S("columns closest in memory", _in((2,)), SIZES, low=3, high=5, layout="fortran"),
        S("a read-only batch", _in((2,), by_head), SIZES, low=3, high=5, layout="readonly"),
    ),
}  # fmt: skip


def _six(lead=(), mask=None, dtype=np.float64):
    """Two key-value heads for six query heads."""
    return lambda n, T, D: grouped(n, T, 2, 3, D, lead, dtype, mask)


GROUPED_QUERY_ATTENTION = {
    "grouped_query_attention.reference": (
        S("sizes that differ", grouped, GROUPS, high=5, cases=2),
        S("as many groups as heads to a group", lambda n, T, G, D: grouped(n, T, G, G, D), ("T", "G", "D"), high=4),
        S("two groups of three", lambda n, T, D: grouped(n, T, 2, 3, D), WITHIN, low=4, high=5),
        S("three groups of two", lambda n, T, D: grouped(n, T, 3, 2, D), WITHIN, low=4, high=5),
        S("one number to a head", lambda n, T, H_kv, n_rep: grouped(n, T, H_kv, n_rep, 1), GROUPS[:3], high=5),
        S("one token", lambda n, H_kv, n_rep, D: grouped(n, 1, H_kv, n_rep, D), GROUPS[1:], high=4),
        S("as many tokens as heads", lambda n, H_kv, n_rep: grouped(n, H_kv * n_rep, H_kv, n_rep, 2), GROUPS[1:3],
          high=3),
        S("as many tokens as key-value heads", lambda n, T, D: grouped(n, T, T, 2, D), WITHIN, low=3, high=4),
    ),
    "grouped_query_attention.ends": (
        S("one key-value head for all", lambda n, T, H, D: grouped(n, T, 1, H, D), SIZES, high=5, cases=2),
        S("a key-value head for each query head", lambda n, T, H, D: grouped(n, T, H, 1, D), SIZES, high=5, cases=2),
        S("one head in all", lambda n, T, D: grouped(n, T, 1, 1, D), WITHIN),
        S("one key-value head for a batch", lambda n, T, H, D: grouped(n, T, 1, H, D, (6,)), SIZES, high=4),
    ),
    "grouped_query_attention.mask": (
        S("a causal mask", _six(mask=causal), WITHIN, low=4, high=5),
        S("a mask for each query head", _six(mask=by_head), WITHIN, low=4, high=5),
        S("a mask for each query head of three groups of two",
          lambda n, T, D: grouped(n, T, 3, 2, D, mask=by_head), WITHIN, low=4, high=5),
        S("padding in a batch", _six((4,), keys_of_sequence), WITHIN, low=3, high=4),
        S("a mask for each sequence", _six((4,), by_sequence), WITHIN, low=3, high=5),
        S("a mask for each query head of each sequence", _six((2,), by_sequence_and_head), WITHIN, low=3, high=4),
        S("as many sequences as key-value heads, a mask for each sequence",
          _six((2,), by_sequence), WITHIN, low=3, high=5),
        S("as many sequences as heads to a group, a mask for each sequence",
          _six((3,), by_sequence), WITHIN, low=3, high=5),
        S("one key-value head, a mask for each query head",
          lambda n, T, H, D: grouped(n, T, 1, H, D, mask=by_head), SIZES, high=5),
    ),
    "grouped_query_attention.batch": (
        S("one leading axis", _six((5,)), WITHIN, low=3, high=4),
        S("two leading axes", lambda n, T, D: grouped(n, T, 3, 2, D, (2, 2)), WITHIN, high=4),
        S("three leading axes", _six((2, 1, 3)), WITHIN, high=3),
        S("a batch of one", _six((1,)), WITHIN, low=3, high=5),
        S("as many sequences as key-value heads",
          lambda n, T, H_kv, D: grouped(n, T, H_kv, 2, D, (H_kv,)), ("T", "H_kv", "D"), high=4),
        S("as many sequences as tokens", lambda n, T, D: grouped(n, T, 2, 3, D, (T,)), WITHIN, high=4),
    ),
    "grouped_query_attention.numbers": (
        S("float32", _six(dtype=F32), WITHIN, low=4, high=5),
        S("a float32 batch under a mask", _six((2,), causal, F32), WITHIN, low=3, high=5),
        S("scores near 10000 and -10000", lambda n, T, D: levelled(n, T, 2, 3, D), WITHIN, high=5),
        S("scores near 10000 and -10000 under a mask",
          lambda n, T, D: levelled(n, T, 2, 3, D, mask=any_pairs), WITHIN, high=5),
        S("many digits", lambda n, T, D: many_digits(n, T, 2, 2, D), WITHIN, high=3),
    ),
    "grouped_query_attention.divisible": (
        S("heads left over", lambda n, T, n_rep, D: groups_of_unequal_size(n, T, 3, n_rep, D), ("T", "n_rep", "D"),
          high=4, cases=2, together=True),
        S("heads left over in a batch", lambda n, T, D: groups_of_unequal_size(n, T, 3, 2, D, (2,)), WITHIN, high=4,
          together=True),
        S("more key-value heads than heads", too_many_kv_heads, WITHIN, high=5, together=True),
    ),
    "grouped_query_attention.inputs": (
        S("read-only arrays", _six(mask=any_pairs), WITHIN, low=3, high=5, layout="readonly"),
        S("arrays filled again between calls", _six(mask=any_pairs), WITHIN, low=3, high=5, layout="refill"),
        S("views with gaps", _six((2,)), WITHIN, low=3, high=4, layout="strided"),
        S("columns closest in memory", _six((2,)), WITHIN, low=3, high=4, layout="fortran"),
    ),
}  # fmt: skip
