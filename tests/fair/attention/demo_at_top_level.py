"""Demonstration code with asserts, random numbers and a table between the functions."""
import numpy as np

np.random.seed(42)
rng = np.random.default_rng(0)


def causal_mask(T):
    return np.tri(T, dtype=bool)


for T in range(4):
    print(T)
    print(causal_mask(T).astype(int))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


x = rng.normal(size=(2, 3))
assert np.allclose(softmax(x).sum(axis=-1), 1), "rows must sum to 1"
assert np.isfinite(softmax(np.array([1e4, -1e4]))).all()


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


Q = np.array([[2.0, 0], [0, 2], [1, 1]])
K = np.array([[1.0, 0], [0, 1], [1, 1]])
V = np.array([[10.0, 0], [0, 10], [5, 5]])
out, weights = attention(Q, K, V, causal_mask(3))
print("output:", out.round(4), sep="\n")
for token, row in zip("Карп прыгает через".split(), weights):
    print(f"{token:>10}", *(f"{w:.2f}" for w in row))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


X = np.random.randn(2, 5, 4)
W = np.random.randn(3, 4, 4)
before, _ = causal_self_attention(X, *W)
X[:, 3:] += 1
after, _ = causal_self_attention(X, *W)
assert np.allclose(before[:, :3], after[:, :3])
print("all good!")
