"""``dadu chaos`` over a graph of its own: three tasks in which things go wrong, and Ctrl-C in the middle of another."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dadu.eval.chaos.processes import processes_of
from dadu.eval.chaos.results import FILE, read

pytestmark = pytest.mark.timeout(900)

HOUSE = Path(__file__).with_name("studio.house.yaml")
SEED = 15140
"""whose tasks are short, since all are cancelled: memory killed on a full disk, sim_bridge killed"""


def until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"did not happen within {seconds} s"
        time.sleep(0.1)


def test_no_promise_is_broken_and_ctrl_c_ends_everything(tmp_path, domain):
    said = (tmp_path / "said").open("w+")
    chaos = subprocess.Popen(
        [sys.executable, "-m", "dadu.cli", "chaos", "--tasks", "9", "--seed", str(SEED), "--house", str(HOUSE),
         "--out", str(tmp_path / "out")], env={**os.environ, "ROS_DOMAIN_ID": domain}, stdout=said,
        stderr=subprocess.STDOUT, start_new_session=True)
    try:
        results = tmp_path / "out" / FILE
        until(lambda: chaos.poll() is not None or results.exists() and results.read_text().count("\n") >= 3, 500.0)
        found = read(tmp_path / "out")
        assert len(found) >= 3, (tmp_path / "said").read_text()
        assert [result.broken for result in found[:3]] == [()] * 3, found
        done = [" ".join(result.evidence.done) for result in found]
        assert "disk_full memory" in done[0] and "kill memory" in done[0] and "kill sim_bridge" in done[1]
        (run_dir,) = (tmp_path / "out").glob("run-*")
        assert len(list(processes_of(run_dir))) >= 8
        chaos.send_signal(signal.SIGINT)
        assert chaos.wait(100.0) == 130  # 1.5 s where nothing else runs
        assert list(processes_of(run_dir)) == []
        assert "Traceback" not in (tmp_path / "said").read_text()
    finally:
        chaos.kill()
        chaos.wait()
        said.close()
