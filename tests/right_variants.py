"""Right solutions by chance: each step written in one of many equivalent ways, then renamed, turned and reordered.

``written(rng)`` puts a whole file together from the ways listed here; ``turned(source, rng)`` rewrites any right file
without changing what it does. Both take a seeded ``random.Random`` and give source text.
"""

import ast
import builtins
import random

CAUSAL_MASK = (
    "return np.tri(T, dtype=bool)",
    "return np.tril(np.ones((T, T), dtype=bool))",
    "return ~np.triu(np.ones((T, T), dtype=bool), k=1)",
    "return np.arange(T)[None, :] <= np.arange(T)[:, None]",
    "rows, columns = np.indices((T, T))\nreturn columns <= rows",
    "return np.greater_equal.outer(np.arange(T), np.arange(T))",
    "mask = np.zeros((T, T), dtype=bool)\nmask[np.tril_indices(T)] = True\nreturn mask",
    "mask = np.zeros((T, T), dtype=bool)\nfor i in range(T):\n    mask[i, : i + 1] = True\nreturn mask",
    "return np.fromfunction(lambda i, j: j <= i, (T, T), dtype=int)",
    "return np.array([[j <= i for j in range(T)] for i in range(T)], dtype=bool).reshape(T, T)",
    "return np.cumsum(np.eye(T), axis=0).T[::-1, ::-1].T.astype(bool) if T > 400 else np.tri(T) > 0",
    "return np.logical_not(np.triu(np.ones((T, T)), 1))",
)
SHIFT = (
    "{x} - {x}.max(axis=-1, keepdims=True)",
    "{x} - np.max({x}, axis=-1)[..., None]",
    "{x} - np.amax({x}, -1, keepdims=True)",
    "{x} - np.expand_dims({x}.max(-1), -1)",
    "np.subtract({x}, np.maximum.reduce({x}, axis=-1, keepdims=True))",
    "-({x}.max(axis=-1, keepdims=True) - {x})",
    "{x} - np.sort({x}, axis=-1)[..., -1:]",
)
EXP = (
    "np.exp({e})",
    "np.e ** ({e})",
    "np.exp2(({e}) * {x}.dtype.type(np.log2(np.e)))",
    "np.exp(({e}).astype(np.float64))",
)
NORMALISE = (
    "{e} / {e}.sum(axis=-1, keepdims=True)",
    "{e} / np.sum({e}, axis=-1)[..., np.newaxis]",
    "np.divide({e}, np.add.reduce({e}, axis=-1, keepdims=True))",
    "{e} * (1 / {e}.sum(-1, keepdims=True))",
    "{e} / np.einsum('...n->...', {e})[..., None]",
    "({e} / {e}.sum(axis=-1, keepdims=True, dtype=np.float64)).astype({x}.dtype)",
    "np.moveaxis(np.moveaxis({e}, -1, 0) / {e}.sum(-1), 0, -1)",
    "np.exp(np.log(np.maximum({e}, 0)) - np.log({e}.sum(-1, keepdims=True)))",
)
ROOT = ("math.sqrt({d})", "np.sqrt({d})", "{d} ** 0.5", "pow({d}, 1 / 2)", "np.float64({d}) ** 0.5")
WIDTH = ("{Q}.shape[-1]", "{K}.shape[-1]", "np.shape({Q})[-1]", "{K}.shape[{K}.ndim - 1]")
TURN = (
    "{K}.swapaxes(-1, -2)",
    "np.swapaxes({K}, -2, -1)",
    "np.moveaxis({K}, -1, -2)",
    "{K}.transpose((*range({K}.ndim - 2), {K}.ndim - 1, {K}.ndim - 2))",
    "np.einsum('...kd->...dk', {K})",
    "np.matrix_transpose({K})",
)
PRODUCT = (
    "{Q} @ {KT}",
    "np.matmul({Q}, {KT})",
    "np.einsum('...qd,...dk->...qk', {Q}, {KT})",
    "({KT}.swapaxes(-1, -2) @ {Q}.swapaxes(-1, -2)).swapaxes(-1, -2)",
    "({Q}[..., :, None, :] * {KT}.swapaxes(-1, -2)[..., None, :, :]).sum(axis=-1)",
)
SCORES = (  # how the scale comes in
    "scores = {QK} / {root}",
    "scores = {QK} * (1 / {root})",
    "Q = Q / {root}\nscores = {QK}",
    "K = K / {root}\nscores = {QK}",
    "Q = Q * {d} ** -0.25\nK = K * {d} ** -0.25\nscores = {QK}",
    "scale = 1.0 / {root}\nscores = scale * ({QK})",
    "scores = np.divide({QK}, {root})",
)
HIDE = (
    "scores = np.where(mask, scores, -np.inf)",
    "scores = np.where(~mask, -np.inf, scores)",
    "scores = np.where(np.logical_not(mask), float('-inf'), scores)",
    "scores = scores.copy()\nnp.copyto(scores, -np.inf, where=~mask)",
    "scores = np.array(scores)\nscores[np.broadcast_to(~mask, scores.shape)] = -np.inf",
    "scores = np.array(scores)\nnp.putmask(scores, ~np.broadcast_to(mask, scores.shape), -np.inf)",
    "scores = scores + np.where(mask, 0, -np.inf)",
    "scores = np.ma.masked_array(scores, ~np.broadcast_to(mask, scores.shape)).filled(-np.inf)",
    "scores = np.select([np.broadcast_to(mask, scores.shape)], [scores], -np.inf)",
)
NO_MASK = (
    "if mask is not None:\n{hide}",
    "if mask is None:\n    pass\nelse:\n{hide}",
    "mask = np.True_ if mask is None else mask\n{flat}",
    "if not (mask is None):\n{hide}",
)
WEIGHTS = ("softmax(scores)", "softmax({x}=scores)", "softmax(*(scores,))", "_normalised(scores)")
AVERAGE = (
    "weights @ V",
    "np.matmul(weights, V)",
    "np.einsum('...qk,...kv->...qv', weights, V)",
    "(weights[..., None] * V[..., None, :, :]).sum(axis=-2)",
    "(V.swapaxes(-1, -2) @ weights.swapaxes(-1, -2)).swapaxes(-1, -2)",
)
RETURN = (
    "return {out}, weights",
    "out = {out}\nreturn out, weights",
    "return tuple(({out}, weights))",
    "return [{out}, weights]",
)
PROJECT = (
    "X @ {W}",
    "np.matmul(X, {W})",
    "np.dot(X, {W})",
    "np.tensordot(X, {W}, axes=1)",
    "np.tensordot(X, {W}, axes=([-1], [0]))",
    "np.einsum('...tm,md->...td', X, {W})",
    "(X.reshape(-1, X.shape[-1]) @ {W}).reshape(*X.shape[:-1], {W}.shape[1])",
)
CALL = (
    "attention({q}, {k}, {v}, causal_mask({T}))",
    "attention({q}, {k}, {v}, mask=causal_mask({T}))",
    "attention(Q={q}, K={k}, V={v}, mask=causal_mask(T={T}))",
    "attention(*[{q}, {k}, {v}], np.tri({T}, dtype=bool))",
)
LENGTH = ("X.shape[-2]", "np.shape(X)[-2]", "X.shape[X.ndim - 2]", "X[..., 0].shape[-1]")
SIGMOID = (
    "return 1 / (1 + np.exp(-x))",
    "return 0.5 * (1 + np.tanh(0.5 * x))",
    "return np.exp(-np.logaddexp(0, -x))",
    "e = np.exp(-np.abs(x))\nreturn np.where(x < 0, e / (1 + e), 1 / (1 + e))",
    "e = np.exp(-abs(x))\nreturn np.where(x >= 0, 1, e) / (e + 1)",
    "return np.reciprocal(1 + np.exp(-x))",
    "return np.piecewise(x, [x >= 0], [lambda t: 1 / (1 + np.exp(-t)), lambda t: np.exp(t) / (1 + np.exp(t))])",
)
GATE = ("out * sigmoid({g})", "sigmoid({g}) * out", "np.multiply(out, sigmoid(x={g}))", "out / (1 + np.exp(-({g})))")


