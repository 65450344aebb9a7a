"""The tools as an MCP server, by the official Python SDK; import it only where that is installed (extra `mcp`)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Context

from dadu.mcp.tools import Outcome, Report, SkillTools
from dadu.skills.table import SKILLS

_ABOUT = "A household robot. Look at `world` for the ids of things; `possible` lists what can be done now."


def make_server(tools: SkillTools) -> MCPServer:
    """A tool for every skill that the robot has, `execute_task` for instructions in plain language, and the world
    graph, as tool and as resource. A request that its client cancels ends at rest."""
    server = MCPServer("dadu", instructions=_ABOUT, log_level="WARNING")
    for skill in tools.capabilities:
        server.tool(name=skill, description=SKILLS[skill].about)(_FORMS[SKILLS[skill].arguments](tools, skill))

    @server.tool(description="carry out an instruction in plain language, closed loop; tells its steps as progress")
    async def execute_task(instruction: str, context: Context) -> Report:
        return await _told(tools, instruction, context)

    @server.tool(description="the world as the robot remembers it; what `about` names comes first")
    async def world(about: str = "", max_words: int = 0) -> str:
        return await asyncio.wrap_future(tools.world(about, max_words))

    @server.tool(description="the skills that are possible now, with the ids that they take")
    async def possible() -> dict[str, Any]:
        return await asyncio.wrap_future(tools.possible())

    @server.resource("dadu://world", description="the world as the robot remembers it")
    async def world_resource() -> str:
        return await asyncio.wrap_future(tools.world())

    @server.resource("dadu://graph", description="the same as JSON, with positions [m, in map], sizes and states",
                     mime_type="application/json")
    async def graph_resource() -> str:
        return await asyncio.wrap_future(tools.graph())

    return server


async def _told(tools: SkillTools, instruction: str, context: Context) -> Report:
    """Carries out an instruction and hands every line on as progress as it comes; cancelled, the robot is too."""
    loop, lines, over = asyncio.get_running_loop(), asyncio.Queue[str | None](), threading.Event()

    def tell(line: str | None) -> None:
        if not over.is_set():  # else nobody listens, and the loop may be gone
            loop.call_soon_threadsafe(lines.put_nowait, line)

    running = tools.execute_task(instruction, tell, over.is_set)
    running.add_done_callback(lambda _: tell(None))
    try:
        count = 0
        while (line := await lines.get()) is not None:
            count += 1
            await context.report_progress(count, message=line)
        return running.result()
    finally:
        over.set()
        running.cancel()  # where it still waits for another request


Tool = Callable[..., Awaitable[Outcome]]


async def _run(tools: SkillTools, skill: str, **arguments: str) -> Outcome:
    over = threading.Event()
    try:
        return await asyncio.wrap_future(tools.act(skill, {k: v for k, v in arguments.items() if v}, over.is_set))
    finally:
        over.set()


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
