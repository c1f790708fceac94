"""Why attention divides by sqrt(d_k): the slope of softmax, the backward pass of attention, entropy, the log-n factor.

``...`` stands for any number of leading batch axes, possibly none. Gradients are named after what they belong to:
``grad_p`` is the gradient of the loss with respect to ``p``. Masks are boolean and True means "may look". Inputs are
never modified; float32 in, float32 out.
"""

import math

import numpy as np


def softmax(x):
    """Turn each row of scores into positive weights that sum to 1; the same as in lab attention.

    Parameters
    ----------
    x : ndarray of float, shape (..., n)
        Scores (logits, in nats). ``-inf`` means "never look here"; each row holds at least one finite score.

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


def softmax_jacobian(p):
    """Say how much each weight of a row moves when one of the scores behind it moves.

    Parameters
    ----------
    p : ndarray of float, shape (..., n)
        Weights that a softmax gave; each row sums to 1.

    Returns
    -------
    jacobian : ndarray of float, shape (..., n, n)
        ``jacobian[..., i, j] = dp_i / ds_j = p_i (delta_ij - p_j)``, that is ``diag(p) - p p^T`` for each row.

    Notes
    -----
    Bridle, "Training Stochastic Model Recognition Algorithms as Networks can Lead to Maximum Mutual Information
    Estimation of Parameters" (1989), where softmax got its name.
    """
    identity = np.eye(p.shape[-1], dtype=p.dtype)  # (n, n)
    return p[..., :, None] * (identity - p[..., None, :])  # (..., n, 1) * ((n, n) - (..., 1, n)) -> (..., n, n)


def softmax_backward(p, grad_p):
    """Carry a gradient from the weights back to the scores, without the Jacobian.

    Parameters
    ----------
    p : ndarray of float, shape (..., n)
        Weights that a softmax gave; each row sums to 1.
    grad_p : ndarray of float, shape (..., n)
        Gradient of the loss with respect to `p`.

    Returns
    -------
    grad_s : ndarray of float, shape (..., n)
        Gradient with respect to the scores: ``p_i (grad_p_i - sum_j p_j grad_p_j)``. Each row sums to 0.

    Notes
    -----
    The product of `softmax_jacobian` with `grad_p`, multiplied out, so that memory grows with n and not with n^2.
    Dao et al., "FlashAttention" (2022), appendix B.2.
    """
    mean = (p * grad_p).sum(axis=-1, keepdims=True)  # (..., n) -> (..., 1): what the row gets on average
    return p * (grad_p - mean)  # (..., n) * ((..., n) - (..., 1)) -> (..., n)


def attention_backward(Q, K, V, grad_out, mask=None):
    """Carry a gradient from the output of attention back to its queries, keys and values.

    Parameters
    ----------
    Q : ndarray of float, shape (..., T_q, d_k)
        Queries.
    K : ndarray of float, shape (..., T_k, d_k)
        Keys.
    V : ndarray of float, shape (..., T_k, d_v)
        Values.
    grad_out : ndarray of float, shape (..., T_q, d_v)
        Gradient of the loss with respect to the output ``softmax(Q K^T / sqrt(d_k)) V``.
    mask : ndarray of bool, broadcastable to (..., T_q, T_k), optional
        True where the query may look at the key. Every query must see at least one key. None hides nothing.

    Returns
    -------
    grad_Q, grad_K, grad_V : ndarray of float, shaped as `Q`, `K` and `V`
        Gradients with respect to the three. A key that no query sees gets 0, and so does its value.

    Notes
    -----
    Dao et al., "FlashAttention" (2022), appendix B.2; the forward pass is Vaswani et al., "Attention Is All You Need"
    (2017), equation 1.
    """
    root = math.sqrt(Q.shape[-1])
    scores = Q @ K.swapaxes(-1, -2) / root  # (..., T_q, d_k) @ (..., d_k, T_k) -> (..., T_q, T_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)  # (..., T_q, T_k)
    p = softmax(scores)  # (..., T_q, T_k): the weights of the forward pass
    grad_V = p.swapaxes(-1, -2) @ grad_out  # (..., T_k, T_q) @ (..., T_q, d_v) -> (..., T_k, d_v)
    grad_p = grad_out @ V.swapaxes(-1, -2)  # (..., T_q, d_v) @ (..., d_v, T_k) -> (..., T_q, T_k)
    grad_s = softmax_backward(p, grad_p) / root  # (..., T_q, T_k)
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V  # (..., T_q, d_k), (..., T_k, d_k), (..., T_k, d_v)


def attention_entropy(weights):
    """Measure how widely attention is spread: 0 for a single key, log n for n keys alike.

    Parameters
    ----------
    weights : ndarray of float, shape (..., n)
        Attention weights; each row sums to 1 and may hold exact zeros.

    Returns
    -------
    entropy : ndarray of float, shape (...)
        ``-sum_j w_j log w_j`` in nats, where ``0 log 0 = 0``. Its exponential is the number of keys in use.

    Notes
    -----
    Shannon, "A Mathematical Theory of Communication" (1948), section 6.
    """
    logs = np.log(np.where(weights > 0, weights, 1))  # (..., n): log 1 = 0 stands in for the log of a hidden key
    return -(weights * logs).sum(axis=-1)  # (..., n) -> (...)


def log_n_scale(n, n_train):
    """Say by how much more to scale the scores when a query sees n keys instead of the n_train of training.

    Parameters
    ----------
    n : number or ndarray, shape (...)
        How many keys a query sees, 1 or more; under a causal mask its own position, counted from 1.
    n_train : int
        The number of keys at which the factor is 1, at least 2.

    Returns
    -------
    scale : number or ndarray of float, shape (...)
        ``log n / log n_train``, a factor on top of ``1 / sqrt(d_k)``; below 1 for n < n_train, and not clamped.

    Notes
    -----
    Su, "Attention scaling from the viewpoint of entropy invariance" (2021, in Chinese, spaces.ac.cn/archives/8823).
    """
    return np.log(n) / np.log(n_train)  # (...)
