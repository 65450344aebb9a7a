"""The command ``dadu``: one file per verb, loaded only when it is used."""

from __future__ import annotations

import sys

import typer

from dadu.cli.verbs import LazyVerbs
from dadu.errors import DaduError

ERROR_STATUS = 2
"""exit status after a DaduError: wrong input, or something that is missing"""
_ROS = ("rclpy", "dadu_interfaces", "control_msgs", "nav2_msgs", "tf2_msgs")


def main() -> None:
    """Entry point. A DaduError is a sentence on stderr, not a trace."""
    app = typer.Typer(
        cls=LazyVerbs,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_common)
    try:
        app(prog_name="dadu")
    except DaduError as error:
        print(f"dadu: {error}", file=sys.stderr)
        sys.exit(ERROR_STATUS)
    except ModuleNotFoundError as error:
        if error.name not in _ROS:
            raise
        print(f"dadu: this needs ROS 2, and {error.name} is not there; run `make setup`", file=sys.stderr)
        sys.exit(ERROR_STATUS)


def _common() -> None:
    """Household instructions in plain language, carried out by a mobile manipulator."""
