"""``dadu eval ablate``: what each part of the system is worth."""

from __future__ import annotations

from typing import Annotated

import typer

from dadu.cli.eval.arguments import How, ResultsFolder, SuiteArgument, Which, spread


@spread


def ablate(
    suite: SuiteArgument,
    which: Which, how: How, where: ResultsFolder,
    without: Annotated[str, typer.Option(
        "--without", "--ablate", help="feedback, memory, semantic_map, replan, perception, skills.",
        metavar="PARTS", show_default=False)] = "",
) -> None:
    """Run a suite as it is and without each of PARTS; writes ablation.md."""
    from dadu.cli.eval.execution import execute, prepare
    from dadu.cli.eval.tables import console, show_ablation, show_levels, show_privileges
    from dadu.eval.compare.ablate import BASE, ablate, parse_parts, variants
    from dadu.eval.report.page import write_report

    parts = parse_parts(without)
    run = prepare(suite, which, how, where)
    results = execute(run, list(variants(run, parts).values()), lambda run: ablate(run, parts))
    for name, rows in results.items():
        write_report(run.out / name, run.episodes)
        show_levels(rows, name)
    show_ablation(results)
    console.print(f"report: {run.out / BASE / 'report.html'}")
    for name, rows in results.items():
        show_privileges(rows, name)
