"""Undo takes back exactly what the edit did, also after a restart; what was learnt since stays."""

import json

from hypothesis import given
from hypothesis import strategies as st

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.embedding import LexicalEmbedder
from dadu.memory.memory import Memory
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Kind

PRIOR = build_graph(load_house("flat"), known="all")
THINGS = sorted(e.id for e in PRIOR.of(Kind.OBJECT))[:6]
TABLES = sorted(e.id for e in PRIOR.of(Kind.FURNITURE) if any(not s.inside for s in e.surfaces))[:4]
NEW = [f"new_{i}" for i in range(4)]
EDITS = st.one_of(
    st.builds(lambda o, t: {"move": {"object": o, "on": t}}, st.sampled_from(THINGS), st.sampled_from(TABLES)),
    st.builds(lambda o: {"remove": o}, st.sampled_from([*THINGS, *TABLES])),
    st.builds(lambda i, c: {"put": {"id": i, "kind": "object", "category": c}}, st.sampled_from(NEW),
              st.sampled_from(["key", "pen"])),
    st.builds(lambda o, v: {"put": {"id": o, "attributes": {"owner": v}}}, st.sampled_from(THINGS),
              st.text(max_size=5)))


def state(memory):
    return dict(memory.graph.entities), set(memory.graph.edges)


@given(st.lists(EDITS, max_size=6))
def test_undoing_everything_restores_everything(edits):
    memory = Memory(PRIOR, embedder=LexicalEmbedder)
    states = []
    for edit in edits:
        named = {edit.get("remove"), *edit.get("move", {}).values(), edit.get("put", {}).get("id")}
        if named - {None, *NEW} <= memory.graph.entities.keys():  # else it is refused
            states.append(state(memory))
            memory.edit(json.dumps(edit))
    for before in reversed(states):
        memory.edit('{"undo": true}')
        assert state(memory) == before


def test_undo_outlives_the_process(tmp_path):
    first = Memory(PRIOR, tmp_path / "memory.sqlite")
    before = state(first)
    first.edit(json.dumps({"remove": "fridge_0"}))
    first.edit(json.dumps({"move": {"object": "mug_0", "on": "sofa_0"}}))
    first.close()
    again = Memory(PRIOR, tmp_path / "memory.sqlite")
    again.learn(SkillCall("pick", ("bowl_0",)), SkillResult(Code.SUCCEEDED, ""), 5.0)
    assert "sofa_0" in again.edit('{"undo": true}') and "fridge_0" in again.edit('{"undo": true}')
    entities, edges = state(again)
    assert entities["fridge_0"] == before[0]["fridge_0"] and entities["mug_0"] == before[0]["mug_0"]
    assert again.graph.held().id == "bowl_0"
    assert {e for e in before[1] if "bowl_0" not in (e.subject, e.object)} <= edges
    again.close()


def test_only_so_many_edits_are_kept():
    memory = Memory(PRIOR, embedder=LexicalEmbedder)
    for i in range(30):
        memory.edit(json.dumps({"put": {"id": "mug_0", "attributes": {"n": str(i)}}}))
    for _ in range(memory.settings.undo_depth):
        memory.edit('{"undo": true}')
    assert memory.graph["mug_0"].attributes == {"n": "9"}
