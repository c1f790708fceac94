"""Bytes to and from a file descriptor, and whether any are waiting."""

import os
import select

CHUNK = 1 << 16


class Stream:
    """Reads exactly as many bytes as are asked for, and keeps what came with them."""

    def __init__(self, fd: int):
        self._fd, self._spare = fd, b""

    def read(self, n: int) -> bytes | None:
        """Return the next `n` bytes, None at the end."""
        parts, missing = [self._spare], n - len(self._spare)
        while missing > 0:
            try:
                data = os.read(self._fd, max(CHUNK, min(missing, 1 << 20)))
            except OSError:  # a socket whose other end died with bytes unread
                data = b""
            if not data:
                return None
            parts.append(data)
            missing -= len(data)
        data = b"".join(parts)
        self._spare = data[n:]
        return data[:n]

    def pending(self) -> bool:
        """Say whether bytes are waiting; only what was read already, where pipes cannot be polled."""
        if self._spare or not hasattr(select, "poll"):
            return bool(self._spare)
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        return any(event & select.POLLIN for _, event in poll.poll(0))

    @staticmethod
    def write(fd: int, data: bytes) -> None:
        """Write all of `data`."""
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]
