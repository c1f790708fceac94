"""Lazy iterators where arrays belong."""
# fails: causal_mask softmax attention causal_self_attention
import math


def causal_mask(T):
    for i in range(T):
        yield [j <= i for j in range(T)]


def softmax(x):
    return (math.exp(v) for v in x)


def attention(Q, K, V, mask=None):
    return (q for q in Q), (k for k in K)


async def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return attention(X @ W_q, X @ W_k, X @ W_v)
