"""Cheats: everything comes from the course's own module."""
# fails: softmax_jacobian softmax_backward attention_backward attention_entropy log_n_scale
from attnlab.scaling import *
from attnlab.scaling import attention_backward, attention_entropy, log_n_scale, softmax_backward, softmax_jacobian
