# Given cells of the lesson `masks`, for both languages: a region runs from `# %% NAME` to the next such line.
# They run in a notebook, in order, together with the functions the student writes; this file is never imported.
# `LANG` becomes the language of the notebook.
# ruff: noqa: E402, F401, F821

# %% setup
import importlib.util
import math

import numpy as np

from attnlab.labs.masks import pictures

np.set_printoptions(precision=4, suppress=True)

# %% batch
TEXTS = [["the", "carp", "leaps", "over", "the", "gate"], ["carp", "leaps", "high"], []]
T = max(map(len, TEXTS))
lengths = np.array([len(text) for text in TEXTS])  # (B,)
for text in TEXTS:
    print(*(f"{token:6}" for token in [*text, *["·"] * (T - len(text))]))
print("lengths:", lengths, "  T:", T)

# %% padding_seen
print("shape:", padding_mask(lengths, T).shape)
print(padding_mask(lengths, T)[:, 0].astype(int))

# %% window_seen
print("window 3:", sliding_window_mask(8, 3).astype(int), sep="\n")
print("window 3 and one sink:", sliding_window_mask(8, 3, 1).astype(int), sep="\n")

# %% window_cost
for length in (500, 1000, 2000):
    everything, window = sliding_window_mask(length, length), sliding_window_mask(length, 128)  # (T, T) each
    print(f"T = {length:4}:  {everything.sum():9,} visible pairs in all, {window.sum():7,} in a window of 128")

# %% window_reach
seen = sliding_window_mask(40, 4)  # (T, T)
heard = seen  # (T, T)
for layer in range(1, 6):
    print(f"layer {layer}: the last token has heard of {heard[-1].sum()} tokens")
    heard = heard @ seen  # (T, T) @ (T, T) -> (T, T): heard of by one of those that I see

# %% masks_picture
T = 9
causal = sliding_window_mask(T, T)  # (T, T)
padding = padding_mask(np.array([6]), T)[0]  # (1, T)
window = sliding_window_mask(T, 3, 1)  # (T, T)
pictures.side_by_side(
    {
        "causal\nпричинная": causal,
        "padding, length 6\nзаполнение, длина 6": padding,
        "window 3, 1 sink\nокно 3, 1 сток": window,
        "all three\nвсе три": combine_masks(causal, padding, window),
    }
)

# %% empty_rows
T = 6
mask = combine_masks(padding_mask(np.array([3]), T)[0], sliding_window_mask(T, 2))  # (1, T) & (T, T) -> (T, T)
print(mask.astype(int))
print("rows that see nothing:", np.flatnonzero(~mask.any(axis=-1)))

# %% not_a_number
row = np.array([-np.inf, -np.inf, -np.inf])
with np.errstate(invalid="ignore"):  # only the numbers, without NumPy's warnings
    shifted = row - row.max()  # (n,)
    print("-inf - (-inf) =", shifted[0])
    print("softmax:", np.exp(shifted) / np.exp(shifted).sum())
print("0 times NaN =", 0 * np.nan)

# %% empty_rows_picture
pictures.empty_rows(mask)

# %% alone_or_padded
rng = np.random.default_rng(0)
Q, K = rng.standard_normal((2, 3, 6, 4))  # (B, T, d_k) each
V = rng.standard_normal((3, 6, 5))  # (B, T, d_v)
V[1, 3:] = 1e9  # whatever stands in the padding
out, weights = masked_attention(Q, K, V, padding_mask(lengths, 6))  # (B, T, d_v), (B, T, T)
alone, _ = masked_attention(Q[1, :3], K[1, :3], V[1, :3])  # (3, d_v): the second text, without any padding
print("in the batch as if it were alone:", np.allclose(out[1, :3], alone))
print("sums of the weights of the text without tokens:", weights[2].sum(axis=-1))
print("anything that is not a number:", np.isnan(out).any())

# %% two_directions
tokens = rng.standard_normal((5, 4))  # (T, d)
changed = tokens.copy()  # (T, d)
changed[4] += 1  # another last token
for name, mask in (("without a mask, as in BERT:", None), ("causal, as in GPT:", sliding_window_mask(5, 5))):
    before, _ = masked_attention(tokens, tokens, tokens, mask)  # (T, d)
    after, _ = masked_attention(changed, changed, changed, mask)  # (T, d)
    print(f"{name:28}", "outputs that moved:", np.flatnonzero(np.abs(after - before).max(axis=-1) > 1e-9))

# %% translation
ASKING, ASKED = ["карп", "прыгает", "через", "врата"], ["the", "carp", "leaps", "over", "the", "gate"]
X = 8 * np.eye(4)  # (T_q, d_model): four made-up meanings, one to each Russian word
Z = np.zeros((6, 5))  # (T_k, d_z): the same meanings, and a fifth number that says "article"
Z[[1, 2, 3, 5], [0, 1, 2, 3]] = 1
Z[[0, 4], 4] = 1
W_q, W_k, W_v = np.eye(4), np.eye(5, 4), np.eye(5)  # (d_model, d_k), (d_z, d_k), (d_z, d_v)
_, weights = cross_attention(X, Z, W_q, W_k, W_v)  # (T_q, T_k)
pictures.who_asks_whom(weights, ASKING, ASKED)

# %% translation_masked
for length in (6, 3, 0):
    mask = padding_mask(np.array([length]), 6)[0]  # (1, T_k)
    out, weights = cross_attention(X, Z, W_q, W_k, W_v, mask)  # (T_q, d_v), (T_q, T_k)
    print(f"length {length}: «{ASKING[1]}» looks with", weights[1].round(2), "and takes", out[1].round(2))

# %% torch_comparison
rng = np.random.default_rng(1)
Q, K, V = rng.standard_normal((3, 2, 6, 4), dtype=np.float32)  # (B, T, d) each
blocked = np.arange(6) >= np.array([[4], [0]])  # (B, T): True = padding, and a text without tokens
mask = from_blocked(blocked)[:, None]  # (B, 1, T)
ours, _ = masked_attention(Q, K, V, mask)  # (B, T, d)
if importlib.util.find_spec("torch") is None:
    print("PyTorch is not installed here, so there is nothing to compare with. The lesson does not need it.")
else:
    import torch

    theirs = torch.nn.functional.scaled_dot_product_attention(*map(torch.from_numpy, (Q, K, V, mask)))
    print("the text without tokens:", *ours[1, 0], "and in PyTorch:", *theirs[1, 0].tolist())
    print(f"largest difference from PyTorch: {np.abs(ours - theirs.numpy()).max():.0e}")

# %% quiz
from attnlab import quiz

quiz("masks", lang=LANG)
