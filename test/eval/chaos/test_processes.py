"""A graph's processes are counted and ended: those that nobody looks after, and those that do not hear."""

import resource
import signal
import subprocess
import sys
import time

import psutil

from dadu.eval.chaos import processes
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


PARENT = ("import subprocess, sys, time; name = 'dadu_' + 'nodes.recorder'\n"
          "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)', name, 'x'])\n"
          "open(sys.argv[1] + '/up', 'w').close(); time.sleep(60)")


def test_the_disk_is_full_for_whom_it_is_meant_and_has_room_again_for_all_that_were_started_meanwhile(tmp_path):
    graph = started(tmp_path, PARENT)

    def limits():
        supervisor = psutil.Process(graph._process.pid)
        return [p.rlimit(resource.RLIMIT_FSIZE)[0] for p in (supervisor, *supervisor.children())]

    room, full = resource.RLIM_INFINITY, processes._FULL
    graph.fill_disk("recorder", True)
    assert limits() == [room, full]
    graph.fill_disk("supervisor", True)
    assert limits() == [full, full]
    graph.fill_disk("supervisor", False)
    assert limits() == [room, room], "a node that begins meanwhile inherits it from whom it is started by"
    graph.stop()


def test_one_that_does_not_hear_is_ended(tmp_path):
    graph = started(tmp_path, DEAF)
    assert graph.orphans() == ()
    start = time.monotonic()
    assert len(graph.stop()) == 1, "what had to be killed is named"
    assert time.monotonic() - start < 30.0 and not graph.running, "it was not left to end by itself"
    graph.send("memory", signal.SIGTERM)
    graph.fill_disk("memory", True)
    assert graph.stop() == ()
