"""``dadu eval schema``: the format of suite files."""

from __future__ import annotations

import json

import typer


def schema() -> None:
    """Print the JSON schema of suite files, for editors."""
    from dadu.tasks.suite import schema as of_suites

    typer.echo(json.dumps(of_suites(), indent=2))
