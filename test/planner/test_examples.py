"""Examples: what worked is kept, the most similar is shown, within a cap."""

import pytest
from stand_in_server import StandInServer, action
from symbolic_world import SymbolicWorld, run

from dadu.core.errors import ConfigError
from dadu.knowledge.embedding import LexicalEmbedder
from dadu.planner.grammar import Grammar
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.model.examples import ExampleStore
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.model.tokens import estimate
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.settings import ExampleSettings, ModelSettings
from dadu.skills.call import SkillCall

APPLE = "put the apple on the desk"
CALLS = [SkillCall("go_to", ("apple_0",)), SkillCall("pick", ("apple_0",)), SkillCall("go_to", ("desk_0",)),
         SkillCall("place", ("on", "desk_0"))]


def store(path=None):
    return ExampleStore(path, LexicalEmbedder())


def test_the_most_similar_comes_first_and_strangers_not_at_all():
    examples = store()
    examples.add(APPLE, CALLS)
    examples.add("close the fridge", [SkillCall("close", ("fridge_0",))])
    assert [e.instruction for e in examples.similar("put the lemon on the desk", 2, 0.5)] == [APPLE]
    assert examples.similar("put the lemon on the desk", 2, -1.0)[0].instruction == APPLE
    assert examples.similar("zzz qqq", 2, 0.5) == []


def test_a_full_disk_costs_an_example_in_the_file_and_not_the_task(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    examples = store(tmp_path / "file" / "examples.jsonl")  # a folder that cannot be made: root fills no disk
    examples.add(APPLE, CALLS)
    assert examples.similar(APPLE, 1, 0.5)[0].instruction == APPLE
    assert "not kept" in caplog.text


def test_they_survive_and_the_shortest_way_counts(tmp_path):
    path = tmp_path / "deep" / "examples.jsonl"
    examples = store(path)
    examples.add(APPLE, [*CALLS[:1], *CALLS])
    examples.add(APPLE, CALLS)
    examples.add(APPLE, [*CALLS, *CALLS])
    again = store(path)
    assert len(again) == 1 and again.similar(APPLE, 1, 0.9)[0].plan == [c.as_list() for c in CALLS]


def test_a_line_that_was_cut_short_is_left_out_and_rubbish_refused(tmp_path):
    path = tmp_path / "examples.jsonl"
    store(path).add(APPLE, CALLS)
    whole = path.read_text()
    path.write_text(whole + whole[:20])
    assert len(store(path)) == 1
    path.write_text(whole + '{"instruction": "x", "plan": [["fly"]]}\n')
    with pytest.raises(ConfigError, match="line 2.*fly"):
        store(path)


@pytest.mark.parametrize("cap", [0, 10, 40, 200])
def test_the_cap_holds(cap):
    examples = store()
    for i in range(5):
        examples.add(f"{APPLE} number {i}", CALLS * 10)
    assert estimate(examples.text(APPLE, 5, cap, 0.0)) <= cap


def test_a_task_that_succeeds_is_an_example_for_the_next(known, tmp_path):
    path = str(tmp_path / "examples.jsonl")
    server = StandInServer(action("go_to", target="lemon_0"), action("pick", object="lemon_0"),
                           action("go_to", target="desk_0"), action("place", relation="on", receptacle="desk_0"),
                           action("done"))
    settings = ModelSettings(url=server.url, examples=ExampleSettings(path=path, similarity=0.3))
    policy = ModelPolicy(settings, examples=store(path))
    world = SymbolicWorld(known.copy(), known.copy())
    try:
        assert run(ClosedLoop("put the lemon on the desk", TaskPlanner(policy, check=Grammar()), world), world).success
        other = TaskPlanner(ModelPolicy(settings, examples=store(path)))
        run(ClosedLoop("put the lime on the desk", other, world), world)
    finally:
        server.close()
    assert "Example" not in server.requests[0]["messages"][1]["content"]
    assert "Example: put the lemon on the desk: go_to lemon_0; pick lemon_0; go_to desk_0; place on desk_0; done" in (
        server.requests[5]["messages"][1]["content"])


