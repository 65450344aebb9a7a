"""``dadu eval run``: runs a suite's episodes."""

from __future__ import annotations

from dadu.cli.eval.arguments import How, ResultsFolder, SuiteArgument, Which, spread


@spread


def run(suite: SuiteArgument, which: Which, how: How, where: ResultsFolder) -> None:
    """Run a suite; writes episodes.jsonl, summary.json, config.yaml, report.html."""
    from dadu.cli.eval.execution import execute, prepare
    from dadu.cli.eval.tables import console, show_levels, show_privileges
    from dadu.eval.report.page import write_report

    run = prepare(suite, which, how, where)
    results = execute(run, [run], type(run).execute)
    write_report(run.out, run.episodes)
    show_levels(results, run.suite)
    console.print(f"report: {run.out / 'report.html'}")
    show_privileges(results)
