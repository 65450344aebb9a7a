"""Goal interpretation: the sentences of a task's name and description, each read by DaDu's grammar; what it does not
understand is left out."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping

from dadu.bench.eai.prompt import PromptError
from dadu.bench.eai.scene import CHARACTER, PromptScene, Thing, world_graph
from dadu.bench.eai.sequence import PREDICATES
from dadu.goals.goal import Goal, Proposition
from dadu.goals.interpreter import Context
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.interpreters import make_interpreter
from dadu.planner.settings import PlannerSettings

_THING = re.compile(r"^(\S+), initial states: (\[.*?\]), possible states: (\[.*?\])$", re.MULTILINE)
_TARGETS = re.compile(r"^(\{'\w+': \{.*\}\})$", re.MULTILINE)
_SAID = re.compile(r"Goal name: (.*?)\n+Goal description: (.*?)\n\n+Now output", re.DOTALL)
_NARRATED = re.compile(r"^((and|then) )*(i (will |would |then )?)?", re.IGNORECASE)  # telling is asking
_ABLE = {"OPEN": "CAN_OPEN", "GRABBED": "GRABBABLE", "ON": "HAS_SWITCH"}  # a possible state says a property
_EDGE = {"is_next_to": ("CLOSE", "INSIDE"), "is_held": ("HOLDS_RH",), "is_on_top": ("ON",), "is_inside": ("INSIDE",)}
"""what is said by a relation: the first of these that may be to such a thing"""
_STATE = {predicate: name for name, predicate in PREDICATES.items()}


def interpret(prompt: str) -> str:
    """The answer to a prompt for goal interpretation. Errors: PromptError."""
    said, targets = _SAID.search(prompt), _TARGETS.search(prompt)
    if said is None or targets is None:
        raise PromptError("no goal, or no dictionary of what relations may be to, in the prompt")
    scene = PromptScene({})
    for m in _THING.finditer(prompt):
        thing = Thing(m[1], "0", frozenset(_ABLE[state] for state in ast.literal_eval(m[3]) if state in _ABLE))
        scene.things[thing.id] = thing
        scene.facts |= {(state, thing.id) for state in ast.literal_eval(m[2])}
    context = Context(world_graph(scene), default_vocabulary(), complete=True)
    reader = make_interpreter(PlannerSettings().interpreter)
    goals: dict[str, list[dict[str, str]]] = {"node goals": [], "edge goals": [], "action goals": []}
    sentences = (_NARRATED.sub("", s.strip()) for s in [said[1], *re.split(r"(?<=[.!?;])\s*", said[2])])
    for sentence in filter(None, sentences):
        found = reader.read(sentence, context)
        for p in found.propositions if isinstance(found, Goal) else ():
            for subject, relation, object in _facts(p, scene, ast.literal_eval(targets[1])):
                if object is None:
                    goals["node goals"].append({"name": subject, "state": relation})
                else:  # the robot is at one place at the end: the last
                    edges = [edge for edge in goals["edge goals"] if not subject == edge["from_name"] == CHARACTER]
                    goals["edge goals"] = [*edges, {"from_name": subject, "relation": relation, "to_name": object}]
    return json.dumps(goals)


def _facts(p: Proposition, scene: PromptScene, targets: Mapping[str, set[str]]
           ) -> Iterator[tuple[str, str, str | None]]:
    """Subject, their state or relation, and what that is to: as many of what may be meant as are asked for."""
    subjects = [scene.things[id].name for id in p.subject.ids][:None if p.every else p.number]
    if p.predicate in _STATE:
        yield from ((subject, _STATE[p.predicate], None) for subject in subjects)
        return
    objects = [scene.things[id].name for id in p.object.ids] if p.object is not None else []
    if p.predicate == "is_held":
        subjects, objects = [CHARACTER], subjects
    said = [name for name in _EDGE.get(p.predicate, ()) if objects and objects[0] in targets.get(name, ())]
    yield from ((subject, said[0], objects[0]) for subject in subjects if said)
