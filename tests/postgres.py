"""A PostgreSQL server of the tests' own, on a free port of this machine, gone when they are."""

import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")


def programs() -> Path | None:
    """Return the folder of a server's programs, None if PostgreSQL is not installed."""
    found = [path for place in PLACES for path in Path("/").glob(place[1:]) if (path / "initdb").exists()]
    if not found and (initdb := shutil.which("initdb")):
        found = [Path(initdb).resolve().parent]
    return sorted(found)[-1] if found else None


@contextmanager
def server():
    """Run a server; yields ``url(database, template="template1") -> address``; each database is made by that call."""
    folder = Path(tempfile.mkdtemp(prefix="attnlab-postgres-"))
    user = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
    if user:  # a server refuses to run as root
        shutil.chown(folder, user["user"], user["group"])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    bin, data = programs(), folder / "data"
    options = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder, "env": os.environ | {"LC_ALL": "C"}, **user}
    try:
        subprocess.run([bin / "initdb", "-D", data, "-U", "attnlab", "-A", "trust", "-N", "-E", "UTF8"], **options)
        listens = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        subprocess.run([bin / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", listens, "start"], **options)
        try:

            def url(database, template="template1"):
                command = ["-h", "127.0.0.1", "-p", str(port), "-U", "attnlab", "-T", template, database]
                subprocess.run([bin / "createdb", *command], **options)
                return f"postgresql://attnlab@127.0.0.1:{port}/{database}"

            yield url
        finally:
            subprocess.run([bin / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
