"""The five places are five functions in a dictionary."""
import numpy as np


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def split_heads(x, n_heads):
    *lead, T, width = x.shape
    return x.reshape(*lead, T, n_heads, width // n_heads).swapaxes(-2, -3)


def merge_heads(x):
    *lead, H, T, D = x.shape
    return x.swapaxes(-2, -3).reshape(*lead, T, H * D)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def silu(x):
    return x * sigmoid(x)


def gate_values(X, W_gate, n_heads, activation="sigmoid"):
    d_model, width = W_gate.shape
    if activation not in ("sigmoid", "silu"):
        raise ValueError(activation)
    if width == d_model or width == n_heads:
        logits = split_heads(X @ W_gate, n_heads)
    elif width == d_model // n_heads or width == 1:
        logits = (X @ W_gate)[..., None, :, :]
    else:
        raise ValueError(width)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


def gated_multi_head_attention(X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid",
                               combine="multiply", mask=None):
    same = lambda x, g: x
    act = {"multiply": lambda x, g: g * x, "add": lambda x, g: g + x}
    if combine not in act:
        raise ValueError(f"combine={combine!r}")
    places = dict.fromkeys(["G1", "G2", "G3", "G4", "G5"], same)
    if position not in places:
        raise ValueError(f"position={position!r}")
    places[position] = act[combine]
    g = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    g5 = np.squeeze(g, axis=-3) if position == "G5" else None
    q = places["G4"](split_heads(X @ W_q, n_heads), g)
    k = places["G3"](split_heads(X @ W_k, n_heads), g)
    v = places["G2"](split_heads(X @ W_v, n_heads), g)
    o, w = attention(q, k, v, mask)
    return places["G5"](merge_heads(places["G1"](o, g)) @ W_o, g5), w


def sink_share(weights):
    return weights[..., 1:, 0].mean()


def gate_sparsity(gate, threshold=0.1):
    return np.mean(gate < threshold)
