"""What the fork server becomes is a process like any other: it has a name, an environment, a status, an end."""

import asyncio
import os
import signal

import psutil
import pytest

from dadu.bringup.fork_server import ForkServer
from dadu.core.python_process import run_main

NODE = """
import os, sys
def main():
    print(sys.argv, "shared" in sys.modules, os.getsid(0) == os.getpid(), flush=True)
    command = sys.argv[1]
    if command == "sleep":
        import time
        time.sleep(60)
    sys.exit({"two": 2, "sentence": "no camera"}.get(command))
"""


@pytest.fixture
def become(tmp_path, monkeypatch):
    """Runs a coroutine function with a fork server, and ends that."""
    (tmp_path / "shared.py").write_text("")
    (tmp_path / "node.py").write_text(NODE)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}", "MARK": "there"}

    def run(story):
        async def told():
            fork_server = ForkServer(lambda link: run_main("dadu.bringup.fork_server_process", str(link), "shared"))
            await fork_server.begin(environment)
            try:
                return await asyncio.wait_for(story(fork_server), 100)
            finally:
                await fork_server.end()
        return asyncio.run(told())
    return run


async def ended(child):
    """Its exit status, and what it said."""
    return await child.wait(), (await child.stdout.read()).decode()


@pytest.mark.parametrize(("command", "status", "words"), [("", 0, ""), ("two", 2, ""), ("sentence", 1, "no camera\n")])
def test_it_becomes_a_process_that_ends_as_its_main_does(become, command, status, words):
    async def story(fork_server):
        return await ended(await fork_server.become(("node", command)))
    assert become(story) == (status, f"['node', '{command}'] True True\n{words}")


def test_a_main_that_is_not_there_ends_that_process_alone(become):
    async def story(fork_server):
        wrong, right = await fork_server.become(("nothing",)), await fork_server.become(("node", ""))
        return await ended(wrong), (await ended(right))[0]
    (status, said), right = become(story)
    assert status == 1 and "No module named 'nothing'" in said and right == 0


def test_it_is_found_by_its_name_and_its_environment_and_dies_alone(become):
    async def story(fork_server):
        one, other = [await fork_server.become(("node", "sleep", name)) for name in ("one", "other")]
        await one.stdout.readline(), await other.stdout.readline()
        processes = [psutil.Process(child.pid) for child in (one, other)]
        assert [process.cmdline()[0] for process in processes] == ["node sleep one", "node sleep other"]
        assert processes[0].environ()["MARK"] == "there"
        os.kill(one.pid, signal.SIGKILL)
        assert (await ended(one))[0] == -signal.SIGKILL and one.returncode == -signal.SIGKILL
        return processes[1].is_running() and other.returncode is None, processes
    alone, processes = become(story)
    assert alone and psutil.wait_procs(processes, timeout=20)[1] == []


def test_whoever_it_became_ends_with_it_and_is_started_otherwise_then(become):
    async def story(fork_server):
        child = await fork_server.become(("node", "sleep"))
        await child.stdout.readline()
        process = psutil.Process(child.pid)
        os.kill(fork_server.pid, signal.SIGKILL)
        status = await child.wait()
        return status, psutil.wait_procs([process], timeout=20)[1], await fork_server.become(("node", ""))
    assert become(story) == (-signal.SIGKILL, [], None)
