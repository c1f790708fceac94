"""Lab `multihead`: splitting and merging heads, multi-head and grouped-query attention, the size of the KV cache."""

from ..model import Lab
from .checks import CHECKS, PARTS
from .observe import observe

LAB = Lab("multihead", "attnlab.multihead", PARTS, CHECKS, observe)
