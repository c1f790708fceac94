# Given cells of the lesson `scaling`, for both languages: a region runs from `# %% NAME` to the next such line.
# They run in a notebook, in order, together with the functions the student writes; this file is never imported.
# `LANG` becomes the language of the notebook.
# ruff: noqa: E402, F821

# %% setup
import importlib.util
import math

import numpy as np

from attnlab.labs.scaling import pictures

np.set_printoptions(precision=4, suppress=True)

# %% spread
rng = np.random.default_rng(1)
for d_k in (4, 16, 64, 256, 1024):
    q, k = rng.standard_normal((2, 5000, d_k))  # (n, d_k) twice: independent, mean 0, variance 1
    scores = (q * k).sum(axis=-1)  # (n, d_k) -> (n,)
    print(f"d_k = {d_k:4}:  variance of q·k {scores.var():7.1f},  of q·k / √d_k {(scores / math.sqrt(d_k)).var():.2f}")

# %% saturation
pictures.saturation()

# %% by_hand
p = np.array([0.5, 0.25, 0.25])  # (n,)
print(softmax_jacobian(p))
print("rows sum to", softmax_jacobian(p).sum(axis=-1))

# %% wiggle
scores = np.log(p)  # (n,): scores with these very weights
step = 1e-3
for j in range(3):
    moved = scores.copy()
    moved[j] += step
    print(f"score {j} raised: the weights move by", (softmax(moved) - p) / step, "for each unit")

# %% own_slope
for weight in (0.25, 0.5, 0.9, 0.99, 0.999):
    rest = 1 - weight
    print(f"p = {weight:5}:  p (1 - p) = {softmax_jacobian(np.array([weight, rest]))[0, 0]:.4f}")

# %% table
rng = np.random.default_rng(0)
print("       spread   largest weight   slope of softmax")
print(" d_k   of q·k   without  with    without   with")
for d_k in (4, 16, 64, 128, 512):
    q = rng.standard_normal((2000, d_k))  # (n, d_k): 2000 queries
    k = rng.standard_normal((2000, 16, d_k))  # (n, m, d_k): 16 keys for each
    scores = (k @ q[:, :, None])[..., 0]  # (n, m, d_k) @ (n, d_k, 1) -> (n, m)
    both = [softmax(scores), softmax(scores / math.sqrt(d_k))]  # (n, m) each
    largest = [p.max(axis=-1).mean() for p in both]
    slope = [np.linalg.norm(softmax_jacobian(p), axis=(-2, -1)).mean() for p in both]  # (n, m, m) -> (n,) -> mean
    print(f"{d_k:4}   {scores.std():6.2f}   {largest[0]:7.2f}  {largest[1]:.2f}    {slope[0]:7.3f}  {slope[1]:.3f}")

# %% experiment
pictures.experiment()

# %% constant_gradient
print(softmax_backward(p, np.array([2.0, -1.0, 0.0])))  # worked out above
print(softmax_backward(p, np.array([7.0, 7.0, 7.0])))  # the same for all: nothing moves

# %% long_row
import tracemalloc

rng = np.random.default_rng(2)


def peak_memory(n):
    """Measure how many bytes your function holds at its peak for 64 rows of n weights."""
    p_long, grad_p = softmax(rng.standard_normal((64, n))), rng.standard_normal((64, n))  # (64, n) twice
    tracemalloc.start()
    softmax_backward(p_long, grad_p)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


peaks = {n: peak_memory(n) for n in (64, 128, 256, 512)}
for n, size in peaks.items():
    print(f"{n:5} keys: {size / 2**20:6.2f} MiB")
if peaks[512] < 3 * peaks[256]:  # twice the keys, about twice the memory
    print(
        f"16384 keys: {peak_memory(16384) / 2**20:6.2f} MiB; one Jacobian alone would take {8 * 16384**2 / 2**20:.0f}"
    )
else:
    needed = peaks[512] * 32**2 / 2**30
    print(f"Twice the keys take four times the memory: 16384 would take {needed:.0f} GiB, and are not tried here.")

# %% differences
rng = np.random.default_rng(3)
Q, K, V, grad_out = (rng.standard_normal(shape) for shape in ((3, 4), (5, 4), (5, 2), (3, 2)))  # T_q = 3, T_k = 5
mask = np.arange(5) <= np.arange(3)[:, None] + 1  # (T_q, T_k): the last key is hidden from everybody


