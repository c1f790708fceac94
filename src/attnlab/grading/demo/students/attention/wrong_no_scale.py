"""Wrong: the scores are not divided by the square root of d_k."""
# ruff: noqa: F821

# %% like right_plain


# %% attention
def attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -2, -1)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights
