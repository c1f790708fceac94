# Given cells of the lesson `multihead`, for both languages: a region runs from `# %% NAME` to the next such line.
# They run in a notebook, in order, together with the functions the student writes; this file is never imported.
# `LANG` becomes the language of the notebook.
# ruff: noqa: E402, F401, F821

# %% setup
import importlib.util
import math

import numpy as np

np.set_printoptions(precision=3, suppress=True)
TOKENS = ["carp\nкарп", "leaps\nпрыгает", "over\nчерез", "the gate\nврата"]

# %% one_average
Q = np.array([[9.0, 9.0]])  # (T_q, d_k): this token looks for a noun and for a verb
K = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])  # (T_k, d_k): a noun, a verb, neither
V = np.array([[10.0, 0.0], [0.0, 10.0], [0.0, 0.0]])  # (T_k, d_v)
out, weights = attention(Q, K, V)  # (T_q, d_v), (T_q, T_k)
print("one head: weights", weights, "output", out)
for column in range(2):  # two heads, each with one of the two columns
    own = slice(column, column + 1)
    out, weights = attention(Q[:, own], K[:, own], V[:, own])  # (T_q, 1), (T_q, T_k)
    print(f"head {column}:   weights", weights, "output", out)

# %% in_order
x = np.arange(24.0).reshape(4, 6)  # (T, d_model): numbered in reading order
print(x)
print("two heads of width 3:", split_heads(x, 2), sep="\n")  # (H, T, D)

# %% reshape_trap
from attnlab.labs.multihead import pictures

pictures.reshape_trap()

# %% reach
from attnlab.labs.multihead import pictures

pictures.who_reaches_whom()

# %% round_trip
print("yours, there and back:       ", np.array_equal(merge_heads(split_heads(x, 2)), x))
print("reshape alone, there and back:", np.array_equal(x.reshape(2, 4, 3).reshape(4, 6), x))

# %% heads_look
from attnlab import plots

rng = np.random.default_rng(7)
X = rng.standard_normal((4, 8))  # (T, d_model)
W_q, W_k, W_v, W_o = rng.standard_normal((4, 8, 8)) / 2  # (d_model, d_model) each
out, weights = multi_head_attention(X, W_q, W_k, W_v, W_o, 4, np.tri(4, dtype=bool))  # (T, d_model), (H, T, T)
plots.weights_grid({f"head {h} · голова {h}": weights[h] for h in range(4)}, TOKENS)

# %% parameters
d_model = 512
for n_heads in (1, 2, 8, 32):
    D = d_model // n_heads
    print(f"{n_heads:2} heads of width {D:3}: {4 * d_model * n_heads * D:,} parameters")

# %% cached
kept_K, kept_V, rows = np.empty((4, 0, 2)), np.empty((4, 0, 2)), []  # (H, 0, D) twice: an empty cache
for t in range(4):
    token = X[t : t + 1]  # (1, d_model): the newest token, alone
    kept_K = np.concatenate([kept_K, split_heads(token @ W_k, 4)], axis=-2)  # (H, t, D) -> (H, t + 1, D)
    kept_V = np.concatenate([kept_V, split_heads(token @ W_v, 4)], axis=-2)  # (H, t, D) -> (H, t + 1, D)
    found, _ = attention(split_heads(token @ W_q, 4), kept_K, kept_V)  # (H, 1, D)
    rows.append(merge_heads(found) @ W_o)  # (1, d_model)
    print(f"token {t}: {kept_K.size + kept_V.size} numbers in the cache")
print("the same as all at once:", np.allclose(np.concatenate(rows), out))

# %% sharing
from attnlab.labs.multihead import pictures

pictures.sharing()

# %% ends
rng = np.random.default_rng(8)
X = rng.standard_normal((5, 12))  # (T, d_model); six query heads of width 2
W_q, W_k, W_v, W_o = rng.standard_normal((4, 12, 12)) / 3  # (d_model, d_model) each
multi, _ = multi_head_attention(X, W_q, W_k, W_v, W_o, 6)  # (T, d_model)
for n_kv_heads in (6, 2, 1):
    narrow = n_kv_heads * 2  # n_kv_heads * D
    shared, _ = grouped_query_attention(X, W_q, W_k[:, :narrow], W_v[:, :narrow], W_o, 6, n_kv_heads)  # (T, d_model)
    count = 2 * W_q.size + 2 * 12 * narrow
    print(f"KV heads: {n_kv_heads}, parameters: {count}, as multi-head attention: {np.allclose(shared, multi)}")

# %% cache_sizes
models = {
    "30 layers, 3 KV heads of width 64 (SmolLM2-135M)": (30, 3, 64),
    "32 layers, 8 KV heads of width 128 (Llama 3 8B)": (32, 8, 128),
    "the same with 32 KV heads": (32, 32, 128),
}
for name, sizes in models.items():
    per_token, long = kv_cache_bytes(*sizes, 1), kv_cache_bytes(*sizes, 131_072)
    print(f"{name}: {per_token:,} bytes a token, {long / 2**30:.2f} GiB for 131,072 tokens")

# %% torch_comparison
rng = np.random.default_rng(9)
X = rng.standard_normal((2, 5, 12), dtype=np.float32)  # (B, T, d_model)
W_q, W_o = rng.standard_normal((2, 12, 12), dtype=np.float32) / 3  # (d_model, d_model) twice
W_k, W_v = rng.standard_normal((2, 12, 4), dtype=np.float32) / 3  # (d_model, H_kv * D) twice
ours, _ = grouped_query_attention(X, W_q, W_k, W_v, W_o, 6, 2, np.tri(5, dtype=bool))  # (B, T, d_model)
if importlib.util.find_spec("torch") is None:
    print("PyTorch is not installed here, so there is nothing to compare with. The lesson does not need it.")
else:
    import torch

    heads = (split_heads(X @ W, n) for W, n in ((W_q, 6), (W_k, 2), (W_v, 2)))  # (B, H or H_kv, T, D)
    theirs = torch.nn.functional.scaled_dot_product_attention(
        *(torch.from_numpy(h.copy()) for h in heads), is_causal=True, enable_gqa=True
    )  # (B, H, T, D)
    difference = np.abs(ours - merge_heads(theirs.numpy()) @ W_o).max()
    print(f"largest difference from PyTorch: {difference:.0e}")

# %% quiz
from attnlab import quiz

quiz("multihead", lang=LANG)
