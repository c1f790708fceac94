"""Gated attention: what a gate is, how its shape is read, where it can stand, and how to measure what it does.

``...`` stands for any number of leading batch axes, possibly none; ``H`` for the number of heads and ``D`` for the
width of one. Masks are boolean and True means "may look". Inputs are never modified; float32 in, float32 out.
"""

import math

import numpy as np


def attention(Q, K, V, mask=None):
    """Let each query take a weighted average of the values: as in lab attention, given here.

    Parameters
    ----------
    Q : ndarray of float, shape (..., T_q, d_k)
        Queries.
    K : ndarray of float, shape (..., T_k, d_k)
        Keys.
    V : ndarray of float, shape (..., T_k, d_v)
        Values.
    mask : ndarray of bool, broadcastable to (..., T_q, T_k), optional
        True where the query may look at the key. Every query must see at least one key. None hides nothing.

    Returns
    -------
    out : ndarray of float, shape (..., T_q, d_v)
        ``weights @ V``.
    weights : ndarray of float, shape (..., T_q, T_k)
        ``softmax(Q K^T / sqrt(d_k))`` over the visible keys.
    """
    scores = (Q / math.sqrt(Q.shape[-1])) @ K.swapaxes(-1, -2)  # (..., T_q, d_k) @ (..., d_k, T_k) -> (..., T_q, T_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)  # (..., T_q, T_k)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))  # (..., T_q, T_k) - (..., T_q, 1)
    weights = weights / weights.sum(axis=-1, keepdims=True)  # (..., T_q, T_k) / (..., T_q, 1)
    return weights @ V, weights  # (..., T_q, T_k) @ (..., T_k, d_v) -> (..., T_q, d_v)


def split_heads(x, n_heads):
    """Share out the columns of each token among the heads: as in lab multihead, given here.

    Parameters
    ----------
    x : ndarray of float, shape (..., T, H * D)
        One row of numbers for each token.
    n_heads : int
        H, 1 or more.

    Returns
    -------
    heads : ndarray of float, shape (..., H, T, D)
        Head h holds columns ``h * D`` to ``(h + 1) * D`` (exclusive) of every token.
    """
    *lead, T, width = x.shape
    heads = x.reshape(*lead, T, n_heads, width // n_heads)  # (..., T, H * D) -> (..., T, H, D)
    return heads.swapaxes(-2, -3)  # (..., T, H, D) -> (..., H, T, D)


def merge_heads(x):
    """Put the heads of each token side by side again: as in lab multihead, given here.

    Parameters
    ----------
    x : ndarray of float, shape (..., H, T, D)
        What each head holds for each token.

    Returns
    -------
    merged : ndarray of float, shape (..., T, H * D)
        Columns ``h * D`` to ``(h + 1) * D`` (exclusive) of every token come from head h.
    """
    *lead, H, T, D = x.shape
    return x.swapaxes(-2, -3).reshape(*lead, T, H * D)  # (..., H, T, D) -> (..., T, H, D) -> (..., T, H * D)


def sigmoid(x):
    """Squash any number into a gate between 0 (shut) and 1 (open).

    Parameters
    ----------
    x : ndarray of float, shape (...)
        Gate logits (in nats), any finite size.

    Returns
    -------
    gate : ndarray of float, shape (...)
        ``1 / (1 + exp(-x))``, without overflow.
    """
    e = np.exp(-np.abs(x))  # (...), in (0, 1]: the exponent is never positive
    return np.where(x >= 0, 1, e) / (1 + e)  # (...)


def silu(x):
    """Let large numbers through, hold back negative ones: a number times its own gate.

    Parameters
    ----------
    x : ndarray of float, shape (...)
        Gate logits, any finite size.

    Returns
    -------
    gate : ndarray of float, shape (...)
        ``x * sigmoid(x)``: close to x for large x, close to 0 for very negative x, never below -0.2785.

    Notes
    -----
    Elfwing, Uchibe and Doya, "Sigmoid-Weighted Linear Units for Neural Network Function Approximation in Reinforcement
    Learning" (2018); as "Swish" in Ramachandran, Zoph and Le, "Searching for Activation Functions" (2017).
    """
    return x * sigmoid(x)  # (...)


def gate_values(X, W_gate, n_heads, activation="sigmoid"):
    """Compute each token's gate from its own hidden state; the width of `W_gate` says what the gate is shared by.

    Parameters
    ----------
    X : ndarray of float, shape (..., T, d_model)
        One hidden state per token, T >= 1.
    W_gate : ndarray of float, shape (d_model, width)
        ``d_model``: every channel of every head has its own gate. ``H``: every head has one. ``D``: every channel has
        one, shared by all heads. ``1``: one gate for all of them.
    n_heads : int
        H; each head is ``D = d_model / H`` wide.
    activation : {"sigmoid", "silu"}
        What turns the logits ``X @ W_gate`` into gates.

    Returns
    -------
    gate : ndarray of float, broadcastable to (..., H, T, D)
        The activated gate. Axes along which it is shared have length 1.

    Raises
    ------
    ValueError
        If `W_gate` has another width, or `activation` another name.

    Notes
    -----
    Qiu et al., "Gated Attention for Large Language Models: Non-linearity, Sparsity, and Attention-Sink-Free" (2025),
    section 2.2: granularity (head-wise or element-wise), sharing, activation.
    """
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError(f"a W_gate of width {width} fits neither {n_heads} heads nor their {d_model} channels")
    if activation not in ("sigmoid", "silu"):
        raise ValueError(f"activation = {activation!r} is neither 'sigmoid' nor 'silu'")
    logits = X @ W_gate  # (..., T, d_model) @ (d_model, width) -> (..., T, width)
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)  # (..., H or 1, T, D or 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)  # (..., H or 1, T, D or 1)


