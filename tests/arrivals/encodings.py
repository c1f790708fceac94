"""The same text in the bytes of other systems, and bytes that are no notebook."""

import codecs
import json

from arrivals.packaging import code, registry, text

PACKAGINGS, packaging = registry()
RUSSIAN = "# Карп прыгает через Врата Дракона\nкарп = 'Внимание'"


def _bytes(name, encode, *notes, unreadable=""):
    def build(work, folder):
        notebook = work.fresh()
        notebook["cells"].insert(13, code(RUSSIAN, "carp"))
        (folder / "attention.ipynb").write_bytes(encode(text(notebook)))

    build.__name__ = name
    packaging(*notes, unreadable=unreadable, files=True)(build)


_bytes("utf_8_with_mark", lambda t: codecs.BOM_UTF8 + t.encode())
_bytes("utf_16_le_with_mark", lambda t: codecs.BOM_UTF16_LE + t.encode("utf-16-le"))
_bytes("utf_16_be_with_mark", lambda t: codecs.BOM_UTF16_BE + t.encode("utf-16-be"))
_bytes("utf_16_le", lambda t: t.encode("utf-16-le"))
_bytes("utf_16_be", lambda t: t.encode("utf-16-be"))
_bytes("utf_32_le", lambda t: t.encode("utf-32-le"))
_bytes("utf_32_be", lambda t: t.encode("utf-32-be"))
_bytes("utf_32_with_mark", lambda t: t.encode("utf-32"))
_bytes("cp1251", lambda t: t.encode("cp1251", "replace"))
_bytes("ascii_with_escapes", lambda t: json.dumps(json.loads(t)).encode())
_bytes("crlf", lambda t: t.replace("\n", "\r\n").encode())
_bytes("lone_cr", lambda t: t.replace("\n", "\r").encode())
_bytes("zeros_behind_the_end", lambda t: t.encode() + bytes(4096))
_bytes("control_z_behind_the_end", lambda t: t.encode() + b"\x1a")
_bytes("not_a_number", lambda t: t.replace('"metadata": {', '"metadata": {"a": NaN, "b": -Infinity,', 1).encode())
_bytes("repeated_key", lambda t: ('{"cells": [], ' + t.lstrip()[1:]).encode(), "arrival.repeats_keys")
_bytes("empty", lambda t: b"", unreadable="read.empty")
_bytes("blank", lambda t: b" \r\n\t\n", unreadable="read.empty")
_bytes("zeros", lambda t: bytes(5000), unreadable="read.not_json")
_bytes("cut_short", lambda t: t.encode()[: len(t) // 2], unreadable="read.not_json")
_bytes("cut_by_a_byte", lambda t: t.rstrip().encode()[:-1], unreadable="read.not_json")
_bytes("merge_conflict", lambda t: t.replace("\n", "\n<<<<<<< HEAD\n", 1).encode(), unreadable="read.not_json")
_bytes("twice_in_one_file", lambda t: (t + t).encode(), unreadable="read.more_than_json")
_bytes("nested_without_end", lambda t: b"[" * 200_000, unreadable="read.not_json")
_bytes("number_without_end", lambda t: b'{"cells": ' + b"9" * 100_000 + b"}", unreadable="read.not_json")
_bytes("a_list", lambda t: b"[]", unreadable="read.not_notebook")
_bytes("a_string", lambda t: b'"cells"', unreadable="read.not_notebook")
_bytes("cells_are_a_table", lambda t: b'{"cells": {"0": {}}}', unreadable="read.not_notebook")
_bytes("no_cells", lambda t: b'{"cells": [], "metadata": {}, "nbformat": 4}', unreadable="arrival.no_cells")
_bytes("web_page", lambda t: b"<!DOCTYPE html>\n<html><body>" + t.encode(), unreadable="read.web_page")
_bytes("picture", lambda t: b"\x89PNG\r\n\x1a\n\x98\x00\xff\xfe" * 50, unreadable="read.encoding")
_bytes("half_a_utf_16", lambda t: codecs.BOM_UTF16_LE + t.encode("utf-16-le")[:-1], unreadable="read.encoding")


@packaging(files=True)
def huge_output_on_one_line(work, folder):
    notebook = work.fresh()
    words = '\\"][}{ Карп ' * 400_000  # some 8 MB; a test of its own takes more
    stream = {"output_type": "stream", "name": "stdout", "text": words}
    next(c for c in notebook["cells"] if c["cell_type"] == "code")["outputs"] = [stream]
    (folder / "attention.ipynb").write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")


@packaging(files=True)
def many_outputs_on_many_lines(work, folder):
    notebook = work.fresh()
    lines = [f'"epoch {i}": [{i}]\n' for i in range(20_000)]
    for c in notebook["cells"][:8]:
        c["outputs"] = [{"output_type": "stream", "name": "stdout", "text": lines}]
    (folder / "attention.ipynb").write_text(text(notebook), encoding="utf-8")


@packaging(files=True, unreadable="read.too_much_code")
def far_too_much_code(work, folder):
    notebook = work.fresh()
    notebook["cells"].append(code("x = 1\n" * 400_000))
    (folder / "attention.ipynb").write_text(text(notebook), encoding="utf-8")


@packaging(files=True, unreadable="arrival.too_many_cells")
def far_too_many_cells(work, folder):
    notebook = work.fresh()
    notebook["cells"] += [code("1", f"n{i}") for i in range(6000)]
    (folder / "attention.ipynb").write_text(text(notebook), encoding="utf-8")
