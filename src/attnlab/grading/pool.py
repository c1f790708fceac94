"""Where submissions are graded: processes on this machine. One that takes its process with it takes nothing else."""

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from . import processes, worker
from .worker import Job, Result, Setup

GRACE = 2.0  # seconds for workers to end by themselves
LOOK = 5.0  # seconds after which it is seen to that somebody is still at work
AHEAD = 2  # submissions handed out for each worker: enough to keep it busy, few enough to lose


class Broken(Exception):
    """A submission could not be graded: it is the grader that failed. The text says how."""


class LocalPool:
    """`workers` processes, each with a confined process of its own for student code."""

    def __init__(self, setup: Setup, workers: int):
        self.setup, self.workers = setup, workers
        self._executor = self._new(workers)

    def _new(self, workers):
        processes.prepare()
        return ProcessPoolExecutor(workers, processes.context(), worker.start, (self.setup,))

    def submit(self, job: Job) -> Future:
        """Grade a submission as soon as a worker is free."""
        with processes.deaf():
            try:
                future = self._submit(job)
                if not self._executor._broken:
                    return future  # one that breaks from now on knows of it
            except (OSError, RuntimeError):  # broken, or breaking at this moment
                pass
            self._renew()
            return self._submit(job)

    def _submit(self, job):
        future = self._executor.submit(worker.grade, job)
        future.manager = self._executor._executor_manager_thread
        return future

    def alone(self, job: Job) -> Result:
        """Grade a submission while nothing else is graded, in a process of its own."""
        with self._new(1) as executor:
            return executor.submit(worker.grade, job).result()

    def is_loss(self, error: BaseException | None) -> bool:
        """Say whether an error means that a worker was lost, not that it failed."""
        return isinstance(error, BrokenProcessPool)

    def is_dead(self, future: Future) -> bool:
        """Say whether nobody is left who could say what became of a submission; whoever is handed the next one is."""
        dead = not future.manager.is_alive()
        if dead and future.manager is self._executor._executor_manager_thread:
            self._renew()
        return dead and not future.done()

    def _renew(self):
        """Start anew, and leave a broken executor no process: it waits for one started just as it broke, for ever."""
        processes = list((self._executor._processes or {}).values())
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        self._executor = self._new(self.workers)

    def close(self) -> None:
        """End the workers: those at rest by themselves, one that is busy with what nobody waits for by force."""
        processes = list((self._executor._processes or {}).values())
        self._executor.shutdown(wait=False, cancel_futures=True)
        deadline = time.monotonic() + GRACE
        for process in processes:
            process.join(max(0.0, deadline - time.monotonic()))
        for process in processes:
            if process.is_alive():
                process.kill()  # it may be in the middle of sending a result that nobody will read


def graded(pool, jobs: Iterable[Job]) -> Iterator[tuple[Job, Result | Exception]]:
    """Grade all, in whatever order they get ready; yield an exception for a submission that broke its grader twice.

    A submission that ran into a limit of wall time is graded again alone before that is believed, and so are those that
    were with a worker when it was lost: a busy machine takes no points, and one submission costs no other anything.
    """
    waiting, running, again = iter(jobs), {}, []
    while True:
        while len(running) < AHEAD * pool.workers and (job := next(waiting, None)) is not None:
            running[pool.submit(job)] = job
        if not running:
            break
        done = wait(running, LOOK, return_when=FIRST_COMPLETED).done
        if not done:
            again += [running.pop(future) for future in list(running) if pool.is_dead(future)]
        for future in done:
            job = running.pop(future)
            error = future.exception()
            if pool.is_loss(error) or (error is None and future.result().wall_limited):
                again.append(job)
            else:
                yield job, broken(error) if error is not None else future.result()
    for job in again:
        try:
            yield job, with_retry(pool.alone(job))
        except Exception as error:
            yield job, broken(error)


def broken(error: BaseException) -> Broken:
    """Return what is told of an error of ours."""
    return Broken(f"{type(error).__name__}: {error}")


def with_retry(result: Result) -> Result:
    """Return a result that says it is the second one."""
    result.record["retried"] = True
    return result
