"""Right, but the upload broke off in the middle of the file."""

# %% like right_plain
