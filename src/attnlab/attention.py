"""Scaled dot-product attention, causal self-attention and the output gate, in plain NumPy.

``...`` stands for any number of leading batch axes, possibly none. Masks are boolean and True means "may look", as in
``torch.nn.functional.scaled_dot_product_attention``. Inputs are never modified; float32 in, float32 out.
"""

import math

import numpy as np


def causal_mask(T):
    """Say which positions each token may look at: itself and everything before it.

    Parameters
    ----------
    T : int
        Length of the sequence, 0 or more.

    Returns
    -------
    mask : ndarray of bool, shape (T, T)
        ``mask[i, j]`` is True exactly when ``j <= i``.

    Notes
    -----
    Vaswani et al., "Attention Is All You Need" (2017), section 3.2.3: masked self-attention.
    """
    return np.tri(T, dtype=bool)  # (T, T)


def softmax(x):
    """Turn each row of scores into positive weights that sum to 1.

    Parameters
    ----------
    x : ndarray of float, shape (..., n)
        Scores (logits, in nats). Any finite size is legal; ``-inf`` means "never look here". Each row holds at least
        one finite score.

    Returns
    -------
    weights : ndarray of float, shape (..., n)
        ``exp(x)`` divided by its sum over the last axis; exactly 0 where `x` is ``-inf``.

    Notes
    -----
    Adding a constant to a row changes nothing, so the largest score is moved to 0 first and ``exp`` cannot overflow.
    """
    weights = x - x.max(axis=-1, keepdims=True)  # (..., n) - (..., 1) -> (..., n)
    np.exp(weights, out=weights)  # (..., n)
    weights /= weights.sum(axis=-1, keepdims=True)  # (..., n) / (..., 1) -> (..., n)
    return weights


def attention(Q, K, V, mask=None):
    """Let each query take a weighted average of the values, weighted by how well the keys match it.

    Parameters
    ----------
    Q : ndarray of float, shape (..., T_q, d_k)
        Queries: what each token seeks.
    K : ndarray of float, shape (..., T_k, d_k)
        Keys: how each token is found.
    V : ndarray of float, shape (..., T_k, d_v)
        Values: what each token hands over.
    mask : ndarray of bool, broadcastable to (..., T_q, T_k), optional
        True where the query may look at the key. Every query must see at least one key. None hides nothing.

    Returns
    -------
    out : ndarray of float, shape (..., T_q, d_v)
        ``weights @ V``.
    weights : ndarray of float, shape (..., T_q, T_k)
        ``softmax(Q K^T / sqrt(d_k))`` over the visible keys; rows sum to 1, hidden keys get exactly 0.

    Notes
    -----
    Vaswani et al., "Attention Is All You Need" (2017), equation 1.
    """
    d_k = Q.shape[-1]
    scores = (Q / math.sqrt(d_k)) @ K.swapaxes(-1, -2)  # (..., T_q, d_k) @ (..., d_k, T_k) -> (..., T_q, T_k)
    if mask is not None:
        np.copyto(scores, -np.inf, where=~mask)  # (..., T_q, T_k)
    weights = softmax(scores)  # (..., T_q, T_k)
    return weights @ V, weights  # (..., T_q, T_k) @ (..., T_k, d_v) -> (..., T_q, d_v)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    """Let each token of a sequence attend to itself and to the tokens before it.

    Parameters
    ----------
    X : ndarray of float, shape (..., T, d_model)
        One hidden state per token, T >= 1.
    W_q, W_k : ndarray of float, shape (d_model, d_k)
        Projections to queries and keys.
    W_v : ndarray of float, shape (d_model, d_v)
        Projection to values.
    W_gate : ndarray of float, shape (d_model, d_v) or (d_model, 1), optional
        Bonus. Projection to the gate on the output: one gate per channel, or one per token.

    Returns
    -------
    out : ndarray of float, shape (..., T, d_v)
        The attention output, multiplied by ``sigmoid(X @ W_gate)`` when `W_gate` is given.
    weights : ndarray of float, shape (..., T, T)
        The attention weights; the gate does not change them.

    Notes
    -----
    Vaswani et al., "Attention Is All You Need" (2017), section 3.2.3. The gate is position G1 of Qiu et al., "Gated
    Attention for Large Language Models" (2025), computed from the query token's own hidden state.
    """
    Q, K, V = X @ W_q, X @ W_k, X @ W_v  # (..., T, d_k), (..., T, d_k), (..., T, d_v)
    out, weights = attention(Q, K, V, causal_mask(X.shape[-2]))  # (..., T, d_v), (..., T, T)
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out  # (..., T, d_v or 1) * (..., T, d_v) -> (..., T, d_v)
    return out, weights


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
