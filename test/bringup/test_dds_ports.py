"""A process reads where nobody else does, or did until it was killed; and participants find each other all the same."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dadu.bringup.dds_ports import fresh_slot, variables
from dadu.bringup.environment import environment
from dadu.bringup.shared_memory import PORT

READER = """
from dadu_nodes.override import OverrideNode
from dadu_nodes.support.node import run
def make():
    node = OverrideNode()
    print("ready", flush=True)
    return node
run(make)
"""


def ports(slot):
    base, user = (int(variables(slot)[f"DADU_DDS_{name}"]) for name in ("BASE", "USER"))
    return base - 400, base + user


def test_participants_look_for_each_other_where_the_standard_has_it():
    for slot in range(100):
        base, *offsets = (int(variables(slot)[f"DADU_DDS_{name}"]) for name in ("BASE", "MULTICAST", "UNICAST"))
        assert [base + offset for offset in offsets] == [7400, 7410]


def test_no_two_slots_have_a_port_in_common_nor_one_of_another_domain():
    found = [port for slot in range(100) for port in ports(slot)]
    assert len(set(found)) == len(found) and max(found) < 7400 + 250


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("ending", ["", "_el"])
def test_a_port_that_was_left_behind_is_not_used(monkeypatch, tmp_path, which, ending):
    monkeypatch.setenv("ROS_DOMAIN_ID", "0")
    first = fresh_slot(tmp_path, 7)
    (tmp_path / (PORT.format(ports(first)[which]) + ending)).touch()
    assert fresh_slot(tmp_path, 7) not in (0, first)


def test_where_all_are_taken_the_middleware_finds_one(monkeypatch, tmp_path):
    monkeypatch.setenv("ROS_DOMAIN_ID", "0")
    for slot in range(100):
        (tmp_path / PORT.format(ports(slot)[0])).touch()
    assert 0 < fresh_slot(tmp_path, 7) < 100


def test_the_next_process_has_others_even_before_the_first_has_made_its_own(tmp_path):
    assert fresh_slot(tmp_path, 7) != fresh_slot(tmp_path, 8)


@pytest.fixture
def start(tmp_path, domain):
    """Starts a node, and says what it reads from."""
    started = []

    def begin():
        env = environment(tmp_path, {**os.environ, "ROS_DOMAIN_ID": domain})
        process = subprocess.Popen([sys.executable, "-c", READER], env=env, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout.readline() == "ready\n"
        files = [os.readlink(file) for file in Path(f"/proc/{process.pid}/fd").iterdir()]
        return process, {name for file in files if (name := Path(file).name).startswith(PORT.format(""))}

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def test_who_is_started_in_place_of_one_that_was_killed_reads_from_other_ports(start):
    process, before = start()
    process.send_signal(signal.SIGKILL)
    process.wait()
    _, after = start()
    assert before and after and not before & after
