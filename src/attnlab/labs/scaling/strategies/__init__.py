"""Lab `scaling`: which inputs each check tries. One narrow strategy for one idea; sizes differ pairwise in most.

Weights always sum to 1, as those of softmax do: whoever relies on it is right. Most are fractions whose denominator
is a power of two, exact in float32 too. Hidden scores never exceed the visible ones of their row by more than a few
hundred: softmax over all keys, then mask, then renormalise is a right forward pass as long as nothing underflows.
"""

from .attention_backward import ATTENTION_BACKWARD
from .entropy import ENTROPY
from .log_n import LOG_N
from .softmax import BACKWARD, JACOBIAN

STRATEGIES = JACOBIAN | BACKWARD | ATTENTION_BACKWARD | ENTROPY | LOG_N
