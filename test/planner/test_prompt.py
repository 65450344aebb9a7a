"""What a model is told: how long it is, that it only grows at its end, and when it begins anew."""

import json

import pytest
from small_world import small_world

from dadu.core.errors import ConfigError
from dadu.planner.model.conversation import Conversation
from dadu.planner.model.prompt import load_prompts
from dadu.planner.model.tokens import clip, estimate
from dadu.planner.policies.policy import Turn
from dadu.planner.settings import ModelSettings
from dadu.planner.situation import Situation
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.table import BASE_CAPABILITIES
from dadu.world.graph import Edge, Entity, Kind, Relation

FIND = "find lemon, apple and put it on a shipping table"
TEMPLATE = 40
"""tokens that a chat template adds to the first prompt at most, such as Llama 3.1's with its dates"""
MARKS = 10
"""tokens that it adds to one more question"""
PROTOCOLS = ["two_phase", "react"]
REPLY = '{"reasoning": "The lemon is on fruit_table.", "action": "go_to", "arguments": {"target": "lemon_0"}}'


def conversation(protocol="two_phase", **settings):
    return Conversation(load_prompts(protocol), ModelSettings(**settings), BASE_CAPABILITIES)


GO = SkillCall("go_to", ("lemon_0",))


def step(index, call=GO, code=Code.SUCCEEDED, message="done"):
    return Step(index, Decision(call, "so", "vllm"), 0.0, result=SkillResult(code, message))


def turn(graph, history=(), feedback="", situation=None):
    return Turn(FIND, graph, None, situation or Situation(), tuple(history), feedback)


def length(messages):
    return sum(estimate(m["content"]) for m in messages)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_first_prompt_is_no_longer_than_dadu_e_s(protocol):
    messages, begins = conversation(protocol).ask(turn(small_world()))
    assert begins and [m["role"] for m in messages] == ["system", "user"]
    assert all(id in messages[1]["content"] for id in ("lemon_0", "storage_rack", "duck_toy_0"))
    assert length(messages) + TEMPLATE <= 543


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_first_prompt_is_bounded_in_a_large_house_too(protocol):
    graph = small_world()
    for i in range(400):
        graph.put(Entity(f"brick_{i}", Kind.OBJECT, "brick"))
        graph.edges.add(Edge(f"brick_{i}", Relation.ON, "toys_table", "top"))
    messages, _ = conversation(protocol).ask(turn(graph))
    assert length(messages) + TEMPLATE <= 700
    assert "lemon_0" in messages[1]["content"] and "..." in messages[1]["content"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_prompt_does_not_grow_with_the_task(protocol):
    def first(n):
        history = [step(i + 1, code=Code.TOO_FAR, message="too far away") for i in range(n)]
        return length(conversation(protocol).ask(turn(small_world(), history))[0])
    assert abs(first(90) - first(20)) < 5


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("code", "feedback"), [
    (Code.SUCCEEDED, ""), (Code.EXECUTION_FAILED, "pick(lemon_0) failed twice: go_to lemon_0 and try again. " * 5)])
def test_a_turn_adds_little_and_only_at_the_end(protocol, code, feedback):
    said, graph, situation = conversation(protocol), small_world(), Situation()
    before, _ = said.ask(turn(graph, situation=situation))
    said.answered(REPLY, turn(graph, situation=situation))
    for i in range(1, 8):
        history = [step(k + 1, code=code, message="no grasp is free on any side of it " * 8) for k in range(i)]
        graph = graph.copy()
        for k in range(20):
            graph.put(Entity(f"brick_{i}_{k}", Kind.OBJECT, "brick"))
        now = turn(graph, history, feedback, situation)
        messages, begins = said.ask(now)
        assert not begins
        assert messages[:len(before)] == before, "what was said is not changed"
        assert estimate(messages[-1]["content"]) + MARKS <= 60
        assert code.name in messages[-1]["content"]
        said.answered(REPLY, now)
        before = messages


def test_a_reply_is_kept_without_the_blanks_that_a_grammar_allows():
    said, graph, situation = conversation(), small_world(), Situation()
    first = turn(graph, situation=situation)
    said.ask(first)
    blanks = " \r\n" * 400
    said.answered(f'{{"reasoning" \n\n : "The lemon is\ton it.",{blanks}"action": "wait", "arguments": {{}}}}', first)
    kept = said.ask(turn(graph, [step(1)], situation=situation))[0][2]["content"]
    assert kept == '{"reasoning" : "The lemon is on it.", "action": "wait", "arguments": {}}'
    said.answered(REPLY, turn(graph, [step(1)], situation=situation))
    assert said.ask(turn(graph, [step(1), step(2)], situation=situation))[0][4]["content"] == REPLY, "as it came"


