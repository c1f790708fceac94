"""Lab `attention`: causal mask, softmax, attention, causal self-attention, and the gate as a bonus."""

from ..model import Lab
from .checks import CHECKS, PARTS
from .observe import observe

LAB = Lab("attention", "attnlab.attention", PARTS, CHECKS, observe)
