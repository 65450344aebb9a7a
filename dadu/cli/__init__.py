"""The command ``dadu``: one file per verb, loaded only when it is used."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from typing import Annotated, NoReturn

import typer

from dadu.cli.verbs import LazyVerbs
from dadu.core.errors import DaduError, ExitStatus

_ROS = ("rclpy", "dadu_interfaces", "control_msgs", "nav2_msgs", "tf2_msgs")


def main() -> None:
    """Entry point. A DaduError is a sentence on stderr, not a trace; so is a file that cannot be read or written."""
    # Before NumPy is imported. Two threads gain nothing on these small products; where others work, too, they wait for
    # each other: to embed one sentence took 12 ms with one thread and 250 with two.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # ROS ends without it, and services and MCP clients leave it out.
    os.environ.setdefault("HOME", os.path.expanduser("~"))
    app = typer.Typer(
        cls=LazyVerbs,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(_common)
    try:
        app(prog_name="dadu")
    except DaduError as error:
        _exit(str(error))
    except OSError as error:
        if error.filename is None:
            raise
        _exit(f"{error.filename}: {error.strerror}")
    except ModuleNotFoundError as error:
        if error.name not in _ROS:
            raise
        _exit(f"this needs ROS 2, and {error.name} is not there; run `make setup`")


def _exit(sentence: str) -> NoReturn:
    print(f"dadu: {sentence}", file=sys.stderr)
    sys.exit(ExitStatus.ERROR)


def _common(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Household instructions in plain language, carried out by a mobile manipulator."""
    if version:
        print(f"dadu {metadata.version('dadu')}")
        raise typer.Exit
