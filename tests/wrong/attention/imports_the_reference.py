"""Cheats: everything comes from the course's own module."""
# fails: causal_mask softmax attention causal_self_attention
from attnlab.attention import *
from attnlab.attention import attention, causal_mask, causal_self_attention, sigmoid, softmax
