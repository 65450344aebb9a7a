"""The table of skills says all, and says it consistently."""

import pytest

from dadu.house.catalogue import Affordance
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.specification import Argument, Hand, Puts, SetsState, SkillSpec, StateValue, Takes
from dadu.skills.table import SKILLS, setting
from dadu.world.graph import Entity, Kind, WorldGraph


@pytest.mark.parametrize("spec", SKILLS.values(), ids=SKILLS)
def test_an_entry_speaks_of_its_own_arguments(spec):
    names = [argument.name for argument in spec.arguments]
    assert len(set(names)) == len(names)
    assert all(value in names for effect in spec.effects for value in vars(effect).values() if isinstance(value, str))
    assert all(argument.kinds or argument.words for argument in spec.arguments)
    assert all(argument.stand.keys() == set(argument.kinds) for argument in spec.arguments if argument.stand)
    optional = [argument.optional for argument in spec.arguments]
    assert optional == sorted(optional), "what may be left out comes last"
    assert all(argument.affordance in ("", *Affordance) for argument in spec.arguments), "no category could have it"


@pytest.mark.parametrize("spec", SKILLS.values(), ids=SKILLS)
def test_what_fills_or_empties_the_hand_asks_for_it(spec):
    assert not spec.does(Takes) or spec.hand is Hand.EMPTY
    assert not (spec.does(Puts) or any(a.held for a in spec.arguments)) or spec.hand is Hand.FULL


def test_arguments_and_names_are_inverse():
    place, beside = SKILLS["place"], ("on", "table_0", "next_to", "mug_0")
    assert place.ordered({k: v for k, v in place.named(beside).items() if k != "next_to"}) == beside
    assert place.ordered(place.named(beside[:2])) == beside[:2]


@pytest.mark.parametrize(("state", "value", "kind", "skills"), [
    ("is_clean", True, Kind.OBJECT, ("clean",)), ("is_sliced", True, Kind.FURNITURE, ()),
    ("is_powered_on", False, Kind.FURNITURE, ("power_off",)), ("is_powered_on", True, None, ("power_on",)),
    ("is_filled", False, None, ()),  # pouring out takes a second vessel
])
def test_which_skill_sets_a_state(state, value, kind, skills):
    assert setting(state, value, kind) == skills


@pytest.mark.parametrize("spec", [s for s in SKILLS.values() if s.only_sets_states], ids=lambda s: s.name)
def test_a_state_that_is_set_is_in_the_graph(spec):
    graph, ids = WorldGraph(), tuple(f"{a.name}_0" for a in spec.arguments)
    for argument, id in zip(spec.arguments, ids):
        graph.put(Entity(id, argument.kinds[0], "thing"))
    after = apply(graph, SkillCall(spec.name, ids), stamp=3.0)
    for effect in spec.effects:
        entity = after[spec.named(ids)[effect.argument]]
        assert entity.states == {effect.state.name: effect.state.value} and entity.stamp == 3.0
    assert not any(entity.states for entity in graph)


@pytest.mark.parametrize(("kinds", "sets"), [((Kind.OBJECT,), False), ((Kind.OBJECT, Kind.FURNITURE), True)])
def test_a_skill_sets_states_of_the_kinds_that_it_takes(kinds, sets):
    wiped = SetsState("thing", StateValue("is_clean", True, "clean"))
    assert SkillSpec("wipe", "", (Argument("thing", kinds),), effects=(wiped,)).sets(
        "is_clean", True, Kind.FURNITURE) is sets
