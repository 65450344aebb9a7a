"""``dadu teleop`` in a terminal of its own, against the real override."""

import os
import pty
import subprocess
import sys
import termios
import threading

import pytest
from dadu_interfaces.msg import OperatorState
from dadu_nodes.support import qos
from geometry_msgs.msg import Twist


@pytest.fixture
def terminal():
    """Master and slave of a pseudo terminal; what is printed is drained."""
    master, slave = pty.openpty()
    printed = []

    def drain():
        try:
            while data := os.read(master, 4096):
                printed.append(data)
        except OSError:
            return  # closed

    threading.Thread(target=drain, daemon=True).start()
    yield master, slave, printed
    os.close(slave)
    os.close(master)


def test_drives_stops_and_leaves_the_terminal_as_it_was(graph, start_node, terminal):
    master, slave, printed = terminal
    before = termios.tcgetattr(slave)
    start_node("override")
    base = graph.collect(Twist, "/cmd_vel", qos.COMMAND)
    states = graph.collect(OperatorState, "/operator/state", qos.LATCHED)

    def has(state, timeout=15.0):
        graph.until(lambda: states and states[-1].state == state, timeout)

    process = subprocess.Popen([sys.executable, "-m", "dadu.cli", "teleop"], stdin=slave, stdout=slave, stderr=slave,
                               start_new_session=True)
    try:
        graph.until(lambda: b"autonomy" in b"".join(printed), timeout=20)
        graph.until(lambda: any(t.linear.x > 0.1 for t in base), every=lambda: os.write(master, b"w"))
        has(OperatorState.TELEOP)
        os.write(master, b"e")
        has(OperatorState.STOPPED)
        graph.until(lambda: b"EMERGENCY STOP" in b"".join(printed))  # it toggles what it knows
        os.write(master, b"e")
        has(OperatorState.AUTONOMY)
        os.write(master, b"\x1b[D")
        graph.until(lambda: any(t.angular.z > 0.3 for t in base))
        os.write(master, b"q")
        graph.until(lambda: process.poll() is not None)
        has(OperatorState.AUTONOMY)
        assert states[-1].reason == "released by the operator", "given back at once, not after a silence"
        assert process.returncode == 0
        assert termios.tcgetattr(slave) == before
    finally:
        process.kill()
        process.wait()
