"""Multi-head and grouped-query attention, and what their keys and values cost to keep, in plain NumPy.

``...`` stands for any number of leading batch axes, possibly none; ``H`` for the number of heads and ``D`` for the
width of one. Masks are boolean and True means "may look". Inputs are never modified; float32 in, float32 out.
"""

import math

import numpy as np


def softmax(x):
    """Turn each row of scores into positive weights that sum to 1: as in lab attention, given here.

    Parameters
    ----------
    x : ndarray of float, shape (..., n)
        Scores (logits, in nats); ``-inf`` means "never look here". Each row holds at least one finite score.

    Returns
    -------
    weights : ndarray of float, shape (..., n)
        Rows sum to 1; exactly 0 where `x` is ``-inf``.
    """
    weights = np.exp(x - x.max(axis=-1, keepdims=True))  # (..., n) - (..., 1) -> (..., n)
    return weights / weights.sum(axis=-1, keepdims=True)  # (..., n) / (..., 1) -> (..., n)


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
    weights = softmax(scores)  # (..., T_q, T_k)
    return weights @ V, weights  # (..., T_q, T_k) @ (..., T_k, d_v) -> (..., T_q, d_v)


def split_heads(x, n_heads):
    """Share out the columns of each token among the heads, and give the heads an axis of their own.

    Parameters
    ----------
    x : ndarray of float, shape (..., T, d_model)
        One row of ``d_model = H * D`` numbers for each token.
    n_heads : int
        H, 1 or more.

    Returns
    -------
    heads : ndarray of float, shape (..., H, T, D)
        Head h holds columns ``h * D`` to ``(h + 1) * D`` (exclusive) of every token.

    Raises
    ------
    ValueError
        If `d_model` is not divisible by `n_heads`.

    Notes
    -----
    Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2: each head works on d_model / H dimensions.
    """
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError(f"d_model = {d_model} is not divisible by n_heads = {n_heads}")
    heads = x.reshape(*lead, T, n_heads, d_model // n_heads)  # (..., T, H * D) -> (..., T, H, D)
    return heads.swapaxes(-2, -3)  # (..., T, H, D) -> (..., H, T, D)


def merge_heads(x):
    """Put the heads of each token side by side again: the inverse of `split_heads`.

    Parameters
    ----------
    x : ndarray of float, shape (..., H, T, D)
        What each head holds for each token.

    Returns
    -------
    merged : ndarray of float, shape (..., T, H * D)
        Columns ``h * D`` to ``(h + 1) * D`` (exclusive) of every token come from head h.

    Notes
    -----
    Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2: ``Concat(head_1, ..., head_h)``.
    """
    *lead, H, T, D = x.shape
    return x.swapaxes(-2, -3).reshape(*lead, T, H * D)  # (..., H, T, D) -> (..., T, H, D) -> (..., T, H * D)


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Let each token attend to the others in several ways at once, one for each head, and mix what the heads found.

    Parameters
    ----------
    X : ndarray of float, shape (..., T, d_model)
        One hidden state per token, T >= 1.
    W_q, W_k, W_v : ndarray of float, shape (d_model, d_model)
        Projections to the queries, keys and values of all heads, side by side.
    W_o : ndarray of float, shape (d_model, d_model)
        Output projection, applied to the merged heads.
    n_heads : int
        H; each head is ``D = d_model / H`` wide.
    mask : ndarray of bool, optional
        True = may look. Of shape (T, T), or of three or more axes broadcastable to (..., H, T, T): the head axis is the
        third from the end. Every query must see at least one key. None hides nothing.

    Returns
    -------
    out : ndarray of float, shape (..., T, d_model)
        The merged outputs of the heads, times `W_o`.
    weights : ndarray of float, shape (..., H, T, T)
        The attention weights of each head, ``softmax(Q K^T / sqrt(D))``.

    Raises
    ------
    ValueError
        If `d_model` is not divisible by `n_heads`.

    Notes
    -----
    Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2.
    """
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))  # (..., H, T, D) each
    out, weights = attention(Q, K, V, mask)  # (..., H, T, D), (..., H, T, T)
    return merge_heads(out) @ W_o, weights  # (..., T, H * D) @ (d_model, d_model) -> (..., T, d_model)


def repeat_kv(x, n_rep):
    """Repeat each key-value head for the group of query heads that share it.

    Parameters
    ----------
    x : ndarray of float, shape (..., H_kv, T, D)
        Keys or values of each key-value head.
    n_rep : int
        How many query heads share one, 1 or more.

    Returns
    -------
    repeated : ndarray of float, shape (..., H_kv * n_rep, T, D)
        Query head h finds its key-value head, number ``h // n_rep``, at place h: the copies of one head are neighbours.

    Notes
    -----
    Ainslie et al., "GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints" (2023),
    section 2.2.
    """
    return np.repeat(x, n_rep, axis=-3)  # (..., H_kv, T, D) -> (..., H_kv * n_rep, T, D)


def grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """Let groups of query heads share keys and values, so that fewer of them have to be kept.

    Parameters
    ----------
    X : ndarray of float, shape (..., T, d_model)
        One hidden state per token, T >= 1.
    W_q, W_o : ndarray of float, shape (d_model, d_model)
        Projection to the queries of all heads; output projection.
    W_k, W_v : ndarray of float, shape (d_model, n_kv_heads * D)
        Projections to keys and values; ``D = d_model / n_heads`` as for the queries.
    n_heads : int
        H, the number of query heads.
    n_kv_heads : int
        The number of key-value heads: 1 is multi-query attention, `n_heads` is multi-head attention.
    mask : ndarray of bool, optional
        As in `multi_head_attention`.

    Returns
    -------
    out : ndarray of float, shape (..., T, d_model)
        The merged outputs of the query heads, times `W_o`.
    weights : ndarray of float, shape (..., H, T, T)
        The attention weights of each query head.

    Raises
    ------
    ValueError
        If `n_heads` is not a multiple of `n_kv_heads`.

    Notes
    -----
    Ainslie et al., "GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints" (2023); one
    key-value head for all: Shazeer, "Fast Transformer Decoding: One Write-Head is All You Need" (2019).
    """
    if n_heads % n_kv_heads:
        raise ValueError(f"n_heads = {n_heads} is not a multiple of n_kv_heads = {n_kv_heads}")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)  # (..., H, T, D)
    K, V = (repeat_kv(split_heads(X @ W, n_kv_heads), n_rep) for W in (W_k, W_v))  # (..., H, T, D) each
    out, weights = attention(Q, K, V, mask)  # (..., H, T, D), (..., H, T, T)
    return merge_heads(out) @ W_o, weights  # (..., T, H * D) @ (d_model, d_model) -> (..., T, d_model)


def kv_cache_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """Count the bytes in which a model keeps the keys and values of the tokens it has read.

    Parameters
    ----------
    n_layers, n_kv_heads, head_dim : int
        Layers; key-value heads in each; the width D of a head.
    seq_len : int
        Tokens of each sequence.
    batch : int, default 1
        Sequences.
    bytes_per_value : int, default 2
        2 for float16 and bfloat16, 4 for float32.

    Returns
    -------
    n_bytes : int
        Twice (keys and values) the product of all arguments, exact.

    Notes
    -----
    Shazeer, "Fast Transformer Decoding: One Write-Head is All You Need" (2019), section 2.4: reading this cache is what
    each new token waits for.
    """
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value
