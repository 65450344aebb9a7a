"""``dadu data examples``: what was done well in an evaluation, by people or planners, as examples for a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def examples(
    run: Annotated[Path, typer.Argument(help="Folder of dadu eval run or play.", metavar="RUN")],
    out: Annotated[Path, typer.Option(help="The file; one that is there is added to.", metavar="FILE")],
) -> None:
    """Add what succeeded in a run, by the judge, to a store of examples: the steps that worked, of one agent alone. A
    model is shown them with `--examples FILE` (planner rag). Of an instruction the shortest way is kept."""
    from dadu.eval.examples import done_alone
    from dadu.eval.results import read_results
    from dadu.planner.model.examples import ExampleStore

    store, results = ExampleStore(out), read_results(run)
    before, fitting = len(store), [(result, calls) for result in results if (calls := done_alone(result))]
    for result, calls in fitting:
        store.add(result.instruction, calls)
    typer.echo(f"{len(fitting)} of {len(results)} episodes succeeded by one agent alone; {out} holds {len(store)} "
               f"examples, {len(store) - before} of them new")
