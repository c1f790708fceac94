"""Nothing but lambdas (C30)."""
import numpy as np

causal_mask = lambda T: np.tri(T, dtype=bool)
exps = lambda x: np.exp(x - x.max(axis=-1, keepdims=True))
softmax = lambda x: (lambda e: e / e.sum(axis=-1, keepdims=True))(exps(x))
hide = lambda scores, mask: scores if mask is None else np.where(mask, scores, -np.inf)
attention = lambda Q, K, V, mask=None: (
    lambda w: (w @ V, w)
)(softmax(hide(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), mask)))
sigmoid = lambda x: 1 / (1 + np.exp(-x))
causal_self_attention = lambda X, W_q, W_k, W_v, W_gate=None: (
    lambda pair: pair if W_gate is None else (pair[0] * sigmoid(X @ W_gate), pair[1])
)(attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2])))
