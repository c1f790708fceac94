"""Lab `masks`: padding, sliding windows, combined masks, rows that see nothing, and cross-attention."""

from ..model import Lab
from .checks import CHECKS, PARTS
from .observe import observe

LAB = Lab("masks", "attnlab.masks", PARTS, CHECKS, observe)
