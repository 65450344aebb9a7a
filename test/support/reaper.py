"""No process that a test started outlives the run, however that ends: Ctrl-C, a signal, SIGKILL of a worker.

Each process that runs tests marks its environment, which whatever it starts inherits, and has a watcher in a session
of its own: as soon as the process is gone, the watcher kills all that carry its mark. Workers carry the mark of the
one that started them, so they go with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path

MARK = "DADU_TEST_RUN"
_PERIOD = 0.2
"""[s]"""


def pytest_configure() -> None:
    mark = uuid.uuid4().hex
    os.environ[MARK] = mark
    subprocess.Popen([sys.executable, "-I", "-S", __file__, str(os.getpid()), mark], start_new_session=True, env={},
                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def marked(mark: str) -> list[int]:
    """Ids of the processes whose environment at their start had the mark."""
    words, found = f"{MARK}={mark}".encode(), []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # gone, or not ours
            if words in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def watch(parent: int, mark: str) -> None:
    """Returns when `parent` is gone and everything marked with it."""
    while os.getppid() == parent:
        time.sleep(_PERIOD)
    while left := marked(mark):  # again: one may have started another meanwhile
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_PERIOD)


if __name__ == "__main__":
    watch(int(sys.argv[1]), sys.argv[2])
