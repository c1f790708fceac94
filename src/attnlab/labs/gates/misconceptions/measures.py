"""Wrong versions of ``sink_share`` and ``gate_sparsity``."""

import numpy as np

from attnlab.labs.gates.misconceptions.registry import wrong


@wrong("sink_share", section="sink-share")
def first_query_counted(weights):
    """Query 0, which has no choice, is counted as well."""
    return weights[..., 0].mean()


@wrong("sink_share", section="sink-share")
def last_key_measured(weights):
    """The share of the last key is measured instead of the first."""
    return weights[..., 1:, -1].mean()


@wrong("sink_share", section="sink-share")
def own_share_measured(weights):
    """The share that tokens leave on themselves is measured."""
    return np.diagonal(weights, axis1=-2, axis2=-1)[..., 1:].mean()


@wrong("sink_share", "A49", section="sink-share")
def row_taken_for_column(weights):
    """The row of query 0 is averaged instead of the column of key 0."""
    return weights[..., 0, 1:].mean()


@wrong("sink_share", section="sink-share")
def one_share_per_head(weights):
    """Each matrix gets a number of its own."""
    return weights[..., 1:, 0].mean(axis=-1)


@wrong("sink_share", section="sink-share")
def shares_added_up(weights):
    """The weights on key 0 are summed and not averaged."""
    return weights[..., 1:, 0].sum()


@wrong("sink_share", section="sink-share")
def only_first_matrix(weights):
    """Only the first matrix of a batch is looked at."""
    return weights.reshape(-1, *weights.shape[-2:])[0, 1:, 0].mean()


@wrong("sink_share", section="sink-share")
def only_last_query(weights):
    """Only the last query is looked at."""
    return weights[..., -1, 0].mean()


@wrong("sink_share", section="sink-share")
def strongest_head_only(weights):
    """The largest share of any head is returned."""
    return weights[..., 1:, 0].mean(axis=-1).max()


@wrong("sink_share", section="sink-share")
def queries_that_prefer_it(weights):
    """The queries that give key 0 more than half are counted, instead of averaging what they give."""
    return (weights[..., 1:, 0] > 0.5).mean()


@wrong("gate_sparsity", section="sparsity")
def threshold_counts_too(gate, threshold=0.1):
    """Gates exactly at the threshold are counted as shut."""
    return (gate <= threshold).mean()


@wrong("gate_sparsity", section="sparsity")
def open_ones_counted(gate, threshold=0.1):
    """The share of open gates is returned."""
    return (gate >= threshold).mean()


@wrong("gate_sparsity", section="sparsity")
def shut_ones_not_divided(gate, threshold=0.1):
    """The shut gates are counted and not divided by their number."""
    return (gate < threshold).sum()


@wrong("gate_sparsity", section="sparsity")
def mean_gate(gate, threshold=0.1):
    """The mean gate is returned."""
    return gate.mean()


@wrong("gate_sparsity", section="sparsity")
def threshold_ignored(gate, threshold=0.1):
    """The threshold is always 0.1."""
    return (gate < 0.1).mean()


@wrong("gate_sparsity", section="sparsity")
def size_without_sign(gate, threshold=0.1):
    """The size of a gate is compared, so that strongly negative ones count as open."""
    return (np.abs(gate) < threshold).mean()


@wrong("gate_sparsity", section="sparsity")
def exact_zeros_only(gate, threshold=0.1):
    """Only gates that are exactly 0 are counted."""
    return (gate == 0).mean()


@wrong("gate_sparsity", section="sparsity")
def one_share_per_row(gate, threshold=0.1):
    """Each row gets a number of its own."""
    return (gate < threshold).mean(axis=-1)


@wrong("gate_sparsity", section="sparsity")
def share_in_percent(gate, threshold=0.1):
    """The share is returned in percent."""
    return 100 * (gate < threshold).mean()


@wrong("gate_sparsity", "A12", section="sparsity")
def shut_in_place(gate, threshold=0.1):
    """Gates below the threshold are set to 0 in the caller's array."""
    gate[gate < threshold] = 0
    return (gate < threshold).mean()


@wrong("gate_sparsity", section="sparsity")
def half_by_default(gate, threshold=0.5):
    """Without a word about the threshold, 0.5 is used."""
    return (gate < threshold).mean()
