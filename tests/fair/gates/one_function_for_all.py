"""No helper is called: heads are sliced out one by one, everything stands in one function."""
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
    d = X.shape[-1]
    D = d // n_heads
    w = W_gate.shape[1]
    if position not in "G1 G2 G3 G4 G5".split() or activation not in ["sigmoid", "silu"]:
        raise ValueError("unknown")
    if combine not in ["multiply", "add"] or w not in ([d, 1] if position == "G5" else [d, n_heads, D, 1]):
        raise ValueError("unknown")
    z = X @ W_gate
    with np.errstate(over="ignore"):
        g = 1 / (1 + np.exp(-z))
    if activation == "silu":
        g = z * g
    outs, maps = [], []
    for h in range(n_heads):
        own = slice(h * D, (h + 1) * D)
        mine = g[..., own] if w == d else g[..., h:h + 1] if w == n_heads else g
        act = (lambda x: x * mine) if combine == "multiply" else (lambda x: x + mine)
        q, k, v = X @ W_q[:, own], X @ W_k[:, own], X @ W_v[:, own]
        if position == "G4":
            q = act(q)
        if position == "G3":
            k = act(k)
        if position == "G2":
            v = act(v)
        s = np.matmul(q, np.swapaxes(k, -1, -2)) * D ** -0.5
        if mask is not None:
            m = np.broadcast_to(mask, X.shape[:-2] + (n_heads,) + s.shape[-2:])[..., h, :, :]
            s = np.where(m, s, -np.inf)
        s = np.exp(s - s.max(-1, keepdims=True))
        s = s / s.sum(-1, keepdims=True)
        o = s @ v
        outs.append(act(o) if position == "G1" else o)
        maps.append(s)
    out = np.concatenate(outs, axis=-1) @ W_o
    if position == "G5":
        out = out * g if combine == "multiply" else out + g
    return out, np.stack(maps, axis=-3)


def sink_share(weights):
    return weights[..., 1:, 0].mean()


def gate_sparsity(gate, threshold=0.1):
    return np.mean(gate < threshold)
