"""``dadu eval check``: can a suite's episodes be done at all?"""

from __future__ import annotations

import typer

from dadu.cli.eval.arguments import SuiteArgument, Which, spread


@spread


def check(suite: SuiteArgument, which: Which) -> None:
    """Check that every name is found, that an expert with full knowledge gets every episode done, and that the robot
    finds a place to stand for each of its steps.

    Runs no robot. Exit status 0: all can be done, 1: some cannot, 2: the file is wrong.
    """
    from dadu.cli.eval.execution import select
    from dadu.cli.eval.tables import console
    from dadu.homes.working_places import WorkingPlaces
    from dadu.robots.loader import load_robot
    from dadu.tasks.expert import NotFeasible, demonstrate

    chosen, failed = select(suite, which), 0
    for prepared in chosen.episodes:
        try:
            done = demonstrate(prepared, WorkingPlaces(prepared.house, load_robot(prepared.episode.robot)))
            told = f"{len(done.calls)} steps, {done.length:.1f} m" if done.calls else "holds before anything is done"
            console.print(f"ok    {prepared.episode.id}: {told}", highlight=False)
        except NotFeasible as error:
            failed += 1
            console.print(f"FAIL  {prepared.episode.id}: {error}", highlight=False)
    console.print(f"{chosen.file}: {len(chosen.episodes)} episodes, every name found; "
                  f"{len(chosen.episodes) - failed} shown to be feasible")
    raise typer.Exit(1 if failed else 0)
