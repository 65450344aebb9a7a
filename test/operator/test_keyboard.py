"""Keys become twists that die away by themselves; the terminal is always restored."""

import os
import pty
import subprocess
import sys
import termios

from hypothesis import given
from hypothesis import strategies as st

from dadu.core.robot import Twist
from dadu.operator.keyboard import PERSISTENCE, KeyboardDriver, KeyRequest
from dadu.operator.terminal import split_keys

SPEED = Twist(vx=0.2, wz=0.6)


def test_a_key_drives_then_stops_then_falls_silent():
    driver = KeyboardDriver(SPEED)
    assert driver.twist(0.0) is None
    driver.press("w", 1.0)
    assert driver.twist(1.1) == Twist(vx=0.2)
    assert driver.twist(1.0 + PERSISTENCE) == Twist()
    assert driver.twist(1.0 + 2 * PERSISTENCE) is None


def test_space_stops_at_once_and_release_is_silent_at_once():
    driver = KeyboardDriver(SPEED)
    driver.press("left", 0.0)
    assert driver.twist(0.1) == Twist(wz=0.6)
    driver.press(" ", 0.2)
    assert driver.twist(0.2) == Twist()
    assert driver.press("r", 0.3) is KeyRequest.RELEASE and driver.twist(0.3) is None
    assert driver.press("e", 0.4) is KeyRequest.E_STOP and driver.press("\x03", 0.5) is KeyRequest.QUIT


@given(st.lists(st.sampled_from([*"wasd+-= x", "up", "left"])))
def test_no_sequence_of_keys_goes_beyond_twice_the_speed(keys):
    driver = KeyboardDriver(SPEED)
    for i, key in enumerate(keys):
        driver.press(key, i * 0.05)
        twist = driver.twist(i * 0.05) or Twist()
        assert abs(twist.vx) <= 0.4 + 1e-9 and abs(twist.wz) <= 1.2 + 1e-9


def test_escape_sequences():
    assert list(split_keys(b"w\x1b[A\x1bOD\x1b[3~E")) == ["w", "up", "left", "e"]
    assert list(split_keys(b"\x1b")) == []


@given(st.binary())
def test_any_bytes_are_taken(data):
    assert all(isinstance(key, str) for key in split_keys(data))


READER = """
from dadu.operator.terminal import raw_keys
with raw_keys() as keys:
    print("ready", flush=True)
    print(keys.read(5), flush=True)
    raise SystemExit(3)
"""


def test_the_terminal_is_restored_after_an_error():
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    process = subprocess.Popen([sys.executable, "-c", READER], stdin=slave, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    os.write(master, b"w\x1b[C")
    assert process.stdout.readline() == "['w', 'right']\n"
    assert process.wait(timeout=100) == 3
    assert termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)


def test_without_a_terminal_it_says_so():
    done = subprocess.run([sys.executable, "-c", READER], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert "/cmd_vel_teleop" in done.stderr
