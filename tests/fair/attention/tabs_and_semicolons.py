"""Tabs, semicolons, one-line bodies and no final newline of thought."""
import numpy as np; import math
def causal_mask(T): return np.tri(T, dtype=bool)
def softmax(x):
	e = np.exp(x - x.max(axis=-1, keepdims=True)); return e/e.sum(axis=-1, keepdims=True)
def attention(Q,K,V,mask=None):
	s=Q@K.swapaxes(-1,-2)/math.sqrt(Q.shape[-1])
	if mask is not None: s=np.where(mask,s,-np.inf)
	w=softmax(s); return w@V,w
def causal_self_attention(X,W_q,W_k,W_v,W_gate=None):
	o,w=attention(X@W_q,X@W_k,X@W_v,causal_mask(X.shape[-2]))
	if W_gate is not None: o=o*sigmoid(X@W_gate)
	return o,w
def sigmoid(x): return 1/(1+np.exp(-x))
