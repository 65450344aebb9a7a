"""``dadu mcp --ros`` through the SDK's own client: a real server process on a graph of stand-ins."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys

import pytest

from dadu.skills.outcome import Code

pytestmark = pytest.mark.needs("mcp")

COMMAND = [sys.executable, "-m", "dadu.cli", "mcp", "--ros"]
INSTRUCTION = "take the milk out of the fridge and put it on the dining table"


@pytest.fixture
def session(graph, tmp_path):
    """Runs a coroutine function with a client; meanwhile the test's own node is spun."""
    import mcp
    from mcp.client.stdio import StdioServerParameters

    server = StdioServerParameters(command=sys.executable, args=COMMAND[1:], env=dict(os.environ),
                                   cwd=tmp_path)

    async def run(ask):
        async def spin():
            while True:
                graph.executor.spin_once(timeout_sec=0.0)
                await asyncio.sleep(0.02)
        spinning = asyncio.create_task(spin())
        async with mcp.Client(server) as client:
            found = await ask(client)
        spinning.cancel()
        return found

    return lambda ask: asyncio.run(asyncio.wait_for(run(ask), 250))


async def called(client, tool, **arguments):
    return (await client.call_tool(tool, arguments)).structured_content


async def until(condition, timeout=100.0):
    """What `condition`, which may have to be awaited, is in the end."""
    end = asyncio.get_running_loop().time() + timeout
    while True:
        found = await condition()
        if found or asyncio.get_running_loop().time() > end:
            return found
        await asyncio.sleep(0.1)


def cancelled_drives(graph):
    """How many drives were recorded as cancelled, as a function."""
    from dadu_interfaces.msg import SkillRecord
    from dadu_nodes.support import qos

    records = graph.collect(SkillRecord, "/skill_results", qos.STATE)
    return lambda: len([r for r in records if r.call.skill == "go_to" and r.outcome.code == Code.CANCELLED])


def test_skill_by_skill_under_the_same_checks_and_the_emergency_stop(graph, start_node, skills, session):
    from dadu_interfaces.msg import SkillRecord
    from dadu_nodes.support import qos
    from std_msgs.msg import Bool

    records = graph.collect(SkillRecord, "/skill_results", qos.STATE)
    skills()
    start_node("override")
    button = graph.node.create_publisher(Bool, "/e_stop", qos.STATE)

    async def ask(client):
        closed = await called(client, "pick", object="milk_0")
        nowhere = await called(client, "go_to", target="unicorn_0")
        done = [await called(client, "go_to", target="lemon_0"), await called(client, "pick", object="lemon_0")]
        full = await called(client, "pick", object="apple_0")
        world = (await client.read_resource("dadu://world")).contents[0].text
        done += [await called(client, "go_to", target="desk_0"),
                 await called(client, "place", relation="on", receptacle="desk_0")]
        button.publish(Bool(data=True))
        stopped = await until(lambda: refused(client)), await called(client, "execute_task", instruction=INSTRUCTION)
        return closed, nowhere, full, done, world, stopped

    closed, nowhere, full, done, world, (skill, task) = session(ask)
    assert (closed["code"], nowhere["code"], full["code"]) == (12, 31, 10)
    assert [outcome["code"] for outcome in done] == [0, 0, 0, 0], done
    assert "holds lemon_0" in world
    assert [[r.call.skill, *r.call.arguments] for r in records if r.call.skill != "wait"] == [
        ["go_to", "lemon_0"], ["pick", "lemon_0"], ["go_to", "desk_0"], ["place", "on", "desk_0"]], "memory hears of it"
    assert skill["code"] == Code.SAFETY_STOP and "released" in skill["message"]
    assert (task["code"], task["steps"]) == (Code.SAFETY_STOP, [])


async def refused(client):
    """The outcome of a skill that may not begin, once that is so."""
    outcome = await called(client, "wait")
    return outcome if outcome["code"] else None


