"""``dadu mcp --ros``: the running graph's robot as MCP tools."""

from __future__ import annotations

from dadu_nodes.commands.graph_robot import GraphRobot

from dadu.mcp.serve import serve
from dadu.mcp.tools import SkillTools
from dadu.robots import load_robot


def offer_graph(robot: str, port: int, wait: float, namespace: str = "", frame_prefix: str = "") -> None:
    """`robot`: the one that the graph runs; `port` as in `dadu.mcp.serve.serve`; `wait` [s, wall]: for the graph.

    Errors: MissingExtra; DaduError where no graph answers.
    """
    description = load_robot(robot)
    serve(lambda: SkillTools(lambda: GraphRobot(description, wait, namespace, frame_prefix),
                             description.capabilities), port)
