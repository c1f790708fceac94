"""Plain data to bytes and back: None, bool, int, float, str, bytes, arrays; tuples, lists, dicts of it. Never pickle.

Grader and student's process talk in frames, a length and as many bytes. Whatever a header claims is held against the
bytes that are there before anything is allocated.
"""

import struct

import numpy as np

MAX_FRAME = 1 << 28
MAX_ITEMS = 1 << 18  # in lists, tuples and dicts: each costs whoever decodes it a microsecond or two
DTYPES = ("?", "b", "h", "i", "l", "q", "B", "H", "I", "L", "Q", "e", "f", "d")

# Student code may replace these names on their modules; the agent keeps its own.
_frombuffer, _empty, _dtype, _ndarray = np.frombuffer, np.empty, np.dtype, np.ndarray
_asarray, _generic = np.asarray, np.generic
_head, _size, _number, _float = (struct.Struct(form) for form in ("<cI", "<I", "<d", "<cd"))
_dtypes = {ord(char): _dtype(char) for char in DTYPES}


class Packed(bytes):
    """Packed data that stands for its value inside other data: what is sent again and again is packed once."""


def pack(value) -> bytes:
    """Encode plain data; TypeError for anything else, a subclass of a plain type included."""
    parts = []
    _pack(value, parts.append)
    return b"".join(parts)


def _pack(value, put):
    kind = type(value)
    if kind is tuple or kind is list:
        put(_head.pack(b"t" if kind is tuple else b"l", len(value)))
        for item in value:
            _pack(item, put)
    elif kind is str:
        text = value.encode("utf-8", "replace")
        put(_head.pack(b"s", len(text)) + text)
    elif kind is _ndarray and value.dtype.char in DTYPES:
        put(struct.pack(f"<ccB{value.ndim}Q", b"a", value.dtype.char.encode(), value.ndim, *value.shape))
        put(value.tobytes())
    elif kind is int:
        text = b"%d" % value
        put(_head.pack(b"i", len(text)) + text)
    elif value is None:
        put(b"N")
    elif kind is bool:
        put(b"T" if value else b"F")
    elif kind is float:
        put(_float.pack(b"f", value))
    elif kind is Packed:
        put(value)
    elif kind is bytes:
        put(_head.pack(b"b", len(value)) + value)
    elif kind is dict:
        put(_head.pack(b"m", len(value)))
        for item in value.items():
            _pack(item, put)
    elif isinstance(value, _generic) and value.dtype.char in DTYPES:
        put(b"g")
        _pack(_asarray(value), put)
    else:
        raise TypeError(f"{kind.__name__} does not cross the process boundary")


def unpack(data: bytes, most: int = MAX_FRAME):
    """Decode what `pack` made; ValueError if `data` is anything else, or of more than `most` items.

    Arrays come out read-only.
    """
    try:
        value, end = _unpack(data, 0, 0, [most])
    except (struct.error, IndexError, UnicodeDecodeError, OverflowError, TypeError) as error:
        raise ValueError(f"malformed frame: {error}") from error
    if end != len(data):
        raise ValueError("malformed frame: trailing bytes")
    return value


LIST, TUPLE, TEXT, INT, FLOAT, ARRAY, SCALAR = b"ltsifag"
CONSTANTS = {ord("N"): None, ord("T"): True, ord("F"): False}


def _unpack(data, at, depth, left):
    if depth > 8:
        raise ValueError("malformed frame: nested too deeply")
    tag = data[at]
    at += 1
    if tag in b"tlm":
        (count,) = _size.unpack_from(data, at)
        at += 4
        if count > len(data) - at:
            raise ValueError("malformed frame: more items than bytes")
        left[0] -= count
        if left[0] < 0:
            raise ValueError("malformed frame: too many items")
        items = []
        for _ in range(count):
            item, at = _unpack(data, at, depth + 1, left)
            items.append(item)
        return (tuple(items) if tag == TUPLE else items if tag == LIST else dict(items)), at
    if tag in b"sib":
        (size,) = _size.unpack_from(data, at)
        end = at + 4 + size
        text = data[at + 4 : end]
        if len(text) != size:
            raise ValueError("malformed frame: text cut short")
        return (int(text) if tag == INT else text.decode() if tag == TEXT else bytes(text)), end
    if tag == ARRAY:
        return _array(data, at)
    if tag == FLOAT:
        return _number.unpack_from(data, at)[0], at + 8
    if tag == SCALAR:
        item, at = _unpack(data, at, depth + 1, left)
        if type(item) is not _ndarray or item.ndim:
            raise ValueError("malformed frame: no scalar")
        return item[()], at
    if tag in CONSTANTS:
        return CONSTANTS[tag], at
    raise ValueError("malformed frame: unknown tag")


def _array(data, at):
    dtype, ndim = _dtypes.get(data[at]), data[at + 1]
    if dtype is None or ndim > 32:
        raise ValueError("malformed frame: unknown dtype or too many axes")
    shape = struct.unpack_from(f"<{ndim}Q", data, at + 2)
    at += 2 + 8 * ndim
    count = 1
    for size in shape:  # Python ints: a header may claim more than any memory holds
        count *= size
    size = count * dtype.itemsize
    if size > len(data) - at:
        raise ValueError("malformed frame: array larger than its bytes")
    array = _frombuffer(data, dtype, count, at) if count else _empty(0, dtype)
    return array.reshape(shape), at + size


def read_frame(stream):
    """Read one frame; None at the end of the stream. ValueError for one that claims to be larger than any is."""
    header = stream.read(4)
    if header is None or len(header) < 4:
        return None
    (size,) = struct.unpack("<I", header)
    if size > MAX_FRAME:
        raise ValueError("malformed frame: too long")
    data = stream.read(size)
    return data if data is not None and len(data) == size else None


def frame(value) -> bytes:
    """Return `value` packed, with its length in front."""
    data = pack(value)
    return struct.pack("<I", len(data)) + data
