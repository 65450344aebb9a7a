"""What several verbs of ``dadu eval`` take, each declared and checked once."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

if TYPE_CHECKING:
    from dadu.eval.options import EvalOptions


PlannerName = Literal["symbolic", "small", "vllm", "react", "rag", "finetuned", "expert"]
"""What chooses skills, as in `dadu.planner.presets`."""
SkillsName = Literal["physical", "oracle"]
"""How skills are carried out."""
Team = Literal["solo", "central", "decentral"]
"""How several agents plan together; empty: the suite's own company, or none."""
Partner = Literal["none", "simulated"]
"""Who is with the robot."""
Shared = Literal["shared", "separate", "privileged"]
"""What agents of a team know."""


_OF_A_MODEL = ("llm_url", "model", "protocol", "prompt", "examples", "api_key_file", "fallback")
"""options that a planner without a model would pass over"""

SuiteArgument = Annotated[str, typer.Argument(help="A name in config/suites/, or a file.", metavar="SUITE")]


@dataclass(frozen=True)
class Which:
    """The options that say which episodes."""

    only: Annotated[str, typer.Option(help="These ids, with commas; * is anything.", metavar="IDS")] = ""
    seeds: Annotated[int, typer.Option(help="Each with the seeds 0 to N-1.", min=0, metavar="N",
                                       show_default=False)] = 0
    episodes: Annotated[int, typer.Option(help="Generate N (rearrange, together, kept).", min=0, metavar="N",
                                          show_default=False)] = 0
    seed: Annotated[int, typer.Option(help="Of the generated ones.", min=0, metavar="N")] = 0


@dataclass(frozen=True)
class How:
    """The options that say how episodes are run, and so determine the results."""

    planner: Annotated[PlannerName, typer.Option(
        help="symbolic, small, vllm, react, rag, finetuned, expert.", metavar="NAME", show_default=False
        )] = "symbolic"
    llm_url: Annotated[str, typer.Option(help="OpenAI-compatible server of the model.", metavar="URL")] = ""
    model: Annotated[str, typer.Option(help="Its model; by default the only one it serves.", metavar="NAME")] = ""
    protocol: Annotated[str, typer.Option(help="two_phase (vllm's own), react, goal or a file.", metavar="NAME",
                                          show_default=False)] = ""
    prompt: Annotated[str, typer.Option(help="The protocol's words, YAML.", metavar="FILE", show_default=False)] = ""
    examples: Annotated[str, typer.Option(help="Past successes to show; rag has your own.", metavar="FILE",
                                          show_default=False)] = ""
    learn: Annotated[bool, typer.Option("--learn", help="Confirmed tasks are added to them.")] = False
    temperature: Annotated[float, typer.Option(help="Of its replies.", min=0, metavar="T")] = 0.0
    max_tokens: Annotated[int, typer.Option(help="Of one reply.", min=1, metavar="N")] = 500
    llm_timeout: Annotated[float, typer.Option(help="Wall seconds for a turn of it.", min=0.1, metavar="S")] = 20.0
    api_key_file: Annotated[str, typer.Option(help="Server's key (or OPENAI_API_KEY).", metavar="FILE",
                                              show_default=False)] = ""
    fallback: Annotated[bool, typer.Option("--fallback", help="The symbolic planner takes failed turns.")] = False
    interpreter: Annotated[str, typer.Option(help="Reads symbolic's goal (by default grammar).", metavar="NAME",
                                             show_default=False)] = "grammar"
    verify: Annotated[str, typer.Option(help="Interpreter that checks a model's done.", metavar="NAME",
                                        show_default=False)] = "none"
    skills: Annotated[SkillsName, typer.Option(help="Contact physics, or none.")] = "physical"
    skill: Annotated[list[str] | None, typer.Option(help="pick=policy:ws://HOST:PORT; again for more.",
                                                         metavar="NAME=WAY", show_default=False)] = None
    perception: Annotated[str, typer.Option(help="As in dadu up.", metavar="NAME", show_default=False)] = ""
    weights: Annotated[str, typer.Option(help="Of a learned detector.", metavar="WEIGHTS", show_default=False)] = ""
    namer: Annotated[str, typer.Option(help="As in dadu up.", metavar="NAME", show_default=False)] = ""
    privilege: Annotated[str, typer.Option(help="instances, pose, states, with commas.", metavar="NAMES",
                                           show_default=False)] = ""
    feedback: Annotated[bool, typer.Option("--feedback/--no-feedback", help="Tell of outcomes.")] = True
    memory: Annotated[bool, typer.Option("--memory/--no-memory", help="Remember the unseen.")] = True
    replan: Annotated[bool, typer.Option("--replan/--no-replan", help="Plan after each step.")] = True
    ask: Annotated[bool, typer.Option("--ask/--no-ask", help="A suite's answers are given.")] = True
    slips: Annotated[float, typer.Option(help="Share of oracle picks that fail.", min=0, max=1, metavar="P",
                                         show_default=False)] = 0.0
    team: Annotated[Team | None, typer.Option(help="solo, central or decentral.", metavar="NAME",
                                              show_default=False)] = None
    partner: Annotated[Partner, typer.Option(help="none (two robots) or simulated.", metavar="NAME",
                                             show_default=False)] = "none"
    knowledge: Annotated[Shared, typer.Option(help="A team's: shared, separate, privileged.", metavar="NAME",
                                              show_default=False)] = "shared"
    person_speed: Annotated[float, typer.Option(help="Of the simulated person, m/s.", min=0.05, metavar="V")] = 1.0
    mistakes: Annotated[float, typer.Option(help="Share of the person's steps.", min=0, max=0.9, metavar="P",
                                            show_default=False)] = 0.0
    limit: Annotated[float, typer.Option(help="Wall seconds for each.", min=1, metavar="S")] = 1800.0

    def options(self) -> EvalOptions:
        """Errors: ConfigError."""
        from dadu.core.config import parse
        from dadu.core.errors import ConfigError, choices
        from dadu.eval.options import EvalOptions
        from dadu.planner.presets import PRESETS
        from dadu.planner.settings import PlannerSettings

        if self.planner not in PRESETS and (given := [name for name in _OF_A_MODEL if getattr(self, name)]):
            raise ConfigError(f"--{given[0].replace('_', '-')} is for a planner that is a model; valid: --planner "
                              f"{choices(PRESETS)}")
        planner = {"policy": self.planner, "llm_url": self.llm_url, "interpreter": self.interpreter,
                   "verify": self.verify,
                   "llm": {"model": self.model, "prompt": self.prompt,
                           "temperature": self.temperature, "max_tokens": self.max_tokens,
                           "timeout": self.llm_timeout, "api_key_file": self.api_key_file,
                           "examples": {"path": self.examples, "keep": self._keep()},
                           **({"protocol": self.protocol} if self.protocol else {})}}
        return parse(EvalOptions, {
            "skills": self.skills, "perception": self.perception, "weights": self.weights,
            "namer": self.namer,
            "privilege": self.privilege, "ways": self._ways(),
            "feedback": self.feedback, "memory": self.memory, "replan": self.replan, "ask": self.ask,
            "slips": self.slips, "fallback": self.fallback, "wall_seconds": self.limit,
            "team": {"plan": self.team or "", "partner": self.partner,
                     "knowledge": self.knowledge, "person_speed": self.person_speed,
                     "mistakes": self.mistakes},
            "planner": parse(PlannerSettings, planner, "dadu eval")}, "dadu eval")

    def _ways(self) -> dict[str, str]:
        """Of skills by name. Errors: ConfigError."""
        from dadu.core.errors import ConfigError

        told = [item.partition("=") for item in self.skill or ()]
        if wrong := [name for name, equals, way in told if not (equals and way)]:
            raise ConfigError(f"--skill takes NAME=WAY, got {wrong[0]!r}")
        return {name: way for name, _, way in told}

    def _keep(self) -> str:
        """The store that successes are added to: none unless asked for, so that a run is shown the same from its
        beginning to its end. Errors: ConfigError where nobody would confirm any."""
        from dadu.core.errors import ConfigError
        from dadu.planner.interpreters import NONE
        from dadu.planner.presets import NO_STORE, OWN_STORE, PRESETS
        from dadu.planner.settings import GOAL

        if not self.learn:
            return NO_STORE
        if self.planner not in PRESETS or (self.protocol != GOAL and self.verify == NONE):
            raise ConfigError("--learn keeps what a model did and somebody confirmed: give --verify grammar with "
                              f"--planner {', '.join(PRESETS)}, or --protocol goal, which tells its goal")
        return self.examples or OWN_STORE


