"""The attention explorer: words with made-up vectors, and what functions of attention make of them."""

import math
import zlib

import numpy as np

from .. import texts
from ..attention import attention, causal_mask, sigmoid

LAB = "attention"  # whose functions drive the panel
NEEDED = ("softmax", "attention")  # parts that have to be right before the student's own do
WIDTHS = (2, 4, 16, 64, 256)
MOST_WORDS = 8
SETTINGS = {
    "token": 4, "d_k": 16, "scale": True, "mask": True, "gate": False, "temperature": 1.0, "seed": 0, "query": None,
    "reference": False,
}  # fmt: skip
REFERENCE = {"attention": attention, "causal_mask": causal_mask, "sigmoid": sigmoid}


def opening(lang: str) -> dict:
    """Return what the panel starts with: its settings, what they give, and the widths that can be chosen."""
    settings = {"tokens": texts.say(lang, "explore.tokens").split(), **SETTINGS}
    given = {"whose": "reference", "why_html": ""} | view(settings, REFERENCE)
    return {"settings": settings, "initial": given, "widths": list(WIDTHS)}


def view(settings: dict, functions: dict) -> dict:
    """Return what the panel shows.

    The vectors of a word depend on the word and on the seed alone, so that changing one word moves nothing else. A
    larger `d_k` adds components to the same ones. The first two components are what the panel's plane shows; `query`
    takes the place of those of the chosen token.

    Parameters
    ----------
    settings : dict
        ``tokens`` and what `SETTINGS` holds.
    functions : dict
        ``attention``, ``causal_mask`` and ``sigmoid``: the student's own or the reference's.

    Returns
    -------
    dict
        ``weights`` of all tokens; of the chosen one ``row``, ``visible``, ``scores`` (None where hidden) and ``gate``
        (None without one); ``keys`` and ``query`` in the plane.
    """
    tokens = [str(token) for token in settings["tokens"]][:MOST_WORDS]
    T, d_k, chosen = len(tokens), int(settings["d_k"]), int(settings["token"])
    made = [_vectors(token, int(settings["seed"])) for token in tokens]
    Q, K = (np.stack([m[i, :d_k] for m in made]) for i in (0, 1))  # (T, d_k) each
    if settings.get("query"):
        Q[chosen, :2] = settings["query"]
    heat = float(settings["temperature"]) * (1 if settings["scale"] else 1 / math.sqrt(d_k))
    mask = np.asarray(functions["causal_mask"](T)) if settings["mask"] else None  # (T, T)
    _, weights = functions["attention"](Q / heat, K, K, mask)  # (T, T)
    weights = np.asarray(weights, float)
    scores = (Q[chosen] / heat) @ K.T / math.sqrt(d_k)  # (T,)
    visible = np.ones(T, bool) if mask is None else mask[chosen]  # (T,)
    gate = float(functions["sigmoid"](np.array([made[chosen][2, 0]]))[0]) if settings["gate"] else None
    return {
        "weights": _plain(weights),
        "row": _plain(weights[chosen]),
        "visible": visible.tolist(),
        "scores": [score if seen else None for score, seen in zip(_plain(scores), visible, strict=True)],
        "gate": gate,
        "keys": _plain(K[:, :2]),
        "query": _plain(Q[chosen, :2]),
    }


def _vectors(token, seed):
    """Return a word's query, key and gate vectors, each component with mean 0 and variance 1."""
    rng = np.random.default_rng(zlib.crc32(f"{seed}/{token}".encode()))
    return rng.standard_normal((max(WIDTHS), 3)).T  # (3, d_k max): the first components are the same for any width


def _plain(array):
    return np.round(array, 6).tolist()
