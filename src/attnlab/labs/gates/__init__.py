"""Lab `gates`: sigmoid and SiLU, gate values, gated multi-head attention, sink share, sparsity."""

from ..model import Lab
from .checks import CHECKS, PARTS
from .observe import observe

LAB = Lab("gates", "attnlab.gates", PARTS, CHECKS, observe)
