"""``dadu data sentences``: instructions with the frames they mean."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def sentences(
    out: Annotated[Path, typer.Option(help="The folder. One that is there is continued.", metavar="DIR")],
    number: Annotated[int, typer.Option("--sentences", help="How many DIR shall hold, in files of 2000.", min=1,
                                        metavar="N")] = 200_000,
    seed: Annotated[int, typer.Option(help="Of all sentences.", min=0, metavar="N")] = 0,
    workers: Annotated[int, typer.Option(help="Processes.  [default: one a core]", show_default=False, min=0,
                                         metavar="N")] = 0,
) -> None:
    """Draw sentences and their frames from a synchronous grammar: for `dadu train interpreter`. Forms and categories
    are kept out for testing; README.md in DIR counts what there is."""
    from dadu.learning.sentences.run import make_sentences
    from dadu.learning.sentences.store import SentenceFolder

    for done, of in make_sentences(out, number, seed, workers or os.cpu_count() or 1):
        if done % 10 == 0 or done == of:
            typer.echo(f"{done} of {of} files")
    typer.echo(SentenceFolder(out).write_card())
