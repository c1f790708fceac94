"""Wrong: True is taken to mean hidden."""
# ruff: noqa: F821

# %% like right_plain


# %% attention
def attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    weights = softmax(scores)
    return weights @ V, weights
