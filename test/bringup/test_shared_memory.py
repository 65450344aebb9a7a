"""What a killed process left in shared memory is freed; nothing that somebody has, or is about to have, is touched."""

import fcntl
import mmap
import os
import time

import pytest

from dadu.bringup.shared_memory import free_abandoned_memory

SEGMENT, LOCK = "fastrtps_0c19eb1312fa37b5", "fastrtps_0c19eb1312fa37b5_el"
PORT, READER, READERS = "fastrtps_port7411", "fastrtps_port7411_el", "fastrtps_port7411_sl"
OLD = time.time() - 3600.0


@pytest.fixture
def memory(tmp_path):
    for name in (SEGMENT, LOCK, PORT, READER, READERS, f"sem.{PORT}_mutex", "another's"):
        (tmp_path / name).write_bytes(bytes(4096))
        os.utime(tmp_path / name, (OLD, OLD))
    return tmp_path


def test_a_dead_process_memory_is_freed_and_nothing_else(memory):
    before = {path.name for path in memory.iterdir()}
    free_abandoned_memory(memory)
    assert before - {path.name for path in memory.iterdir()} == {SEGMENT, LOCK, PORT, READER, READERS}


def test_what_a_living_process_has_is_left(memory):
    with (memory / LOCK).open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        free_abandoned_memory(memory)
        assert (memory / SEGMENT).exists() and (memory / LOCK).exists()


def test_a_process_that_is_starting_has_not_locked_its_own_yet(memory):
    os.utime(memory / LOCK)
    free_abandoned_memory(memory)
    assert (memory / SEGMENT).exists() and (memory / LOCK).exists()


@pytest.mark.parametrize("lock", [READER, READERS])
def test_a_port_from_which_somebody_reads_is_left(memory, lock):
    with (memory / lock).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        free_abandoned_memory(memory)
        assert (memory / PORT).exists() and (memory / lock).exists()


def test_a_port_that_a_process_has_is_left(memory):
    with (memory / PORT).open("r+b") as file, mmap.mmap(file.fileno(), 0):
        free_abandoned_memory(memory)
        assert (memory / PORT).exists()
    free_abandoned_memory(memory)
    assert not (memory / PORT).exists()


def test_a_port_that_has_just_been_made_is_left(memory):
    os.utime(memory / PORT)
    free_abandoned_memory(memory)
    assert (memory / PORT).exists()


def test_where_there_is_no_shared_memory_there_is_nothing_to_free(tmp_path):
    free_abandoned_memory(tmp_path / "none")
