"""Right, line by line as the lesson explains it."""
# ruff: noqa: F821


# %% causal_mask
def causal_mask(T):
    positions = np.arange(T)
    return positions[None, :] <= positions[:, None]


# %% softmax
def softmax(x):
    shifted = x - np.max(x, axis=-1, keepdims=True)
    e = np.exp(shifted)
    return e / np.sum(e, axis=-1, keepdims=True)


# %% attention
def attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


# %% causal_self_attention
def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, mask=causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


# %% sigmoid
def sigmoid(x):
    return 0.5 * (1 + np.tanh(0.5 * x))
