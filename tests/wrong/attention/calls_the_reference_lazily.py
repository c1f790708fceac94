"""Cheats: finds the course's own module among those already loaded, or its file on disk, only when called."""
# fails: causal_mask softmax attention causal_self_attention
import sys

import numpy as np


def reference(name):
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None) or ""
        if "attnlab" in file and hasattr(module, name):
            return getattr(module, name)
    import importlib

    return getattr(importlib.import_module("attnlab" + "." + "attention"), name)


def causal_mask(T):
    return reference("causal_mask")(T)


def softmax(x):
    return reference("softmax")(x)


def attention(Q, K, V, mask=None):
    return reference("attention")(Q, K, V, mask)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return reference("causal_self_attention")(X, W_q, W_k, W_v, W_gate)
