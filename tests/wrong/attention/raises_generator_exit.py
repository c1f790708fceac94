"""Raises the exceptions Python uses for flow control."""
# fails: causal_mask softmax attention causal_self_attention
def causal_mask(T):
    raise StopIteration(T)


def softmax(x):
    raise GeneratorExit


def attention(Q, K, V, mask=None):
    raise StopAsyncIteration


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    raise MemoryError
