"""CPU time of `attention` against its two matrix products alone, naive einsum, and torch where installed.

Run: python benchmarks/attention.py. float32, one thread; everything in one run, printed as ratios.
"""

import importlib.util
import os
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402

from attnlab.attention import attention, causal_mask  # noqa: E402

D = 64
SIZES = {512: 60, 2048: 8}  # T: repetitions


def products(Q, K, V, mask):
    """Only the two matrix products that any form has to do."""
    return (Q @ K.swapaxes(-1, -2)) @ V  # (T, d) @ (d, T) @ (T, d) -> (T, d)


def straightforward(Q, K, V, mask):
    """The formula written down without a thought for memory."""
    scores = np.where(mask, Q @ K.swapaxes(-1, -2) / np.float32(np.sqrt(D)), np.float32(-np.inf))  # (T, T)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))  # (T, T)
    weights = e / e.sum(axis=-1, keepdims=True)  # (T, T)
    return weights @ V, weights


def naive_einsum(Q, K, V, mask):
    """The formula with einsum, which does not call BLAS by itself."""
    scores = np.where(mask, np.einsum("qc,kc->qk", Q, K) / np.float32(np.sqrt(D)), np.float32(-np.inf))  # (T, T)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))  # (T, T)
    weights = e / e.sum(axis=-1, keepdims=True)  # (T, T)
    return np.einsum("qk,kd->qd", weights, V), weights


def torch_sdpa():
    """Return torch's fused form on one CPU thread, or None."""
    if importlib.util.find_spec("torch") is None:
        return None
    import torch
    import torch.nn.functional as F

    torch.set_num_threads(1)

    def run(Q, K, V, mask):
        q, k, v = (torch.from_numpy(a)[None, None] for a in (Q, K, V))
        with torch.no_grad():
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)

    return run


def measure(forms, T, repetitions):
    """Best CPU time of each form, the forms taking turns so that a busy moment hits them all."""
    Q, K, V = np.random.default_rng(0).standard_normal((3, T, D)).astype(np.float32)
    mask = causal_mask(T)
    best = dict.fromkeys(forms, float("inf"))
    for _ in range(repetitions):
        for name, form in forms.items():
            start = time.process_time()
            form(Q, K, V, mask)
            best[name] = min(best[name], time.process_time() - start)
    return best


def main():
    """Print a table of milliseconds and ratios for each T."""
    forms = {"two products": products, "attnlab": attention, "straightforward": straightforward, "einsum": naive_einsum}
    fused = torch_sdpa()
    if fused is not None:
        forms["torch SDPA"] = fused
    else:
        print("torch is not installed: no row for it")
    print(f"float32, d = {D}, causal, one thread; CPU time, best of several")
    for T, repetitions in SIZES.items():
        best = measure(forms, T, repetitions)
        for name, seconds in best.items():
            print(
                f"T = {T:5}  {name:16} {1000 * seconds:9.2f} ms  {seconds / best['two products']:6.2f} x the products"
            )


if __name__ == "__main__":
    main()
