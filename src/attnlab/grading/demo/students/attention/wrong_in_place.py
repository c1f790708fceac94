"""Wrong: softmax works inside the array it was given."""
# ruff: noqa: F821

# %% like right_plain


# %% softmax
def softmax(x):
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x
