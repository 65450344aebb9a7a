"""``dadu do``: sends an instruction to the running graph."""

from __future__ import annotations

from typing import Annotated

import typer


def do(
    instruction: Annotated[str, typer.Argument(help="What to do, in plain language.", metavar="INSTRUCTION")],
    max_steps: Annotated[int, typer.Option(min=0, help="limit of skills; 0: the planner's own")] = 0,
    max_seconds: Annotated[float, typer.Option(min=0, help="limit of (simulated) time; 0: the planner's own")] = 0.0,
    wait: Annotated[float, typer.Option(min=0, help="wall seconds that the planner may be away")] = 30.0,
    namespace: Annotated[str, typer.Option(help="of the robot, as given to dadu up")] = "",
    team: Annotated[bool, typer.Option("--team", help="all robots of dadu up team:=... share it out")] = False,
    team_task: Annotated[str, typer.Option(hidden=True)] = "",
) -> None:
    """Send an instruction and show every step. What the robot asks is answered with a line on the terminal, where
    the graph may ask (dadu up ask:=true). Ctrl-C cancels it. Exit status 0 when the goal was reached, 1
    when it was not, 3 when that is not certain."""
    if not instruction.strip():
        raise typer.BadParameter("there is nothing to do in these words", param_hint="INSTRUCTION")
    if team:
        from dadu_nodes.commands.do_team import do_team

        raise typer.Exit(do_team(instruction, max_steps=max_steps, max_seconds=max_seconds, wait=wait))
    from dadu_nodes.commands.do import do as carry_out

    raise typer.Exit(carry_out(instruction, max_steps=max_steps, max_seconds=max_seconds, wait=wait,
                                namespace=namespace, team=team_task))
