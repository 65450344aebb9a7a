"""The genuine ``ros2 launch``: however it is ended, no process stays, and what ``dadu up`` leaves behind is there."""

import os
import signal
from pathlib import Path

import psutil
import pytest
from running import RunningGraph

pytestmark = pytest.mark.needs("launch")
HOUSE = Path(__file__).with_name("studio.house.yaml")
LAUNCH = ("ros2", "launch", "dadu", "bringup.launch.py")
FILES = {"arguments.yaml", "ledger.yaml", "run.house.yaml", "resources.jsonl", "memory.sqlite", "sim_clock",
         "sim_state.npz", "bag/bag.mcap", "bag/metadata.yaml"}


@pytest.fixture
def running(domain, tmp_path):
    running = RunningGraph(HOUSE, tmp_path, domain, LAUNCH)
    yield running
    if running.process.poll() is None:
        running.stop()


@pytest.mark.parametrize(("end", "status"), [
    pytest.param(lambda ros2: os.killpg(ros2, signal.SIGINT), 0, id="Ctrl-C"),  # the terminal sends it to all
    pytest.param(lambda ros2: os.kill(ros2, signal.SIGTERM), 1, id="SIGTERM"),  # launch's own status for it
])
def test_it_ends_at_once_and_in_order(running, tmp_path, end, status):
    running.until_ready()
    family = psutil.Process(running.process.pid).children(recursive=True)
    assert len(family) == len(running.nodes) + 1, "the recorder, too"
    end(running.process.pid)
    assert running.process.wait(100) == status
    assert not [process for process in family if process.is_running()]
    logs = {f"logs/{name}.log" for name in (*running.nodes, "recorder")}
    assert FILES | logs <= {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")}
    said = (tmp_path / "up.log").read_text()
    assert "SIGKILL" not in said and "Traceback" not in said
