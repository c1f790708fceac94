"""Names, kinds and numbers of files: renamed, several, scripts, links, pipes, folders."""

import os
import socket
import unicodedata

from arrivals.packaging import code, registry, text, write

PACKAGINGS, packaging = registry()


def _named(test, name, *notes):
    def build(work, folder):
        write(folder, work.notebook, name)

    build.__name__ = test
    packaging(*notes, files=True)(build)


_named("named_by_a_browser", "attention (1).ipynb", "arrival.renamed")
_named("named_by_jupyter", "attention-Copy1.ipynb", "arrival.renamed")
_named("named_by_the_student", "my homework.ipynb", "arrival.renamed")
_named("named_in_russian", "Домашняя работа №3 — внимание.ipynb", "arrival.renamed")
_named("named_in_capitals", "ATTENTION.IPYNB", "arrival.renamed")
_named("named_with_a_blank", "attention.ipynb ", "arrival.renamed")
_named("named_as_text", "attention.ipynb.txt", "arrival.renamed")
_named("named_as_json", "attention.json", "arrival.renamed")
_named("named_twice", "attention.ipynb.ipynb", "arrival.renamed")
_named("named_without_suffix", "attention")
_named("named_as_a_script", "attention.py")
_named("named_with_a_line_break", "a\nb\x1b[31m.ipynb", "arrival.renamed")
_named("named_with_a_very_long_name", "а" * 120 + ".ipynb", "arrival.renamed")
_named("named_with_parts_of_letters", unicodedata.normalize("NFD", "Рабочий й ё.ipynb"), "arrival.renamed")


@packaging("arrival.renamed", files=True)
def named_in_bytes_that_are_no_utf_8(work, folder):
    name = "внимание.ipynb".encode("cp1251")
    with open(os.path.join(os.fsencode(folder), name), "w", encoding="utf-8") as file:
        file.write(text(work.notebook))


@packaging(files=True)
def with_timestamp_and_hidden_files(work, folder):
    write(folder, work.notebook)
    (folder / "timestamp.txt").write_text("2026-01-01 00:00:00 UTC", encoding="utf-8")
    (folder / "._attention.ipynb").write_bytes(b"\0\5\x16\7")
    (folder / ".ipynb_checkpoints").mkdir()
    write(folder / ".ipynb_checkpoints", work.released, "attention-checkpoint.ipynb")
    (folder / "__MACOSX").mkdir()
    write(folder / "__MACOSX", work.released)


@packaging("arrival.chosen", files=True)
def several_the_right_name_counts(work, folder):
    write(folder, work.notebook)
    wrong = work.fresh()
    wrong["cells"].append(code("def softmax(x):\n    return x"))
    write(folder, wrong, "attention (2).ipynb")


@packaging("arrival.chosen", files=True)
def several_with_the_right_one_untouched(work, folder):
    write(folder, work.released)
    write(folder, work.notebook, "attention-done.ipynb")


@packaging("arrival.chosen", files=True)
def several_with_the_right_one_broken(work, folder):
    (folder / "attention.ipynb").write_text(text(work.notebook)[:5000], encoding="utf-8")
    write(folder, work.notebook, "attention (1).ipynb")


@packaging("arrival.chosen", files=True)
def several_the_newest_counts(work, folder):
    wrong = work.fresh()
    wrong["cells"].append(code("def softmax(x):\n    return x"))
    write(folder, wrong, "b.ipynb")
    write(folder, work.notebook, "a.ipynb")
    os.utime(folder / "b.ipynb", (1_000_000_000, 1_000_000_000))
    os.utime(folder / "a.ipynb", (1_000_000_001, 1_000_000_001))


