"""The record of one episode, as it stands in ``episodes.jsonl``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from dadu.core.config import Settings, parse
from dadu.core.errors import ConfigError
from dadu.eval.mapped.record import MapFigures
from dadu.eval.metrics.together import Action
from dadu.operator.run.pose_error import PoseError

FILE = "episodes.jsonl"

Ended = Literal["done", "limit", "refused", "crashed"]


class TeamFigures(Settings):
    """Of several agents with one task."""

    plan: str
    """solo, central, decentral"""
    partner: str
    """none, simulated, human"""
    messages: int = 0
    idle_seconds: dict[str, float] = Field(default_factory=dict)
    """by agent: waited, or through before the others"""
    driven: dict[str, float] = Field(default_factory=dict)
    """by agent [m]"""
    by: list[str] = Field(default_factory=list)
    """who carried out each of the episode's steps; empty: an old record"""
    thinking: dict[str, float] = Field(default_factory=dict)
    """by agent that a person played: simulated time in which it stood and they had not chosen yet"""
    collisions: int = 0
    """how often two came nearer to each other than their half widths"""
    said: list[str] = Field(default_factory=list)
    """the messages in words"""


class EpisodeResult(Settings):
    """One line. Lengths in metres, times in seconds."""

    id: str
    level: int | str = ""
    seed: int
    """of the simulation; -1: exactly as the house says"""
    instruction: str
    success: bool
    """the goal was reached, and the episode ended by itself"""
    percent_complete: float = 0.0
    explanation: str = ""
    steps: int = 0
    """skills carried out"""
    plan: list[list[str]] = Field(default_factory=list)
    """``[skill, argument, ...]`` in order, in the suite's names"""
    outcomes: list[int] = Field(default_factory=list)
    details: list[str] = Field(default_factory=list)
    by: list[str] = Field(default_factory=list)
    """name of the way in which each step was carried out; empty where no skill has any but planned"""
    sim_seconds: float = 0.0
    wall_seconds: float = 0.0
    path_length: float = 0.0
    shortest_length: float | None = None
    spl: float = 0.0
    tp: float = 0.0
    replans: int = 0
    """actions after one that failed"""
    ended: Ended = "crashed"
    outcome: int | None = None
    """code with which the planner ended the task; None where it did not, or where the record is an old one"""
    claimed: bool = False
    """the robot reported success; a model's `done` that nothing has confirmed is no such claim"""
    checked_by: str = ""
    """the interpreter that has confirmed a model's `done`; empty: none"""
    turns: dict[str, int] | None = None
    """skills chosen, by who chose them, the planner asked for first; None: an old record, without the count"""
    asked: list[tuple[str, str]] = Field(default_factory=list)
    """what the robot asked, and the answers"""
    fallback_turns: int = 0
    """those that the symbolic planner chose because the model could not be used"""
    verdict: str = ""
    """what the planner said in the end"""
    llm_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    llm_seconds: float = 0.0
    """wall time that a model took to answer"""
    certainty: float | None = None
    """of its last answer, as in `dadu.planner.cost.ModelCall`"""
    flops: float = 0.0
    goal_reached: bool = False
    """however it ended"""
    gc: float = 0.0
    """share of the goal's conditions that hold in the end"""
    conditions: int = 0
    """how many there are"""
    expert_steps: int | None = None
    plwsr: float = 0.0
    said_done: bool = False
    latency: dict[str, float] = Field(default_factory=dict)
    """plan: wall time; navigate, perceive, grasp, place, articulate, other: simulated time"""
    stages: dict[str, float] = Field(default_factory=dict)
    """share of the things to be brought that reached each stage"""
    actions: list[Action] = Field(default_factory=list)
    """successful skills of all agents"""
    team: TeamFigures | None = None
    """None: the suite's own company, or none"""
    planning_cycles: int = 0
    ledger: str = ""
    """what the robot was told and was privileged to; empty: an old record"""
    pose_error: PoseError | None = None
    """None: nobody estimated a pose"""
    map: MapFigures | None = None
    """how the robot's map differs from the true one at the end; None: not measured (oracle, an old record)"""
    error: str = ""
    """of an episode that crashed"""

    @property
    def key(self) -> tuple[str, int]:
        """What makes it one of a run."""
        return self.id, self.seed


def read_results(folder: str | Path) -> list[EpisodeResult]:
    """Of a run's folder; a last line cut off by a kill is left out. Errors: ConfigError."""
    path = Path(folder) / FILE
    try:
        lines = path.read_text().split("\n")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not text ({error.reason} at byte {error.start})") from None
    found = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            found.append(parse(EpisodeResult, json.loads(line), f"{path}: line {number}"))
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{path}: line {number}: not JSON ({error})") from None
    return found


def write_results(folder: Path, results: Iterable[EpisodeResult]) -> None:
    """Replaces the file in one step."""
    part = folder / f"{FILE}.part"
    part.write_text("".join(to_line(r) for r in results))
    part.replace(folder / FILE)


def to_line(result: EpisodeResult) -> str:
    """With its newline."""
    data: dict[str, Any] = result.model_dump(mode="json")
    return json.dumps(data, sort_keys=False) + "\n"
