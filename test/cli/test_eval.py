"""``dadu eval`` as a process: exit status, what it writes, errors without a trace."""

import json
import subprocess
import sys

import pytest
import yaml

SUITE = {"suite": "one", "episodes": [
    {"id": "lemon", "instruction": "put the lemon on the coffee table", "house": "flat",
     "goal": {"propositions": [{"is_on_top": [["lemon_0"], ["coffee_table_0"]]}]}}]}


def dadu(*words):
    return subprocess.run([sys.executable, "-m", "dadu.cli", "eval", *map(str, words)], capture_output=True, text=True,
                          timeout=120)


@pytest.fixture
def suite(tmp_path):
    def write(**changes):
        path = tmp_path / "one.suite.yaml"
        path.write_text(yaml.safe_dump({**SUITE, "episodes": [{**SUITE["episodes"][0], **changes}]}))
        return path
    return write


def test_evaluates_and_compares(suite, tmp_path):
    done = dadu(suite(), "--skills", "oracle", "--out", tmp_path / "a")
    assert done.returncode == 0, done.stderr
    written = {path.name for path in (tmp_path / "a").iterdir()}
    assert {"episodes.jsonl", "summary.json", "config.yaml", "report.html"} <= written
    assert json.loads((tmp_path / "a" / "summary.json").read_text())["success"]["mean"] == 1.0
    done = dadu("--compare", tmp_path / "a", tmp_path / "a")
    assert done.returncode == 0 and "McNemar" in done.stdout


def test_without_a_model_server_it_ends_with_a_sentence(suite, tmp_path):
    done = dadu(suite(), "--planner", "vllm", "--llm-url", "http://127.0.0.1:9/v1", "--out", tmp_path / "none")
    assert done.returncode == 2 and done.stdout == "" and not (tmp_path / "none").exists()
    assert done.stderr.startswith("dadu: the model server at http://127.0.0.1:9/v1 cannot be used: no connection")
    assert done.stderr.count("\n") == 1


def test_checks(suite):
    good, bad = dadu("--check", suite()), dadu("--check", suite(closed=["moon"]))
    assert good.returncode == 0 and "1 shown to be feasible" in good.stdout
    assert bad.returncode == 2 and "one.suite.yaml: episode lemon: closed: 'moon'" in bad.stderr
    assert "Traceback" not in bad.stderr
    cannot = dadu("--check", suite(goal={"propositions": [{"is_sliced": [["lemon_0"]]}]}))
    assert cannot.returncode == 1 and "nobody here can slice" in cannot.stdout


def test_names_the_suites():
    done = dadu("nothing_of_the_kind")
    assert done.returncode == 2 and "valid: chores, household, rearrange, store, together" in done.stderr
