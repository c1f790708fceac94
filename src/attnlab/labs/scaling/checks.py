"""Lab `scaling`: its parts, its checks and the properties that are not a comparison with the oracle."""

import math

import numpy as np

from ..model import Check, Fault, Output, Part
from . import oracle

STEP = 1e-4  # of central differences: errors of its square and of 1e-16 divided by it are both far below SLACK
SLACK = 1e-5
GRADIENTS = (Output("grad_Q"), Output("grad_K"), Output("grad_V"))

PARTS = (
    Part("softmax_jacobian", "softmax_jacobian", ("p",), (Output("jacobian"),), oracle.softmax_jacobian),
    Part(
        "softmax_backward", "softmax_backward", ("p", "grad_p"), (Output("grad_s"),),
        oracle.softmax_backward, oracle.gradient_scale, uses=("softmax_jacobian",),
    ),
    Part(
        "attention_backward", "attention_backward", ("Q", "K", "V", "grad_out", "mask"), GRADIENTS,
        oracle.attention_backward, oracle.score_scale, uses=("softmax_jacobian", "softmax_backward"),
    ),
    Part("attention_entropy", "attention_entropy", ("weights",), (Output("entropy"),), oracle.attention_entropy),
    Part("log_n_scale", "log_n_scale", ("n", "n_train"), (Output("scale"),), oracle.log_n_scale),
)  # fmt: skip


def columns_are_slopes(case, outputs, tolerances):
    """Column j of the Jacobian says how the weights move when score j is moved a little."""
    for call, ((p,), (jacobian,)) in enumerate(zip(case.calls, outputs, strict=True)):
        scores = np.log(p)  # (..., n)
        for j in range(p.shape[-1]):
            step = np.zeros(p.shape[-1])  # (n,)
            step[j] = STEP
            slope = (_softmax(scores + step) - _softmax(scores - step)) / (2 * STEP)  # (..., n)
            wrong = _differs(jacobian[..., j], slope)  # (..., n)
            if wrong.any():
                *lead, i = _first(wrong)
                facts = {"i": i, "j": j, "slope": float(slope[(*lead, i)]), "got": float(jacobian[(*lead, i, j)])}
                return Fault("slope", "scaling.weight_moves", facts, call=call, output=0, where=(*lead, i, j))
    return None


def gradients_are_central_differences(case, outputs, tolerances):
    """Moving one number of Q, K or V a little changes the sum of ``grad_out * out`` as the gradient says."""
    for call, (args, gradients) in enumerate(zip(case.calls, outputs, strict=True)):
        for output, name in enumerate("QKV"):
            slope = np.zeros(args[output].shape)  # as Q, K or V
            for where in np.ndindex(slope.shape):
                slope[where] = (_loss(args, output, where, STEP) - _loss(args, output, where, -STEP)) / (2 * STEP)
            wrong = _differs(gradients[output], slope)
            if wrong.any():
                where = _first(wrong)
                facts = {"name": name, "index": list(where)}
                facts |= {"slope": float(slope[where]), "got": float(gradients[output][where])}
                return Fault("slope", "scaling.loss_moves", facts, call=call, output=output, where=where)
    return None


def _differs(got, slope):
    with np.errstate(invalid="ignore"):
        return ~(np.abs(got - slope) <= SLACK * max(1.0, float(np.abs(slope).max(initial=0.0))))


def _softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))  # (..., n)
    return e / e.sum(axis=-1, keepdims=True)  # (..., n)


def _loss(args, moved, where, by):
    """Return ``sum(grad_out * out)`` with one entry of Q, K or V (number `moved`) moved."""
    *QKV, grad_out = args[:4]
    QKV[moved] = QKV[moved].copy()
    QKV[moved][where] += by
    Q, K, V = QKV
    scores = np.einsum("...id,...jd->...ij", Q, K) / math.sqrt(Q.shape[-1])  # (..., T_q, T_k)
    if len(args) > 4 and args[4] is not None:
        scores = np.where(args[4], scores, -np.inf)  # (..., T_q, T_k)
    return float((grad_out * (_softmax(scores) @ V)).sum())


def _first(wrong):
    return tuple(int(i) for i in np.argwhere(wrong)[0])


def linear_memory(p, grad_p):
    """Return how many bytes may be in use at a time: plenty for lists of Python numbers, not for n x n of anything."""
    return 400 * p.size + 100_000


def _check(id, points, idea, **more):
    return Check(id, id.partition(".")[0], points, idea, **more)


CHECKS = (
    _check("softmax_jacobian.values", 0.5, "slope of softmax"),
    _check("softmax_jacobian.slopes", 0.25, "central differences", oracle=False, relation=columns_are_slopes),
    _check("softmax_jacobian.batch", 0.5, "batches"),
    _check("softmax_jacobian.saturated", 0.25, "saturation"),
    _check("softmax_jacobian.float32", 0.25, "float32"),
    _check("softmax_jacobian.inputs", 0.25, "inputs"),
    _check("softmax_backward.values", 0.5, "slope of softmax"),
    _check("softmax_backward.constant", 0.25, "rows that sum to 0"),
    _check("softmax_backward.batch", 0.25, "batches"),
    _check("softmax_backward.memory", 0.5, "memory", memory=linear_memory),
    _check("softmax_backward.float32", 0.25, "float32"),
    _check("softmax_backward.inputs", 0.25, "inputs"),
    _check("attention_backward.reference", 0.75, "chain rule"),
    _check(
        "attention_backward.differences", 0.5, "central differences",
        oracle=False, relation=gradients_are_central_differences,
    ),
    _check("attention_backward.scale", 0.5, "1/√d_k"),
    _check("attention_backward.mask", 0.75, "mask"),
    _check("attention_backward.batch", 0.5, "batches"),
    _check("attention_backward.large", 0.5, "saturation"),
    _check("attention_backward.float32", 0.25, "float32"),
    _check("attention_backward.inputs", 0.25, "inputs"),
    _check("attention_entropy.values", 0.25, "entropy"),
    _check("attention_entropy.zeros", 0.25, "0 log 0"),
    _check("attention_entropy.batch", 0.25, "batches"),
    _check("attention_entropy.inputs", 0.25, "inputs"),
    _check("log_n_scale.numbers", 0.25, "log n"),
    _check("log_n_scale.positions", 0.25, "log n"),
    _check("log_n_scale.short", 0.25, "log n"),
    _check("log_n_scale.inputs", 0.25, "inputs"),
)  # fmt: skip
