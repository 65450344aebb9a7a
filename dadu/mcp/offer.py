"""Brings a robot up and offers it: what ``dadu mcp`` does."""

from __future__ import annotations

from typing import Literal

from dadu.config import Settings, parse
from dadu.mcp.server import HOST, make_server, sdk
from dadu.mcp.tools import Body, SkillTools
from dadu.planner.policies import make_policy
from dadu.planner.settings import PlannerSettings
from dadu.robots.loader import load_robot
from dadu.sim.house import load_house
from dadu.sim.house_format import House


class Offer(Settings):
    """Which robot, where, and how it is reached."""

    house: str = "flat"
    physical: bool = False
    """skills in the simulator; else by the oracle, at once"""
    robot: str = "stretch"
    known: Literal["all", "layout", "nothing"] = "layout"
    planner: Literal["symbolic", "vllm"] = "symbolic"
    llm_url: str = ""
    http: bool = False
    """streamable HTTP at ``http://127.0.0.1:PORT/mcp``; else standard input and output"""
    port: int = 8765


def offer(wanted: Offer) -> None:
    """Serves until the client goes (stdio) or Ctrl-C. Errors: MissingExtra; DaduError for a house or robot that
    does not exist."""
    sdk()  # before anything is brought up
    house, robot = load_house(wanted.house), load_robot(wanted.robot)
    settings = parse(PlannerSettings, {"policy": wanted.planner, "llm_url": wanted.llm_url}, "dadu mcp")
    tools = SkillTools(lambda: _body(wanted, house), robot.capabilities,
                       lambda: make_policy(settings, robot.capabilities))
    try:
        server = make_server(tools)
        if wanted.http:
            server.run("streamable-http", host=HOST, port=wanted.port)
        else:
            server.run("stdio")
    finally:
        tools.close()


def _body(wanted: Offer, house: House) -> Body:
    if wanted.physical:
        from dadu.stack import Stack

        return Stack(house, robot=wanted.robot, known=wanted.known)
    from dadu.sim.oracle.world import OracleStack

    return OracleStack(house, robot=wanted.robot, known=wanted.known)
