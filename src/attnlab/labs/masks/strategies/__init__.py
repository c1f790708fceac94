"""Lab `masks`: which inputs each check tries. One narrow strategy for one idea; sizes differ pairwise in most.

Rows that see nothing stand beside rows that see something, and first keys are hidden as often as last ones. Hidden
scores never exceed the visible ones of their row by more than a few hundred: softmax over all keys, then mask, then
renormalise is a right answer as long as the visible weights do not underflow.
"""

from .attention import MASKED_ATTENTION
from .cross import CROSS_ATTENTION
from .making import MAKING
from .softmax import SAFE_SOFTMAX

STRATEGIES = MAKING | SAFE_SOFTMAX | MASKED_ATTENTION | CROSS_ATTENTION
