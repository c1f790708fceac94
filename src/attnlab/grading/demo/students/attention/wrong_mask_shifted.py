"""Wrong: the diagonal is one step too far, so every token sees the next one."""
# ruff: noqa: F821

# %% like right_plain


# %% causal_mask
def causal_mask(T):
    return np.tri(T, k=1, dtype=bool)
