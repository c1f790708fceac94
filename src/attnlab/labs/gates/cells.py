# Given cells of the lesson `gates`, for both languages: a region runs from `# %% NAME` to the next such line.
# They run in a notebook, in order, together with the functions the student writes; this file is never imported.
# `LANG` becomes the language of the notebook.
# ruff: noqa: E402, F821

# %% setup
import importlib.util
import math

import numpy as np

from attnlab.labs.gates import experiment, pictures

np.set_printoptions(precision=3, suppress=True)

# %% must_answer
V = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [-4.0, 2.0]])  # (T, D): the first value is as good as nothing
K = np.array([[3.0], [0.0], [0.0], [0.0]])  # (T, 1): the first key is easy to find
for name, query in (("looking for nothing", 0.0), ("running to the sink", 3.0)):
    out, weights = attention(np.array([[query]]), K, V)  # (1, D), (1, T)
    print(f"{name}: weights {weights[0]}, answer {out[0]}")

# %% sink_by_hand
weights = np.array([[1.0, 0.0, 0.0], [0.75, 0.25, 0.0], [0.5, 0.25, 0.25]])  # (T, T)
print("first column:", weights[:, 0])
print("your sink share:", sink_share(weights))

# %% activation_values
x = np.array([-10.0, -3.0, -1.28, 0.0, 1.0, 3.0, 10.0])
print("x      ", x)
print("sigmoid", sigmoid(x))
print("silu   ", silu(x))

# %% gate_shapes
rng = np.random.default_rng(3)
X = rng.standard_normal((5, 12))  # (T, d_model), for three heads of four channels
pictures.gate_shapes(
    {f"W_gate\n(12, {width})": gate_values(X, 0.8 * rng.standard_normal((12, width)), 3) for width in (12, 3, 4, 1)}
)

# %% places
pictures.places()

# %% gate_cost
d_model, n_heads = 2048, 16
attention_itself = 4 * d_model * d_model  # W_q, W_k, W_v, W_o
for name, width in (("each channel", d_model), ("each head", n_heads), ("one for all", 1)):
    more = d_model * width
    print(f"{name:12}  {more:9,} numbers more, {more / attention_itself:6.2%} of the attention itself")

# %% who_moves
rng = np.random.default_rng(5)
X = rng.standard_normal((5, 12))  # (T, d_model)
X[:, 0] = [0, 0, 1, 0, 0]  # a flag that only token 2 carries
W = [rng.standard_normal((12, 12)) / math.sqrt(12) for _ in range(4)]  # W_q, W_k, W_v, W_o
half_open, shut = np.zeros((12, 1)), np.zeros((12, 1))  # (d_model, 1)
shut[0] = -50.0  # whoever carries the flag shuts its gate
mask = np.tri(5, dtype=bool)  # (T, T)
for position in ("G1", "G2", "G3", "G4", "G5"):
    options = (3, position, "sigmoid", "multiply", mask)
    before, looked = gated_multi_head_attention(X, *W, half_open, *options)  # (T, d_model), (H, T, T)
    after, looks = gated_multi_head_attention(X, *W, shut, *options)  # (T, d_model), (H, T, T)
    moved = np.nonzero(np.abs(after - before).max(axis=-1) > 1e-9)[0].tolist()
    weights_moved = np.nonzero(np.abs(looks - looked).max(axis=(0, 2)) > 1e-9)[0].tolist()
    print(f"{position}: outputs that change {moved}, rows of weights that change {weights_moved}")

# %% train
runs = experiment.run(seeds=(0,), told=print)  # (0, 1, 2) takes three times as long

# %% training_picture
pictures.training(runs)

# %% where_heads_look
pictures.where_heads_look(runs)

# %% gates_learned
gated = runs[1]
print(f"mean gate at triggers {gated.gate_at_triggers:.2f}, at other tokens {gated.gate_elsewhere:.2f}")
print(f"share of gates below 0.1 in the whole test: {gated.sparsity:.2f}")
print(f"in the sequence above, by your function: {gate_sparsity(gated.gate):.2f}")

# %% torch_comparison
if importlib.util.find_spec("torch") is None:
    print("PyTorch is not installed here, so there is nothing to compare with. The lesson does not need it.")
else:
    import torch

    rng = np.random.default_rng(6)
    X = rng.standard_normal((2, 7, 12), dtype=np.float32)  # (B, T, d_model)
    W = [0.3 * rng.standard_normal((12, 12), dtype=np.float32) for _ in range(5)]  # W_q, W_k, W_v, W_o, W_gate
    ours, _ = gated_multi_head_attention(X, *W, 3, mask=np.tri(7, dtype=bool))  # (B, T, d_model)
    x, q, k, v, o, g = map(torch.from_numpy, (X, *W))
    q, k, v, g = ((x @ w).unflatten(-1, (3, 4)).transpose(1, 2) for w in (q, k, v, g))  # (B, H, T, D) each
    found = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)  # (B, H, T, D)
    theirs = (torch.sigmoid(g) * found).transpose(1, 2).flatten(-2) @ o  # (B, T, d_model)
    print(f"largest difference from PyTorch: {np.abs(ours - theirs.numpy()).max():.0e}")

# %% quiz
from attnlab import quiz

quiz("gates", lang=LANG)
