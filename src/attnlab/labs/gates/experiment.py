"""Train the same small transformer twice, without and with a gate at G1, on a task where attention is rarely needed.

The task is Bigram-Backcopy (Guo et al., "Active-Dormant Attention Heads: Mechanistically Demystifying Extreme-Token
Phenomena in LLMs", 2024). After most tokens the next one depends on the present one alone, and attention has nothing to
add. After a trigger the token before the trigger comes once more, and only attention can fetch it.

The model is one layer: embeddings, attention with a residual connection, a perceptron with another one, each behind a
normalisation. Everything is NumPy. The backward pass is written out below; through attention it is that of lab scaling.
"""

import math
from dataclasses import dataclass

import numpy as np

from attnlab.gates import attention, gate_sparsity, gate_values, merge_heads, sink_share, split_heads
from attnlab.scaling import attention_backward

FIRST = 0  # the token with which every sequence begins
DTYPE = np.float32


@dataclass(frozen=True)
class Setting:
    """Sizes and pace of the experiment."""

    vocabulary: int = 24
    n_triggers: int = 3  # tokens 1 to n_triggers
    trigger_share: float = 0.1  # how often a trigger follows an ordinary token
    T: int = 24
    d_model: int = 32
    n_heads: int = 2
    batch: int = 16
    steps: int = 1200
    learning_rate: float = 0.01
    looks: int = 12  # how often the model is measured on the way


@dataclass(frozen=True)
class Run:
    """What was measured while one model was trained, at each of `steps`, on sequences it was not trained on."""

    gated: bool
    seed: int
    steps: tuple[int, ...]
    loss: tuple[float, ...]  # nats for each token
    copy_loss: tuple[float, ...]  # of the tokens behind a trigger alone
    sink: tuple[float, ...]  # `sink_share` over all heads
    activation: tuple[float, ...]  # the largest number in any hidden state
    best_loss: float  # of somebody who knows the task
    sparsity: float  # share of gates below 0.1 in the end; NaN without a gate
    gate_at_triggers: float  # mean gate in the end; NaN without a gate
    gate_elsewhere: float
    tokens: np.ndarray  # (T,): one sequence
    weights: np.ndarray  # (H, T, T): where its tokens look in the end
    gate: np.ndarray | None  # (H, T): how far its gates are open in the end


def transitions(setting):
    """Draw which token follows which: (vocabulary, vocabulary), rows sum to 1; each token has a few usual followers."""
    rng = np.random.default_rng(2024)
    triggers = slice(1, setting.n_triggers + 1)
    follows = rng.gamma(0.3, size=(setting.vocabulary, setting.vocabulary))  # (vocabulary, vocabulary)
    follows[:, : setting.n_triggers + 1] = 0.0
    follows *= (1 - setting.trigger_share) / follows.sum(axis=-1, keepdims=True)
    follows[:, triggers] = setting.trigger_share / setting.n_triggers
    follows[FIRST, triggers] = 0.0  # nothing stands before the first token that could be copied
    follows[FIRST] /= follows[FIRST].sum()
    return follows


def is_trigger(setting, tokens):
    """Say which tokens are triggers; the shape is kept."""
    return (tokens >= 1) & (tokens <= setting.n_triggers)


def sequences(setting, follows, rng, batch):
    """Return ``(tokens, targets)``, (batch, T) each: what stands at each position, and what comes after it."""
    steps = follows.cumsum(axis=-1)  # (vocabulary, vocabulary)
    tokens = np.zeros((batch, setting.T + 1), dtype=int)  # (batch, T + 1)
    for t in range(setting.T):
        now = tokens[:, t]  # (batch,)
        drawn = (rng.random((batch, 1)) >= steps[now, :-1]).sum(axis=-1)  # (batch, vocabulary - 1) -> (batch,)
        tokens[:, t + 1] = np.where(is_trigger(setting, now), tokens[:, t - 1], drawn)
    return tokens[:, :-1], tokens[:, 1:]


def initial_weights(setting, gated, seed, dtype=DTYPE):
    """Return the weights by name. With and without a gate all but the gate are the same numbers."""
    rng = np.random.default_rng(seed)
    d, inner = setting.d_model, 4 * setting.d_model
    shapes = {"embedding": (setting.vocabulary, d), "position": (setting.T, d), "W_u": (d, setting.vocabulary)}
    shapes |= {name: (d, d) for name in ("W_q", "W_k", "W_v", "W_o")} | {"W_in": (d, inner), "W_out": (inner, d)}
    spread = {"embedding": 1.0, "position": 1.0, "W_out": 0.5 / math.sqrt(d)}
    weights = {
        name: (rng.standard_normal(shape) * spread.get(name, 1 / math.sqrt(d))).astype(dtype)
        for name, shape in shapes.items()
    }
    return weights | ({"W_gate": np.zeros((d, setting.n_heads), dtype)} if gated else {})  # every gate half open


