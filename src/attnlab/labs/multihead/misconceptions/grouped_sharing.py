"""Wrong versions of ``grouped_query_attention`` that go astray in who shares which keys and values."""

import math

import numpy as np

from attnlab.labs.multihead.misconceptions.registry import wrong
from attnlab.multihead import merge_heads, repeat_kv, softmax, split_heads


@wrong("grouped_query_attention", "A57", section="repeat")
def kv_heads_dealt_in_turn(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """Query head h uses KV head h % H_kv: the KV heads are dealt out in turn."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = np.concatenate([split_heads(X @ W_k, n_kv_heads)] * n_rep, axis=-3)
    V = np.concatenate([split_heads(X @ W_v, n_kv_heads)] * n_rep, axis=-3)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", "A57", section="repeat", variant_of="kv_heads_dealt_in_turn")
def values_dealt_in_turn(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The keys are repeated rightly, but the values are dealt out in turn."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = np.concatenate([split_heads(X @ W_v, n_kv_heads)] * n_rep, axis=-3)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", section="repeat")
def first_kv_head_for_everybody(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """All query heads use the first KV head."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_kv_heads)[..., :1, :, :]
    V = split_heads(X @ W_v, n_kv_heads)[..., :1, :, :]
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", section="repeat")
def kv_heads_averaged(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The KV heads are averaged into one for all query heads."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_kv_heads).mean(axis=-3, keepdims=True)
    V = split_heads(X @ W_v, n_kv_heads).mean(axis=-3, keepdims=True)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", section="repeat")
def kv_heads_not_repeated(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The KV heads are not repeated, so shapes fit only for one KV head or for as many as query heads."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_kv_heads)
    V = split_heads(X @ W_v, n_kv_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", section="repeat")
def repeated_by_number_of_kv_heads(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The KV heads are repeated n_kv_heads times instead of n_heads // n_kv_heads times."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_kv_heads)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_kv_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", "A85", section="write-gqa")
def kv_split_among_all_heads(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """Keys and values are split among n_heads heads, though there are only n_kv_heads of them."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", "A58", section="repeat")
def tokens_of_kv_heads_repeated(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The copies are made along the tokens and reshaped to the right shape."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_kv_heads)
    K = np.repeat(K, n_rep, axis=-2).reshape(Q.shape)
    V = split_heads(X @ W_v, n_kv_heads)
    V = np.repeat(V, n_rep, axis=-2).reshape(Q.shape)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights
