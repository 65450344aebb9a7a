"""The supervisor, with small scripts in the place of nodes: by themselves, and by fork of one that has imported all."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import time

import psutil
import pytest

from dadu.bringup.process import ProcessSpec, RestartPolicy
from dadu.bringup.supervisor import Supervisor
from dadu.core.python_process import run_main

QUICK = RestartPolicy(first=0.05, longest=0.1, short_life=5.0, rapid_deaths=3)
SLEEPER = "import time; print('[INFO] up', flush=True); time.sleep(60)"
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('[WARN] deaf', flush=True); " + SLEEPER
PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"


def small_fork_server(link: int) -> list[str]:
    """It has imported next to nothing."""
    return run_main("dadu.bringup.fork_server_process", str(link), "runpy")


@pytest.fixture(params=["by themselves", "forked"])
def python(request, tmp_path_factory, monkeypatch):
    """Makes the specification of a process that runs some code."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "script.py").write_text("import runpy, sys\ndef main():\n    runpy.run_path(sys.argv[1])\n")
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)

    def make(name: str, code: str, **options) -> ProcessSpec:
        path = folder / f"{name}.py"
        path.write_text(code)
        forked = ("script", str(path)) if request.param == "forked" else ()
        return ProcessSpec(name, [sys.executable, "-I", "-S", "-c", code], forked, **options)
    return make


class Run:
    """A supervisor and what it said."""

    def __init__(self, tmp_path, *specs: ProcessSpec) -> None:
        self.said: list[tuple[str, str]] = []
        self.supervisor = Supervisor(list(specs), tmp_path, os.environ, lambda *line: self.said.append(line), QUICK,
                                     small_fork_server)

    def until(self, condition, then=lambda supervisor: None) -> int:
        """Runs until `condition` holds, calls `then`, stops; returns the exit status."""

        async def watch() -> None:
            while not condition():
                await asyncio.sleep(0.02)
            then(self.supervisor)
            self.supervisor.stop()

        async def both() -> int:
            watcher = asyncio.create_task(watch())
            status = await asyncio.wait_for(self.supervisor.run(), 200)
            watcher.cancel()
            return status

        return asyncio.run(both())


def test_stop_ends_all_and_keeps_logs(tmp_path, python):
    run = Run(tmp_path, python("a", SLEEPER), python("b", SLEEPER))
    seen: list[int] = []
    logs = [tmp_path / "logs/a.log", tmp_path / "logs/b.log"]
    status = run.until(
        lambda: all(log.exists() and log.read_text().endswith("\n") for log in logs),  # a line may come in two pieces
        lambda s: seen.extend(s.pids().values()),
    )
    assert status == 0
    assert len(seen) == 2 and not any(psutil.pid_exists(pid) for pid in seen)
    assert (tmp_path / "logs/a.log").read_text() == "[INFO] up\n"
    assert run.said == []  # information goes to the log only


def test_a_killed_process_comes_back(tmp_path, python):
    run = Run(tmp_path, python("a", SLEEPER))
    pids: set[int] = set()

    def killed_once() -> bool:
        for pid in run.supervisor.pids().values():
            if not pids:
                os.kill(pid, signal.SIGKILL)
            pids.add(pid)
        return len(pids) > 1

    assert run.until(killed_once) == 0
    assert ("a", "died (killed by SIGKILL); starting it again in 0.05 s") in run.said


def test_rapid_deaths_end_the_graph(tmp_path, python):
    run = Run(tmp_path, python("a", "raise SystemExit('[ERROR] no camera')"), python("b", SLEEPER))
    assert run.until(lambda: False) == 1
    assert run.said.count(("a", "[ERROR] no camera")) == QUICK.rapid_deaths
    assert "a died 3 times in a row, exit status 1" in run.said[-1][1]


def test_wrong_settings_end_the_graph_at_once(tmp_path, python):
    run = Run(tmp_path, python("a", "import sys; sys.exit(2)"), python("b", SLEEPER))
    assert run.until(lambda: False) == 2
    assert len(run.said) == 1