@packaging("arrival.chosen", files=True)
def several_only_one_of_this_course(work, folder):
    write(
        folder, {"cells": [code("print('chemistry')")], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, "z.ipynb"
    )
    write(folder, work.notebook, "a.ipynb")
    os.utime(folder / "a.ipynb", (1_000_000_000, 1_000_000_000))


@packaging("arrival.script", files=True)
def script(work, folder):
    (folder / "attention.py").write_text(work.script, encoding="utf-8")


@packaging("arrival.script", files=True)
def script_of_another_name(work, folder):
    (folder / "решение.py.txt").write_text(work.script, encoding="utf-16")


@packaging("arrival.script", files=True)
def script_named_as_a_notebook(work, folder):
    (folder / "attention.ipynb").write_text(work.script, encoding="utf-8")


@packaging("arrival.script", files=True)
def script_exported_by_jupyter(work, folder):
    parts = ["#!/usr/bin/env python\n# coding: utf-8\n"]
    for c in work.notebook["cells"]:
        comment = "\n".join(f"# {line}" for line in c["source"].split("\n"))
        parts.append(f"# In[ ]:\n\n\n{c['source']}\n" if c["cell_type"] == "code" else f"{comment}\n")
    parts.insert(3, "# In[ ]:\n\n\nraise SystemExit('an experiment')\n")
    (folder / "attention.py").write_text("\n\n".join(parts), encoding="utf-8")


@packaging("arrival.script", files=True)
def script_in_percent_format(work, folder):
    parts = []
    for c in work.notebook["cells"]:
        comment = "\n".join(f"# {line}" for line in c["source"].split("\n"))
        parts.append(f"# %%\n{c['source']}\n" if c["cell_type"] == "code" else f"# %% [markdown]\n{comment}\n")
    (folder / "attention.py").write_text("\n".join(parts), encoding="utf-8")


@packaging("arrival.chosen", files=True)
def notebook_and_script(work, folder):
    write(folder, work.notebook)
    (folder / "attention.py").write_text("def softmax(x):\n    return x\n", encoding="utf-8")


@packaging("arrival.chosen", "arrival.script", files=True)
def untouched_notebook_and_script(work, folder):
    write(folder, work.released)
    (folder / "attention.py").write_text(work.script, encoding="utf-8")


@packaging("arrival.renamed", files=True)
def in_a_folder(work, folder):
    (folder / "Домашняя работа").mkdir()
    write(folder / "Домашняя работа", work.notebook, "attention.ipynb")


@packaging("arrival.renamed", files=True)
def in_a_folder_named_like_the_notebook(work, folder):
    (folder / "attention.ipynb").mkdir()
    write(folder / "attention.ipynb", work.notebook, "work.ipynb")


@packaging(files=True)
def link_inside_the_folder(work, folder):
    (folder / "data").mkdir()
    write(folder / "data", work.notebook, "real.bin")
    (folder / "attention.ipynb").symlink_to("data/real.bin")


@packaging("arrival.chosen", files=True)
def with_a_pipe_a_socket_and_links_to_everything(work, folder):
    write(folder, work.notebook, "work.ipynb")
    os.mkfifo(folder / "attention.ipynb")
    (folder / "b.ipynb").symlink_to("/dev/zero")
    (folder / "c.ipynb").symlink_to("/etc/passwd")
    (folder / "d.ipynb").symlink_to("d.ipynb")
    (folder / "e").symlink_to("/")
    (folder / "f.ipynb").symlink_to("../" * 20 + "proc/self/mem")
    here = os.getcwd()
    os.chdir(folder)  # a socket's whole path may be too long for its name
    try:
        socket.socket(socket.AF_UNIX).bind("g.ipynb")
    finally:
        os.chdir(here)


@packaging(files=True)
def with_folders_deep_and_many(work, folder):
    write(folder, work.notebook)
    at = folder
    for _ in range(30):
        at = at / "d"
        at.mkdir()
    for i in range(300):
        (folder / f"image{i}.png").write_bytes(b"")


@packaging(files=True, unreadable="arrival.nothing")
def nothing_at_all(work, folder):
    pass


@packaging(files=True, unreadable="arrival.nothing")
def nothing_but_a_timestamp(work, folder):
    (folder / "timestamp.txt").write_text("2026-01-01 00:00:00 UTC", encoding="utf-8")


@packaging(files=True, unreadable="arrival.other_files")
def other_kinds_of_files(work, folder):
    (folder / "attention.pdf").write_bytes(b"%PDF-1.7")
    (folder / "attention.html").write_text("<html>", encoding="utf-8")
    (folder / "attention.rar").write_bytes(b"Rar!\x1a\7\1\0")


@packaging(files=True, unreadable="arrival.nothing")
def a_note_instead_of_work(work, folder):
    (folder / "readme.txt").write_text("def is what I never learnt: sorry, no time\n", encoding="utf-8")


@packaging(files=True, unreadable="arrival.link_outside")
def link_to_a_file_outside(work, folder):
    write(folder.parent, work.notebook, "classmate.ipynb")
    (folder / "attention.ipynb").symlink_to("../classmate.ipynb")


@packaging(files=True, unreadable="arrival.link_outside")
def link_to_an_absolute_path(work, folder):
    write(folder.parent, work.notebook, "classmate.ipynb")
    (folder / "attention.ipynb").symlink_to(folder.parent / "classmate.ipynb")


@packaging(files=True, unreadable="arrival.not_regular")
def pipe(work, folder):
    os.mkfifo(folder / "attention.ipynb")


@packaging(files=True, unreadable="arrival.link_outside")
def folder_linked_from_outside(work, folder):
    (folder.parent / "other").mkdir()
    write(folder.parent / "other", work.notebook)
    (folder / "work").symlink_to("../other")


@packaging(files=True, unreadable="read.syntax")
def script_that_is_not_python(work, folder):
    (folder / "attention.py").write_text(work.script + "\ndef broken(:\n", encoding="utf-8")
