"""The supervisor's end of the process that becomes nodes by fork, see `fork_server_process`."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from dadu.bringup import guard
from dadu.bringup.fork_server_process import LONGEST


class ForkedChild:
    """A process that it became: the part of `asyncio.subprocess.Process` that a supervisor needs."""

    def __init__(self, stdout: asyncio.StreamReader) -> None:
        self.stdout: asyncio.StreamReader | None = stdout
        self.pid = 0
        self.returncode: int | None = None
        self.born: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        """False: it never was"""
        self._ended = asyncio.Event()

    def end(self, status: int) -> None:
        """Notes that it did, with that exit status (negative: by that signal)."""
        self.returncode = status
        self._ended.set()
        if not self.born.done():
            self.born.set_result(False)

    async def wait(self) -> int:
        """Its exit status."""
        await self._ended.wait()
        return self.returncode or 0


class ForkServer:
    """Becomes processes, as long as it lives itself.

    To it goes ``{"number", "words"}`` with a file for the output; from it come ``{"number", "pid"}`` and, in the end,
    ``{"number", "status"}``.
    """

    def __init__(self, command: Callable[[int], list[str]]) -> None:
        """`command`: its command line, from the number of its socket."""
        self._command, self._numbers = command, itertools.count()
        self._children: dict[int, ForkedChild] = {}
        self._link: socket.socket | None = None
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        """None while it is not running."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def begin(self, env: Mapping[str, str]) -> None:
        """Starts it. What is asked of it waits until it has imported all."""
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._link.setblocking(False)
        with theirs:
            self._process = await asyncio.create_subprocess_exec(
                *guard.prefix(), *self._command(theirs.fileno()), env=env, pass_fds=[theirs.fileno()],
                stdin=asyncio.subprocess.DEVNULL, start_new_session=True)
        asyncio.get_running_loop().add_reader(self._link, self._hear)

    async def become(self, words: Sequence[str]) -> ForkedChild | None:
        """A process that calls ``main()`` of the module that is the first of `words`, with the others as arguments.
        None where the fork server is gone, which ends all that it became."""
        if self._link is None:
            return None
        loop, (reading, writing) = asyncio.get_running_loop(), os.pipe()
        output = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(output), os.fdopen(reading, "rb"))
        number = next(self._numbers)
        child = self._children[number] = ForkedChild(output)
        try:
            socket.send_fds(self._link, [json.dumps({"number": number, "words": list(words)}).encode()], [writing])
        except OSError:
            self._gone()
        finally:
            os.close(writing)
        return child if await child.born else None

    async def end(self) -> None:
        """Ends it, and whatever it became and still runs."""
        self._gone()
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    def _hear(self) -> None:
        if self._link is None:
            return
        try:
            data = self._link.recv(LONGEST)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return self._gone()
        message = json.loads(data)
        if "pid" in message:
            child = self._children[message["number"]]
            child.pid = message["pid"]
            child.born.set_result(True)
        else:
            self._children.pop(message["number"]).end(message["status"])

    def _gone(self) -> None:
        if self._link is not None:
            asyncio.get_running_loop().remove_reader(self._link)
            self._link.close()
            self._link = None
        for child in self._children.values():
            child.end(-signal.SIGKILL)
        self._children.clear()
