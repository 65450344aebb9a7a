"""Processes started where a folder ``dadu`` and a file ``secrets.py`` lie: neither is executed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dadu.bringup.arguments import Arguments
from dadu.bringup.checks import rendering
from dadu.bringup.command import command
from dadu.bringup.environment import environment
from dadu.bringup.graph import NodeSpec
from dadu.bringup.up import processes
from dadu.core.config import parse
from dadu.core.python_process import run_code, search_path
from dadu.core.work import Workers
from dadu.eval.options import EvalOptions
from dadu.eval.run import evaluated
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import Suite

MODULES = ("secrets", "multiprocessing", "mujoco", "random", "rclpy", "tempfile")
"""Standard and installed ones that some process of ours imports"""


@pytest.fixture
def trap(tmp_path, monkeypatch) -> Path:
    """The working directory, in which each of MODULES, and dadu, would leave a file ``executed`` behind."""
    here = tmp_path / "trap"
    for name in ("dadu", "dadu_nodes"):
        (here / name).mkdir(parents=True)
        (here / name / "__init__.py").write_text(f"open({str(here / 'executed')!r}, 'w'); raise SystemExit('trapped')")
    for name in MODULES:
        (here / f"{name}.py").write_text(f"open({str(here / 'executed')!r}, 'w'); raise SystemExit('trapped')")
    monkeypatch.chdir(here)
    return here


def run(argv, env) -> subprocess.CompletedProcess:
    return subprocess.run(argv, env=env, capture_output=True, text=True, timeout=200)


@pytest.mark.parametrize("argv, path", [
    ([sys.executable, "-c", "import dadu"], ""), ([sys.executable, "-m", "dadu"], ""),
    (run_code("import dadu"), os.pathsep)], ids=["-c", "-m", "empty part of PYTHONPATH"])
def test_the_trap_springs_where_python_is_started_plainly(trap, argv, path):
    """Else the tests below could not fail."""
    assert run(argv, {**os.environ, "PYTHONPATH": path}).stderr == "trapped\n" and (trap / "executed").exists()


def test_a_node_is_started_from_the_installed_package(trap, tmp_path):
    argv = command(NodeSpec("planner", {"policy": "nonsense"}))  # imports everything, then refuses to start
    done = run(argv, environment(tmp_path, {**os.environ, **trapped_path()}))
    assert done.returncode == 2 and "symbolic" in done.stderr, done.stderr
    assert not (trap / "executed").exists()


def test_every_process_of_the_graph_is_started_alike(tmp_path):
    started = [spec.argv[:3] for spec in processes(Arguments(instruction="put the mug on the table"))]
    prefix = run_code("")
    assert all(argv[:2] == prefix[:2] and argv[2].startswith(prefix[2]) for argv in started), started


def test_the_commands_are_started_from_the_installed_package(trap, tmp_path):
    """``dadu up`` itself, and ``dadu do`` as the graph's task."""
    env = environment(tmp_path, {**os.environ, **trapped_path()})
    script = shutil.which("dadu", path=str(Path(sys.executable).parent))
    *_, task = processes(Arguments(instruction="--nonsense"))
    for argv in ([script, "up", "planner:=nonsense"], task.argv):
        done = run(argv, env)
        assert done.returncode == 2 and "nonsense" in done.stderr, done.stderr
    assert not (trap / "executed").exists()


def test_what_doctor_renders(trap):
    rendering()
    assert not (trap / "executed").exists()


def test_the_workers_of_an_evaluation(trap):
    suite = parse(Suite, {"suite": "one", "episodes": [
        {"id": "lemon", "instruction": "put the lemon on the coffee table", "house": "flat", "steps": 1,
         "goal": {"propositions": [{"is_on_top": ["lemon_0", "coffee_table_0"]}]}}]}, "test")
    (trial,) = evaluated(prepare_all(suite, trap / "one.suite.yaml"), EvalOptions(skills="oracle"), Workers(1))
    assert trial.result.ended == "limit", trial.result.error
    assert not (trap / "executed").exists()


def trapped_path() -> dict[str, str]:
    """The search path of the tests, and an empty part."""
    return {"PYTHONPATH": search_path()["PYTHONPATH"] + os.pathsep}
