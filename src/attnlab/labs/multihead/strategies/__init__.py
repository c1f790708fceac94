"""Lab `multihead`: which inputs each check tries. One narrow strategy for one idea.

The numbers of heads, of key-value heads, of query heads to a group, the width of a head, the tokens and the sequences
of a batch differ pairwise in most; where a wrong axis shows only when two of them agree, there is a strategy for that.
What is only moved about consists of numbers that occur once, so that a message can say from where one came; they have
fractions and either sign, so that nothing can be done to them unseen.
"""

from .attention import GROUPED_QUERY_ATTENTION, MULTI_HEAD_ATTENTION
from .cache import KV_CACHE_BYTES
from .heads import MERGE_HEADS, REPEAT_KV, SPLIT_HEADS

STRATEGIES = SPLIT_HEADS | MERGE_HEADS | MULTI_HEAD_ATTENTION | REPEAT_KV | GROUPED_QUERY_ATTENTION | KV_CACHE_BYTES