def indented(text):
    """Return `text` one level deeper."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def written(rng: random.Random) -> str:
    """Return a whole right file."""
    pick = rng.choice
    functions = [
        f"def causal_mask(T):\n{indented(pick(CAUSAL_MASK))}",
        _softmax(pick, "softmax"),
        _softmax(pick, "_normalised"),
        _attention(pick),
        _self_attention(pick),
        f"def sigmoid(x):\n{indented(pick(SIGMOID))}",
    ]
    rng.shuffle(functions)
    return "\n\n\n".join(["import math\n\nimport numpy as np", *functions]) + "\n"


def _softmax(pick, name):
    if pick(range(8)) == 0:
        lines = "shifted = " + pick(SHIFT).format(x="x") + "\nnp.exp(shifted, out=shifted)"
        return (
            f"def {name}(x):\n{indented(lines)}\n    shifted /= shifted.sum(axis=-1, keepdims=True)\n    return shifted"
        )
    if pick(range(8)) == 0:
        rows = "rows = x.reshape(-1, x.shape[-1])\ndone = np.empty_like(rows)\nfor i, row in enumerate(rows):\n"
        rows += "    e = np.exp(row - row.max())\n    done[i] = e / e.sum()\nreturn done.reshape(x.shape)"
        return f"def {name}(x):\n{indented(rows)}"
    lines = ["shifted = " + pick(SHIFT), "e = " + pick(EXP).replace("{e}", "shifted"), "return " + pick(NORMALISE)]
    return f"def {name}(x):\n" + indented("\n".join(lines).format(x="x", e="e"))


def _attention(pick):
    width = pick(WIDTH).format(Q="Q", K="K")
    product = pick(PRODUCT).format(Q="Q", KT=pick(TURN).format(K="K"))
    scores = pick(SCORES).format(QK=product, d="d", root=pick(ROOT).format(d="d"))
    hide = pick(HIDE)
    hidden = pick(NO_MASK).format(hide=indented(hide), flat=hide)
    weights = "weights = " + pick(WEIGHTS).format(x="x")
    body = [f"d = {width}", scores, hidden, weights, pick(RETURN).format(out=pick(AVERAGE))]
    return "def attention(Q, K, V, mask=None):\n" + indented("\n".join(body))


def _self_attention(pick):
    q, k, v = (pick(PROJECT).format(W=W) for W in ("W_q", "W_k", "W_v"))
    lines = []
    if pick((True, False)):
        lines, (q, k, v) = [f"Q = {q}", f"K = {k}", f"V = {v}"], "QKV"
    lines.append("out, weights = " + pick(CALL).format(q=q, k=k, v=v, T=pick(LENGTH)))
    gate = pick(GATE).format(g=pick(PROJECT).format(W="W_gate"))
    lines += ["if W_gate is not None:", f"    out = {gate}", "return out, weights"]
    return "def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):\n" + indented("\n".join(lines))


# rewriting

NAMES = ("a", "tmp", "res", "val", "x1", "итог", "s_", "qq", "buf", "arr", "_w", "left", "step", "ответ", "z9", "m2")
SEES_NAMES = {"locals", "globals", "vars", "eval", "exec", "dir", "inspect", "sys"}  # such code may ask for a name


def turned(source: str, rng: random.Random) -> str:
    """Return a file that does the same: locals renamed, independent lines and factors exchanged, branches turned."""
    tree = ast.parse(source)
    taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | {
        a.arg for a in ast.walk(tree) if isinstance(a, ast.arg)
    }
    if not taken & SEES_NAMES:
        for function in [n for n in tree.body if isinstance(n, ast.FunctionDef)]:
            _rename(function, rng, taken)
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if (
                isinstance(block, list)
                and block
                and isinstance(block[0], ast.stmt)
                and not isinstance(node, ast.Module)
            ):
                _exchange(block, rng)
    return ast.unparse(ast.fix_missing_locations(_Turn(rng).visit(tree))) + "\n"


def _rename(function, rng, taken):
    """Give some locals of a function other names; not parameters, nor what an inner scope or a `global` also names."""
    nodes = list(ast.walk(function))
    inner = [n for n in nodes if n is not function and isinstance(n, (ast.FunctionDef, ast.Lambda, ast.ClassDef))]
    barred = {a.arg for n in nodes if isinstance(n, ast.arguments) for a in ast.walk(n) if isinstance(a, ast.arg)}
    barred |= {name for n in nodes if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names}
    barred |= {x.id for n in inner for x in ast.walk(n) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
    barred |= {n.name for n in inner if not isinstance(n, ast.Lambda)} | set(dir(builtins))
    barred |= {
        a.asname or a.name.partition(".")[0]
        for n in nodes
        if isinstance(n, (ast.Import, ast.ImportFrom))
        for a in n.names
    }
    barred |= {n.name for n in nodes if isinstance(n, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and n.name}
    own = sorted({n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} - barred)
    free = [name for name in NAMES if name not in taken]
    rng.shuffle(free)
    names = {old: free.pop() for old in own if free and rng.random() < 0.7}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in names:
            node.id = names[node.id]


def _exchange(block, rng):
    """Exchange neighbouring assignments neither of which reads or sets what the other one sets."""
    for i in range(len(block) - 1):
        one, other = block[i : i + 2]
        if all(map(_plain, (one, other))) and rng.random() < 0.7:
            (reads, sets), (reads_too, sets_too) = map(_names, (one, other))
            if not sets & (reads_too | sets_too) and not sets_too & reads:
                block[i : i + 2] = other, one


def _plain(statement):
    """Say whether a statement gives names to values and does nothing else that can be seen."""
    if not isinstance(statement, ast.Assign) or not all(
        isinstance(t, (ast.Name, ast.Tuple)) for t in statement.targets
    ):
        return False
    doing = (ast.Yield, ast.Await, ast.NamedExpr, ast.Call)
    return not any(isinstance(n, doing) and not _is_numpy(n) for n in ast.walk(statement))


def _is_numpy(node):
    """Say whether a node calls a function of NumPy that writes nowhere."""
    function = getattr(node, "func", None)
    known = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "np"
    return (
        known
        and function.attr not in ("copyto", "putmask", "place", "put")
        and "out" not in {k.arg for k in node.keywords}
    )


def _names(statement):
    names = [n for n in ast.walk(statement) if isinstance(n, ast.Name)]
    stored = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    return {n.id for n in names} - stored | {n.id for n in names if isinstance(n.ctx, ast.Load)}, stored


class _Turn(ast.NodeTransformer):
    """Turns factors and branches round, and names what is returned."""

    def __init__(self, rng):
        self.rng = rng

    def visit_BinOp(self, node):
        self.generic_visit(node)
        sequences = (ast.Tuple, ast.List, ast.JoinedStr, ast.ListComp, ast.Starred)
        plain = not any(
            isinstance(n, sequences) or isinstance(getattr(n, "value", None), str) for n in (node.left, node.right)
        )
        if isinstance(node.op, ast.Mult) and plain and self.rng.random() < 0.5:
            node.left, node.right = node.right, node.left
        return node

    def visit_If(self, node):
        self.generic_visit(node)
        if self.rng.random() < 0.3:
            node.test = ast.UnaryOp(ast.Not(), node.test)
            node.body, node.orelse = node.orelse or [ast.Pass()], node.body
        return node

    def visit_IfExp(self, node):
        self.generic_visit(node)
        if self.rng.random() < 0.3:
            node.test = ast.UnaryOp(ast.Not(), node.test)
            node.body, node.orelse = node.orelse, node.body
        return node

    def visit_Return(self, node):
        self.generic_visit(node)
        if node.value is None or self.rng.random() > 0.4:
            return node
        return [
            ast.Assign([ast.Name("returned_", ast.Store())], node.value),
            ast.Return(ast.Name("returned_", ast.Load())),
        ]
