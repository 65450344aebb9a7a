"""``dadu eval play`` as a process: it says where its page is, and Ctrl-C ends it."""

import os
import signal
import subprocess
import sys
import time
import urllib.request

import yaml
from played_run import MILK

from dadu.eval.results import EpisodeResult, write_results
from dadu.planner.model.examples import read_examples


def ask(url: str) -> bytes:
    with urllib.request.urlopen(f"{url}/state", timeout=100) as answer:
        return answer.read()


def test_what_somebody_did_well_becomes_an_example(dadu, tmp_path):
    base = {"seed": -1, "instruction": "put the milk on the table", "success": True,
            "plan": [["pick", "cup_0"], ["pick", "milk_0"], ["place", "on", "table_0"]], "outcomes": [31, 0, 0]}
    team = {"plan": "solo", "partner": "human", "by": ["person"] * 3}
    mixed = {**team, "by": ["person", "robot", "robot"]}
    results = [EpisodeResult.model_validate({**base, **more}) for more in (
        {"id": "a", "team": team}, {"id": "b", "instruction": "b", "team": mixed},
        {"id": "c", "instruction": "c", "success": False}, {"id": "d", "instruction": "d"})]
    write_results(tmp_path, results)
    done = dadu("data", "examples", tmp_path, "--out", tmp_path / "mine.jsonl")
    assert done.returncode == 0 and "2 of 4 episodes" in done.stdout, done.stderr
    kept = read_examples(tmp_path / "mine.jsonl")
    assert set(kept) == {"put the milk on the table", "d"} and kept["d"].plan == base["plan"][1:]


def test_it_serves_its_page_until_ctrl_c(tmp_path):
    file = tmp_path / "milk.suite.yaml"
    file.write_text(yaml.safe_dump(MILK))
    words = ["eval", "play", str(file), "--port", "0", "--out", str(tmp_path / "out")]
    with subprocess.Popen([sys.executable, "-m", "dadu.cli", *words], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "COLUMNS": "200"},
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) as process:  # a script's job
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            while b'"number":1,' not in (state := ask(url)):
                time.sleep(0.05)
            assert b'"stage":"gathering"' in state
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
            assert process.wait(100) == 130 and "goes on" in rest
        finally:
            process.kill()
    assert (tmp_path / "out" / "episodes.jsonl").read_text() == ""
