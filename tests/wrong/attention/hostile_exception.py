"""Raises exceptions that cannot be shown: their text raises, exits, or is endless."""
# fails: causal_mask softmax attention causal_self_attention
import sys


class Unspeakable(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__


class Leaving(Exception):
    def __str__(self):
        sys.exit(0)

    __repr__ = __str__


class Chatty(Exception):
    def __str__(self):
        return "no " * 10_000_000


def causal_mask(T):
    raise Unspeakable


def softmax(x):
    raise Leaving


def attention(Q, K, V, mask=None):
    raise Chatty


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    try:
        raise Unspeakable
    except Unspeakable as error:
        raise AssertionError("passed") from error
