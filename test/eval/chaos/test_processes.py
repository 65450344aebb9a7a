"""A graph's processes are counted and ended: those that nobody looks after, and those that do not hear."""

import signal
import subprocess
import sys
import time

from dadu.eval.chaos.processes import GraphProcesses

STRAY = ("import os, subprocess, sys, time; run = sys.argv[1]\n"
         "subprocess.Popen([sys.executable, '-c', 'import subprocess, sys, os; subprocess.Popen([\"sleep\", \"60\"], "
         "env={\"DADU_RUN_DIR\": sys.argv[1], **{k: v for k, v in os.environ.items() if k != \"DADU_RUN_DIR\"}}, "
         "start_new_session=True)', run]).wait()\n"
         "open(run + '/up', 'w').close(); time.sleep(60)")
DEAF = ("import signal, sys, time; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "open(sys.argv[1] + '/up', 'w').close(); time.sleep(60)")


def started(tmp_path, code):
    graph = GraphProcesses(tmp_path, lambda run: [sys.executable, "-c", code, str(run)])
    graph.start()
    deadline = time.monotonic() + 100.0
    while not (graph.run_dir / "up").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert graph.running
    return graph


def test_a_process_that_has_left_the_family_is_an_orphan(tmp_path):
    graph = started(tmp_path, STRAY)
    (orphan,) = graph.orphans()
    graph.stop()
    assert graph.orphans() == (orphan,) and not graph.running
    subprocess.run(["kill", orphan], check=True)


def test_one_that_does_not_hear_is_ended(tmp_path):
    graph = started(tmp_path, DEAF)
    assert graph.orphans() == ()
    start = time.monotonic()
    assert len(graph.stop()) == 1, "what had to be killed is named"
    assert time.monotonic() - start < 30.0 and not graph.running, "it was not left to end by itself"
    graph.send("memory", signal.SIGTERM)
    graph.fill_disk("memory", True)
    assert graph.stop() == ()
