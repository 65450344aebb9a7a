"""``dadu eval run``: runs a suite's episodes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import typer

from dadu.cli.eval.arguments import How, Page, ResultsFolder, SuiteArgument, Which, spread

if TYPE_CHECKING:
    from dadu.eval.run import Run


@spread
def run(suite: SuiteArgument, which: Which, how: How, where: ResultsFolder, page: Page) -> None:
    """Run a suite; writes episodes.jsonl, summary.json, config.yaml, report.html."""
    from dadu.cli.eval.execution import execute, prepare
    from dadu.cli.eval.tables import console, show_levels, show_privileges
    from dadu.eval.report.page import write_report

    run = prepare(suite, which, how, where)
    if run.options.team.people:
        run = _with_people(run, page)
    try:
        results = execute(run, [run], type(run).execute)
    except KeyboardInterrupt:
        console.print(f"\ninterrupted; what was done is in {run.out}; the same command with --out {run.out} goes on")
        raise typer.Exit(130) from None
    finally:
        if run.people is not None:
            run.people.close()
    write_report(run.out, run.episodes)
    show_levels(results, run.suite)
    console.print(f"report: {run.out / 'report.html'}")
    show_privileges(results)


def _with_people(run: Run, page: Page) -> Run:
    """The run, with a page for those who play in it."""
    from dadu.cli.eval.tables import console
    from dadu.operator.console.serving import serve
    from dadu.operator.play.app import make_app
    from dadu.operator.play.seats import Seats

    team = run.options.team
    seats = Seats(team, len(run.episodes), run.options.privileges_for(run.episodes[0].episode.known).line)
    run = replace(run, people=seats)
    run.check()  # before anybody opens it
    served = serve(partial(make_app, seats), page.host, page.port, page.names, warn=console.print)
    console.print(f"play {' and '.join(team.people)} on {served.address}", highlight=False)
    return run
