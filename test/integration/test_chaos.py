"""``dadu chaos`` over a graph of its own: two tasks in which things go wrong, and Ctrl-C in the middle of another."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from pydantic import TypeAdapter

from dadu.eval.chaos.draw import Drawing
from dadu.eval.chaos.processes import processes_of
from dadu.eval.chaos.results import FILE, ChaosResult, read
from dadu.eval.chaos.verdict import Evidence
from dadu.house.files import load_house

HOUSE = Path(__file__).with_name("studio.house.yaml")
SEED = 2
TASKS = (377, 391)
"""one that must be done, with memory's disk full; one with messages lost, navigation killed, and cancelled"""


def until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"did not happen within {seconds} s"
        time.sleep(0.1)


def others_done(folder):
    """Results of all tasks before the last of these but for these, as an earlier run leaves them."""
    folder.mkdir()
    drawing, known = Drawing(SEED, load_house(str(HOUSE))), TypeAdapter(ChaosResult)
    with (folder / FILE).open("w") as out:
        for index in range(max(TASKS)):
            if index not in TASKS:
                result = ChaosResult(SEED, str(HOUSE), drawing.task(index), Evidence(ended=True), ())
                out.write(known.dump_json(result).decode() + "\n")
    return max(TASKS) + 1 - len(TASKS)


def test_no_promise_is_broken_and_ctrl_c_ends_everything(tmp_path, domain):
    results, said = tmp_path / "out" / FILE, (tmp_path / "said").open("w+")
    before = others_done(results.parent)
    chaos = subprocess.Popen(
        [sys.executable, "-m", "dadu.cli", "chaos", "--tasks", "9999", "--seed", str(SEED), "--house", str(HOUSE),
         "--out", str(results.parent)], env={**os.environ, "ROS_DOMAIN_ID": domain}, stdout=said,
        stderr=subprocess.STDOUT, start_new_session=True)
    try:
        until(lambda: chaos.poll() is not None or results.read_text().count("\n") >= before + len(TASKS), 800.0)
        found = read(results.parent)[before:]
        assert [result.task.index for result in found] == list(TASKS), (tmp_path / "said").read_text()
        assert [result.broken for result in found] == [()] * len(TASKS), found
        brought, cancelled = (result.evidence for result in found)
        assert brought.success and brought.goal_held, "ground truth says so, too"
        assert (cancelled.code, cancelled.success) == ("CANCELLED", False)
        assert "disk_full memory" in " ".join(brought.done)
        assert "/world_graph to place" in " ".join(cancelled.done) and "kill navigation" in " ".join(cancelled.done)
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
