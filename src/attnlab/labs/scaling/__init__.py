"""Lab `scaling`: the slope of softmax, backward passes, entropy and the log-n factor."""

from ..model import Lab
from .checks import CHECKS, PARTS
from .observe import observe

LAB = Lab("scaling", "attnlab.scaling", PARTS, CHECKS, observe)
