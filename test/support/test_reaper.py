"""Whatever ends a run of tests, none of the processes that they started is left: nor of those that these started."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

STARTS = """
import subprocess, sys, time
SLEEP = "import time; time.sleep(100)"
GRAPH = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SLEEP!r}], start_new_session=True)"

def test_that_starts_processes():
    started = [subprocess.Popen([sys.executable, "-c", code], start_new_session=True) for code in (SLEEP, GRAPH)]
    started[0].wait()
"""
_PATIENCE = 60.0
"""[s] on a busy machine; a second on an idle one"""
SEVERAL = ("-p", "xdist", "-n", "2")


def begin(folder, *options):
    """Starts pytest on a test that starts three processes; returns it, and all below it once they are there."""
    (folder / "test_it.py").write_text(STARTS)
    (folder / "conftest.py").write_text("pytest_plugins = ['reaper']\n")
    run = psutil.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, "test_it.py"], cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        stdout=subprocess.DEVNULL, start_new_session=True, preexec_fn=hear_ctrl_c)  # fmt: skip
    end = time.monotonic() + _PATIENCE
    while len(sleepers(run)) < 3:
        assert run.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    return run, run.children(recursive=True)


def hear_ctrl_c():
    """Also where these tests run in the background of a script, which has their processes ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def sleepers(run):
    """The processes that the test started, by their command lines."""
    return [child for child in run.children(recursive=True) if "sleep" in (words(child) or [""])[-1]]


def words(process):
    with suppress(psutil.Error):  # just gone
        return process.cmdline()


@pytest.mark.parametrize(("options", "number"), [
    ((), signal.SIGINT), ((), signal.SIGKILL),
    (SEVERAL, signal.SIGINT), (SEVERAL, signal.SIGTERM), (SEVERAL, signal.SIGKILL)])
def test_a_run_that_is_ended_leaves_nothing(tmp_path, options, number):
    run, family = begin(tmp_path, *options)
    run.send_signal(number)
    run.wait(_PATIENCE)
    _, left = psutil.wait_procs(family, timeout=_PATIENCE)
    assert not left


def test_a_worker_that_is_killed_leaves_nothing(tmp_path):
    run, _ = begin(tmp_path, *SEVERAL)
    try:
        worker = sleepers(run)[0].parent()
        family = sleepers(run)
        worker.kill()
        _, left = psutil.wait_procs(family, timeout=_PATIENCE)
        assert not left
    finally:
        run.kill()
