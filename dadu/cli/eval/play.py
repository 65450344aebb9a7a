"""``dadu eval play``: people play agents in a suite's episodes, on a page in their browsers."""

from __future__ import annotations

import shlex
import signal
import sys
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dadu.cli.eval.arguments import Shared, SuiteArgument, Team, Which, spread
from dadu.core.errors import ExitStatus

if TYPE_CHECKING:
    from dadu.eval.options import EvalOptions
    from dadu.eval.results import EpisodeResult
    from dadu.eval.run import Run


@dataclass(frozen=True)
class Players:
    """The options that say who plays whom, and so determine the results."""

    team: Annotated[Team, typer.Option(help="solo, or with a planner: central, decentral.", metavar="NAME",
                                       show_default=False)] = "solo"
    played: Annotated[str, typer.Option("--as", help="Whom people play: person, robot, or both with a comma.",
                                        metavar="NAMES")] = "person"
    speed: Annotated[float, typer.Option(help="Times real time; 0: time waits for you.", min=0, metavar="X")] = 1.0
    knowledge: Annotated[Shared, typer.Option(help="A team's: shared, separate, privileged.",
                                              metavar="NAME")] = "shared"
    person_speed: Annotated[float, typer.Option(help="Of the person's walk, m/s.", min=0.05, metavar="V")] = 1.0
    mistakes: Annotated[float, typer.Option(help="Share of a simulated person's steps.", min=0, max=0.9,
                                            metavar="P")] = 0.0
    limit: Annotated[float, typer.Option(help="Wall seconds for each.", min=1, metavar="S")] = 3600.0
    out: Annotated[Path | None, typer.Option(help="Folder; a run begun there goes on.", metavar="DIR",
                                             show_default=False)] = None

    def options(self) -> EvalOptions:
        """Errors: ConfigError."""
        from dadu.core.config import parse
        from dadu.eval.options import EvalOptions

        played = [name.strip() for name in self.played.split(",") if name.strip()]
        return parse(EvalOptions, {"skills": "oracle", "wall_seconds": self.limit, "team": {
            "plan": self.team, "partner": "human", "played": played, "speed": self.speed, "knowledge": self.knowledge,
            "person_speed": self.person_speed, "mistakes": self.mistakes}}, "dadu eval play")


@dataclass(frozen=True)
class Page:
    """The options that say where the page is."""

    host: Annotated[str, typer.Option(help="Address; where not loopback it asks for a token.",
                                      metavar="ADDRESS")] = "127.0.0.1"
    port: Annotated[int, typer.Option(help="0: any that is free.", min=0, max=65535, metavar="N")] = 8090
    names: Annotated[str, typer.Option(help="Others that it is asked for by, with commas.", metavar="NAMES")] = ""


@spread
def play(suite: SuiteArgument, which: Which, players: Players, page: Page) -> None:
    """People play agents in a suite's episodes; writes what dadu eval run writes."""
    from dadu.cli.eval.execution import select
    from dadu.cli.eval.tables import console, show_levels, show_privileges
    from dadu.eval.report.page import write_report
    from dadu.eval.run import Run

    for number in (signal.SIGINT, signal.SIGTERM):  # the job of a script is told nothing of Ctrl-C otherwise
        signal.signal(number, signal.default_int_handler)
    chosen, options = select(suite, which), players.options()
    out = players.out or Path("runs") / f"play-{chosen.name}-{time.strftime('%Y%m%d-%H%M%S')}"
    run = _served(Run(chosen.name, chosen.file, chosen.episodes, options, out,
                      command=shlex.join(["dadu", *sys.argv[1:]])), page)
    assert run.people is not None
    try:
        results = run.execute()
    except KeyboardInterrupt:
        console.print(f"interrupted; what was done is in {out}; the same command with --out {out} goes on")
        raise typer.Exit(ExitStatus.INTERRUPTED) from None
    finally:
        run.people.close()
    write_report(out, run.episodes)
    show_levels(results, run.suite)
    console.print(f"report: {out / 'report.html'}")
    show_privileges(results)


def _served(run: Run, page: Page) -> Run:
    """The run, with a page for those who play in it. Errors: ConfigError."""
    from dadu.cli.eval.tables import console
    from dadu.operator.console.serving import serve
    from dadu.operator.play.app import make_app
    from dadu.operator.play.seats import Seats

    team = run.options.team
    seats = Seats(team, len(run.episodes), run.options.privileges_for(run.episodes[0].episode.known).line)

    def done(result: EpisodeResult) -> None:
        console.print(f"{result.id}: {'done' if result.success else result.explanation}, {result.sim_seconds:.0f} s",
                      highlight=False)
    run = replace(run, people=seats, done=done)
    run.check()  # before anybody opens it
    served = serve(partial(make_app, seats), page.host, page.port, page.names, warn=console.print)
    console.print(f"play {' and '.join(team.people)} on {served.address}", highlight=False)
    return run
