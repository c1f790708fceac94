"""Кириллица в именах, строках и комментариях."""
import numpy as np

ЧУТЬ_БОЛЬШЕ_НИЧЕГО = -np.inf


def causal_mask(длина):
    # токен i видит себя и всё, что было до него
    return np.tri(длина, dtype=bool)


def softmax(оценки):
    сдвиг = оценки - оценки.max(axis=-1, keepdims=True)  # чтобы экспонента не переполнилась
    экспоненты = np.exp(сдвиг)
    return экспоненты / экспоненты.sum(axis=-1, keepdims=True)


def attention(запросы, ключи, значения, маска=None):
    """Каждый запрос берёт взвешенное среднее значений."""
    оценки = запросы @ ключи.swapaxes(-1, -2) / np.sqrt(запросы.shape[-1])
    if маска is not None:
        оценки = np.where(маска, оценки, ЧУТЬ_БОЛЬШЕ_НИЧЕГО)
    веса = softmax(оценки)
    return веса @ значения, веса


def causal_self_attention(X, W_q, W_k, W_v, вентиль=None):
    выход, веса = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if вентиль is not None:
        выход = выход * sigmoid(X @ вентиль)
    return выход, веса


def sigmoid(икс):
    return 1 / (1 + np.exp(-икс))


print("Готово ✓ карп прыгает через врата 🐟")
