"""``dadu bag info``: what is in a recording."""

from __future__ import annotations

import typer

from dadu.cli.bag.arguments import BagArgument, files_of, tell


def info(bag: BagArgument) -> None:
    """Print duration, topics, types, messages and bytes before packing. Exit status 1 where a part is damaged."""
    from dadu.operator.bags.bag_repair import survey

    files = files_of(bag)
    found = survey(files)
    size = sum(file.stat().st_size for file in files)
    typer.echo(f"{len(files)} file{'s' * (len(files) != 1)}, {size / 1e6:.1f} MB, {found.seconds:.1f} s, "
               f"{found.read.count} messages")
    for (topic, kind), (count, length) in sorted(found.topics.items()):
        typer.echo(f"{topic}  {kind}  {count} messages, {length / 1e6:.2f} MB")
    raise typer.Exit(tell(found.read))
