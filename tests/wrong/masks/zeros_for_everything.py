"""Zeros of the right shape, everywhere."""
# fails: padding_mask from_blocked sliding_window_mask combine_masks safe_softmax masked_attention cross_attention
import numpy as np


def padding_mask(lengths, T):
    return np.zeros((len(lengths), 1, T), bool)


def from_blocked(mask):
    return np.zeros(mask.shape, bool)


def sliding_window_mask(T, window, sinks=0):
    return np.zeros((T, T), bool)


def combine_masks(*masks):
    return None


def safe_softmax(x):
    return np.zeros_like(x)


def masked_attention(Q, K, V, mask=None):
    return np.zeros((*Q.shape[:-1], V.shape[-1])), np.zeros((*Q.shape[:-1], K.shape[-2]))


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v)
