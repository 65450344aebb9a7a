"""The data's goals against an evaluator of its own (`naive.py`): no episode begins with its goal, each ends with it,
and what a goal is about is what the words name."""

import re
from functools import partial

import pytest

from dadu.core.work import Workers
from dadu.house.catalogue import furniture_categories, object_categories
from dadu.house.states import affordances_of
from dadu.learning.plans.home import PlanHomeOrder, make_home
from dadu.learning.plans.run import make_homes
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.plans.store import PlanFolder
from test.learning.plans.naive import NaiveWorld, judge

SETTINGS = PlanSettings(rooms=(3, 4), steps=40, declined=0.0, slips=0.0, protocols=("goal",))
UNNAMED = re.compile(r"\b(tidy|clear|empty|straighten|clean|clean up|order|mess|organi[sz]e)\b")
"""of what is to be tidied the words say where it is, and of a wish what for"""


@pytest.fixture(scope="module", params=[
    (8, (PlanHomeOrder(100_000, "train"), PlanHomeOrder(900_001, "test"))),
    pytest.param((48, tuple(PlanHomeOrder(seed, "train") for seed in range(100_010, 100_018))),
                 marks=[pytest.mark.thorough])], ids=["some", "many"])
def told(request, tmp_path_factory):
    """Homes, and the records of their episodes as in the file."""
    each, orders = request.param
    settings = SETTINGS.model_copy(update={"episodes": each})
    folder = PlanFolder(tmp_path_factory.mktemp("told"))
    folder.begin(settings)
    homes = {}
    for order in orders:
        list(make_homes(folder, [order], Workers()))
        homes[order.seed] = make_home(order, settings)
    return [(homes[e.home], e.model_dump(mode="json")) for e in folder.episodes()]


def naive(home):
    """Its things and furniture as the house's file has them."""
    layout = home.layout
    pieces = [e for e in layout if e.kind.value == "furniture"]
    world = NaiveWorld(
        kind={e.id: e.category for e in pieces} | {o.name: o.category for o in home.house.objects},
        room={e.id: layout.room_of(e.id).id for e in pieces}, can=affordances_of,
        parts={e.id: {part.name for part in e.parts} for e in pieces},
        roomy={e.id for e in pieces if any(s.inside for s in e.surfaces)},
        place={o.name: ("on" if o.on else "in", o.receptacle) for o in home.house.objects})
    world.settle()
    return world


def test_no_episode_begins_with_its_goal_and_each_ends_with_it(told):
    judged = [(judge(naive(home), record), record) for home, record in told]
    assert [record["instruction"] for j, record in judged if j.begins is True] == []
    assert [record["instruction"] for j, record in judged if j.ends is False] == []
    certain = sum(j.ends is True for j, _ in judged)
    assert certain >= 0.8 * len(judged) > 0  # the rest turns on how near things stand


def test_an_episode_without_its_last_deeds_does_not(told):
    """So the evaluator can say no; where the robot begins, on which a goal may turn, it is not told."""
    judged = [(home, record, judge(naive(home), record)) for home, record in told]
    whole = [(home, record) for home, record, j in judged if j.ends is True and j.begins is not None]
    denied = 0
    for home, record in whole:
        left = {**record, "plan": [], "outcomes": [], "events": []}
        denied += judge(naive(home), left).ends is False
    assert denied >= 0.8 * len(whole) and len(whole) > len(told) / 2


def test_what_a_goal_is_about_is_named_by_the_words(told):
    """By its name, another of its names, or a more general word, as the catalogue has them."""
    strange = []
    for home, record in told:
        if record["family"] == "wish" or UNNAMED.search(record["instruction"].lower()):
            continue
        kinds = naive(home).kind
        for p in record["goal"]["propositions"]:
            for category in {kinds[name.partition("/")[0]] for name in p["arguments"][0] if name != "robot"
                             and name.partition("/")[0] in kinds}:
                if not any(map(partial(says, record["instruction"]), names(category))):
                    strange.append((record["instruction"], category))
    assert strange == []


def says(text, name):
    """In the singular or the plural."""
    words = " ".join(map(stem, re.findall(r"[a-z]+", text.lower())))
    return re.search(rf"\b{re.escape(stem(name))}", words) is not None


def stem(words):
    return " ".join(re.sub(r"(ie|y)$", "", re.sub(r"ve$|fe$", "f", re.sub(r"(?<!s)s$", "", word))).rstrip("e")
                    for word in words.split())


def names(category):
    entry = {**object_categories(), **furniture_categories()}.get(category)
    own = category.replace("_", " ")
    return {own, own.split()[-1], *(n.replace("_", " ") for n in (*entry.aliases, *entry.hypernyms))} if entry else {
        own, *own.split()}
