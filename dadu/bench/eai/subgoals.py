"""Subgoal decomposition: the states through which a plan goes, each named by what it is, and an action only where it is
asked for by name or changes nothing that their states could say."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from dadu.bench.eai.actions import ACTIONS, Step
from dadu.bench.eai.prompt import PromptError
from dadu.bench.eai.scene import ActionGoal, Fact, PromptScene, Thing
from dadu.bench.eai.sequence import plan
from dadu.world.graph import ROBOT

_ROW = re.compile(r"^\| ([^\s.]+)\.(\d+) \| [^|]* \| (\[.*\]) \|", re.MULTILINE)
_PRIMITIVE = re.compile(r"([A-Z_]+)\(([^()]*)\)")
_HEADS = ("## Relevant Objects in the Scene", "## Initial States", "## Goal States", "[Actions Must Include]",
          "## Necessity to Use Actions")
_THEIRS = {"NEAR": "NEXT_TO"}
_ACTIONS = ("DRINK", "EAT", "CUT", "TOUCH", "LOOKAT", "WATCH", "READ", "TYPE", "PUSH", "PULL", "MOVE", "SQUEEZE",
            "SLEEP", "WAKEUP", "RINSE", "SCRUB", "WASH", "GRAB", "SWITCHOFF")
"""those that their prompts allow; of all others only the states count"""


def subgoals(prompt: str) -> str:
    """The answer to a prompt for subgoal decomposition. Errors: PromptError."""
    scene = read_subgoal_prompt(prompt)
    begun = PromptScene(scene.things, set(scene.facts))
    asked = {name for goal in scene.actions for name in goal.names}
    lines = list(_lines(plan(scene), begun, asked))
    used = [name for line in lines if (name := line.partition("(")[0]) in _ACTIONS]
    return json.dumps({"necessity_to_use_action": "yes" if used else "no", "actions_to_include": used, "output": lines})


def read_subgoal_prompt(text: str) -> PromptScene:
    """What a prompt describes. Errors: PromptError naming what is missing."""
    at = [text.find(head) for head in _HEADS]
    if min(at) < 0:
        raise PromptError(f"no line {_HEADS[at.index(-1)]!r} in the prompt")
    objects, initial, goal, actions = (text[a:b] for a, b in zip(at, at[1:]))
    things = {thing.id: thing for thing in (Thing(m[1], m[2], frozenset(ast.literal_eval(m[3])))
                                            for m in _ROW.finditer(objects))}
    scene = PromptScene(things, set(_facts(initial, things)))
    scene.goals = tuple((fact,) for fact in dict.fromkeys(_facts(goal, things)))
    named = (line.strip() for line in actions.splitlines()[1:])
    scene.actions = tuple(ActionGoal(tuple(line.split(" or "))) for line in named if line and line != "None")
    return scene


def _facts(text: str, things: dict[str, Thing]) -> Iterator[Fact]:
    for m in _PRIMITIVE.finditer(text):
        ids = tuple(Thing(*word.strip().rsplit(".", 1)).id for word in m[2].split(","))
        predicate = {"ONTOP": "ON", "NEXT_TO": "NEAR"}.get(m[1], m[1])
        if all(id in things for id in ids):
            yield (predicate, *ids)


def _lines(steps: list[Step], scene: PromptScene, asked: set[str]) -> Iterator[str]:
    """One for each step that leaves something to be said; `scene` is as it was at first, and is changed."""
    for name, ids in steps:
        before = set(scene.facts)
        ACTIONS[name].change(scene, ids)
        made = sorted(fact for fact in scene.facts - before if {*fact[1:]} <= {ROBOT, *ids})
        made = [fact for fact in made if fact[0] != "NEAR"] or made
        if name in _ACTIONS and (name in asked or not made):
            yield f"{name}({', '.join(_named(scene, id) for id in ids)})" if ids else name
        elif made:
            yield " and ".join(_as_text(scene, fact) for fact in made)


def _as_text(scene: PromptScene, fact: Fact) -> str:
    predicate, *ids = fact
    theirs = "ONTOP" if predicate == "ON" and len(ids) == 2 else _THEIRS.get(predicate, predicate)
    return f"{theirs}({', '.join(_named(scene, id) for id in ids)})"


def _named(scene: PromptScene, id: str) -> str:
    return f"{scene.things[id].name}.{scene.things[id].number}"
