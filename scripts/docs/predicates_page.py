"""The table of predicates as a table of the documentation."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.goals.predicates.predicate import Predicate
from dadu.goals.predicates.table import PREDICATES

HEAD = ("predicate", "of", "holds when", "opposite", "made true by")


def table() -> list[str]:
    """Lines of Markdown."""
    return [_line(HEAD), _line(["---"] * len(HEAD)), *(_line(_cells(p)) for p in PREDICATES.values())]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(p: Predicate) -> list[str]:
    arguments = f"{'lists of ' if p.lists else ''}{', '.join(p.takes(at) for at in range(p.arity))}"
    skills = ", ".join(f"`{skill}`" for skill in p.skills())
    by = f"{skills} of what can {p.maker.value}" if p.maker is not None else skills
    return [f"`{p.name}`", arguments, p.means, f"`{p.opposite}`" if p.opposite else "", by]
