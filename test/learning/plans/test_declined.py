"""Instructions that are refused or asked about: rightly so, in the protocol's own words."""

import json
import random
import re
from collections import defaultdict

import pytest

from dadu.house.files import load_house
from dadu.language.frames.schema import from_json
from dadu.language.grounding.ground import ground
from dadu.language.refusal import Refusal
from dadu.learning.plans.conditions import Conditions
from dadu.learning.plans.declined import decline
from dadu.learning.plans.episode import Dropped
from dadu.learning.plans.home import PlanHome
from dadu.learning.plans.refusals import SORTS
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.plans.task import NotAsked
from dadu.planner.model.goal.names import here, nouns, searchable
from dadu.planner.model.goal.schema import goal_schema
from dadu.skills.outcome import Code
from dadu.skills.table import SKILLS
from dadu.stacks.oracle import OracleStack


@pytest.fixture(scope="module")
def home():
    return PlanHome(load_house("flat"))


@pytest.fixture(scope="module")
def declined(home):
    """By sort."""
    found = defaultdict(list)
    for number in range(60):
        known = ("layout", "all", "nothing")[number % 3]
        conditions = Conditions(known, tuple(SKILLS), 0.0, ())
        try:
            one = decline(home, "train", number, conditions, PlanSettings(), random.Random(number))
        except (NotAsked, Dropped):
            continue
        found[one.sort].append(one)
    return found


def replies(one):
    return [json.loads(exchange.reply) for exchange in one.asked]


def every(declined):
    return [one for ones in declined.values() for one in ones]


def test_there_are_some_of_every_sort(declined):
    assert set(declined) == set(SORTS)


def test_what_is_not_there_is_searched_for_and_then_refused(home, declined):
    for one in declined["absent"]:
        first, last = replies(one)
        gone = last["refuse"].removeprefix("there is no ").removesuffix(" here")
        assert gone in {noun.name for noun in nouns(from_json(json.dumps(first)))} and set(last) == {"refuse"}
        assert {"go_to", "explore"} & {step.call.skill for step in one.steps} and len(one.asked) == 2
        assert not any(home.vocabulary.is_a(e.category, gone) for e in home.truth)


def test_places_that_are_not_there_and_what_cannot_be_done_are_refused_at_once(home, declined):
    for one in declined["no_such_place"] + declined["impossible"]:
        assert [set(reply) for reply in replies(one)] == [{"refuse"}] and not one.steps
        with pytest.raises(Refusal) as refusal:
            ground(one.wording.utterance, home.truth, home.vocabulary, complete=True)
        assert one.sort != "impossible" or refusal.value.code is Code.NOT_INTERACTIVE


def test_what_nobody_can_know_is_asked(declined):
    for one in declined["unheard_of"] + declined["unsaid"]:
        (reply,) = replies(one)
        assert [frame["frame"] for frame in reply["frames"]] == ["ask_back"] and one.ending == "asked"
        meant = reply["frames"][0]["question"].removeprefix("What do you mean by ").removesuffix("?")
        said = {word for noun in nouns(one.wording.utterance) for word in (noun.pronoun, noun.name, noun.name[:-1])}
        assert meant in said


def test_a_guided_server_may_say_so(home, declined):
    graph = OracleStack(home.house).graph()
    schema = goal_schema(here(graph), searchable(graph, home.vocabulary))
    _, refused = schema["anyOf"]
    question = schema["$defs"]["AskBackFrame"]["properties"]["question"]
    for one in every(declined):
        last = replies(one)[-1]
        said, form = ((last["refuse"], refused["properties"]["refuse"]) if "refuse" in last
                      else (last["frames"][0]["question"], question))
        assert re.fullmatch(form["pattern"], said), said


def test_acting_anyway_is_the_wrong_answer(declined):
    """And refusing what was not looked for yet."""
    kinds = set()
    for one in every(declined):
        said = [exchange.messages for exchange in one.asked]
        for pair in one.pairs:
            right, wrong = json.loads(pair.chosen[0]["content"]), json.loads(pair.rejected[0]["content"])
            assert pair.prompt in said and right != wrong
            assert ("refuse" in wrong) == (pair.kind == "needless_refusal")
            kinds.add(pair.kind)
    assert kinds == {"acts_anyway", "needless_refusal"}
