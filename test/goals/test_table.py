"""The table of predicates fits itself and what it speaks of: skills, states of house files, adjectives."""

import pytest

from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import BRINGING, PREDICATES
from dadu.house import states
from dadu.knowledge.lexicon import default_lexicon
from dadu.language.parsing.classes import word_classes
from dadu.skills.specification import SetsState
from dadu.skills.table import SKILLS
from dadu.world.graph import Kind

NAMES = ("is_on_top is_inside is_in_room is_on_floor is_next_to is_clustered is_clean is_dirty is_filled is_empty "
         "is_powered_on is_powered_off is_open is_closed is_sliced is_hot is_cold is_held").split()
"""that suites may use"""


def test_what_suites_use_is_there():
    assert PREDICATES.keys() >= set(NAMES)
    assert set(BRINGING) >= {"is_on_top", "is_inside", "is_in_room", "is_next_to"}


@pytest.mark.parametrize("predicate", PREDICATES.values(), ids=PREDICATES)
def test_a_row_is_whole(predicate):
    assert 1 <= predicate.arity <= 2 and all(predicate.kinds)
    assert predicate.means and not predicate.means.endswith(".")
    assert set(predicate.skills()) <= SKILLS.keys()
    if predicate.opposite:
        other = PREDICATES[predicate.opposite]
        assert other.opposite == predicate.name and other.kinds == predicate.kinds and other.family is predicate.family
    if predicate.relation is not None:
        assert predicate.skill == "place" and predicate.arity == 2
    if predicate.family is Family.STATE and predicate.name.startswith("is_powered"):
        assert predicate.skills(Kind.FURNITURE) == predicate.skills() != ()


def test_the_skill_of_a_state_is_that_which_sets_it():
    assert PREDICATES["is_clean"].skills(Kind.OBJECT) == ("clean",)
    assert PREDICATES["is_powered_off"].skills() == ("power_off",)
    assert PREDICATES["is_dirty"].skills() == () and PREDICATES["is_on_floor"].skills() == ()


def test_states_that_others_speak_of_are_predicates():
    set_by_skills = {e.state.name for skill in SKILLS.values() for e in skill.effects if isinstance(e, SetsState)}
    assert set_by_skills <= PREDICATES.keys()
    assert set(states.PREDICATES.values()) <= PREDICATES.keys()
    lexicon = default_lexicon()
    assert {*(f"is_{state}" for state in word_classes().states), *lexicon.choosing} <= PREDICATES.keys()
