"""Wrong: softmax goes by another name, so there is nothing to check under its own."""
# ruff: noqa: F821

# %% like right_plain


# %% softmax
def soft_max(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


# %% attention
def attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = soft_max(scores)
    return weights @ V, weights
