"""Lab `gates`: which inputs each check tries. One narrow strategy for one idea; sizes differ pairwise in most.

The width of `W_gate` says what the gate is shared by, so d_model, H, D and 1 are kept apart: H is never D, and never 1
but where that is the idea. A threshold is a number that float32 holds exactly, or the gates are float64.
"""

from .attention import GATED
from .gate import ACTIVATIONS, GATE_VALUES
from .measures import MEASURES

STRATEGIES = ACTIVATIONS | GATE_VALUES | GATED | MEASURES
