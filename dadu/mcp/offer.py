"""Brings a simulated robot up and offers it: what ``dadu mcp`` does without ``--ros``."""

from __future__ import annotations

from typing import Literal

from dadu.core.config import Settings, parse
from dadu.house.files import load_house
from dadu.house.format import House
from dadu.mcp.robot import Simulated
from dadu.mcp.serve import serve
from dadu.mcp.tools import SkillTools
from dadu.planner.policies.make import make_planner
from dadu.planner.presets import RobotPlannerName
from dadu.planner.settings import PlannerSettings
from dadu.robots.loader import load_robot
from dadu.stacks.in_process import InProcess


class Offer(Settings):
    """Which robot, and where."""

    house: str = "flat"
    physical: bool = False
    """skills in the simulator; else by the oracle, at once"""
    robot: str = "stretch"
    known: Literal["all", "layout", "nothing"] = "layout"
    planner: RobotPlannerName = "symbolic"
    llm_url: str = ""
    model: str = ""
    verify: str = "none"
    ask: bool = False
    """a client that can put questions to its user is asked what an instruction means"""


def offer(wanted: Offer, port: int = 0) -> None:
    """See `dadu.mcp.serve.serve`. Errors: MissingExtra; DaduError for a house or robot that does not exist."""
    house, robot = load_house(wanted.house), load_robot(wanted.robot)
    settings = parse(PlannerSettings, {"policy": wanted.planner, "llm_url": wanted.llm_url,
                                      "verify": wanted.verify, "llm": {"model": wanted.model}}, "dadu mcp")

    def make() -> Simulated:
        return Simulated(_body(wanted, house), lambda: make_planner(settings, robot.capabilities),
                         wanted.ask)
    serve(lambda: SkillTools(make, robot.capabilities), port)


def _body(wanted: Offer, house: House) -> InProcess:
    if wanted.physical:
        from dadu.stacks.stack import Stack

        return Stack(house, robot=wanted.robot, known=wanted.known)
    from dadu.stacks.oracle import OracleStack

    return OracleStack(house, robot=wanted.robot, known=wanted.known)
