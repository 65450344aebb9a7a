"""The tools as an MCP server, by the official Python SDK; import it only where that is installed (extra `mcp`)."""

from __future__ import annotations

import asyncio
import concurrent.futures
import inspect
import threading
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from mcp.server import MCPServer
from mcp.server.elicitation import AcceptedElicitation
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from dadu.mcp.tools import Outcome, Report, SkillTools
from dadu.skills.specification import SkillSpec
from dadu.skills.table import SKILLS

_PERIOD = 0.2
"""wall seconds between two looks whether the request goes on"""
_PATIENCE = 60.0
"""wall seconds that an answer is waited for"""
_ABOUT = "A household robot. Look at `world` for the ids of things; `possible` lists what can be done now."


def make_server(tools: SkillTools) -> MCPServer:
    """A tool for every skill that the robot has, `execute_task` for instructions in plain language, and the world
    graph, as tool and as resource. A request that its client cancels ends at rest."""
    server = MCPServer("dadu", instructions=_ABOUT, log_level="WARNING")
    for skill in tools.capabilities:
        server.tool(name=skill, description=SKILLS[skill].about)(_tool(tools, SKILLS[skill]))

    @server.tool(description="carry out an instruction in plain language, closed loop; tells its steps as progress")
    async def execute_task(instruction: str, context: Context) -> Report:
        return await _told(tools, instruction, context)

    @server.tool(description="end whatever the robot does, whoever asked for it; it comes to rest")
    async def stop() -> Report:
        return await asyncio.wrap_future(tools.stop())

    @server.tool(description="answer what the robot asks while execute_task runs; false where it asks nothing")
    async def answer(text: str) -> bool:
        return tools.answer(text)

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
    ended = tools.ending(over.is_set)

    def tell(line: str | None) -> None:
        if not over.is_set():  # else nobody listens, and the loop may be gone
            loop.call_soon_threadsafe(lines.put_nowait, line)

    def answer(question: str) -> str | None:
        """In the robot's thread: by the client's own way to ask its user, or else by the tool `answer`."""
        asked = asyncio.run_coroutine_threadsafe(_elicited(context, question), loop)
        while not ended():
            try:
                return asked.result(timeout=_PERIOD)
            except concurrent.futures.TimeoutError:
                continue
            except MCPError:  # this session cannot carry questions
                return tools.wait_for_answer(_PATIENCE, ended)
        asked.cancel()
        return None

    running = tools.execute_task(instruction, tell, ended, answer)
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


class _Reply(BaseModel):
    """What a client is asked for."""

    answer: str


async def _elicited(context: Context, question: str) -> str | None:
    """The user's answer; None where they declined, or none came that can be read. Errors: MCPError where the client
    cannot ask its user."""
    try:
        result = await context.elicit(question, _Reply)
    except ValueError:
        return None
    return result.data.answer if isinstance(result, AcceptedElicitation) else None


Tool = Callable[..., Awaitable[Outcome]]
_BY_NAME = inspect.Parameter.KEYWORD_ONLY


async def _run(tools: SkillTools, skill: str, **arguments: str) -> Outcome:
    over = threading.Event()
    try:
        return await asyncio.wrap_future(tools.act(skill, {k: v for k, v in arguments.items() if v}, over.is_set))
    finally:
        over.set()


def _tool(tools: SkillTools, spec: SkillSpec) -> Tool:
    """A function with the skill's arguments as its parameters: the SDK reads a tool's schema from its signature."""
    parameters, names, name = [], {}, ""
    for argument in spec.arguments:
        name = name or argument.name
        if argument.fixed:
            name = argument.words[0]  # goes by the word that introduces it: next_to
            continue
        kind = str if argument.kinds else Literal[argument.words]
        default = "" if argument.optional else inspect.Parameter.empty
        parameters.append(inspect.Parameter(name, _BY_NAME, default=default, annotation=kind))
        names[name], name = argument.name, ""

    async def tool(**given: str) -> Outcome:
        return await _run(tools, spec.name, **{names[key]: value for key, value in given.items()})
    tool.__signature__ = inspect.Signature(parameters, return_annotation=Outcome)  # type: ignore[attr-defined]  # inspect reads it
    return tool
