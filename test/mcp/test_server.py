"""The MCP server through the SDK's own client; needs the extra `mcp`."""

import asyncio
import json
import sys
import threading

import pytest

from dadu.cli.mcp import mcp as command
from dadu.core.errors import ConfigError, MissingExtra
from dadu.house.files import load_house
from dadu.mcp.offer import Offer, offer
from dadu.mcp.robot import Simulated
from dadu.mcp.serve import HOST
from dadu.mcp.tools import SkillTools
from dadu.planner.policies.make import make_planner
from dadu.skills.table import SKILLS
from dadu.stacks.oracle import OracleStack

LEMON = "put the lemon on the couch"


@pytest.fixture
def session():
    """Runs a coroutine function with a client of the oracle's robot."""
    import mcp

    from dadu.mcp.server import make_server

    body = OracleStack(load_house("flat"), known="all")
    tools = SkillTools(lambda: Simulated(body, make_planner), body.description.capabilities)

    def session(ask):
        async def run():
            async with mcp.Client(make_server(tools)) as client:
                return await ask(client)
        return asyncio.run(asyncio.wait_for(run(), 60))

    session.body = body
    yield session
    tools.close()


@pytest.mark.needs("mcp")
def test_a_client_commands_the_robot(session):
    async def ask(client):
        names = {tool.name for tool in (await client.list_tools()).tools}
        went = await client.call_tool("go_to", {"target": "lemon_0"})
        far = await client.call_tool("pick", {"object": "mug_1"})
        wrong = await client.call_tool("place", {"relation": "under", "receptacle": "desk_0"})
        world = await client.read_resource("dadu://world")
        graph = await client.read_resource("dadu://graph")
        return names, went, far, wrong, world, json.loads(graph.contents[0].text)

    names, went, far, wrong, world, graph = session(ask)
    assert {"go_to", "pick", "place", "open", "close", "explore", "wait", "execute_task", "world", "possible"} <= names
    assert "done" not in names
    assert went.structured_content["name"] == "SUCCEEDED" and far.structured_content["name"] == "TOO_FAR"
    assert wrong.is_error, "a relation that there is not is refused by the tool's schema"
    assert "lemon_0" in world.contents[0].text
    assert {"subject": "lemon_0", "relation": "on", "object": "fruit_table", "part": "top"} in graph["edges"]
    lemon = next(e for e in graph["entities"] if e["id"] == "lemon_0")
    assert lemon["kind"] == "object" and lemon["attributes"] == {"color": "yellow"} and len(lemon["position"]) == 3


@pytest.mark.needs("mcp")
def test_every_skill_of_the_table_is_a_tool_with_its_arguments(session):
    from dadu.mcp.server import make_server

    tools = SkillTools(lambda: Simulated(session.body, make_planner), tuple(SKILLS))

    async def ask():
        async with sys.modules["mcp"].Client(make_server(tools)) as client:
            return {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
    forms = asyncio.run(asyncio.wait_for(ask(), 60))
    tools.close()
    assert set(SKILLS) - set(forms) == {"done"}
    assert list(forms["place"]["properties"]) == ["relation", "receptacle", "next_to"]
    assert forms["place"]["required"] == ["relation", "receptacle"]
    assert forms["place"]["properties"]["relation"]["enum"] == ["on", "in"]
    assert forms["pour"]["required"] == ["object", "receptacle"]
    assert forms["wait"]["properties"] == {}


@pytest.mark.needs("mcp")
def test_a_task_tells_its_steps_as_it_goes(session):
    lines = []

    async def heard(progress, total, message):
        lines.append((progress, message))

    report = session(lambda client: client.call_tool("execute_task", {"instruction": LEMON}, progress_callback=heard))
    assert report.structured_content["success"]
    assert report.structured_content["substitutions"] == ["couch -> sofa_0"]
    assert [count for count, _ in lines] == list(range(1, 9)), "each step twice, in order"
    assert lines[0][1].startswith("1. go_to(lemon_0): ") and lines[3][1] == "2. pick(lemon_0) -> SUCCEEDED"


def asked_by(mode, asks, elicitation_callback, meanwhile):
    """What comes of an instruction that has to be asked about, with what the client does meanwhile."""
    import mcp

    from dadu.mcp.server import make_server

    body = OracleStack(load_house("flat"), known="all")
    tools = SkillTools(lambda: Simulated(body, make_planner, asks), body.description.capabilities)

    async def ask():
        async with mcp.Client(make_server(tools), mode=mode, elicitation_callback=elicitation_callback) as client:
            task = asyncio.create_task(client.call_tool("execute_task", {"instruction": "bring the zork to the desk"}))
            await meanwhile(client, task)
            return (await task).structured_content
    try:
        return asyncio.run(asyncio.wait_for(ask(), 60))
    finally:
        tools.close()


async def nothing(client, task):
    """The client only waits."""


@pytest.mark.needs("mcp")
def test_a_client_s_own_way_to_ask_its_user_is_used():
    from mcp.types import ElicitResult

    asked = []

    async def reply(context, wanted):
        asked.append(wanted.message)
        return ElicitResult(action="accept", content={"answer": "the lemon"})

    assert asked_by("legacy", True, reply, nothing)["success"]
    assert len(asked) == 1 and asked[0].endswith("what do you mean by 'zork'?")
    report = asked_by("legacy", False, reply, nothing)
    assert not report["success"] and len(asked) == 1, "without --ask"


@pytest.mark.needs("mcp")
def test_without_such_a_way_the_tool_answers():
    async def answer(client, task):
        while not task.done():
            said = await client.call_tool("answer", {"text": "the lemon"})
            if said.structured_content["result"]:
                return
            await asyncio.sleep(0.05)

    assert asked_by("auto", True, None, answer)["success"]


@pytest.mark.needs("mcp")
def test_a_task_that_is_cancelled_ends_at_rest_and_the_next_request_is_served(session, monkeypatch):
    begun, go_on, execute = threading.Event(), threading.Event(), session.body.execute

    def slow(call, *arguments, **options):
        begun.set()
        go_on.wait(100)
        return execute(call, *arguments, **options)

    monkeypatch.setattr(session.body, "execute", slow)

    async def ask(client):
        task = asyncio.create_task(client.call_tool("execute_task", {"instruction": LEMON}))
        queued = asyncio.create_task(client.call_tool("go_to", {"target": "kitchen"}))
        await asyncio.to_thread(begun.wait, 10)
        task.cancel()
        queued.cancel()
        await asyncio.gather(task, queued, return_exceptions=True)
        go_on.set()
        return await client.call_tool("possible", {})

    session(ask)
    assert session.body.steps == 1, "the skill in progress, no more, and nothing of what was waiting"


def test_loopback_only():
    assert HOST == "127.0.0.1" and "host" not in Offer.model_fields


@pytest.mark.parametrize(("options", "says"), [({"known": "much"}, "layout"), ({"planner": "gpt"}, "symbolic")])
def test_options_that_there_are_not_are_refused_with_those_that_are(options, says):
    with pytest.raises(ConfigError, match=says):
        command(**options)


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    monkeypatch.delitem(sys.modules, "dadu.mcp.server", raising=False)
    with pytest.raises(MissingExtra, match=r"\[mcp\]"):
        offer(Offer())
