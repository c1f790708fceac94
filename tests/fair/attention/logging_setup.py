"""Configures the root logger and logs at every level."""
import logging
import sys

import numpy as np

logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, format="%(levelname)s %(funcName)s %(message)s", force=True)
logging.captureWarnings(True)
log = logging.getLogger(__name__)


def causal_mask(T):
    log.info("T=%d", T)
    return np.tri(T, dtype=bool)


def softmax(x):
    log.debug("x %s", x)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    log.warning("shapes %s %s %s", Q.shape, K.shape, V.shape)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    log.error("not an error")
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    log.critical("not critical either")
    return 1 / (1 + np.exp(-x))
