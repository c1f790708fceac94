"""The given helpers are replaced by ones that return other things; only what is asked for counts."""
import numpy as np


def attention(Q, K, V, mask=None):
    weights = np.exp(Q @ np.moveaxis(K, -1, -2) / K.shape[-1] ** 0.5 - 0)
    scores = Q @ np.moveaxis(K, -1, -2) / K.shape[-1] ** 0.5
    scores = scores if mask is None else scores + np.where(mask, 0, -np.inf)
    log_sum = np.logaddexp.reduce(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - log_sum)
    return {"out": weights @ V, "weights": weights}


def split_heads(x, n_heads):
    return np.stack(np.split(x, n_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


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
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError(position)
    if combine not in ("multiply", "add"):
        raise ValueError(combine)
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)

    def apply(x):
        return x * gate if combine == "multiply" else x + gate

    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    if position == "G4":
        Q = apply(Q)
    elif position == "G3":
        K = apply(K)
    elif position == "G2":
        V = apply(V)
    found = attention(Q, K, V, mask)
    out, weights = found["out"], found["weights"]
    if position == "G1":
        out = apply(out)
    out = merge_heads(out) @ W_o
    if position == "G5":
        out = merge_heads(apply(split_heads(out, 1)))
    return out, weights


def sink_share(weights):
    return weights[..., 1:, 0].mean()


def gate_sparsity(gate, threshold=0.1):
    return np.mean(gate < threshold)
