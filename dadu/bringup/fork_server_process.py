"""The process that has imported what nodes share and becomes one of them, by fork, whenever it is asked to.

So ten nodes import numpy, ROS and the rest once, and have that memory in common. Each is a process and a session of
its own, dies with this one, which dies with the supervisor, and is called in lists of processes what it would be had it
been started by itself. The only threads that it has are LTTng's, which ROS brings; what is forked has none of those, so
nodes that are to be traced are started by ``ros2 launch``.
"""

from __future__ import annotations

import ctypes
import gc
import inspect
import json
import os
import selectors
import signal
import socket
import sys
from collections.abc import Sequence

from dadu.bringup.guard import PR_SET_PDEATHSIG
from dadu.core.plugins import find

LONGEST = 2**18
"""[byte] of an order"""


class ForkRequests:
    """What the supervisor asks for, and is told: a message each, see `ForkServer`."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._number_of: dict[int, int] = {}
        self._woken, self._wake = os.pipe()
        for end in (self._woken, self._wake):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake)

    def serve(self) -> list[str] | None:
        """In each child: the words that say what it is to be; here, None, once the supervisor is gone."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._link, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if self._woken in ready:
                    os.read(self._woken, LONGEST)
                    self._report_ended()
                if self._link in ready:
                    data, files, _, _ = socket.recv_fds(self._link, LONGEST, 1)
                    if not data:
                        return None
                    order = json.loads(data)
                    if self._is_child(order["number"], files[0]):
                        return list(order["words"])

    def _is_child(self, number: int, output: int) -> bool:
        parent, child = os.getpid(), os.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for end in (self._woken, self._wake, self._link.detach()):
                os.close(end)
            _detach(parent, output)
            return True
        os.close(output)
        self._number_of[child] = number
        self._tell(number=number, pid=child)
        return False

    def _report_ended(self) -> None:
        while self._number_of:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            self._tell(number=self._number_of.pop(pid), status=os.waitstatus_to_exitcode(status))

    def _tell(self, **message: int) -> None:
        self._link.send(json.dumps(message).encode())


def _detach(parent: int, output: int) -> None:
    """A session, a death with the parent, nothing to read, and `output` for all that it says."""
    os.setsid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # it died before the request above took hold
    nothing = os.open(os.devnull, os.O_RDONLY)
    for end, place in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(end, place)
    for end in (nothing, output):
        os.close(end)


def _become(words: Sequence[str]) -> None:
    """Calls ``main()`` of the module that is the first of `words`, with the others as arguments."""
    module, *arguments = words
    os.environ["SPT_NOENV"] = "1"  # what the process was started with stays readable
    from setproctitle import setproctitle

    setproctitle(" ".join(words))
    sys.argv = [module, *arguments]
    find(f"{module}:main")()


def main() -> None:
    """``main()`` with the number of a socket and the name of the module that imports what nodes share."""
    link, shared = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # nodes listen by themselves, once they can
    find(f"{shared}:__name__")
    inspect.getmodule(inspect.currentframe())  # visits all modules, which each node's first log message would do else
    gc.collect()
    gc.freeze()  # counting references in what is shared would make copies of it
    words = ForkRequests(socket.socket(fileno=int(link))).serve()
    if words is not None:
        _become(words)


if __name__ == "__main__":
    main()
