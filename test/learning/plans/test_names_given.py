"""The right answer names nothing that its conversation has not told: no model could know it."""

import json
import re
from contextlib import suppress
from itertools import product

import pytest

from dadu.core.paths import shared
from dadu.core.work import Workers
from dadu.knowledge.lexicon import default_lexicon
from dadu.learning.plans.episode import Dropped
from dadu.learning.plans.home import PlanHome, PlanHomeOrder, make_home
from dadu.learning.plans.run import instructions, make_homes
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.plans.store import PlanFolder
from dadu.learning.plans.task import Asker, NotAsked
from dadu.learning.plans.teacher import NotTaken, Prompter
from dadu.planner.model.goal.interpreter import ModelInterpreter
from dadu.planner.model.policy import ModelPolicy
from dadu.skills.table import WORDS

HOME = PlanHomeOrder(900_001, "test")
TROUBLED = {"episodes": 8, "rooms": (6, 6), "steps": 40, "disturbed": 1.0, "clumsy": 1.0, "slips": 0.0,
            "known": {"layout": 60, "all": 15, "nothing": 25}}
"""something goes wrong in every episode"""
BRIEF = {"react": str(shared("config", "prompts", "react") / "brief.yaml")}
ID = re.compile(r"\b[a-z]+(?:_[a-z]+)*_\d+\b")


@pytest.fixture(scope="module", params=["full", "brief"])
def asked(request, tmp_path_factory):
    """Protocol, what was said, and the right answer; of every conversation and pair. And the episodes."""
    words = {"protocols": ("react",), "step_prompts": BRIEF} if request.param == "brief" else {}
    settings = PlanSettings(**TROUBLED, **words)
    folder = PlanFolder(tmp_path_factory.mktemp(request.param))
    folder.begin(settings)
    list(make_homes(folder, [HOME], Workers()))
    found = []
    for path in sorted(folder.path.glob("*/*.test-*.jsonl")):
        for line in map(json.loads, path.read_text().splitlines()):
            said = line["messages"] if "messages" in line else line["prompt"] + line["chosen"]
            right = range(len(said)) if "messages" in line else [len(said) - 1]
            found += [(path.name.partition(".")[0], [m["content"] for m in said[:i]], json.loads(said[i]["content"]))
                      for i in right if said[i]["role"] == "assistant"]
    return found, list(folder.episodes())


def named(reply):
    """Ids and rooms that a step-wise reply names, wherever in it."""
    named = set(reply["arguments"].values()) | set(ID.findall(reply.get("reasoning", "")))
    return {*named, *(word for step in reply.get("plan", ()) for word in step.split()[1:])} - WORDS


def test_every_name_in_a_right_step_was_told(asked):
    found, episodes = asked
    steps = [(said, reply) for protocol, said, reply in found if protocol != "goal"]
    assert len(steps) > 80 and any(e.events for e in episodes) and any(e.failures for e in episodes)
    untold = [(said[1:], reply) for said, reply in steps
              if not named(reply) <= set(re.findall(r"\w+", " ".join(said[1:])))]
    assert not untold, untold[0]


def test_every_name_in_right_frames_is_the_instruction_s(asked):
    """But for what words stand for one another: *limes* for *lime*."""
    found, _ = asked
    normal = default_lexicon().normal
    for said, reply in ((said, reply) for protocol, said, reply in found if protocol == "goal"):
        instruction = normal(re.findall(r"Instruction: (.*)", said[-1])[-1].lower())
        names = re.findall(r'"name": "([^"]+)"', json.dumps(reply.get("frames", ())))
        assert all(set(normal(name)) <= set(instruction) for name in names), (said, reply)


OWN = re.compile(r"zork[a-z]+")


def with_things_of_its_own(home):
    """Every other thing is of a kind that only this home has."""
    things = [o.model_copy(update={"name": f"zork{n}_0", "category": f"zork{n}", "shape": "box", "aliases": (),
                                   "size": (0.06, 0.06, 0.06)}) if i % 2 else o
              for i, (o, n) in enumerate(zip(home.house.objects, map("".join, product("abcdef", repeat=3))))]
    return PlanHome(home.house.model_copy(update={"objects": tuple(things)}))


def test_with_nothing_told_no_name_of_the_home_s_own_is_known_before_it_was_seen_or_said(monkeypatch):
    """Neither in messages, nor in what replies may be made of."""
    settings = PlanSettings(rooms=(3, 3), known={"nothing": 1}, declined=0.3, steps=30)
    order = PlanHomeOrder(100_000, "train")
    home = with_things_of_its_own(make_home(order, settings))
    known, seen, ask = set(), set(), Prompter.ask

    def read(interpreter, text, context, plain=ModelInterpreter.read):
        return learning(text, context.graph, plain, interpreter, text, context)

    def choose(policy, turn, plain=ModelPolicy.choose):
        return learning(turn.instruction, turn.graph, plain, policy, turn)

    def learning(text, graph, plain, *arguments):
        seen.update(own := set(OWN.findall(" ".join(e.category for e in graph))))
        known.clear()
        known.update(own | set(OWN.findall(text)))
        return plain(*arguments)

    def asked(prompter, messages, schema, deadline, kind="step"):
        told.append(set(OWN.findall(json.dumps([messages[-1], schema]))))
        assert told[-1] <= known, told[-1] - known
        return ask(prompter, messages, schema, deadline, kind)

    told = []
    monkeypatch.setattr(ModelInterpreter, "read", read)
    monkeypatch.setattr(ModelPolicy, "choose", choose)
    monkeypatch.setattr(Prompter, "ask", asked)
    asker = Asker(home, order.split, settings)
    for number in range(6):
        with suppress(NotAsked, Dropped, NotTaken):
            list(instructions(number, order, asker, set()))
    assert len(told) > 20 and len(seen) > 3 and min(map(len, told)) < max(map(len, told))
