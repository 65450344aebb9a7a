"""Whatever is said of things and places is in the goal, in its notes, or refused: over generated frames and worlds."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dadu.goals.belief import holds
from dadu.goals.goal import Description, Goal
from dadu.goals.interpreter import AskBack
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.frames.frame import ChangeFrame, EnsureFrame, GoFrame, LookFrame, MoveFrame, Utterance
from dadu.language.frames.noun import NounPhrase, PlacePhrase, Quantity
from dadu.language.grounding.ground import ground
from dadu.language.parsing.names import names_of as called
from dadu.language.parsing.parse import parse
from dadu.language.refusal import NotUnderstood
from dadu.world.graph import Kind, WorldGraph

FLAT = build_graph(load_house("small_flat"), "all")
THINGS = ("candle", "remote", "apple", "book", "plate", "unicorn", "lamp", "pillow")
PLACES = ("desk", "bed", "kitchen", "fridge", "bowl", "volcano")
nouns = st.builds(
    lambda name, colour, number, determiner: NounPhrase(
        name, colour, Quantity(number), determiner, plural=bool(number and number > 1), text=" ".join((*colour, name))),
    st.sampled_from(THINGS), st.sampled_from([(), ("red",), ("fancy",)]), st.sampled_from([None, None, 1, 2]),
    st.sampled_from(["definite", "indefinite"]))
places = st.builds(
    lambda preposition, names: PlacePhrase(preposition, tuple(NounPhrase(n, text=n) for n in names)),
    st.sampled_from(["on", "in", "at", "next_to", "under"]),
    st.lists(st.sampled_from(PLACES), min_size=1, max_size=2, unique=True))
frames = st.one_of(
    st.builds(MoveFrame, what=st.lists(nouns, min_size=1, max_size=2).map(tuple), to=places.map(lambda p: (p,)),
              source=st.none() | places),
    st.builds(ChangeFrame, what=nouns.map(lambda n: (n,)), state=st.sampled_from(["clean", "hot", "open", "sliced"]),
              using=st.none() | places),
    st.builds(GoFrame, to=places),
    st.builds(LookFrame, answer=st.sampled_from(["find", "exists", "count"]), what=nouns, at=st.none() | places),
    st.builds(EnsureFrame, what=nouns, at=places))


def said(description):
    """What a description holds of the words, with the places that narrow it."""
    if description is None:
        return set()
    own = {*description.categories, *description.ids, *description.attributes, description.words}
    own |= {id for where in description.where for id in where.ids}
    return own.union(*map(said, (*description.without, *description.alternatives)))


def told(goal: Goal) -> set[str]:
    out = set(goal.notes) | set(goal.substitutions)
    for p in goal.propositions:
        for term in (p.subject, p.object):
            out |= {*term.ids, term.key} | said(term.description) if term is not None else set()
    for branch in goal.branches:
        out |= {branch.question.text} | said(branch.question.description)
    return out


def names_of(frame):
    """The names of all noun phrases of a frame."""
    parts = [getattr(frame, name, None) for name in ("what", "to", "at", "source", "using")]
    flat = [p for part in parts if part is not None for p in (part if isinstance(part, tuple) else (part,))]
    return [np.name for p in flat for np in (p.nouns if isinstance(p, PlacePhrase) else (p,))]


@settings(max_examples=60, deadline=None)
@given(frame=frames, complete=st.booleans(), seen=st.sets(st.sampled_from(
    sorted(e.id for e in FLAT.of(Kind.OBJECT)))))
def test_every_noun_is_in_the_goal_noted_or_refused(frame, complete, seen):
    gone = {e.id for e in FLAT.of(Kind.OBJECT)} - seen
    graph = WorldGraph((e for e in FLAT if e.id not in gone),
                       (e for e in FLAT.edges if not {e.subject, e.object} & gone))
    try:
        goal = ground(Utterance((frame,)), graph, default_vocabulary(), complete=complete)
    except NotUnderstood as refusal:
        assert str(refusal)
        return
    if isinstance(goal, AskBack):
        assert goal.message
        return
    words = " ".join(sorted(told(goal)))
    assert all(name in words or name.replace(" ", "_") in words for name in names_of(frame)), (words, frame)


MEANS = {"chilled": "is_cold", "washed": "is_clean", "slice": "is_sliced"}
"""what stands in a goal for a word"""
TEMPLATES = ("Slice an apple and put the {0} slice {1} the {2}.", "Put the {0} candle {1} the {2}.",
               "Put the {0} bowl with the apple in it {1} the {2}.", "Put the {0} plate from the desk {1} the {2}.",
               "Take the {0} plate from the desk with the candle on it and put it {1} the {2}.",
               "Look at the {0} book lit by the lamp, then put it {1} the {2}.",
               "Put the {0} book next to the candle and the pillow {1} the {2}.")
NO_CONTENT = set("put the an and with in it from on take look at lit by then next to into".split())


def held(goal: Goal) -> str:
    """All that a goal asks for, and its notes, less the words as they were said."""
    def of(told):
        if told is None:
            return ""
        where = [id for w in told.where for id in w.ids]
        return " ".join((*told.categories, *told.general, *told.ids, *told.attributes, *told.states, told.superlative,
                         *where, *map(of, (*told.without, *told.alternatives))))
    terms = [term for p in goal.propositions for term in (p.subject, p.object) if term is not None]
    return " ".join((*goal.notes, *goal.substitutions, *(p.predicate for p in goal.propositions),
                     *(id for term in terms for id in term.ids), *(of(term.description) for term in terms)))


@settings(max_examples=60, deadline=None)
@given(template=st.sampled_from(TEMPLATES), complete=st.booleans(), preposition=st.sampled_from(["on", "into"]),
       said_of_it=st.sampled_from(["", "chilled", "washed", "red", "fancy", "second", "biggest"]),
       place=st.sampled_from([*PLACES, "second shelf"]))
def test_every_content_word_of_an_instruction_is_in_the_goal_noted_or_refused(template, complete, preposition,
                                                                               said_of_it, place):
    instruction = template.format(said_of_it, preposition, place)
    seen = FLAT if complete else WorldGraph((e for e in FLAT if e.kind is not Kind.OBJECT), ())
    try:
        goal = ground(parse(instruction, called(default_vocabulary(), FLAT)), seen, default_vocabulary(),
                      complete=complete)
    except NotUnderstood as refusal:
        assert str(refusal)
        return
    if isinstance(goal, AskBack):
        assert goal.message
        return
    words, superlatives = held(goal), {"biggest": "big"}
    content = {w for w in re.findall(r"[a-z]+", instruction.lower()) if w not in NO_CONTENT}
    assert [w for w in content if MEANS.get(w, superlatives.get(w, w)) not in words] == [], (instruction, words)


@pytest.mark.parametrize("asked", ["desk", "armchair", "counter", "cupboard", "table", "shelf", "stool", "dresser"])
def test_success_is_not_told_where_what_was_taken_instead_made_it_so_from_the_start(asked):
    """Whatever stands in for a piece of furniture: nothing is done only where it was called by its name."""
    for thing in FLAT.of(Kind.OBJECT):
        there = PlacePhrase("on", (NounPhrase(asked, text=asked),))
        frame = MoveFrame((NounPhrase(thing.id, text=thing.id),), (there,))
        try:
            goal = ground(Utterance((frame,)), FLAT, default_vocabulary(), complete=True)
        except NotUnderstood:
            continue
        nothing_left = isinstance(goal, Goal) and all(holds(p, FLAT) for p in goal.propositions)
        assert not (nothing_left and goal.substitutions)


def test_a_description_is_searched_through_and_through():
    inner = Description("the bowl", Kind.OBJECT, ("bowl",))
    assert "bowl" in said(Description("all but it", Kind.OBJECT, (), without=(inner,)))
