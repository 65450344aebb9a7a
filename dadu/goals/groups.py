"""Things that hang together by a predicate between two of them, such as those that stand next to one another."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.goals.predicates.predicate import Predicate
from dadu.goals.predicates.view import WorldView


def groups(view: WorldView, predicate: Predicate, names: Sequence[str]) -> list[set[str]]:
    """Connected components of `names`, the largest first; what is not known connects nothing."""
    near: dict[str, set[str]] = {name: set() for name in names}
    for i, a in enumerate(names):
        for b in names[i + 1:]:
            if predicate.answer(view, a, b):
                near[a].add(b)
                near[b].add(a)
    return sorted(_components(near), key=len, reverse=True)


def _components(near: dict[str, set[str]]) -> list[set[str]]:
    found: list[set[str]] = []
    for name in near:
        if any(name in group for group in found):
            continue
        group, queue = {name}, [name]
        while queue:
            new = near[queue.pop()] - group
            group |= new
            queue += new
        found.append(group)
    return found
