"""Right; saved by an editor that keeps no cell metadata."""

# %% like right_plain