def loss(Q, K, V):
    """Go forward only: softmax(Q K^T / sqrt(d_k)) V, weighted with grad_out and summed up."""
    scores = np.where(mask, Q @ K.T / math.sqrt(Q.shape[-1]), -np.inf)  # (T_q, d_k) @ (d_k, T_k) -> (T_q, T_k)
    return (grad_out * (softmax(scores) @ V)).sum()  # (T_q, T_k) @ (T_k, d_v) -> (T_q, d_v) -> a number


def central_differences(which, step=1e-5):
    """Move each number of Q, K or V (which = 0, 1, 2) a little both ways and watch the loss."""
    slope = np.zeros_like((Q, K, V)[which])
    for index in np.ndindex(slope.shape):
        up, down = [[a.copy() for a in (Q, K, V)] for _ in range(2)]
        up[which][index] += step
        down[which][index] -= step
        slope[index] = (loss(*up) - loss(*down)) / (2 * step)
    return slope


gradients = attention_backward(Q, K, V, grad_out, mask)
for which, name in enumerate("QKV"):
    print(f"grad_{name}: largest difference {np.abs(gradients[which] - central_differences(which)).max():.0e}")
print("gradient of the hidden key:", gradients[1][4], " of its value:", gradients[2][4])

# %% torch_comparison
if importlib.util.find_spec("torch") is None:
    print("PyTorch is not installed here, so there is nothing to compare with. The lesson does not need it.")
else:
    import torch

    leaves = [torch.tensor(a, requires_grad=True) for a in (Q, K, V)]
    out = torch.nn.functional.scaled_dot_product_attention(*leaves, attn_mask=torch.tensor(mask))
    out.backward(torch.tensor(grad_out))
    for name, ours, theirs in zip("QKV", gradients, leaves, strict=True):
        print(f"grad_{name}: largest difference from PyTorch {np.abs(ours - theirs.grad.numpy()).max():.0e}")

# %% starving
rng = np.random.default_rng(4)
d_k, n = 512, 16
q, K = rng.standard_normal((1, d_k)), rng.standard_normal((n, d_k))  # (T_q, d_k), (T_k, d_k)
V = np.eye(n)  # (T_k, d_v): the output is the row of weights itself
for name, query in (("without the scale", q * math.sqrt(d_k)), ("with the scale", q)):  # √d_k cancels the division
    p_row = softmax(query @ K.T / math.sqrt(d_k))[0]  # (n,)
    wanted = p_row.argmin()  # the loss asks for more weight on the key that is looked at least
    _, grad_K, _ = attention_backward(query, K, V, -np.eye(n)[[wanted]])  # (n, d_k)
    pull = np.linalg.norm(grad_K[wanted])  # length of the gradient of that key
    print(f"{name:17}: weight {p_row[wanted]:.0e}, gradient of the key {pull:.0e}")

# %% entropies
rows = np.array([[0.25, 0.25, 0.25, 0.25], [0.7, 0.1, 0.1, 0.1], [0.5, 0.5, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])  # (4, n)
for row, entropy in zip(rows, attention_entropy(rows), strict=True):
    print(row, f" entropy {abs(entropy):.3f} nats,  keys in use {math.exp(entropy):.2f} of 4")

# %% blur
gap = math.log(512)  # the key that stands out has this score, all others have 0
for n in (512, 2048, 8192, 32768):
    rest = n - 1
    plain, factor = gap, gap * log_n_scale(n, 512)
    weights = [math.exp(c) / (math.exp(c) + rest) for c in (plain, factor)]
    print(f"{n:6} keys:  factor {factor / gap:.3f},  weight without it {weights[0]:.3f},  with it {weights[1]:.3f}")

# %% long_context
pictures.long_context()

# %% positions
print(log_n_scale(np.array([1, 8, 64, 512, 4096]), 512))

# %% mup
rng = np.random.default_rng(5)
print(" d_k       spread of q·k/√d_k     mean of q·k/√d_k    mean of q·k/d_k")
print("           independent            alike               alike")
for d_k in (64, 256, 1024, 4096):
    q, k = rng.standard_normal((2, 2000, d_k))  # (n, d_k) twice
    alike = 0.5 * q + math.sqrt(0.75) * k  # (n, d_k): variance 1 as well, but half of it is q
    independent, product = (q * k).sum(axis=-1), (q * alike).sum(axis=-1)  # (n,), (n,)
    spread = independent.std() / math.sqrt(d_k)
    by_root, by_width = product.mean() / math.sqrt(d_k), product.mean() / d_k
    print(f"{d_k:5}   {spread:11.2f}   {by_root:19.1f}   {by_width:17.2f}")

# %% quiz
from attnlab import quiz

quiz("scaling", lang=LANG)