def gated_multi_head_attention(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """Multi-head attention with a gate in one of five places.

    Parameters
    ----------
    X : ndarray of float, shape (..., T, d_model)
        One hidden state per token, T >= 1.
    W_q, W_k, W_v, W_o : ndarray of float, shape (d_model, d_model)
        Projections to the queries, keys and values of all heads, side by side, and of the merged heads.
    W_gate : ndarray of float, shape (d_model, width)
        As in `gate_values`; at G5, behind the heads, only the widths ``d_model`` and ``1``.
    n_heads : int
        H; each head is ``D = d_model / H`` wide.
    position : {"G1", "G2", "G3", "G4", "G5"}
        What is gated: each head's output, its values, its keys, its queries, or the result after `W_o`.
    activation : {"sigmoid", "silu"}
        As in `gate_values`.
    combine : {"multiply", "add"}
        Whether what is gated is multiplied by the gate or has the gate added to it.
    mask : ndarray of bool, optional
        True = may look. Of shape (T, T), or of three or more axes broadcastable to (..., H, T, T). Every query must
        see at least one key. None hides nothing.

    Returns
    -------
    out : ndarray of float, shape (..., T, d_model)
        The merged outputs of the heads, times `W_o`.
    weights : ndarray of float, shape (..., H, T, T)
        The attention weights of each head. Only a gate on queries or keys changes them.

    Raises
    ------
    ValueError
        If `position`, `activation` or `combine` has another name, or `W_gate` a width that does not fit there.

    Notes
    -----
    Qiu et al., "Gated Attention for Large Language Models: Non-linearity, Sparsity, and Attention-Sink-Free" (2025),
    section 2.2 and figure 1.
    """
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError(f"position = {position!r} is none of 'G1' to 'G5'")
    if combine not in ("multiply", "add"):
        raise ValueError(f"combine = {combine!r} is neither 'multiply' nor 'add'")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)  # (..., H or 1, T, D or 1)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))  # (..., H, T, D) each
    Q = join(Q, gate) if position == "G4" else Q  # (..., H, T, D)
    K = join(K, gate) if position == "G3" else K  # (..., H, T, D)
    V = join(V, gate) if position == "G2" else V  # (..., H, T, D)
    out, weights = attention(Q, K, V, mask)  # (..., H, T, D), (..., H, T, T)
    out = join(out, gate) if position == "G1" else out  # (..., H, T, D)
    out = merge_heads(out) @ W_o  # (..., T, H * D) @ (d_model, d_model) -> (..., T, d_model)
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out  # (..., T, d_model): all channels are those of one
    return out, weights


def sink_share(weights):
    """Measure how much of their weight queries leave on the first key, on average.

    Parameters
    ----------
    weights : ndarray of float, shape (..., T, T)
        Attention weights under a causal mask, T >= 2.

    Returns
    -------
    share : float
        Mean weight on key 0 over all leading axes and over queries 1 to T - 1; query 0 has no choice and is left out.

    Notes
    -----
    Xiao et al., "Efficient Streaming Language Models with Attention Sinks" (2023), section 3.1.
    """
    return weights[..., 1:, 0].mean()  # (..., T - 1) -> ()


def gate_sparsity(gate, threshold=0.1):
    """Measure which share of the gates is all but shut.

    Parameters
    ----------
    gate : ndarray of float, shape (...)
        Gate values.
    threshold : float
        A gate counts as shut when it is strictly below.

    Returns
    -------
    share : float
        From 0 (none) to 1 (all).
    """
    return (gate < threshold).mean()  # (...) -> ()
