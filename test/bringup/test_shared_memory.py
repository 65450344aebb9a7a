"""What a killed process left in shared memory is freed; nothing that somebody has, or is about to have, is touched."""

import fcntl
import os
import time

import pytest

from dadu.bringup.shared_memory import free_abandoned_memory

SEGMENT, LOCK = "fastrtps_0c19eb1312fa37b5", "fastrtps_0c19eb1312fa37b5_el"
OLD = time.time() - 3600.0


@pytest.fixture
def memory(tmp_path):
    for name in (SEGMENT, LOCK, "fastrtps_port7411", "fastrtps_port7411_el", "fastrtps_port7411_sl", "another's"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (OLD, OLD))
    return tmp_path


def test_a_dead_process_memory_is_freed_and_nothing_else(memory):
    before = {path.name for path in memory.iterdir()}
    free_abandoned_memory(memory)
    assert before - {path.name for path in memory.iterdir()} == {SEGMENT, LOCK}


def test_what_a_living_process_has_is_left(memory):
    with (memory / LOCK).open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        free_abandoned_memory(memory)
        assert (memory / SEGMENT).exists() and (memory / LOCK).exists()


def test_a_process_that_is_starting_has_not_locked_its_own_yet(memory):
    os.utime(memory / LOCK)
    free_abandoned_memory(memory)
    assert (memory / SEGMENT).exists() and (memory / LOCK).exists()


def test_where_there_is_no_shared_memory_there_is_nothing_to_free(tmp_path):
    free_abandoned_memory(tmp_path / "none")