def test_it_begins_anew_when_it_has_grown_too_long():
    said, graph, situation, begun, longest = conversation(context_tokens=800), small_world(), Situation(), 0, 0
    for i in range(60):
        now = turn(graph, [step(k + 1) for k in range(i)], situation=situation)
        messages, begins = said.ask(now)
        said.answered(REPLY, now)
        begun, longest = begun + begins, max(longest, length(messages))
    assert 2 <= begun <= 20 and longest <= 800
    assert "earlier steps" in messages[1]["content"]


def test_another_task_begins_anew():
    said, graph = conversation(), small_world()
    first = turn(graph, feedback="Hint")
    said.ask(first)
    said.answered(REPLY, first)
    assert not said.ask(Turn(FIND, graph, None, first.situation, (step(1),)))[1]
    assert said.ask(turn(graph))[1], "the same words, but a new situation"
    assert said.ask(Turn("fetch the tea", graph, None, first.situation, ()))[1]


def test_a_question_that_was_never_answered_is_put_once():
    said, graph, situation = conversation(), small_world(), Situation()
    said.ask(turn(graph, situation=situation))
    said.answered(REPLY, turn(graph, situation=situation))
    said.ask(turn(graph, [step(1)], situation=situation))
    messages, begins = said.ask(turn(graph, [step(1), step(2, SkillCall("pick", ("lemon_0",)))], situation=situation))
    assert not begins and [m["role"] for m in messages] == ["system", "user", "assistant", "user"]
    assert "1 more steps" in messages[-1]["content"] and "pick(lemon_0) -> SUCCEEDED" in messages[-1]["content"]


def test_news_of_what_the_instruction_names_comes_first_and_the_robots_own_doing_is_none():
    said, graph, situation = conversation(), small_world(), Situation()
    said.ask(turn(graph, situation=situation))
    said.answered(REPLY, turn(graph, situation=situation))
    pick = SkillCall("pick", ("lemon_0",))
    after = apply(graph, pick)
    after.put(Entity("brick_0", Kind.OBJECT, "brick"))
    after.set_support("brick_0", Edge("brick_0", Relation.ON, "toys_table"))
    after.set_support("apple_0", Edge("apple_0", Relation.ON, "storage_rack"))
    text = said.ask(turn(after, [step(1, pick)], situation=situation))[0][-1]["content"]
    assert "apple_0 now on storage_rack; brick_0 on toys_table" in text
    assert "lemon_0 now" not in text


def test_more_news_of_what_matters_than_a_turn_has_room_for():
    said, graph, situation = conversation(), small_world(), Situation()
    said.ask(turn(graph, situation=situation))
    said.answered(REPLY, turn(graph, situation=situation))
    after = graph.copy()
    for i in range(1, 20):
        after.put(Entity(f"lemon_{i}", Kind.OBJECT, "lemon"))
    messages, begins = said.ask(turn(after, [step(1)], situation=situation))
    assert begins and "lemon_19" in messages[1]["content"]


@pytest.mark.parametrize("text", ["", "word", "two words", "pick(milk_0) -> EXECUTION_FAILED (no_grasp): no way in"])
@pytest.mark.parametrize("budget", [0, 1, 4, 12, 50])
def test_clipping_keeps_the_budget(text, budget):
    short = clip(text, budget)
    assert estimate(short) <= max(budget, 0) and (short == text or short.endswith("...") or not short)


TOLD = """SUCCEEDED
cushion_0(orange) on sofa_0; floor_lamp_0; sofa_0; stuffed_toy_0(#b58452) on sofa_0; television_0
Next:"""
"""what a turn had to say in the apartment"""


@pytest.mark.needs("mistral")
def test_the_estimate_errs_upwards():
    """Against tekken, a byte-pair vocabulary of 131,000."""
    from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

    tekken = MistralTokenizer.v3(is_tekken=True)
    encode = tekken.instruct_tokenizer.tokenizer.encode
    first = [m["content"] for protocol in PROTOCOLS for m in conversation(protocol).ask(turn(small_world()))[0]]
    for text in (TOLD, *first):
        assert len(encode(text, bos=False, eos=False)) <= estimate(text), text


def test_words_in_capitals_are_more_tokens():
    assert estimate("SUCCEEDED") >= 4 and estimate("EXECUTION_FAILED") >= 6 and estimate("I") == 1


def test_prompts_that_cannot_be_filled_in_are_refused_before_a_task_begins(tmp_path):
    file = tmp_path / "mine.yaml"
    good = {"version": 1, "plan_first": False, "system": "{skills}", "first": "{world}", "turn": "{outcome}",
            "repair": "{problem}", "picture": "{target}"}
    for field, text, complaint in [("first", "{wrold}", "first.*valid: at, examples"), ("turn", "{", "turn.*'{'")]:
        file.write_text(json.dumps({**good, field: text}))
        with pytest.raises(ConfigError, match=complaint):
            load_prompts(str(file))
    with pytest.raises(ConfigError, match="valid: goal, react, two_phase, or a YAML file"):
        load_prompts("telepathy")
