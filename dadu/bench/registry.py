"""The benchmarks of others by name, what each needs, and what of that is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dadu.core.errors import ConfigError, choices
from dadu.core.plugins import is_path


@dataclass(frozen=True)
class Bench:
    """A benchmark's command, and what its user has to have."""

    path: str
    """its typer app, as ``package.module:NAME`` or ``FILE.py:NAME``; imported when it is called"""
    about: str
    needs: str
    """on disk or installed, and the option that says where"""


BENCHES: Mapping[str, Bench] = {
    "eai": Bench("dadu.cli.bench.eai:app", "Embodied Agent Interface, VirtualHome: 342 tasks, their evaluator",
                 "pip install eai-eval==1.0.5 in an environment of its own (--python)"),
}
"""Those that come with DaDu; one's own needs no entry here, see `bench_of`."""


def bench_of(name: str) -> Bench:
    """What `name`, a key of `BENCHES` or where a typer app of one's own is, stands for; nothing is imported.

    Errors: ConfigError where it is neither.
    """
    if name not in BENCHES and not is_path(name):
        raise ConfigError(f"unknown bench {name!r}; valid: {choices(BENCHES)}, package.module:APP or FILE.py:APP")
    return BENCHES.get(name) or Bench(name, "one's own", "")
