"""Right; the cell of softmax was copied, id and all, to try something out."""

# %% like right_plain