def test_a_task_goes_to_the_planner_and_tells_its_steps(graph, start_node, skills, session):
    skills()
    start_node("planner")
    lines = []

    async def heard(progress, total, message):
        lines.append(message)

    async def ask(client):
        return await client.call_tool("execute_task", {"instruction": INSTRUCTION}, progress_callback=heard)

    report = session(ask).structured_content
    assert report["success"], report
    assert report["steps"][:2] == [["go_to", "fridge_0"], ["open", "fridge_0"]] and len(report["steps"]) == 8
    assert len(lines) == 16 and lines[11] == "6. place(on, dining_table_0) -> SUCCEEDED"
    assert lines[-1] == "8. close(fridge_0) -> SUCCEEDED"


def test_what_the_planner_asks_is_answered_by_the_client(graph, start_node, skills, client, session):
    skills()
    start_node("planner", ask=True, ask_seconds=100.0)
    graph.until(client.server_is_ready)

    async def answered(client):
        return (await called(client, "answer", text="the fridge"))["result"]

    async def ask(client):
        task = asyncio.create_task(client.call_tool("execute_task", {"instruction": "open the zork"}))
        assert await until(lambda: answered(client)), "nothing was asked"
        return (await task).structured_content

    report = session(ask)
    assert report["success"] and "taken as 'open the fridge'" in report["summary"], report
    assert ["open", "fridge_0"] in report["steps"]


def test_one_task_at_a_time_and_whoever_cancels_or_leaves_brings_the_robot_to_rest(graph, start_node, skills, session,
                                                                                 client):
    from planner_client import send

    ended = cancelled_drives(graph)
    skills(60.0)
    start_node("planner")
    other, steps = send(graph, client, "go to the kitchen")
    graph.until(lambda: steps)

    async def after(count):
        return ended() == count

    async def ask(mine):
        busy = await until(lambda: refused(mine))
        other.cancel_goal_async()
        assert await until(lambda: after(1))
        begun = asyncio.Event()

        async def heard(*_):
            begun.set()
        task = asyncio.create_task(mine.call_tool("execute_task", {"instruction": INSTRUCTION},
                                                  progress_callback=heard))
        await asyncio.wait_for(begun.wait(), 100)
        assert "go_to" in await called(mine, "possible"), "looking does not wait"
        task.cancel()
        assert await until(lambda: after(2)), "the planner's drive"
        skill = asyncio.create_task(called(mine, "go_to", target="kitchen"))
        await asyncio.sleep(1.5)
        skill.cancel()
        assert await until(lambda: after(3)), "its own"
        asyncio.create_task(called(mine, "go_to", target="hall"))
        await asyncio.sleep(1.5)
        return busy

    busy = session(ask)
    assert busy["code"] == Code.OPERATOR_OVERRIDE and "task is running" in busy["message"]
    graph.until(lambda: ended() == 4)


def test_a_server_that_is_ended_brings_the_robot_to_rest(graph, skills, tmp_path):
    import mcp

    ended = cancelled_drives(graph)
    skills(60.0)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen([*COMMAND, "--transport", "http", "--port", str(port)], cwd=tmp_path)

    async def ask():
        await until(lambda: asyncio.to_thread(listens, port))
        async with mcp.Client(f"http://127.0.0.1:{port}/mcp") as client:
            skill = asyncio.create_task(called(client, "go_to", target="kitchen"))
            await asyncio.sleep(1.5)
            running.append(not skill.done())
            server.terminate()
            await asyncio.gather(skill, return_exceptions=True)
    running = []
    try:
        with contextlib.suppress(Exception):  # of a client whose server goes away
            asyncio.run(asyncio.wait_for(ask(), 200))
        graph.until(ended)
        assert running == [True] and server.wait(100) == 0
    finally:
        server.kill()
        server.wait()


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_without_a_graph_it_says_so(graph, tmp_path):
    ended = subprocess.run([*COMMAND, "--wait", "1"], capture_output=True, text=True, timeout=200, cwd=tmp_path)
    assert ended.returncode != 0 and "dadu up" in ended.stderr and not ended.stdout
