"""The MCP server through the SDK's own client; needs the extra `mcp`."""

import asyncio
import sys

import pytest

from dadu.errors import MissingExtra
from dadu.mcp.offer import Offer
from dadu.mcp.server import HOST, make_server
from dadu.mcp.tools import SkillTools
from dadu.planner.symbolic import SymbolicPolicy
from dadu.sim.house import load_house
from dadu.sim.oracle.world import OracleStack


@pytest.fixture
def tools():
    house = load_house("flat")
    made = SkillTools(lambda: OracleStack(house, known="all"), OracleStack(house).description.capabilities,
                      SymbolicPolicy)
    yield made
    made.close()


def test_a_client_commands_the_robot(tools):
    mcp = pytest.importorskip("mcp")

    async def session():
        async with mcp.Client(make_server(tools)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            went = await client.call_tool("go_to", {"target": "lemon_0"})
            far = await client.call_tool("pick", {"object": "mug_1"})
            wrong = await client.call_tool("place", {"relation": "under", "receptacle": "desk_0"})
            world = await client.read_resource("dadu://world")
            return names, went, far, wrong, world

    names, went, far, wrong, world = asyncio.run(session())
    assert {"go_to", "pick", "place", "open", "close", "explore", "wait", "carry_out", "world", "possible"} <= names
    assert "done" not in names
    assert went.structured_content["name"] == "SUCCEEDED" and far.structured_content["name"] == "TOO_FAR"
    assert wrong.is_error, "a relation that there is not is refused by the tool's schema"
    assert "lemon_0" in world.contents[0].text


def test_loopback_only():
    assert HOST == "127.0.0.1" and "host" not in Offer.model_fields


def test_without_the_extra_it_is_named(tools, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(MissingExtra, match=r"\[mcp\]"):
        make_server(tools)