def normalise(x):
    """Return ``(y, size)``: hidden states of root mean square 1 (RMSNorm), and what they were divided by."""
    size = np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-6)  # (..., 1)
    return x / size, size  # (..., d_model)


def normalise_backward(y, size, grad_y):
    """Carry a gradient back through `normalise`."""
    return (grad_y - y * (grad_y * y).mean(axis=-1, keepdims=True)) / size  # (..., d_model)


@dataclass(frozen=True)
class Pass:
    """What one forward pass leaves behind for the backward pass and for measuring."""

    tokens: np.ndarray  # (B, T)
    h: np.ndarray  # (B, T, d_model): what attention reads
    h_size: np.ndarray  # (B, T, 1)
    QKV: tuple[np.ndarray, ...]  # (B, H, T, D) each
    out: np.ndarray  # (B, H, T, D): what the heads found
    weights: np.ndarray  # (B, H, T, T)
    gate: np.ndarray | None  # (B, H, T, 1)
    merged: np.ndarray  # (B, T, d_model): what is left of it behind the gates
    g: np.ndarray  # (B, T, d_model): what the perceptron reads
    g_size: np.ndarray  # (B, T, 1)
    inner: np.ndarray  # (B, T, 4 d_model)
    y: np.ndarray  # (B, T, d_model): what the prediction is made of
    y_size: np.ndarray  # (B, T, 1)
    log_p: np.ndarray  # (B, T, vocabulary)
    largest: float  # the largest number in any hidden state


def forward(w, tokens, n_heads):
    """Predict the token after each of `tokens`, (B, T); return a `Pass`."""
    x = w["embedding"][tokens] + w["position"]  # (B, T, d_model)
    h, h_size = normalise(x)  # (B, T, d_model), (B, T, 1)
    QKV = tuple(split_heads(h @ w[name], n_heads) for name in ("W_q", "W_k", "W_v"))  # (B, H, T, D) each
    out, weights = attention(*QKV, np.tri(tokens.shape[-1], dtype=bool))  # (B, H, T, D), (B, H, T, T)
    gate = gate_values(h, w["W_gate"], n_heads) if "W_gate" in w else None  # (B, H, T, 1)
    merged = merge_heads(out if gate is None else out * gate)  # (B, T, d_model)
    middle = x + merged @ w["W_o"]  # (B, T, d_model)
    g, g_size = normalise(middle)  # (B, T, d_model), (B, T, 1)
    inner = np.maximum(g @ w["W_in"], 0)  # (B, T, 4 d_model)
    last = middle + inner @ w["W_out"]  # (B, T, d_model)
    y, y_size = normalise(last)  # (B, T, d_model), (B, T, 1)
    logits = y @ w["W_u"]  # (B, T, vocabulary)
    logits = logits - logits.max(axis=-1, keepdims=True)  # (B, T, vocabulary)
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))  # (B, T, vocabulary)
    largest = max(float(np.abs(state).max()) for state in (x, middle, last))
    return Pass(
        tokens, h, h_size, QKV, out, weights, gate, merged, g, g_size, inner, y, y_size, log_p, largest
    )  # fmt: skip


def losses(p, targets):
    """Return the loss of each token, (B, T), in nats."""
    return -np.take_along_axis(p.log_p, targets[..., None], axis=-1)[..., 0]


def backward(w, p, targets):
    """Return the gradient of the mean loss with respect to each of the weights, by name."""
    grad = {}
    grad_logits = np.exp(p.log_p)  # (B, T, vocabulary): softmax and cross-entropy together give p - 1 at the target
    np.put_along_axis(grad_logits, targets[..., None], np.exp(-losses(p, targets))[..., None] - 1, axis=-1)
    grad_logits /= targets.size

    def through(name, inputs, grad_outputs):
        """Note the gradient of a matrix and return that of its inputs.

        Sequence by sequence: such small products BLAS leaves to one thread, and waking more takes longer than they do.
        """
        each = inputs.swapaxes(-1, -2) @ grad_outputs  # (B, n, T) @ (B, T, m) -> (B, n, m)
        grad[name] = each.sum(axis=0)  # (B, n, m) -> (n, m)
        return grad_outputs @ w[name].T

    grad_x = normalise_backward(p.y, p.y_size, through("W_u", p.y, grad_logits))  # (B, T, d_model)
    grad_inner = through("W_out", p.inner, grad_x) * (p.inner > 0)  # (B, T, 4 d_model)
    grad_x = grad_x + normalise_backward(p.g, p.g_size, through("W_in", p.g, grad_inner))  # (B, T, d_model)
    n_heads = p.out.shape[-3]
    grad_out = split_heads(through("W_o", p.merged, grad_x), n_heads)  # (B, H, T, D)
    grad_h = np.zeros_like(p.h)  # (B, T, d_model)
    if p.gate is not None:
        grad_gate = (grad_out * p.out).sum(axis=-1, keepdims=True)  # (B, H, T, D) -> (B, H, T, 1)
        grad_h += through("W_gate", p.h, merge_heads(grad_gate * p.gate * (1 - p.gate)))  # (B, T, H) -> (B, T, d_model)
        grad_out = grad_out * p.gate  # (B, H, T, D)
    grad_QKV = attention_backward(*p.QKV, grad_out, np.tri(p.tokens.shape[-1], dtype=bool))  # (B, H, T, D) each
    for name, grad_heads in zip(("W_q", "W_k", "W_v"), grad_QKV, strict=True):
        grad_h += through(name, p.h, merge_heads(grad_heads))  # (B, T, d_model)
    grad_x = grad_x + normalise_backward(p.h, p.h_size, grad_h)  # (B, T, d_model)
    grad["position"] = grad_x.sum(axis=0)  # (B, T, d_model) -> (T, d_model)
    grad["embedding"] = np.zeros_like(w["embedding"])  # (vocabulary, d_model)
    np.add.at(grad["embedding"], p.tokens, grad_x)
    return grad


