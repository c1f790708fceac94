"""Right, though the functions call each other, and themselves, in odd ways."""
# ruff: noqa: F821


# %% causal_mask
def causal_mask(T):
    if T == 0:
        return np.zeros((0, 0), bool)
    smaller = np.pad(causal_mask(T - 1), ((0, 1), (0, 1)))
    smaller[-1] = True
    return smaller


# %% softmax
def softmax(x):
    if x.ndim > 1:
        return np.stack([softmax(row) for row in x])
    e = np.exp(x - x.max())
    return e / e.sum()


# %% attention
def attention(Q, K, V, mask=None):
    if Q.ndim > 2:
        masks = [None] * len(Q)
        if mask is not None:
            masks = np.broadcast_to(mask, (*Q.shape[:-1], K.shape[-2]))
        outs, weights = zip(*map(attention, Q, K, V, masks), strict=True)
        return np.stack(outs), np.stack(weights)
    return weigh(softmax, Q @ K.T / np.sqrt(Q.shape[1]), V, mask)


# %% after attention
def weigh(normalise, scores, V, mask):
    if mask is not None:
        scores = scores + np.where(mask, 0, -np.inf)
    return normalise(scores) @ V, normalise(scores)


# %% causal_self_attention
def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    if W_gate is not None:
        out, weights = causal_self_attention(X, W_q, W_k, W_v)
        return out * sigmoid(X @ W_gate), weights
    return globals()["attention"](X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))


# %% sigmoid
def sigmoid(x):
    pair = np.stack([np.zeros_like(x), x], axis=-1)
    return softmax(pair)[..., 1]
