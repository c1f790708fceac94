"""Wrong: the columns sum to 1 instead of the rows."""
# ruff: noqa: F821

# %% like right_plain


# %% softmax
def softmax(x):
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)
