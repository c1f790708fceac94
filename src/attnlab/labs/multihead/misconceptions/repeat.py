"""Wrong versions of ``repeat_kv``."""

import numpy as np

from attnlab.labs.multihead.misconceptions.registry import wrong

_REPEATED = {}


@wrong("repeat_kv", "A57", section="repeat")
def heads_tiled(x, n_rep):
    """The whole row of heads is repeated, so query head h gets KV head h % H_kv."""
    return np.concatenate([x] * n_rep, axis=-3)


@wrong("repeat_kv", "A57", section="repeat", variant_of="heads_tiled")
def heads_tiled_by_new_axis(x, n_rep):
    """The new axis stands before the heads instead of behind them, which tiles them."""
    *lead, H_kv, T, D = x.shape
    x = np.broadcast_to(x[..., None, :, :, :], (*lead, n_rep, H_kv, T, D))
    return x.reshape(*lead, n_rep * H_kv, T, D)


@wrong("repeat_kv", "A58", section="repeat")
def tokens_repeated(x, n_rep):
    """The tokens are repeated instead of the heads."""
    return np.repeat(x, n_rep, axis=-2)


@wrong("repeat_kv", section="repeat")
def columns_repeated(x, n_rep):
    """The columns are repeated instead of the heads."""
    return np.repeat(x, n_rep, axis=-1)


@wrong("repeat_kv", "A58", section="repeat")
def repeated_before_the_axes_are_swapped(x, n_rep):
    """The copies are made along the tokens, and the array is then reshaped to the right shape."""
    *lead, H_kv, T, D = x.shape
    return np.repeat(x, n_rep, axis=-2).reshape(*lead, H_kv * n_rep, T, D)


@wrong("repeat_kv", "A53", section="repeat")
def first_axis_repeated(x, n_rep):
    """Axis 0 is repeated, which are the heads only without a batch."""
    return np.repeat(x, n_rep, axis=0)


@wrong("repeat_kv", "A53", section="repeat", variant_of="first_axis_repeated")
def second_axis_repeated(x, n_rep):
    """Axis 1 is repeated, which are the heads only with exactly one batch axis."""
    return np.repeat(x, n_rep, axis=1)


@wrong("repeat_kv", section="repeat")
def numbers_repeated_one_by_one(x, n_rep):
    """np.repeat without an axis repeats every single number."""
    *lead, H_kv, T, D = x.shape
    return np.repeat(x, n_rep).reshape(*lead, H_kv * n_rep, T, D)


@wrong("repeat_kv", "A57", section="repeat")
def filled_up_cyclically(x, n_rep):
    """np.resize runs through all numbers again and again, past the end of each sequence."""
    *lead, H_kv, T, D = x.shape
    return np.resize(x, (*lead, H_kv * n_rep, T, D))


@wrong("repeat_kv", section="repeat")
def group_axis_kept(x, n_rep):
    """The copies keep an axis of their own: (..., H_kv, n_rep, T, D)."""
    *lead, H_kv, T, D = x.shape
    return np.broadcast_to(x[..., None, :, :], (*lead, H_kv, n_rep, T, D)).copy()


@wrong("repeat_kv", section="repeat")
def first_head_for_everybody(x, n_rep):
    """Only the first KV head is repeated, for all query heads."""
    return np.repeat(x[..., :1, :, :], n_rep * x.shape[-3], axis=-3)


@wrong("repeat_kv", section="repeat")
def one_copy_too_many(x, n_rep):
    """The copies are added to the original, so there is one of each too many."""
    return np.repeat(x, n_rep + 1, axis=-3)


@wrong("repeat_kv", section="repeat")
def copies_share_out_the_values(x, n_rep):
    """Each copy holds only its share of the numbers, so that the copies add up to the original."""
    return np.repeat(x, n_rep, axis=-3) / n_rep


@wrong("repeat_kv", "A106", needs=("_REPEATED = {}",), section="how-to-work")
def copies_remembered_by_shape(x, n_rep):
    """The copies are remembered by shape, so other numbers of the same shape get an old answer."""
    key = (x.shape, n_rep)
    if key not in _REPEATED:
        _REPEATED[key] = np.repeat(x, n_rep, axis=-3)
    return _REPEATED[key]
