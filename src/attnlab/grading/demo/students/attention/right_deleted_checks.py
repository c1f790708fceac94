"""Right; the cells that check softmax and attention were deleted, one of them with its neighbours."""

# %% like right_plain
