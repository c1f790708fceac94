"""A small web server for one folder, for this machine only."""

import contextlib
import socket
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HOST = "127.0.0.1"
TYPES = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css",
    ".json": "application/json", ".ipynb": "application/json", ".wasm": "application/wasm", ".png": "image/png",
    ".svg": "image/svg+xml", ".zip": "application/zip", ".whl": "application/zip", ".bz2": "application/x-bzip2",
}  # fmt: skip


class Handler(SimpleHTTPRequestHandler):
    """Serves files under the types that browsers insist on, whatever the system thinks they are, and logs nothing."""

    extensions_map = {"": "application/octet-stream"} | TYPES
    protocol_version = "HTTP/1.1"

    def log_message(self, format, *args):
        """Say nothing: the reader's terminal is no place for a list of files."""

    def list_directory(self, path):
        """Show no lists of files."""
        self.send_error(404)

    def end_headers(self):
        """Let the browser ask each time whether a file is still the same: a site may be built again meanwhile."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def handle(self):
        """Serve; a browser that goes away in the middle is no news."""
        with contextlib.suppress(ConnectionError, TimeoutError):
            super().handle()


class Server(ThreadingHTTPServer):
    """Ends without waiting for connections that a browser keeps open."""

    daemon_threads = True
    allow_reuse_address = True

    def server_bind(self):
        """Take the port, without asking the network for this machine's name."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.server_address[:2]


def server(folder: Path, port: int = 0) -> Server:
    """Return a server for a folder that is bound to a port of this machine, a free one unless one is given.

    Raises
    ------
    OSError
        If the port cannot be had.
    """
    return Server((HOST, port), partial(Handler, directory=str(folder)))
