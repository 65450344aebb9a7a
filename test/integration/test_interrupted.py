"""A run of tests that is ended while a whole graph is up leaves none of its nodes behind."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

pytestmark = [pytest.mark.thorough]

ROOT = Path(__file__).parents[2]
TESTS = ["-n", "2", "--dist", "loadgroup", "test/integration/test_symbolic.py"]


def nodes(run):
    """The processes of nodes below a run."""
    found = []
    for child in run.children(recursive=True):
        with suppress(psutil.Error):  # one that has just ended
            found += [child] if any("dadu_nodes" in word for word in child.cmdline()) else []
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_node_is_left(number):
    run = psutil.Popen([sys.executable, "-m", "pytest", *TESTS], cwd=ROOT, stdout=subprocess.DEVNULL,
                       env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")})
    end = time.monotonic() + 120
    while len(nodes(run)) < 8:
        assert run.poll() is None and time.monotonic() < end
        time.sleep(0.2)
    family = run.children(recursive=True)
    run.send_signal(number)
    run.wait(60)
    _, left = psutil.wait_procs(family, timeout=100.0)
    assert not left
