"""einsum for every product, the heads split inside it (C1)."""
import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def silu(x):
    return x * sigmoid(x)


def gate_values(X, W_gate, n_heads, activation="sigmoid"):
    d, w = W_gate.shape
    f = {"sigmoid": sigmoid, "silu": silu}.get(activation)
    if f is None or w not in {d, n_heads, d // n_heads, 1}:
        raise ValueError("gate")
    heads = n_heads if w in (d, n_heads) else 1
    return f(np.einsum("...tm,mhc->...htc", X, W_gate.reshape(d, heads, w // heads)))


def gated_multi_head_attention(X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid",
                               combine="multiply", mask=None):
    if position not in {"G1", "G2", "G3", "G4", "G5"} or combine not in {"multiply", "add"}:
        raise ValueError("unknown name")
    d = X.shape[-1]
    gate = gate_values(X, W_gate, n_heads if position != "G5" else 1, activation)
    act = {"multiply": np.multiply, "add": np.add}[combine]

    def at(place, x):
        return act(x, gate) if place == position else x

    q, k, v = (np.einsum("...tm,mhc->...htc", X, W.reshape(d, n_heads, -1)) for W in (W_q, W_k, W_v))
    s = np.einsum("...hqc,...hkc->...hqk", at("G4", q), at("G3", k)) / (d // n_heads) ** 0.5
    s = s if mask is None else np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    found = at("G1", np.einsum("...hqk,...hkc->...hqc", w, at("G2", v)))
    out = np.einsum("...htc,hcm->...tm", found, W_o.reshape(n_heads, -1, d))
    return at("G5", out[..., None, :, :])[..., 0, :, :], w


def sink_share(weights):
    return weights[..., 1:, 0].mean()


def gate_sparsity(gate, threshold=0.1):
    return np.mean(gate < threshold)