def test_a_task_runs_once_and_shows_all(tmp_path, python):
    run = Run(tmp_path, python("task", "print('[INFO] step 1')", restart=False, verbose=True), python("b", SLEEPER))
    assert run.until(lambda: run.said and "task" not in run.supervisor.pids()) == 0
    assert run.said == [("task", "[INFO] step 1")]


def test_deaf_processes_and_grandchildren_are_ended(tmp_path, python):
    run = Run(tmp_path, python("deaf", DEAF), python("parent", PARENT))
    family: list[psutil.Process] = []
    ended: list[float] = []

    def grown() -> bool:
        pid = run.supervisor.pids().get("parent")
        return bool(run.said) and pid is not None and len(psutil.Process(pid).children()) == 1

    def note(supervisor: Supervisor) -> None:
        for pid in supervisor.pids().values():
            family.extend([psutil.Process(pid), *psutil.Process(pid).children(recursive=True)])
        ended.append(time.monotonic())

    assert run.until(grown, note) == 0
    assert time.monotonic() - ended[0] < 30.0, "none was left to end by itself"
    assert len(family) == 3
    _, alive = psutil.wait_procs(family, timeout=100.0)
    assert not alive


def test_usage_is_sampled(tmp_path, python):
    run = Run(tmp_path, python("a", SLEEPER))
    file = tmp_path / "resources.jsonl"
    run.until(lambda: file.exists() and '"a"' in file.read_text())
    first = next(used for line in file.read_text().splitlines() if (used := json.loads(line)["nodes"].get("a")))
    assert first["rss"] > first["pss"] > 0 and first["starts"] == 1


def test_a_full_disk_costs_lines_of_logs_and_not_the_graph(tmp_path, python):
    talks = "import time\nfor i in range(9999): print('[WARN] line', i, flush=True); time.sleep(0.01)"
    run = Run(tmp_path, python("a", talks))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    log, usage = tmp_path / "logs/a.log", tmp_path / "resources.jsonl"
    full: list[int] = []

    def went_on() -> bool:
        if not full and usage.exists() and log.exists() and log.stat().st_size:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
            full.append(len(run.said))
        elif len(full) == 1 and len(run.said) > full[0] + 120:  # more than a second: a sample was due, too
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            full.append(log.stat().st_size)
        return len(full) > 1 and log.stat().st_size > full[-1] and run.supervisor.pids()

    try:
        assert run.until(went_on) == 0
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [name for name, _ in run.said if name != "a"] == []


SUPERVISE = """
import asyncio, json, os, sys
from pathlib import Path
from dadu.bringup.process import ProcessSpec
from dadu.bringup.supervisor import Supervisor
from dadu.core.python_process import run_main
spec = ProcessSpec("a", *json.loads(sys.argv[2]))
fork_server = lambda link: run_main("dadu.bringup.fork_server_process", str(link), "runpy")
sys.exit(asyncio.run(Supervisor([spec], Path(sys.argv[1]), os.environ, lambda n, l: print(l, flush=True),
                                fork_server=fork_server).run()))
"""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGKILL, -9)])
def test_no_orphans_whatever_ends_the_supervisor(tmp_path, python, number, status):
    spec = python("a", "import time; print('[WARN] up', flush=True); time.sleep(60)")
    boss = subprocess.Popen([sys.executable, "-c", SUPERVISE, str(tmp_path), json.dumps([spec.argv, spec.forked])],
                            stdout=subprocess.PIPE, text=True)
    assert boss.stdout.readline() == "[WARN] up\n"
    family = psutil.Process(boss.pid).children(recursive=True)
    assert len(family) == (2 if spec.forked else 1)
    boss.send_signal(number)
    assert boss.wait(100) == status
    psutil.wait_procs(family, timeout=100.0)
    assert not any(process.is_running() for process in family)
