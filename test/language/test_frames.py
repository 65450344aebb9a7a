"""Frames: what is written as JSON is read back the same, and nothing else is read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.language.frames.frame import (
    Ask,
    ChangeFrame,
    GoFrame,
    IfFrame,
    MoveFrame,
    SequenceFrame,
    Utterance,
    WishFrame,
)
from dadu.language.frames.noun import NounPhrase, PlacePhrase, Quantity
from dadu.language.frames.schema import FramesError, from_json, json_schema, to_json

WORDS = st.sampled_from(["mug", "dining table", "fridge", "größte", ""])
QUANTITIES = st.builds(Quantity, number=st.none() | st.integers(1, 9), amount=st.sampled_from(["", "all", "half"]))
NOUNS = st.recursive(
    st.builds(NounPhrase, name=WORDS, attributes=st.lists(WORDS, max_size=2).map(tuple), quantity=QUANTITIES),
    lambda inner: st.builds(NounPhrase, name=WORDS, places=st.tuples(
        st.builds(PlacePhrase, preposition=st.just("on"), nouns=st.tuples(inner)))), max_leaves=3)
PLACES = st.builds(PlacePhrase, preposition=st.sampled_from(["on", "in", "between"]), nouns=st.tuples(NOUNS, NOUNS))
PLAIN = st.one_of(st.builds(MoveFrame, what=st.tuples(NOUNS), to=st.tuples(PLACES)), st.builds(GoFrame, to=PLACES),
                  st.builds(ChangeFrame, what=st.tuples(NOUNS), state=st.sampled_from(["clean", "hot"])),
                  st.builds(WishFrame, purpose=WORDS))
FRAMES = st.recursive(PLAIN, lambda inner: st.one_of(
    st.builds(IfFrame, ask=st.builds(Ask, what=NOUNS), then=st.tuples(inner)),
    st.builds(SequenceFrame, steps=st.tuples(st.tuples(inner), st.tuples(inner)))), max_leaves=4)


@given(st.builds(Utterance, frames=st.lists(FRAMES, max_size=3).map(tuple)))
def test_json_and_back(utterance):
    assert from_json(to_json(utterance)) == utterance
    assert hash(from_json(to_json(utterance))) == hash(utterance)


@pytest.mark.parametrize("text, said", [
    ("not json", "Invalid JSON"),
    ('{"frames": [{"frame": "fly"}]}', "'move', 'swap', 'change'"),
    ('{"frames": [{"frame": "go", "to": {"preposition": "inside", "nouns": []}}]}', "frames.0.go.to.preposition"),
    ('{"frames": [], "note": 1}', "note"),
    ('{"frames": [{"frame": "remark"}]}', "frames.0.remark.text"),
    ("[" * 100_000, "no frames"),
])
def test_what_breaks_the_schema_is_refused_in_a_sentence(text, said):
    with pytest.raises(FramesError, match=None) as refused:
        from_json(text)
    assert said in str(refused.value)


def test_the_schema_is_closed():
    """Every object forbids other keys, and every kind of frame is among the choices."""
    schema = json_schema()
    kinds = {name: entry for name, entry in schema["$defs"].items() if entry.get("type") == "object"}
    assert all(entry.get("additionalProperties") is False for entry in kinds.values())
    assert {"MoveFrame", "IfFrame", "SequenceFrame", "AskBackFrame"} <= kinds.keys()
    assert json.loads(json.dumps(schema)) == schema
