"""Grading on a dask.distributed cluster: the same work as on this machine, by workers that share nothing with it.

A submission travels with its files, so workers need no common file system; attnlab of the same version and a way to
confine student code they do need.
"""

import threading
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from .. import __version__
from ..sandbox import tiers
from ..submission import UsageError
from .packing import pack, unpack
from .worker import Job, Result, Setup, Worker

CONNECT_SECONDS = 20
_here = threading.local()  # a cluster's worker may run several threads, each with a confined process of its own


class ClusterPool:
    """The workers of a scheduler.

    Parameters
    ----------
    setup : Setup
    address : str
        Of the scheduler, such as ``tcp://login-node:8786``.

    Raises
    ------
    UsageError
        If there is no scheduler, no worker, or one with another version of attnlab.
    """

    def __init__(self, setup: Setup, address: str):
        from distributed import Client

        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise UsageError("cluster.no_scheduler", address=address, why=_why(error)) from None
        try:
            self._look_at_workers(address)
            self._setup = self._client.scatter(setup, broadcast=True, hash=True)
            self._executor = self._client.get_executor(pure=False)
        except BaseException:
            self._client.close()
            raise

    def _look_at_workers(self, address):
        slots = self._client.nthreads()
        if not slots:
            raise UsageError("cluster.no_workers", address=address)
        for worker, version in self._client.run(_version, on_error="return").items():
            if version != __version__:
                raise UsageError("cluster.other_version", worker=worker, found=str(version), wanted=__version__)

    @property
    def workers(self) -> int:
        """How many submissions are graded at once; it changes as workers come and go."""
        return max(1, sum(self._client.nthreads().values()))

    def submit(self, job: Job) -> Future:
        """Grade a submission somewhere; a worker that is lost meanwhile is replaced by another."""
        return self._executor.submit(grade, self._setup, job, pack(Path(job.folder)))

    def alone(self, job: Job) -> Result:
        """Grade a submission while nothing else is graded."""
        return self.submit(job).result()

    def is_loss(self, error: BaseException | None) -> bool:
        """Say whether an error means that workers were lost, not that one failed."""
        from distributed import CancelledError, KilledWorker

        return isinstance(error, (KilledWorker, CancelledError))

    def is_dead(self, future: Future) -> bool:
        """Say whether nobody is left who could say what became of a submission: the scheduler always is."""
        return False

    def close(self) -> None:
        """Leave the cluster to itself."""
        self._executor.shutdown(wait=False)
        self._client.close()


def grade(setup: Setup, job: Job, files: bytes) -> Result:
    """Grade one submission on a cluster's worker."""
    if getattr(_here, "setup", None) != setup:
        if hasattr(_here, "worker"):
            _here.worker.close()
        _here.worker, _here.setup = Worker(setup, tiers.choose(setup.tier)), setup
    with TemporaryDirectory(prefix="attnlab-") as folder:
        unpack(files, Path(folder))
        result = _here.worker.grade(replace(job, folder=folder))
    return replace(result, job=job)


def _version():
    import attnlab

    return attnlab.__version__


def _why(error):
    return str(error).strip().partition("\n")[0] or type(error).__name__
