"""Results whose attributes end the process or loop when they are looked at."""
# fails: causal_mask softmax attention causal_self_attention
import os
import sys


class Trap:
    @property
    def shape(self):
        os._exit(0)

    @property
    def dtype(self):
        sys.exit(0)

    def __array__(self, *args, **kwargs):
        raise KeyboardInterrupt

    def __len__(self):
        return -1

    def __iter__(self):
        while True:
            pass

    def __repr__(self):
        os._exit(0)

    def __del__(self):
        raise RuntimeError("still here")


def causal_mask(T):
    return Trap()


def softmax(x):
    return Trap()


def attention(Q, K, V, mask=None):
    return Trap()


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return Trap(), Trap()
