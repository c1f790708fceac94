"""A Jupyter kernel that starts inside the sandbox, for those who stay with nbgrader's own Execute.

``attnlab kernel install`` registers it. Jupyter then starts ``python -m attnlab.grading.kernel -f FILE``, which starts
IPython's kernel confined and waits for it. Student code still shares that process with the tests, as in any kernel;
what it cannot reach any more is the rest of the machine.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

NAME = "attnlab-confined"
TITLE = "Python 3 (confined by attnlab)"
RLIMITS = {"CORE": 0, "FSIZE": 256 << 20}


def spec() -> dict:
    """Return the kernel's ``kernel.json``."""
    return {
        "argv": [sys.executable, "-m", "attnlab.grading.kernel", "-f", "{connection_file}"],
        "display_name": TITLE,
        "language": "python",
        "interrupt_mode": "message",  # a signal would reach the walls and not what is between them
        "metadata": {"debugger": False},
    }


def install(prefix: str | None = None) -> Path:
    """Register the kernel with Jupyter, for this user or below `prefix`; return the folder of the specification."""
    from jupyter_client.kernelspec import KernelSpecManager

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "kernel.json").write_text(json.dumps(spec(), indent=1) + "\n", encoding="utf-8")
        where = {"prefix": prefix} if prefix else {"user": True}
        return Path(KernelSpecManager().install_kernel_spec(folder, NAME, **where))


def run(connection_file: str) -> int:
    """Run IPython's kernel confined, with a copy of the connection file: its folder holds the keys of other kernels."""
    from .. import texts
    from ..sandbox import tiers

    try:
        tier = tiers.choose("auto")
    except tiers.TierUnavailable as error:
        print(texts.say(texts.default_language(), error.message, error.facts), file=sys.stderr)
        return 4
    with tempfile.TemporaryDirectory(prefix="attnlab-kernel-") as folder:
        file = Path(folder, "connection.json")
        file.write_bytes(Path(connection_file).read_bytes())
        package = str(Path(__file__).resolve().parents[1])
        grants = tiers.Grants(read=(sys.prefix, package, os.getcwd()), write=(folder,), serve=True)
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", str(file)]
        kept = {k: v for k, v in os.environ.items() if k != "JPY_PARENT_PID"}  # it cannot see that process
        private = dict.fromkeys(("HOME", "IPYTHONDIR", "TMPDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"), folder)
        path = os.pathsep.join(filter(None, (str(Path(package).parent), os.environ.get("PYTHONPATH"))))
        environment = kept | private | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": path}
        kernel = subprocess.Popen(tier.wrap(command, grants, RLIMITS), env=environment)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: kernel.terminate())
        return kernel.wait()


if __name__ == "__main__":
    sys.exit(run(sys.argv[sys.argv.index("-f") + 1]))
