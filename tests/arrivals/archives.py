"""Archives: with folders, Russian names, bombs, passwords, paths that lead out."""

import io
import stat
import tarfile
import zipfile

from arrivals.packaging import registry, text

PACKAGINGS, packaging = registry()


def _zip(*members, compression=zipfile.ZIP_DEFLATED):
    """Return a zip file's bytes; a member is a name or a ZipInfo, and text or bytes."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return data.getvalue()


def _archive(name, make, *notes, file="work.zip", unreadable=""):
    def build(work, folder):
        (folder / file).write_bytes(make(text(work.notebook)))

    build.__name__ = name
    packaging(*notes, unreadable=unreadable, files=True)(build)


def _link(name, target):
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info, target


def _in_dos(name, encoding):
    """Return a function that makes an archive whose member is named in an encoding, as old programs write it."""

    def make(content):
        stand_in = "x" * len(name.encode(encoding))
        return _zip((stand_in, content)).replace(stand_in.encode(), name.encode(encoding))

    return make


def _encrypted(content):
    data = bytearray(_zip(("attention.ipynb", content)))
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(signature) + offset] |= 1
    return bytes(data)


def _tar(mode):
    def make(content):
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode=mode) as archive:
            info = tarfile.TarInfo("работа/attention.ipynb")
            info.size = len(content.encode())
            archive.addfile(info, io.BytesIO(content.encode()))
        return data.getvalue()

    return make


def _long_directory(content):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for i in range(30_000):
            archive.writestr(f"{i}.ipynb", "")
    return data.getvalue()


def _bomb(start):
    return lambda content: _zip(*((f"{i}.ipynb", start + bytes(66 << 20)) for i in range(2)))


ONE = "arrival.archive"
_archive("zip_of_the_notebook", lambda t: _zip(("attention.ipynb", t)), ONE)
_archive("zip_stored", lambda t: _zip(("attention.ipynb", t), compression=zipfile.ZIP_STORED), ONE)
_archive("zip_with_folders", lambda t: _zip(("Иванов/", ""), ("Иванов/ДЗ 3/attention.ipynb", t)), ONE)
_archive("zip_named_as_a_notebook", lambda t: _zip(("attention.ipynb", t)), ONE, file="attention.ipynb")
_archive("zip_in_a_zip", lambda t: _zip(("inner.zip", _zip(("attention.ipynb", t)))), ONE)
_archive("zip_with_names_in_cp866", _in_dos("Внимание.ipynb", "cp866"), ONE)
_archive("zip_with_unmarked_utf_8", _in_dos("Внимание.ipynb", "utf-8"), ONE)
_archive("zip_of_a_mac", lambda t: _zip(("attention.ipynb", t), ("__MACOSX/._attention.ipynb", b"\0\5\x16\7")), ONE)
_archive("zip_leading_out", lambda t: _zip(("../../../../tmp/attention.ipynb", t)), ONE)
_archive("zip_with_an_absolute_path", lambda t: _zip(("/etc/attention.ipynb", t), ("C:\\x\\b.png", b"")), ONE)
_archive("zip_with_links", lambda t: _zip(_link("a.ipynb", "/etc/passwd"), ("attention.ipynb", t)), ONE)
_archive("zip_of_a_large_notebook", lambda t: _zip(("attention.ipynb", _with_output(t))), ONE)
_archive("tar", _tar("w"), ONE, file="work.tar")
_archive("tar_gz", _tar("w:gz"), ONE, file="work.tar.gz")
_archive("zip_with_a_password", _encrypted, unreadable="arrival.encrypted")
_archive("zip_of_nothing", lambda t: _zip(("photo.jpg", b"")), unreadable="arrival.empty_archive")
_archive("zip_cut_short", lambda t: _zip(("attention.ipynb", t))[:-500], unreadable="arrival.bad_archive")
_archive("zip_that_is_none", lambda t: t.encode(), unreadable="arrival.bad_archive")
_archive("zip_damaged_inside", lambda t: _damaged(_zip(("attention.ipynb", t))), unreadable="arrival.bad_archive")
_archive(
    "zip_by_another_method",
    lambda t: _zip(("attention.ipynb", t), compression=zipfile.ZIP_LZMA),
    unreadable="arrival.bad_archive",
)
_archive("zip_bomb", _bomb(b"["), unreadable="read.too_large")
_archive("zip_bomb_in_outputs", _bomb(b'{"outputs": ['), unreadable="arrival.archive_too_large")
_archive("zip_with_endless_contents", _long_directory, unreadable="arrival.archive_too_large")
_archive("zips_without_end", lambda t: _nested(t, 6), unreadable="arrival.empty_archive")


def _with_output(content):
    return content.replace('"outputs": []', '"outputs": [{"text": "' + "ж" * 3_000_000 + '"}]', 1)


def _damaged(data):
    middle = len(data) // 2
    return data[:middle] + bytes(64) + data[middle + 64 :]


def _nested(content, levels):
    data = _zip(("attention.ipynb", content))
    for _ in range(levels):
        data = _zip(("inner.zip", data))
    return data


@packaging("arrival.archive", "arrival.chosen", files=True)
def zip_with_work_beside_an_untouched_notebook(work, folder):
    (folder / "attention.ipynb").write_text(text(work.released), encoding="utf-8")
    (folder / "work.zip").write_bytes(_zip(("attention.ipynb", text(work.notebook))))
