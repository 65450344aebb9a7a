"""Processes of tests, by the fork server that starts the nodes of ``dadu up``: importing ROS and what nodes share costs
more than most of what is tested, and each of them needs it."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from dadu.core.plugins import find
from dadu.core.python_process import run_main, search_path

_LONGEST = 2**16
"""[byte] of what the fork server tells"""


class ForkedProcess:
    """The part of `subprocess.Popen` that tests need."""

    def __init__(self, server: Forks, stdout: int | None) -> None:
        self.pid = 0
        self.returncode: int | None = None
        self.stdout = None if stdout is None else os.fdopen(stdout)
        self._server = server

    def poll(self) -> int | None:
        self._server.hear(0.0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        end = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            left = 1.0 if end is None else end - time.monotonic()
            if left <= 0:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0.0)
            self._server.hear(left)
        return self.returncode or 0

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Forks:
    """The fork server of one process that runs tests; it ends, and all that it became, with `close` or that process."""

    def __init__(self) -> None:
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._children: dict[int, ForkedProcess] = {}
        self._env = dict(os.environ)
        with theirs:
            self._process = subprocess.Popen(
                run_main("dadu.bringup.fork_server_process", str(theirs.fileno()), "preloaded"),
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
                env={**os.environ, **search_path(str(Path(__file__).parent))}, start_new_session=True)

    def start(self, module: str, *arguments: str, piped: bool = False, **env: str) -> ForkedProcess:
        """Calls ``main()`` of `module` with `arguments`, in this process's environment as it is now and `env`. `piped`:
        what it says is for `stdout`; otherwise it goes where this process's goes."""
        reading, output = os.pipe() if piped else (None, os.dup(1))
        changed = {k: v for k, v in {**os.environ, **env}.items() if self._env.get(k) != v}
        child = ForkedProcess(self, reading)
        number = len(self._children)
        self._children[number] = child
        words = [__name__, json.dumps(changed), module, *arguments]
        socket.send_fds(self._link, [json.dumps({"number": number, "words": words}).encode()], [output])
        os.close(output)
        while not child.pid:
            self.hear(1.0)
        return child

    def hear(self, seconds: float) -> None:
        """Takes up what the fork server tells within that time, at least one message where there is any."""
        while select.select([self._link], [], [], seconds)[0]:
            told = self._link.recv(_LONGEST)
            if not told:
                raise RuntimeError("the fork server of the tests is gone")
            message = json.loads(told)
            child = self._children[message["number"]]
            child.pid, child.returncode = message.get("pid", child.pid), message.get("status")
            seconds = 0.0

    def close(self) -> None:
        self._link.close()
        self._process.wait()


def main() -> None:
    """What the fork server calls: the environment's changes, the module, its arguments."""
    changed, module, *arguments = sys.argv[1:]
    os.environ.update(json.loads(changed))
    sys.argv = [module, *arguments]
    find(f"{module}:main")()