@dataclass(frozen=True)
class ResultsFolder:
    """The options that say where episodes are run and results are kept."""

    workers: Annotated[int, typer.Option(help="Processes on this machine.", min=1, metavar="N")] = 1
    ray: Annotated[str, typer.Option(help="A Ray cluster; local: one here.", metavar="ADDRESS")] = ""
    ros: Annotated[bool, typer.Option("--ros", help="Over the ROS graph, one after the other.")] = False
    bags: Annotated[bool, typer.Option("--bags", help="Keep a recording of each episode.")] = False
    out: Annotated[Path | None, typer.Option(help="Folder; a run begun there goes on.", metavar="DIR",
                                             show_default=False)] = None

    def folder(self, suite: str) -> Path:
        """Where the results go; by default a new one."""
        return self.out or Path("runs") / f"eval-{suite}-{time.strftime('%Y%m%d-%H%M%S')}"


def spread(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` as a typer command: a parameter that is one of the classes above becomes the options it holds."""
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: cls for name, cls in hints.items() if is_dataclass(cls)}
    single = [p.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY)
              for name, p in signature(function).parameters.items() if name not in groups]
    spread_out = [Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default, annotation=annotation)
                  for cls in groups.values()
                  for f, annotation in zip(fields(cls), get_type_hints(cls, include_extras=True).values())]

    def command(**given: Any) -> Any:
        gathered = {name: cls(**{f.name: given.pop(f.name) for f in fields(cls)}) for name, cls in groups.items()}
        return function(**given, **gathered)

    parameters = [*single, *spread_out]
    made: Any = command
    made.__name__, made.__doc__ = function.__name__, function.__doc__
    made.__signature__ = Signature(parameters)
    made.__annotations__ = {p.name: p.annotation for p in parameters}
    return made
