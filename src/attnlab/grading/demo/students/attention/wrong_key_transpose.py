"""Wrong: K.T turns all axes around, which a batch does not survive."""
# ruff: noqa: F821

# %% like right_plain


# %% attention
def attention(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights
