"""Looks something up, makes folders, copies a file, asks another program; none of it has to do with attention."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

help(np.tri)
with tempfile.TemporaryDirectory() as folder:
    inner = Path(folder) / "figures" / "masks"
    inner.mkdir(parents=True)
    np.save(inner / "eye.npy", np.eye(3))
    shutil.copy(inner / "eye.npy", Path(folder) / "copy.npy")
    os.rename(Path(folder) / "copy.npy", inner / "moved.npy")
    EYE = np.load(inner / "moved.npy")
    shutil.rmtree(Path(folder) / "figures")
version = subprocess.run([sys.executable, "--version"], capture_output=True, text=True).stdout
print(version)


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def sigmoid(x):
    t = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, t) / (1 + t)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


print(EYE.sum())
exit()
