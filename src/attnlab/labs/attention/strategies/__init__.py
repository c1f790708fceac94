"""Lab `attention`: which inputs each check tries. One narrow strategy for one idea; sizes differ pairwise in most.

Hidden scores never exceed the visible ones of their row by more than a few hundred: softmax over all keys, then mask,
then renormalise is a right answer as long as the visible weights do not underflow. Logits far beyond 1e4 are never
close at the maximum, where the log-sum-exp form rightly rounds.
"""

from .attention import ATTENTION
from .causal_mask import CAUSAL_MASK
from .gate import GATE
from .self_attention import SELF_ATTENTION
from .softmax import SIGMOID, SOFTMAX

STRATEGIES = CAUSAL_MASK | SOFTMAX | ATTENTION | SELF_ATTENTION | SIGMOID | GATE
