"""A Jupyter kernel started by `Tier.wrap`: it answers, and student code in it is confined."""

import os
import queue
import subprocess
import sys
from pathlib import Path

import pytest

import attnlab
from attnlab.sandbox import tiers
from attnlab.sandbox.tiers import Grants

jupyter_client = pytest.importorskip("jupyter_client")
pytest.importorskip("ipykernel")

TRIES = {
    "reads a file of the system": "open('/etc/passwd').read()",
    "reads the gradebook": "open({outside!r} + '/gradebook').read()",
    "writes outside": "open({outside!r} + '/planted', 'w').write('x')",
    "starts a program": "import subprocess; subprocess.run(['true'])",
    "forks": "import os; os.fork()",
    "connects": "import socket; socket.create_connection(('127.0.0.1', {port}), 2)",
    "imports the course": "import attnlab.attention",
    "signals the grader": "import os; os.kill({grader}, 0)",
}


@pytest.fixture(scope="module", params=["bubblewrap", "landlock"])
def tier(request):
    found = [tier for tier in tiers.available() if tier.name == request.param]
    if not found:
        pytest.skip(f"{request.param} cannot be used here: {tiers._obstacle(request.param)}")
    return found[0]


@pytest.fixture(scope="module", params=["ipc", "tcp"])
def kernel(request, tier, tmp_path_factory):
    """A client of a confined kernel."""
    folder = tmp_path_factory.mktemp("kernel")
    address = str(folder / "ipc") if request.param == "ipc" else "127.0.0.1"
    file, _ = jupyter_client.write_connection_file(
        str(folder / "connection.json"), transport=request.param, ip=address
    )
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", file]
    grants = Grants(read=(sys.prefix,), hidden=(str(Path(attnlab.__file__).parent),), write=(str(folder),), serve=True)
    environment = os.environ | {"HOME": str(folder), "IPYTHONDIR": str(folder), "TMPDIR": str(folder)}
    environment |= {"JUPYTER_RUNTIME_DIR": str(folder), "OPENBLAS_NUM_THREADS": "1"}
    with open(folder / "said", "wb") as said:
        process = subprocess.Popen(
            tier.wrap(command, grants, {"CORE": 0}), env=environment, cwd=folder, stdin=subprocess.DEVNULL,
            stdout=said, stderr=said,
        )  # fmt: skip
    client = jupyter_client.BlockingKernelClient(connection_file=file)
    client.load_connection_file()
    client.start_channels()
    try:
        client.kernel_info(reply=True, timeout=60)
        _until_subscribed(client)
        yield client
    except queue.Empty as error:
        pytest.fail(f"{error!r}: {(folder / 'said').read_text(encoding='utf-8')}")
    finally:
        client.stop_channels()
        process.kill()
        process.wait()


def _until_subscribed(client):
    """What a kernel publishes before the subscription has reached it is lost, and never said again."""
    for _ in range(60):
        client.kernel_info()
        try:
            client.get_iopub_msg(timeout=1)
        except queue.Empty:
            continue
        return
    raise queue.Empty("nothing was published")


def error_of(client, code):
    return client.execute_interactive(code, timeout=60, output_hook=lambda message: None)["content"].get("ename")


def test_a_confined_kernel_computes(kernel):
    assert error_of(kernel, "import numpy as np; assert np.ones((2, 3)).sum() == 6") is None
    assert error_of(kernel, "open('mine.txt', 'w').write('x'); assert open('mine.txt').read() == 'x'") is None
    assert error_of(kernel, "import threading; t = threading.Thread(target=print); t.start(); t.join()") is None


@pytest.mark.parametrize("code", TRIES.values(), ids=TRIES)
def test_student_code_in_a_confined_kernel_reaches_nothing(code, kernel, tmp_path):
    import socket

    (tmp_path / "gradebook").write_text("marks", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        facts = {"outside": str(tmp_path), "port": listener.getsockname()[1], "grader": os.getpid()}
        assert error_of(kernel, code.format(**facts)) is not None
    assert not (tmp_path / "planted").exists()
