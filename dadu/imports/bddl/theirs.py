"""Reads and judges BDDL problems with the package's own parser and evaluation. Runs in any Python that has bddl.

``python theirs.py read [ACTIVITY|FILE...]``: JSON out; without names all activities of the package. Each problem:
``name``, ``objects`` (by category), ``rooms`` (of what they are said for), ``init``, ``goal``, ``kinds`` (of each
category what it is a kind of, the nearest first, and its abilities); or ``name`` and ``error``.
``python theirs.py judge``: in, a list of problems with ``states``, each the list of what holds (``[predicate,
thing...]``); out, for each whether the goal holds.
"""

from __future__ import annotations

import contextlib
import functools
import json
import sys
from pathlib import Path
from typing import Any

DOMAIN = "omnigibson"


def read(given: str) -> dict[str, Any]:
    """One problem: a file, or an activity of the package in its first definition."""
    from bddl.parsing import parse_problem

    file = Path(given)
    try:
        text = file.read_text() if file.is_file() else None
        _, objects, init, goal = parse_problem(given, 0, DOMAIN, predefined_problem=text)
        rooms = {fact[1]: fact[2] for fact in init if fact[0] == "inroom"}
    except Exception as error:  # noqa: BLE001 - their parser raises plain exceptions
        return {"name": file.stem, "error": str(error)}
    return {"name": file.stem, "objects": objects, "rooms": rooms, "init": init, "goal": goal,
            "kinds": {synset: _kind(synset) for synset in objects}}


def _kind(synset: str) -> dict[str, list[str]]:
    taxonomy = _taxonomy()
    if not taxonomy.is_valid_synset(synset):
        return {"above": [], "abilities": []}
    above, waiting = dict[str, None](), [synset]
    for one in waiting:
        parents = [parent for parent in sorted(taxonomy.get_parents(one)) if parent not in above]
        above.update(dict.fromkeys(parents))
        waiting += parents
    return {"above": list(above), "abilities": sorted(taxonomy.get_abilities(synset))}


@functools.cache
def _taxonomy() -> Any:
    from bddl.object_taxonomy import ObjectTaxonomy

    return ObjectTaxonomy()


def activities() -> list[str]:
    """All activities of the package."""
    import bddl

    return sorted(path.parent.name for path in Path(bddl.__file__).parent.glob("activity_definitions/*/problem0.bddl"))


def judge(problem: dict[str, Any]) -> list[bool]:
    """The verdict on the goal, state by state."""
    from bddl.condition_evaluation import compile_state, evaluate_state

    now: set[tuple[str, ...]] = set()
    scope = {thing: _Thing(thing) for things in problem["objects"].values() for thing in things}
    goal = compile_state(problem["goal"], _backend(now), scope=scope, object_map=problem["objects"],
                         generate_ground_options=False)
    verdicts = []
    for state in problem["states"]:
        now.clear()
        now |= {tuple(fact) for fact in state}
        verdicts.append(bool(evaluate_state(goal)[0]))
    return verdicts


class _Thing:
    """What their variables stand for; a text would be taken for another variable."""

    def __init__(self, name: str) -> None:
        self.name = name


def _backend(now: set[tuple[str, ...]]) -> Any:
    """Their predicates over a table of what holds."""
    from bddl.backend_abc import BDDLBackend
    from bddl.logic_base import BinaryAtomicFormula, UnaryAtomicFormula

    def formula(predicate: str) -> type:
        unary = predicate in ("open", "toggled_on", "hot")
        base = UnaryAtomicFormula if unary else BinaryAtomicFormula

        def holds(self: Any, *things: _Thing, **_: Any) -> bool:
            return (predicate, *(thing.name for thing in things)) in now
        return type(predicate, (base,), {"STATE_NAME": predicate, "_evaluate": holds, "_sample": holds})

    class Backend(BDDLBackend):  # type: ignore[misc]
        def get_predicate_class(self, predicate_name: str) -> type:
            return formula(predicate_name)
    return Backend()


def main() -> None:
    with contextlib.redirect_stdout(sys.stderr):  # their parser prints
        found = [judge(problem) for problem in json.load(sys.stdin)] if sys.argv[1] == "judge" else [
            read(given) for given in sys.argv[2:] or activities()]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
