"""React in brief words: what is told, and what may be answered."""

import json

from small_world import small_world

from dadu.core.paths import shared
from dadu.planner.cost import ModelCall
from dadu.planner.model.brief import unseen, whereabouts
from dadu.planner.model.client import Completion
from dadu.planner.model.conversation import Conversation
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.model.prompt import load_prompts
from dadu.planner.model.tokens import estimate
from dadu.planner.policies.policy import Turn
from dadu.planner.settings import ModelSettings
from dadu.planner.situation import Situation
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.table import BASE_CAPABILITIES
from dadu.world.graph import Edge, Entity, Kind, Relation

BRIEF = str(shared("config", "prompts", "react") / "brief.yaml")
FETCH = "put the lemon on the shipping table"


def turn(words, graph, history=(), situation=None):
    return Turn(words, graph, None, situation or Situation(), tuple(history))


def test_where_things_are_is_told_of_what_the_instruction_names_and_names_alone_of_the_rest():
    conversation = Conversation(load_prompts(BRIEF), ModelSettings(), BASE_CAPABILITIES)
    graph, situation = small_world(), Situation()
    (system, first), _ = conversation.ask(turn(FETCH, graph, situation=situation))
    assert "lemon_0" in first["content"] and "shipping_table" in first["content"]
    world, other = first["content"].splitlines()[1:-3], first["content"].splitlines()[-3]
    assert "duck_toy" not in " ".join(world) and "Look" not in first["content"]
    assert other.startswith("Also: ") and "duck_toy_0" in other and "lemon_0" not in other
    assert estimate(system["content"]) + estimate(first["content"]) < 145
    conversation.answered("{}", turn(FETCH, graph, situation=situation))
    graph.put(Entity("spoon_0", Kind.OBJECT, "spoon"))
    graph.edges.add(Edge("spoon_0", Relation.ON, "toys_table", "top"))
    graph.put(Entity("lemon_1", Kind.OBJECT, "lemon"))
    graph.edges.add(Edge("lemon_1", Relation.ON, "toys_table", "top"))
    done = Step(1, Decision(SkillCall("wait", ()), "so", "vllm"), 0.0, result=SkillResult(Code.SUCCEEDED, "done"))
    messages, begins = conversation.ask(turn(FETCH, graph, [done], situation))
    assert not begins and "lemon_1 on toys_table; spoon_0\n" in messages[-1]["content"]


def test_where_to_look_is_told_as_long_as_nothing_of_the_kind_is_known():
    graph = small_world()
    assert unseen(turn(FETCH, graph)) == ""
    assert unseen(turn("put the spoon on the shipping table", graph)) == "Look: shop"
    searched = Situation(looked={"shop": 1, "unknown": 1})
    assert unseen(turn("put the spoon on the shipping table", graph, situation=searched)) != "Look: shop"


def test_where_the_robot_is():
    assert whereabouts(turn(FETCH, small_world())) == "shop"
    assert whereabouts(turn(FETCH, small_world(), situation=Situation(at=("lemon_0", "pick")))) == "lemon_0"


class Server:
    """Answers and keeps the schema."""

    def ask(self, messages, schema, deadline, kind="step"):
        self.schema = schema
        text = json.dumps({"action": "go_to", "arguments": {"target": "lemon_0"}})
        return Completion(text, True, ModelCall(kind, 0, 0, 0, 0.0, 0.0))


def test_a_reply_is_an_action_alone():
    server = Server()
    policy = ModelPolicy(ModelSettings(protocol="react", prompt=BRIEF), BASE_CAPABILITIES, model=server)
    decision = policy.choose(turn(FETCH, small_world()))
    assert decision.call == SkillCall("go_to", ("lemon_0",)) and decision.failure is None
    assert all(list(form["properties"]) == ["action", "arguments"] for form in server.schema["anyOf"])
