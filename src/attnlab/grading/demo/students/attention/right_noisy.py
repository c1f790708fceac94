"""Right, while debugging aloud: prints, warnings and stderr in every function, failing experiments between them."""
# ruff: noqa: F821, E402


# %% causal_mask
def causal_mask(T):
    print("causal_mask was asked for", T)
    return np.tri(T, T, 0, bool)


# %% before softmax
import sys
import warnings

print("my own stderr, at the top level", file=sys.stderr)
softmax_of_nothing = np.exp(np.array([1e4])) / np.exp(np.array([1e4]))  # warns: that is what the lesson is about
assert np.allclose(softmax_of_nothing, 1), "I wanted to see this fail"


# %% softmax
def softmax(x):
    print("softmax of", x.shape, file=sys.stderr)
    warnings.warn("is this the right axis?", stacklevel=2)
    with np.errstate(all="warn"):
        np.log(np.zeros(3))
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


# %% attention
def attention(Q, K, V, mask=None):
    sys.stdout.write(f"{Q.shape} {K.shape} {V.shape}\n")
    S = np.matmul(Q, np.moveaxis(K, -1, -2)) / K.shape[-1] ** 0.5
    if mask is not None:
        S = np.where(np.logical_not(mask), -np.inf, S)
    A = softmax(S)
    return A @ V, A


# %% causal_self_attention
def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    out, A = attention(Q, K, V, causal_mask(len(Q[..., 0].T)))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    sys.stderr.write("done\n")
    return out, A


# %% sigmoid
def sigmoid(x):
    return 1 / (1 + np.exp(-x))  # exp overflows to inf and warns, 1 / inf is 0: right all the same
