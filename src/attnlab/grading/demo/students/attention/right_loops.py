"""Right, in plain loops: slow, returning lists instead of tuples, with a helper cell of its own."""
# ruff: noqa: F821, E402


# %% causal_mask
def causal_mask(T):
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        for j in range(i + 1):
            mask[i, j] = True
    return mask


# %% before softmax
import math


def softmax_row(row):
    biggest = max(row)
    powers = [math.exp(score - biggest) for score in row]
    total = sum(powers)
    return [power / total for power in powers]


# %% softmax
def softmax(x):
    x = np.asarray(x)
    result = np.empty(x.shape)
    for index in np.ndindex(*x.shape[:-1]):
        result[index] = softmax_row([float(score) for score in x[index]])
    return result


# %% attention
def attention(Q, K, V, mask=None):
    *batch, T_q, d_k = Q.shape
    T_k, d_v = V.shape[-2:]
    scores = np.zeros((*batch, T_q, T_k))
    for index in np.ndindex(*batch):
        for i in range(T_q):
            for j in range(T_k):
                scores[index][i, j] = sum(Q[index][i, n] * K[index][j, n] for n in range(d_k)) / math.sqrt(d_k)
    if mask is not None:
        visible = np.broadcast_to(mask, scores.shape)
        for index in np.ndindex(*scores.shape):
            if not visible[index]:
                scores[index] = -math.inf
    weights = softmax(scores)
    out = np.zeros((*batch, T_q, d_v))
    for index in np.ndindex(*batch):
        for i in range(T_q):
            for j in range(T_k):
                out[index][i] += weights[index][i, j] * V[index][j]
    return [out, weights]


# %% causal_self_attention
def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        gate = sigmoid(X @ W_gate)
        out = out * gate
    return [out, weights]


# %% sigmoid
def sigmoid(x):
    x = np.asarray(x, dtype=float)
    result = np.empty(x.shape)
    for index in np.ndindex(*x.shape):
        value = float(x[index])
        result[index] = 1 / (1 + math.exp(-value)) if value > 0 else math.exp(value) / (1 + math.exp(value))
    return result
