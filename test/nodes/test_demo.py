"""Ctrl-C ends the demonstration and leaves no process behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


def processes_of(run_dir):
    """Ids of processes that were started for this run."""
    mark = f"DADU_RUN_DIR={run_dir}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            continue  # gone, or not ours
    return found


@pytest.mark.parametrize("after", ["are starting", pytest.param("ready after", marks=pytest.mark.thorough)])
def test_ctrl_c(tmp_path, domain, after):
    env = {**os.environ, "ROS_DOMAIN_ID": domain}
    demo = subprocess.Popen([sys.executable, "-m", "dadu.cli", "demo", f"run_dir:={tmp_path / 'run'}"], env=env,
                            stdout=subprocess.PIPE, text=True, start_new_session=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))  # as a script's job
    try:
        while after not in demo.stdout.readline():
            assert demo.poll() is None, "ended by itself"
        assert len(processes_of(tmp_path / "run")) >= 10 or after == "are starting"
        demo.send_signal(signal.SIGINT)
        demo.communicate(timeout=100)
        assert demo.returncode == 130
        killed = time.monotonic()  # which takes effect a moment later
        while time.monotonic() < killed + 1.0 and processes_of(tmp_path / "run"):
            time.sleep(0.02)
        assert processes_of(tmp_path / "run") == []
    finally:
        demo.kill()
        demo.wait()
