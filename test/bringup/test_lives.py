"""When a process is started again, and when it is worth no further life; who is left behind is ended."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from dadu.bringup.leftover_processes import end_all
from dadu.bringup.process import CONFIG_ERROR, GaveUp, Lives, RestartPolicy

POLICY = RestartPolicy(first=0.5, longest=2.0, short_life=10.0, rapid_deaths=4)


def lives():
    return Lives("planner", Path("planner.log"), POLICY)


def test_pauses_grow_with_rapid_deaths_and_the_last_ends_the_graph_with_one_sentence():
    life = lives()
    assert [life.after(1, age=0.1) for _ in range(3)] == [0.5, 1.0, 2.0]
    with pytest.raises(GaveUp, match="planner died 4 times in a row, killed by SIGSEGV; see planner.log"):
        life.after(-11, age=0.1)


def test_a_long_life_forgives_the_deaths_before():
    life = lives()
    for _ in range(5):
        assert life.after(-9, age=11.0) == 0.5
        assert life.after(-9, age=0.1) == 1.0


def test_wrong_settings_end_the_graph_at_once():
    with pytest.raises(GaveUp, match="its settings are wrong") as end:
        lives().after(CONFIG_ERROR, age=99.0)
    assert end.value.status == CONFIG_ERROR


def test_what_is_left_behind_is_ended_deaf_or_not():
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    left = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
            for code in (deaf, "print(flush=True); import time; time.sleep(60)")]
    for process in left:
        process.stdout.readline()
    begun = time.monotonic()
    end_all([*(process.pid for process in left), 2**22 + 1], patience=0.5)
    for process in left:
        process.wait(100.0)
    assert time.monotonic() - begun < 30.0, "none was left to end by itself"
