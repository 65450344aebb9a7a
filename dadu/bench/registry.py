"""The benchmarks of others by name, and what each needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Bench:
    """What a benchmark is, and what its user has to have: nothing of theirs comes with DaDu."""

    about: str
    needs: str
    """on disk or installed, and the option that says where"""


BENCHES: Mapping[str, Bench] = {
    "eai": Bench("Embodied Agent Interface, VirtualHome: 342 tasks, their evaluator",
                 "pip install eai-eval==1.0.5 in an environment of its own (--python)"),
    "bddl": Bench("BEHAVIOR's goals, and activities, in DaDu's predicates, judged by both",
                  "pip install bddl==3.6.0 in an environment of its own (--python)"),
    "partnr": Bench("PARTNR's evaluation functions beside DaDu's judge, on the same states",
                    "a checkout of partnr-planner (--checkout), a Python with numpy and networkx (--python)"),
}
"""Those that come with DaDu, each a verb of ``dadu bench``; one's own needs no entry: it is named by where its typer
app is."""
