"""Leading axes are flattened, each sequence is worked on alone, shapes restored in the end (C3)."""
import numpy as np


def softmax_jacobian(p):
    flat = p.reshape(-1, p.shape[-1])
    out = np.zeros((len(flat), p.shape[-1], p.shape[-1]), dtype=p.dtype)
    for b, w in enumerate(flat):
        out[b] = np.diagflat(w) - w.reshape(-1, 1) * w.reshape(1, -1)
    return out.reshape(p.shape + (p.shape[-1],))


def softmax_backward(p, grad_p):
    flat, g = p.reshape(-1, p.shape[-1]), grad_p.reshape(-1, p.shape[-1])
    return np.array([w * (r - w.dot(r)) for w, r in zip(flat, g)]).reshape(p.shape)


def one(Q, K, V, G, mask):
    d = Q.shape[1]
    S = Q.dot(K.T) / d**0.5
    S[~mask] = -np.inf
    P = np.exp(S - S.max(1, keepdims=True))
    P /= P.sum(1, keepdims=True)
    dS = softmax_backward(P, G.dot(V.T)) / d**0.5
    return dS.dot(K), dS.T.dot(Q), P.T.dot(G)


def attention_backward(Q, K, V, grad_out, mask=None):
    lead = Q.shape[:-2]
    full = (*lead, Q.shape[-2], K.shape[-2])
    mask = np.broadcast_to(True if mask is None else mask, full)
    flat = [a.reshape(-1, *a.shape[-2:]) for a in (Q, K, V, grad_out, mask)]
    results = [one(*items) for items in zip(*flat)]
    return tuple(np.array(r).reshape(a.shape) for r, a in zip(zip(*results), (Q, K, V)))


def attention_entropy(weights):
    flat = weights.reshape(-1, weights.shape[-1])
    return np.array([-np.sum(w[w > 0] * np.log(w[w > 0])) for w in flat]).reshape(weights.shape[:-1])


def log_n_scale(n, n_train):
    if np.ndim(n) == 0:
        return float(np.log(n) / np.log(n_train))
    return np.array([np.log(x) for x in np.ravel(n)]).reshape(np.shape(n)) / np.log(n_train)
