"""Masks: padding, sliding windows with sinks, their combination, and attention that survives seeing nothing.

``...`` stands for any number of leading batch axes, possibly none. Masks are boolean and True means "may look", as in
``torch.nn.functional.scaled_dot_product_attention``. Inputs are never modified; float32 in, float32 out.
"""

import math

import numpy as np


def padding_mask(lengths, T):
    """Say for each sequence of a padded batch which positions hold a token and which only padding.

    Parameters
    ----------
    lengths : ndarray of int, shape (B,)
        Number of tokens in each sequence, from 0 to `T`. Tokens stand first, padding behind them.
    T : int
        Length to which all sequences are padded.

    Returns
    -------
    mask : ndarray of bool, shape (B, 1, T)
        ``mask[b, 0, j]`` is True exactly when ``j < lengths[b]``. The axis of length 1 stands for all queries.

    Notes
    -----
    The ``key_padding_mask`` of ``torch.nn.MultiheadAttention``, negated and with an axis for the queries.
    """
    return np.arange(T) < lengths[:, None, None]  # (T,) < (B, 1, 1) -> (B, 1, T)


def from_blocked(mask):
    """Turn a mask in which True means "blocked" into one in which True means "may look".

    Parameters
    ----------
    mask : ndarray of bool, shape (...)
        True where looking is forbidden, as in ``torch.nn.MultiheadAttention``.

    Returns
    -------
    visible : ndarray of bool, shape (...)
        True where looking is allowed. Always a new array.
    """
    return np.logical_not(mask)  # (...)


def sliding_window_mask(T, window, sinks=0):
    """Let each token look at the last few tokens, itself among them, and at the first few of the sequence.

    Parameters
    ----------
    T : int
        Length of the sequence, 1 or more.
    window : int
        How many positions are seen that end with the token's own; 1 or more.
    sinks : int, optional
        How many of the first positions every later token sees as well.

    Returns
    -------
    mask : ndarray of bool, shape (T, T)
        ``mask[i, j]`` is True exactly when ``j <= i`` and either ``i - j < window`` or ``j < sinks``.

    Notes
    -----
    The window is that of Beltagy et al., "Longformer" (2020), section 3.1, cut at the diagonal; the sinks are those of
    Xiao et al., "Efficient Streaming Language Models with Attention Sinks" (2023), section 3.2.
    """
    i, j = np.arange(T)[:, None], np.arange(T)  # queries (T, 1), keys (T,)
    return (j <= i) & ((i - j < window) | (j < sinks))  # (T, T)


def combine_masks(*masks):
    """Let a query look only where every mask allows it.

    Parameters
    ----------
    *masks : ndarray of bool or None
        Any number of masks whose shapes broadcast together; None means that everything is visible.

    Returns
    -------
    mask : ndarray of bool or None
        The logical and of all masks, in the shape to which they broadcast (it may be the only mask itself); None when
        there is none, or nothing but None.
    """
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined & mask  # (...) & (...) -> (...)
    return combined


def safe_softmax(x):
    """Turn each row of scores into weights that sum to 1, and a row of nothing but ``-inf`` into zeros.

    Parameters
    ----------
    x : ndarray of float, shape (..., n)
        Scores (logits, in nats), n >= 1. Any finite size is legal; ``-inf`` means "never look here".

    Returns
    -------
    weights : ndarray of float, shape (..., n)
        ``exp(x)`` divided by its sum over the last axis; exactly 0 where `x` is ``-inf``.

    Notes
    -----
    What ``torch.nn.functional.scaled_dot_product_attention`` does with a row that sees nothing. An ordinary softmax
    computes ``-inf - (-inf)`` there, which is NaN.
    """
    top = x.max(axis=-1, keepdims=True)  # (..., n) -> (..., 1), -inf where a row is empty
    e = np.exp(x - np.where(np.isneginf(top), 0, top))  # (..., n) - (..., 1) -> (..., n), zeros where a row is empty
    total = e.sum(axis=-1, keepdims=True)  # (..., n) -> (..., 1), at least 1 unless a row is empty
    return e / np.maximum(total, 1)  # (..., n) / (..., 1) -> (..., n)


def masked_attention(Q, K, V, mask=None):
    """Let each query take a weighted average of the values it may see; one that sees nothing takes nothing.

    Parameters
    ----------
    Q : ndarray of float, shape (..., T_q, d_k)
        Queries: what each token seeks.
    K : ndarray of float, shape (..., T_k, d_k)
        Keys: how each token is found.
    V : ndarray of float, shape (..., T_k, d_v)
        Values: what each token hands over.
    mask : ndarray of bool, broadcastable to (..., T_q, T_k), optional
        True where the query may look at the key. None hides nothing.

    Returns
    -------
    out : ndarray of float, shape (..., T_q, d_v)
        ``weights @ V``; zeros for a query that sees no key.
    weights : ndarray of float, shape (..., T_q, T_k)
        ``safe_softmax(Q K^T / sqrt(d_k))`` over the visible keys; zeros for a query that sees no key.

    Notes
    -----
    Vaswani et al., "Attention Is All You Need" (2017), equation 1. Without a mask attention looks both ways, as in
    Devlin et al., "BERT" (2018).
    """
    scores = (Q / math.sqrt(Q.shape[-1])) @ K.swapaxes(-1, -2)  # (..., T_q, d_k) @ (..., d_k, T_k) -> (..., T_q, T_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)  # (..., T_q, T_k)
    weights = safe_softmax(scores)  # (..., T_q, T_k)
    return weights @ V, weights  # (..., T_q, T_k) @ (..., T_k, d_v) -> (..., T_q, d_v)


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    """Let each token of one sequence attend to the tokens of another one.

    Parameters
    ----------
    X : ndarray of float, shape (..., T_q, d_model)
        Hidden states of the sequence that asks.
    Z : ndarray of float, shape (..., T_k, d_z)
        Hidden states of the sequence that is asked, with the same leading axes.
    W_q : ndarray of float, shape (d_model, d_k)
        Projection to queries.
    W_k : ndarray of float, shape (d_z, d_k)
        Projection to keys.
    W_v : ndarray of float, shape (d_z, d_v)
        Projection to values.
    mask : ndarray of bool, broadcastable to (..., T_q, T_k), optional
        True where the query may look at the key. None hides nothing.

    Returns
    -------
    out : ndarray of float, shape (..., T_q, d_v)
        One row for each token of `X`; zeros where it sees no token of `Z`.
    weights : ndarray of float, shape (..., T_q, T_k)
        The attention weights.

    Notes
    -----
    Vaswani et al., "Attention Is All You Need" (2017), section 3.2.3: encoder-decoder attention.
    """
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)  # (..., T_q, d_v), (..., T_q, T_k)
