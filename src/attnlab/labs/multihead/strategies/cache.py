"""Inputs for the size of the KV cache: the sizes of models, small and large."""

from ...drawing import Strategy as S

SIZES = ("n_layers", "n_kv_heads", "head_dim", "seq_len", "batch", "bytes_per_value")


def every_size(n, **sizes):
    """All six numbers, pairwise different."""
    return tuple(sizes[name] for name in SIZES)


def a_model(n, batch, bytes_per_value):
    """Sizes as large language models have them."""
    n_layers, n_kv_heads, head_dim = ((30, 3, 64), (32, 8, 128), (61, 1, 576), (80, 8, 128))[int(n.rng.integers(4))]
    return n_layers, n_kv_heads, head_dim, 1000 * int(n.rng.integers(1, 200)), batch, bytes_per_value


def beyond_floats(n, bits=60):
    """Odd factors whose product has more digits than float64 holds."""
    odd = [2 * int(n.rng.integers(2**3, 2**4)) + 1 for _ in range(3)]
    return *odd, 2 ** (bits - 18) + 1 + 2 * int(n.rng.integers(0, 1000)), 3, 1


KV_CACHE_BYTES = {
    "kv_cache_bytes.values": (
        S("six different sizes", every_size, SIZES, low=2, high=9, cases=4),
        S("float32 numbers in several sequences", lambda n, batch: a_model(n, batch, 4), ("batch",), low=3),
        S("one byte to a number", lambda n, batch: a_model(n, batch, 1), ("batch",), low=3),
        S("all sizes 1", lambda n: (1, 1, 1, 1, 1, 1)),
    ),
    "kv_cache_bytes.defaults": (
        S("no batch and no number of bytes", lambda n: a_model(n, 1, 2)[:4], cases=3),
        S("a batch but no number of bytes", lambda n, batch: a_model(n, batch, 2)[:5], ("batch",), low=3, cases=2),
    ),
    "kv_cache_bytes.exact": (
        S("more bytes than an int32 can count", lambda n: (80, 8, 128, 131_071 - 2 * int(n.rng.integers(99)), 7, 2)),
        S("more digits than a float holds", beyond_floats, cases=2),
    ),
}