def train(setting, gated, seed):
    """Train one model with Adam and return a `Run`.

    Parameters
    ----------
    setting : Setting
    gated : bool
        Whether each head has a gate at G1, computed from the token that asks.
    seed : int
        Decides the first weights and the sequences. Both models of a seed start alike and read the same.
    """
    follows = transitions(setting)
    w = initial_weights(setting, gated, seed)
    mean, square = ({name: np.zeros_like(a) for name, a in w.items()} for _ in range(2))
    rng = np.random.default_rng((seed, 1))
    test = sequences(setting, follows, np.random.default_rng(7), 128)
    looks = {round(setting.steps * look / setting.looks) for look in range(setting.looks + 1)}
    seen = []
    for step in range(setting.steps + 1):
        if step in looks:
            seen.append((step, *_measure(setting, w, *test)))
        tokens, targets = sequences(setting, follows, rng, setting.batch)
        grad = backward(w, forward(w, tokens, setting.n_heads), targets)
        rate = setting.learning_rate * _pace(step / setting.steps)
        for name in w:
            mean[name] += 0.1 * (grad[name] - mean[name])
            square[name] += 0.01 * (grad[name] ** 2 - square[name])
            step_size = mean[name] / (1 - 0.9 ** (step + 1)) / (np.sqrt(square[name] / (1 - 0.99 ** (step + 1))) + 1e-8)
            w[name] = (w[name] - rate * step_size).astype(w[name].dtype)
    steps, loss, copy_loss, sink, activation = zip(*seen, strict=True)
    return Run(gated, seed, steps, loss, copy_loss, sink, activation, *_last_look(setting, w, follows, *test))


def run(setting=Setting(), seeds=(0,), told=lambda sentence: None):
    """Train both models from each seed; return the runs, without and with the gate in turn.

    `told` is called with a line on each finished run, for those who wait.
    """
    runs = []
    for seed in seeds:
        for gated in (False, True):
            r = train(setting, gated, seed)
            runs.append(r)
            told(
                f"seed {seed}, {'G1     ' if gated else 'no gate'}: loss {r.loss[-1]:.3f} (best {r.best_loss:.3f}), "
                f"sink share {r.sink[-1]:.2f}, largest activation {r.activation[-1]:.0f}"
            )
    return tuple(runs)


def _pace(done):
    """Return the factor on the learning rate: up in the first steps, from the middle on down to 0.05."""
    return min(1.0, 0.02 + 25 * done) * (
        1.0 if done < 0.5 else 0.05 + 0.95 * (1 + math.cos(2 * math.pi * (done - 0.5))) / 2
    )


def _measure(setting, w, tokens, targets):
    p = forward(w, tokens, setting.n_heads)
    each = losses(p, targets)  # (B, T)
    at = is_trigger(setting, tokens)  # (B, T)
    return float(each.mean()), float(each[at].mean()), float(sink_share(p.weights)), p.largest


def _last_look(setting, w, follows, tokens, targets):
    p = forward(w, tokens, setting.n_heads)
    at = is_trigger(setting, tokens)  # (B, T)
    best = float(np.where(at, 0.0, -np.log(np.maximum(follows[tokens, targets], 1e-300))).mean())
    one = int(np.argmax((at.sum(axis=-1) == 3) & at[:, 5:-2].any(axis=-1)))  # a sequence with three triggers
    shown = tokens[one], p.weights[one], None if p.gate is None else p.gate[one, :, :, 0]  # (T,), (H, T, T), (H, T)
    if p.gate is None:
        return best, math.nan, math.nan, math.nan, *shown
    gate = p.gate[..., 0].swapaxes(-1, -2)  # (B, T, H)
    return best, float(gate_sparsity(p.gate)), float(gate[at].mean()), float(gate[~at].mean()), *shown
