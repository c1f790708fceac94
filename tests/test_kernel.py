"""`attnlab kernel install`: Jupyter starts a kernel that computes, can be interrupted, and reaches nothing."""

import subprocess
import sys
import time

import pytest

pytest.importorskip("jupyter_client", reason="Jupyter is not installed: no kernel to start")
pytest.importorskip("ipykernel", reason="ipykernel is not installed: no kernel to start")

import jupyter_client
from jupyter_client.kernelspec import KernelSpecManager

from attnlab.sandbox import tiers

pytestmark = pytest.mark.skipif(
    not any(tier.safe for tier in tiers.available()), reason="nothing on this machine can confine a kernel"
)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """A running kernel: its manager and a client."""
    prefix = tmp_path_factory.mktemp("prefix")
    attnlab = [sys.executable, "-c", "from attnlab.cli import main; main()"]
    command = [*attnlab, "kernel", "install", "--prefix", str(prefix), "--lang", "en"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "c.Execute.kernel_name" in done.stdout
    specs = KernelSpecManager(kernel_dirs=[str(prefix / "share" / "jupyter" / "kernels")])
    manager = jupyter_client.KernelManager(kernel_name="attnlab-confined", kernel_spec_manager=specs)
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def error_of(client, code):
    return client.execute_interactive(code, timeout=60, output_hook=lambda message: None)["content"].get("ename")


def test_it_computes_and_runs_the_checks_of_the_course(kernel):
    code = "import numpy as np\nfrom attnlab import attention\nfrom attnlab.grading.cells import mark\n"
    assert error_of(kernel[1], code + "assert mark('softmax', attention.softmax) == 2.0") is None


@pytest.mark.parametrize(
    "code",
    ["open('/etc/passwd').read()", "open('planted', 'w')", "import subprocess; subprocess.run(['true'], check=True)"],
)
def test_it_reaches_nothing_else(kernel, code):
    assert error_of(kernel[1], code) is not None


def test_an_endless_loop_can_be_interrupted(kernel):
    manager, client = kernel
    client.execute("while True: pass")
    time.sleep(1)
    manager.interrupt_kernel()
    assert error_of(client, "1 + 1") is None
