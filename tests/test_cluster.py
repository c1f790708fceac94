"""Grading on a real dask.distributed cluster of two workers, one of them killed in the middle: the same gradebook."""

import os
import signal
import threading

import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: there is no course to grade")
pytest.importorskip("distributed", reason="dask.distributed is not installed (attnlab[scale]): grading stays local")

import classes
from classes import FLAT, SOLUTION, hand_in, state, url_of, written
from distributed import Client, LocalCluster

from attnlab.grading import session
from attnlab.grading.packing import pack, unpack
from attnlab.submission import UsageError

pytestmark = pytest.mark.xdist_group("test_grading")


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A course with a class that keeps two workers busy for a while."""
    course = classes.course_template(tmp_path_factory.mktemp("courses") / "template")
    for number in range(10):
        hand_in(course, f"student{number}", SOLUTION + (FLAT if number % 2 else ""))
    (course / "submitted" / "student3" / "attention" / "attention.ipynb").write_text("{", encoding="utf-8")
    return course


@pytest.fixture(scope="module")
def cluster():
    """Two workers in processes of their own."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1") as running:
        yield running


def graded(course, address=None):
    return session.grade(session.Options(course, "attention", 2, scheduler=address), "en", None)


def test_a_worker_killed_in_the_middle_changes_nothing(template, cluster, tmp_path):
    here, there = classes.copied(template, tmp_path / "here"), classes.copied(template, tmp_path / "there")
    graded(here)
    with Client(cluster.scheduler_address, set_as_default=False) as client:
        victim = next(iter(client.run(os.getpid).values()))
    killed = threading.Timer(3, os.kill, (victim, signal.SIGKILL))
    killed.start()
    summary = graded(there, cluster.scheduler_address)
    killed.join()
    assert summary.graded == 10
    assert summary.broken == {}
    assert state(url_of(there)) == state(url_of(here))
    assert written(there) == written(here)


def test_no_scheduler_is_told_in_a_sentence(template, tmp_path, monkeypatch):
    monkeypatch.setattr("attnlab.grading.cluster.CONNECT_SECONDS", 1)
    with pytest.raises(UsageError) as caught:
        graded(classes.copied(template, tmp_path / "course"), "tcp://127.0.0.1:9")
    assert caught.value.message == "cluster.no_scheduler"


def test_a_folder_travels_as_it_is(tmp_path):
    source, target = tmp_path / "work", tmp_path / "arrived"
    (source / "данные").mkdir(parents=True)
    target.mkdir()
    (source / "attention.ipynb").write_text("{}", encoding="utf-8")
    (source / "данные" / "a.csv").write_bytes(b"1,2")
    (source / "outside").symlink_to("/etc/passwd")
    os.link(source / "attention.ipynb", source / "again.ipynb")
    os.mkfifo(source / "pipe")
    os.utime(source / "attention.ipynb", (1e9, 1e9))
    unpack(pack(source), target)
    assert sorted(p.relative_to(target).as_posix() for p in target.rglob("*")) == sorted(
        p.relative_to(source).as_posix() for p in source.rglob("*")
    )
    assert (target / "again.ipynb").read_text() == "{}"
    assert (target / "данные" / "a.csv").read_bytes() == b"1,2"
    assert os.readlink(target / "outside") == "/etc/passwd"
    assert (target / "pipe").is_fifo()
    assert (target / "attention.ipynb").stat().st_mtime == 1e9
