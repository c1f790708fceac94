# Given cells of the lesson `attention`, for both languages: a region runs from `# %% NAME` to the next such line.
# They run in a notebook, in order, together with the functions the student writes; this file is never imported.
# `LANG` becomes the language of the notebook.
# ruff: noqa: E402, F401, F821

# %% setup
import importlib.util
import math

import numpy as np

from attnlab import plots

np.set_printoptions(precision=4, suppress=True)
TOKENS = ["carp\nкарп", "leaps\nпрыгает", "over\nчерез"]

# %% raw_embeddings
rng = np.random.default_rng(0)
E = rng.standard_normal((3, 16))  # (T, d_model): three made-up embeddings
alike = E @ E.T  # (T, d_model) @ (d_model, T) -> (T, T)
print(alike.round(1))
print("symmetric:", np.allclose(alike, alike.T))

# %% pipeline
plots.pipeline()

# %% overflow
with np.errstate(all="ignore"):  # only the numbers, without NumPy's warnings
    for score in (10.0, 100.0, 1000.0):
        print(f"score {score:6}:  float32 gives {np.exp(np.float32(score)):.3g}, float64 gives {np.exp(score):.3g}")
    print("inf / inf =", np.exp(1000.0) / np.exp(1000.0))

# %% mask_picture
plots.mask_picture(causal_mask(6))

# %% scaling
plots.scaling_experiment()

# %% batch_trap
rng = np.random.default_rng(1)
Q_batch = rng.standard_normal((2, 5, 4))  # (B, T_q, d_k)
K_batch = rng.standard_normal((2, 6, 4))  # (B, T_k, d_k)
print("K has shape", K_batch.shape, "and K.T has shape", K_batch.T.shape)
try:
    print(Q_batch @ K_batch.T)
except ValueError as error:
    print("Q @ K.T:", error)

cube = rng.standard_normal((3, 3, 3))  # (B, T, d_k), all equal: now nothing complains
scores = cube @ cube.T  # (3, 3, 3), and wrong
print("first sequence right:", np.allclose(scores[0], cube[0] @ cube[0].T))

# %% worked_example
Q = np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])  # (T, d_k)
K = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # (T, d_k)
V = np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]])  # (T, d_v)
_, open_weights = attention(Q, K, V)  # (T, T)
out, weights = attention(Q, K, V, causal_mask(3))  # (T, d_v), (T, T)
print("weights without a mask:", open_weights, sep="\n")
print("causal weights:", weights, sep="\n")
print("causal output:", out, sep="\n")

# %% heatmap
plots.weights_heatmap(weights, TOKENS)

# %% mistakes
plots.mask_mistakes(Q, K, TOKENS)

# %% explore
from attnlab import explore

explore(LANG)

# %% permutation
order = [2, 0, 1]
out, _ = attention(Q, K, V)  # (T, d_v)
shuffled, _ = attention(Q[order], K[order], V[order])  # (T, d_v)
print("rows come out in the new order, otherwise the same:", np.allclose(shuffled, out[order]))
masked, _ = attention(Q, K, V, causal_mask(3))  # (T, d_v)
shuffled, _ = attention(Q[order], K[order], V[order], causal_mask(3))  # (T, d_v)
print("still so under the causal mask:", np.allclose(shuffled, masked[order]))

# %% causality
rng = np.random.default_rng(2)
X = rng.standard_normal((5, 8))  # (T, d_model)
W_q, W_k, W_v = (rng.standard_normal((8, width)) for width in (4, 4, 3))  # (d_model, d_k) twice, (d_model, d_v)
before, _ = causal_self_attention(X, W_q, W_k, W_v)  # (T, d_v)
changed = X.copy()  # (T, d_model)
changed[3] += 1  # another token at position 3
after, _ = causal_self_attention(changed, W_q, W_k, W_v)  # (T, d_v)
for position, change in enumerate(np.abs(after - before).max(axis=-1)):  # (T,)
    print(f"output at position {position} moved by {change:.4f}")

# %% torch_comparison
rng = np.random.default_rng(3)
arrays = [rng.standard_normal((2, 6, width), dtype=np.float32) for width in (4, 4, 3)]  # (B, T, d_k) twice, (B, T, d_v)
ours, _ = attention(*arrays, causal_mask(6))  # (B, T, d_v)
if importlib.util.find_spec("torch") is None:
    print("PyTorch is not installed here, so there is nothing to compare with. The lesson does not need it.")
else:
    import torch

    theirs = torch.nn.functional.scaled_dot_product_attention(*map(torch.from_numpy, arrays), is_causal=True)
    print(f"largest difference from PyTorch: {np.abs(ours - theirs.numpy()).max():.0e}")

# %% cost
for T in (128, 256, 512, 1024):
    X = np.zeros((T, 4))  # (T, d_k)
    _, weights = attention(X, X, X)  # (T, T)
    print(f"T = {T:4}:  {weights.size:9,} weights, {weights.nbytes / 2**20:5.2f} MiB")

# %% nothing_fits
print(softmax(np.array([3.0, -2.0, 1.0, 0.5])))  # one key fits well
print(softmax(np.array([-9.0, -9.0, -9.0, -9.0])))  # no key fits at all

# %% gate_effect
rng = np.random.default_rng(4)
X = rng.standard_normal((4, 8))  # (T, d_model)
W_q, W_k, W_v = (rng.standard_normal((8, width)) for width in (4, 4, 3))  # (d_model, d_k) twice, (d_model, d_v)
plain, _ = causal_self_attention(X, W_q, W_k, W_v)  # (T, d_v)
for width in (3, 1):  # a gate for each channel, then one for the whole token
    gated, _ = causal_self_attention(X, W_q, W_k, W_v, rng.standard_normal((8, width)))  # (T, d_v)
    print(f"W_gate (8, {width}): what is left of each output", gated / plain, sep="\n")
halved, _ = causal_self_attention(X, W_q, W_k, W_v, np.zeros((8, 3)))  # (T, d_v)
print("W_gate = 0 halves everything:", np.allclose(halved, plain / 2))

# %% quiz
from attnlab import quiz

quiz(lang=LANG)
