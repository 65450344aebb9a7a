"""The tools as an MCP server, by the official Python SDK."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal

from dadu.errors import MissingExtra
from dadu.mcp.tools import Outcome, Report, SkillTools
from dadu.skills.call import SKILLS

if TYPE_CHECKING:
    from mcp.server import MCPServer

HOST = "127.0.0.1"
"""loopback, always: whoever can reach the port can move the robot"""
_ABOUT = "A household robot. Look at `world` for the ids of things; `possible` lists what can be done now."


def sdk() -> type[MCPServer]:
    """The SDK's server. Errors: MissingExtra."""
    try:
        from mcp.server import MCPServer
    except ModuleNotFoundError as error:
        raise MissingExtra(f"dadu mcp needs {error.name}: pip install -e '.[mcp]'") from None
    return MCPServer


def make_server(tools: SkillTools) -> MCPServer:
    """A tool for every skill that the robot has, `carry_out` for instructions in plain language, and the world graph,
    as tool and as resource. Errors: MissingExtra."""
    server = sdk()("dadu", instructions=_ABOUT, log_level="WARNING")
    for skill in tools.capabilities:
        server.tool(name=skill, description=SKILLS[skill].about)(_FORMS[SKILLS[skill].arguments](tools, skill))

    @server.tool(description="carry out an instruction in plain language, closed loop")
    async def carry_out(instruction: str) -> Report:
        return await asyncio.wrap_future(tools.carry_out(instruction))

    @server.tool(description="the world as the robot remembers it; what `about` names comes first")
    async def world(about: str = "", max_words: int = 0) -> str:
        return await asyncio.wrap_future(tools.world(about, max_words))

    @server.tool(description="the skills that are possible now, with the ids that they take")
    async def possible() -> dict[str, Any]:
        return await asyncio.wrap_future(tools.possible())

    @server.resource("dadu://world", description="the world as the robot remembers it")
    async def world_resource() -> str:
        return await asyncio.wrap_future(tools.world())

    return server


Tool = Callable[..., Awaitable[Outcome]]


def _run(tools: SkillTools, skill: str, **arguments: str) -> Awaitable[Outcome]:
    return asyncio.wrap_future(tools.act(skill, {k: v for k, v in arguments.items() if v}))


# The SDK reads a tool's parameters from the function's signature, so each form of arguments has a function of its own.

def _plain(tools: SkillTools, skill: str) -> Tool:
    async def tool() -> Outcome:
        return await _run(tools, skill)
    return tool


def _of_target(tools: SkillTools, skill: str) -> Tool:
    async def tool(target: str) -> Outcome:
        return await _run(tools, skill, target=target)
    return tool


def _of_object(tools: SkillTools, skill: str) -> Tool:
    async def tool(object: str) -> Outcome:
        return await _run(tools, skill, object=object)
    return tool


def _of_receptacle(tools: SkillTools, skill: str) -> Tool:
    async def tool(receptacle: str) -> Outcome:
        return await _run(tools, skill, receptacle=receptacle)
    return tool


def _of_room(tools: SkillTools, skill: str) -> Tool:
    async def tool(room: str) -> Outcome:
        return await _run(tools, skill, room=room)
    return tool


def _pour(tools: SkillTools, skill: str) -> Tool:
    async def tool(object: str, receptacle: str) -> Outcome:
        return await _run(tools, skill, object=object, receptacle=receptacle)
    return tool


def _place(tools: SkillTools, skill: str) -> Tool:
    async def tool(relation: Literal["on", "in"], receptacle: str, next_to: str = "") -> Outcome:
        return await _run(tools, skill, relation=relation, receptacle=receptacle, reference=next_to)
    return tool


_FORMS: dict[tuple[str, ...], Callable[[SkillTools, str], Tool]] = {
    (): _plain, ("target",): _of_target, ("object",): _of_object, ("receptacle",): _of_receptacle, ("room",): _of_room,
    ("object", "receptacle"): _pour, ("relation", "receptacle", "next_to", "reference"): _place,
}
