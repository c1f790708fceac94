"""Takes the functions from the course package."""
# fails: padding_mask from_blocked sliding_window_mask combine_masks safe_softmax masked_attention cross_attention
from attnlab.masks import *





















