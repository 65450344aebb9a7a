"""``dadu mcp``: skills and world graph as tools for any MCP client."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

McpSkills = Literal["oracle", "physical"]
"""How skills are carried out."""
Transport = Literal["stdio", "http"]
"""How a client talks to the server."""


def mcp(
    ros: Annotated[bool, typer.Option("--ros", help="The robot of the running graph, instead of a simulated one "
                                                    "here.")] = False,
    house: Annotated[str, typer.Option(help="house in maps/, or a *.house.yaml file")] = "flat",
    skills: Annotated[McpSkills, typer.Option(help="oracle: at once, without physics; physical: in the simulator")
                      ] = "oracle",
    robot: Annotated[str, typer.Option(help="robot in config/robots/; with --ros the one that the graph runs")
                     ] = "stretch",
    known: Annotated[str, typer.Option(help="what memory knows at the start: all, layout or nothing")] = "layout",
    planner: Annotated[str, typer.Option(help="of execute_task: symbolic, small, vllm, react, rag, finetuned")
                       ] = "symbolic",
    llm_url: Annotated[str, typer.Option(help="OpenAI-compatible server of a planner that is a model")] = "",
    model: Annotated[str, typer.Option(help="its model; by default the only one it serves")] = "",
    verify: Annotated[str, typer.Option(help="interpreter that checks a model's done: none or grammar")
                      ] = "none",
    ask: Annotated[bool, typer.Option("--ask", help="execute_task may ask the client's user what is meant")] = False,
    transport: Annotated[Transport, typer.Option(help="stdio: the client starts this; http: /mcp on 127.0.0.1")
                         ] = "stdio",
    port: Annotated[int, typer.Option(min=1, max=65535, help="of http")] = 8765,
    wait: Annotated[float, typer.Option(min=0, help="wall seconds that the graph of --ros is waited for")] = 30.0,
    namespace: Annotated[str, typer.Option(help="with --ros: of the robot, as given to dadu up")] = "",
    frame_prefix: Annotated[str, typer.Option(help="with --ros: of its frames, as given to dadu up")] = "",
) -> None:
    """Offers a robot's skills as MCP tools until the client goes or Ctrl-C. Loopback only."""
    from dadu.core.config import parse
    from dadu.core.errors import ConfigError
    from dadu.mcp.offer import Offer, offer

    wanted = parse(Offer, {"house": house, "physical": skills == "physical", "robot": robot, "known": known,
                           "planner": planner, "llm_url": llm_url, "model": model, "verify": verify, "ask": ask},
                   "dadu mcp")
    served = port if transport == "http" else 0
    if not ros:
        return offer(wanted, served)
    if wanted != Offer(robot=robot):
        raise ConfigError("house, skills, known, planner, llm-url, model, verify and ask are the graph's own: give "
                          "them to dadu up, or leave out --ros")
    from dadu_nodes.commands.mcp import offer_graph

    offer_graph(robot, served, wait, namespace, frame_prefix)
