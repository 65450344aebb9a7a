"""The table of verbs, and the command group that imports a verb's module only when the verb is called."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from keyword import iskeyword
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from dadu.core.errors import choices

VERBS = {
    "up": "Starts the graph; arguments as name:=value.",
    "do": "Sends an instruction to the running graph and shows every step.",
    "cancel": "Stops what the robot is doing, whoever asked for it.",
    "teach": "Says what a thing is; what looks like it is one, too.",
    "plan": "Plans an instruction without a simulator and prints JSON.",
    "demo": "Runs the demonstration headless and writes its report.",
    "report": "Writes the report and the film of a run.",
    "eval": "Evaluates a suite of episodes, checks suites, compares runs.",
    "bench": "Runs benchmarks of others, judged by their own evaluators.",
    "replay": "Reruns perception, memory or planner on a recorded bag and compares.",
    "bag": "Says what is in a recording, repairs it, cuts a part out of it.",
    "map": "Fuses what a recording shows to a mesh of the home.",
    "chaos": "Gives the graph random tasks with random faults and judges what came of them.",
    "mcp": "Offers skills and world graph as tools to MCP clients; loopback only.",
    "teleop": "Drives the robot by keyboard, overriding autonomy.",
    "house": "Checks, draws, generates and lists house files.",
    "import": "Takes over homes and tasks of others.",
    "robot": "Draws where an arm reaches; makes a robot of its calibrated URDF.",
    "data": "Makes labelled data to learn from, and checks it.",
    "model": "Gets the models that DaDu itself does not bring.",
    "train": "Trains, evaluates and exports what the project ships.",
    "doctor": "Says what of the machine, ROS, models and servers is there, and how to get the rest.",
}
"""verb, that is module of this package (see `app_of`), to what it does; Python's own words with ``_`` after them"""


def app_of(package: str, name: str) -> typer.Typer:
    """The typer `app` of a verb's module; of a module without one, its function that is called as the verb."""
    module = import_module(f"{package}.{name}{'_' * iskeyword(name)}")
    return getattr(module, "app", None) or command_app(getattr(module, name))


def command_app(function: Callable[..., Any]) -> typer.Typer:
    """One command, with the same plain help everywhere: Rich need not be imported for it."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(function)
    return app


def verb_group(package: str, about: str, verbs: dict[str, str], group: type[LazyVerbs] | None = None) -> typer.Typer:
    """The `app` of a verb with verbs of its own, which are the modules of `package`; `group`: what finds them."""
    cls = type("Verbs", (group or LazyVerbs,), {"package": package, "verbs": verbs})
    app = typer.Typer(cls=cls, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
    app.callback(help=about)(lambda: None)
    return app


class LazyVerbs(TyperGroup):
    """Lists the verbs without importing them."""

    package = "dadu.cli"
    """where the verbs' modules are"""
    verbs = VERBS

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.verbs)

    def get_command(self, ctx: Any, name: str) -> TyperCommand | None:
        """A placeholder with the help line; `resolve_command` brings the real one."""
        return TyperCommand(name, help=self.verbs[name]) if name in self.verbs else None

    def app_of(self, name: str) -> typer.Typer:
        """The verb itself."""
        return app_of(self.package, name)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if args and args[0] not in self.verbs and not args[0].startswith("-"):
            ctx.fail(f"no such command {args[0]!r}; valid: {choices(self.verbs)}")
        name, _, rest = super().resolve_command(ctx, args)
        app = self.app_of(name or "")
        app.rich_markup_mode = None
        command = typer.main.get_command(app)
        command.name = name
        return name, command, rest
