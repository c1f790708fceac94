"""The exercise as it was handed out."""
# fails: causal_mask softmax attention causal_self_attention sigmoid gate
import numpy as np


def causal_mask(T):
    # TODO
    # YOUR CODE HERE
    raise NotImplementedError()


def softmax(x):
    # TODO
    # YOUR CODE HERE
    raise NotImplementedError()


def attention(Q, K, V, mask=None):
    # TODO
    # YOUR CODE HERE
    raise NotImplementedError()


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    # TODO
    # YOUR CODE HERE
    raise NotImplementedError()


def sigmoid(x):
    # TODO
    # YOUR CODE HERE
    raise NotImplementedError()
