"""``dadu import alfred``: suites and rooms of ALFRED's trajectories, and of EB-ALFRED's instructions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def alfred(
    trajectories: Annotated[Path, typer.Argument(help="traj_data.json, or a folder with many, such as json_2.1.0.",
                                                 metavar="TRAJ|DIR")],
    layouts: Annotated[Path, typer.Option(help="Folder with FloorPlanN-{layout.npy,objects.json,openable.json}.",
                                          metavar="DIR")],
    out: Annotated[Path, typer.Option(help="Where suites, houses and import.json are written.", metavar="DIR")],
    splits: Annotated[Path | None, typer.Option(
        help="splits.json of EB-ALFRED: its instructions instead of the crowd workers', for the trajectories that it "
             "names.", metavar="FILE", show_default=False)] = None,
    assets: Annotated[Path | None, typer.Option(
        help="asset-database.json of ProcTHOR: furniture gets the middle size of its assets.  [default: the "
             "catalogue's]", metavar="FILE", show_default=False)] = None,
    each: Annotated[int | None, typer.Option(help="Only so many sentences of each of the seven types, drawn by hash.",
                                             min=1, metavar="N", show_default=False)] = None,
    robot: Annotated[str, typer.Option(help="Furniture that it could not use is moved or turned in its room where that "
                                            "helps; none: it stays.")] = "none",
) -> None:
    """Make suites of ALFRED's tasks, in rooms built from iTHOR's layouts."""
    from dadu.imports.alfred.run import demonstrated, drawn, import_tasks, sentences_in
    from dadu.imports.alfred.source import trials_in
    from dadu.imports.instructed.suites import write_suite
    from dadu.imports.procthor.assets import read_assets
    from dadu.imports.report import ImportReport, write_reports
    from dadu.robots.loader import load_robot

    trials = list(trials_in(trajectories))
    said = sentences_in(trials, splits)
    found = import_tasks(said if each is None else drawn(said, each), layouts,
                         demonstrated(trial for _, trial in trials),
                         read_assets(assets, assets.parent) if assets else None,
                         None if robot == "none" else load_robot(robot))
    for name, tasks in found.suites.items():
        typer.echo(f"wrote {write_suite(name, 'ALFRED in rooms like its scenes', tasks, out, fit=False)}: "
                   f"{len(tasks)} episodes")
    typer.echo("\n".join(ImportReport.of_all(found.reports, str(trajectories)).sentences()))
    typer.echo(f"wrote {write_reports(found.reports, out)}")
