"""Wrong versions of ``kv_cache_bytes``."""

import numpy as np

from attnlab.labs.multihead.misconceptions.registry import wrong


@wrong("kv_cache_bytes", section="cache")
def keys_only(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """The factor 2 for keys and values is missing."""
    return n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value


@wrong("kv_cache_bytes", section="cache")
def numbers_counted(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """Numbers are counted instead of bytes."""
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch


@wrong("kv_cache_bytes", section="cache")
def always_two_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """Two bytes to a number are assumed whatever is said."""
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * 2


@wrong("kv_cache_bytes", section="cache", variant_of="one_layer_only")
def one_sequence_only(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """The number of sequences is left out."""
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * bytes_per_value


@wrong("kv_cache_bytes", section="cache")
def one_layer_only(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """The number of layers is left out."""
    return 2 * n_kv_heads * head_dim * seq_len * batch * bytes_per_value


@wrong("kv_cache_bytes", section="cache", variant_of="one_layer_only")
def one_head_only(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """The number of key-value heads is left out."""
    return 2 * n_layers * head_dim * seq_len * batch * bytes_per_value


@wrong("kv_cache_bytes", section="cache")
def every_pair_of_tokens(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """The length enters squared, as in the score matrix, which is not kept."""
    return 2 * n_layers * n_kv_heads * head_dim * seq_len**2 * batch * bytes_per_value


@wrong("kv_cache_bytes", section="cache")
def queries_kept_as_well(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """Three arrays are counted, as if the queries were kept too."""
    return 3 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value


@wrong("kv_cache_bytes", section="cache")
def bits_returned(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """The result is in bits."""
    return 8 * 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value


@wrong("kv_cache_bytes", section="cache")
def megabytes_returned(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """The result is divided by a million, so it is not a whole number of bytes."""
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value / 1e6


@wrong("kv_cache_bytes", section="cache")
def float_returned(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """The product is a float, which cannot count large numbers exactly."""
    return 2.0 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value


@wrong("kv_cache_bytes", section="cache", variant_of="float_returned")
def float_made_whole(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """The product is computed in floats and converted, when digits are already lost."""
    return int(2.0 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value)


@wrong("kv_cache_bytes", section="cache")
def thirty_two_bits(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """The product is computed in 32-bit integers, which wrap around beyond two thousand million."""
    sizes = np.array([2, n_layers, n_kv_heads, head_dim, seq_len, batch, bytes_per_value])
    return int(np.prod(sizes.astype(np.int32), dtype=np.int32))


@wrong("kv_cache_bytes", section="cache")
def four_bytes_by_default(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=4):
    """Four bytes to a number are taken when nothing is said."""
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value


@wrong("kv_cache_bytes", section="cache")
def defaults_missing(n_layers, n_kv_heads, head_dim, seq_len, batch, bytes_per_value):
    """The last two parameters have no defaults, so they cannot be left out."""
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value


@wrong("kv_cache_bytes", section="cache")
def words_returned(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """The result is a text with a unit instead of a number."""
    n_bytes = 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value
    return f"{n_bytes / 2**30:.2f} GiB"
