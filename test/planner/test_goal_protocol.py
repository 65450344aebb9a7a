"""Protocol goal against a stand-in server: asked once, asked again with the reason, and a failure is a failure."""

import json
import time
from random import Random

import pytest

from dadu.core.errors import ConfigError
from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Context, Refused
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.frames.schema import from_json, to_json
from dadu.language.parsing.names import names_of
from dadu.language.parsing.parse import parse
from dadu.planner.asking.question import scripted
from dadu.planner.cost import ModelCall
from dadu.planner.goal_tracker import GoalTracker
from dadu.planner.model.client import Completion
from dadu.planner.model.goal.interpreter import Declined, ModelInterpreter, Unusable, checked, load_goal_prompts
from dadu.planner.model.goal.names import here, is_here, left_out, searchable
from dadu.planner.model.goal.schema import goal_schema
from dadu.planner.policies.make import make_planner
from dadu.planner.settings import ExampleSettings, ModelSettings, PlannerSettings
from dadu.planner.situation import Situation
from dadu.skills.outcome import Code, SkillResult
from dadu.stacks.oracle import OracleStack

LEMON = "put the lemon on the desk"


def noun(name, **more):
    return {"name": name, **more}


def place(preposition, name):
    return {"preposition": preposition, "nouns": [noun(name)]}


def move(what, to, preposition="on", **more):
    return {"frame": "move", "what": [noun(what)], "to": [place(preposition, to)], **more}


def goal(*frames):
    return {"frames": list(frames)}


GOOD = goal(move("lemon", "desk"))


def carried_out(server, instruction=LEMON, *, known="layout", answers=(), fallback=False, slips=0.0, seed=0, url="",
                **changes):
    """The report of a task in the oracle."""
    llm = ModelSettings(**({"protocol": "goal", "timeout": 5.0, "retries": 0, "certain": 0.0} | changes))
    planner = make_planner(PlannerSettings(policy="vllm", llm_url=url or server.url, fallback=fallback, llm=llm))
    stack = OracleStack(load_house("flat"), known=known, slips=slips, seed=seed)
    return stack.do(instruction, planner, answer=scripted(answers))


def test_one_call_carries_the_whole_task_out_however_much_is_looked_for(serve):
    server = serve(GOOD)
    report = carried_out(server)
    assert report.success and len(server.requests) == 1 and [c.kind for c in report.calls] == ["goal"]
    assert (report.tokens_in, report.tokens_out) == (400, 20)
    assert [s.call.skill for s in report.steps][-4:] == ["go_to", "pick", "go_to", "place"] and len(report.steps) > 4
    assert {s.decision.policy for s in report.steps} == {"goal"}, "not the model's choice, nor that of a planner alone"
    first = report.steps[0].decision
    assert LEMON in first.prompt and json.loads(first.reply) == GOOD and json.loads(first.schema)["anyOf"]


def test_the_request_holds_the_schema_with_the_world_s_names(serve):
    server = serve(GOOD)
    carried_out(server)
    form = server.requests[0]["response_format"]["json_schema"]["schema"]
    names = form["$defs"]["Name"]["enum"]
    written, refused = form["anyOf"]
    assert {"desk_0", "desk", "kitchen", "lemon"} <= set(names) and "unicorn" not in names
    assert (list(written["properties"]), list(refused["properties"])) == (["frames"], ["refuse"])
    text = json.dumps(form)
    assert all(word not in text for word in ("oneOf", "default", "discriminator", "maxLength", "RemarkFrame"))


@pytest.mark.parametrize("instruction", [
    LEMON, "take the milk out of the fridge and put it on the dining table, then close the fridge",
    "bring two red apples to the bowl", "if there is milk in the fridge, bring it to the table, otherwise wash the cup",
    "swap the cup and the bowl", "tidy the kitchen", "is there any milk in the fridge?", "do not touch the vase"])
def test_what_the_grammar_writes_keeps_to_the_schema(instruction):
    graph, words = build_graph(load_house("flat"), "layout"), default_vocabulary()
    frames = without_text(json.loads(to_json(parse(instruction, names_of(words, graph)))))["frames"]
    text = json.dumps(goal(*frames))
    form = goal_schema(here(graph), searchable(graph, words))
    assert fits(json.loads(text), form, form["$defs"])


def test_the_schema_has_fields_in_the_order_in_which_replies_are_written():
    """Guided decoding keeps to that order, and a model that has learned another is led to say something else."""
    form = goal_schema(["mug"], ["apple"])
    for name, definition in form["$defs"].items():
        assert "frame" not in list(definition.get("properties", ()))[1:], name
    said = without_text(json.loads(to_json(parse("take two red apples from the desk to the table, then wash the mug",
                                                 names_of(default_vocabulary(), build_graph(load_house("flat")))))))
    for frame in said["frames"][0].get("steps", [said["frames"]])[0]:
        allowed = list(form["$defs"][f"{frame['frame'].title()}Frame2"]["properties"])
        assert [name for name in allowed if name in frame] == list(frame)


def test_the_schema_ends():
    """No type within itself, no list without a bound: whatever a model writes comes to an end."""
    definitions = goal_schema(["mug", "table"], ["apple"])["$defs"]

    depths = {}

    def deep(form):
        if isinstance(form, list):
            return max(map(deep, form), default=0)
        if not isinstance(form, dict):
            return 0
        assert form.get("type") != "array" or "maxItems" in form, form
        inner = deep(list(form.values()))
        return max(inner, 1 + of_type(form["$ref"].rpartition("/")[2])) if "$ref" in form else inner

    def of_type(name):
        if name not in depths:
            depths[name] = None  # not known yet: met again before it is, it holds itself
            depths[name] = deep(definitions[name])
        assert depths[name] is not None, "a type within itself"
        return depths[name]
    assert max(map(of_type, definitions)) < 12


@pytest.mark.parametrize(("frame", "allowed"), [
    ({"frame": "move", "what": [{}]}, False), ({"frame": "move", "what": [{"attributes": ["red"]}]}, False),
    ({"frame": "move", "what": [{"name": ""}]}, False), ({"frame": "move", "what": []}, False),
    ({"frame": "move", "what": [{"pronoun": "it"}]}, True), ({"frame": "move", "what": [{"purpose": "to eat"}]}, True),
    ({"frame": "move", "what": [noun("mug")], "to": [{"preposition": "at", "nouns": [], "special": "usual"}]}, True),
    ({"frame": "swap", "what": [noun("mug")]}, False), ({"frame": "swap", "what": [noun("mug"), noun("table")]}, True),
    ({"frame": "move", "what": [noun("mug")] * 9}, False)])
def test_the_schema_asks_for_what_a_frame_is_about(frame, allowed):
    form = goal_schema(["mug", "table"], ["apple"])
    assert fits(goal(frame), form, form["$defs"]) is allowed


@pytest.mark.parametrize("frame", [
    {"frame": "go", "to": {"preposition": "at", "nouns": []}},
    {"frame": "go", "to": {"preposition": "at", "nouns": [{}]}},
    {"frame": "go", "to": {"preposition": "at", "nouns": [], "special": "usual"}},
    {"frame": "look", "answer": "what", "at": {"preposition": "in", "nouns": []}},
    {"frame": "look", "answer": "state", "state": "open"},
    {"frame": "move", "what": [{"pronoun": "me"}], "to": [place("on", "desk")]},
    {"frame": "move", "what": [{"pronoun": "it"}], "to": [place("on", "desk")]},
    {"frame": "ask_back", "question": ""}, {"frame": "wish", "purpose": ""},
    {"frame": "leave", "what": [noun("vase")]}, {"frame": "told", "what": noun("desk")}], ids=str)
def test_a_goal_without_anything_in_it_is_no_success(serve, frame):
    report = carried_out(serve(goal(frame)), repairs=0)
    assert not report.success and not report.steps
    assert report.outcome.code in (Code.UNKNOWN_ACTION, Code.UNKNOWN_TARGET) and report.outcome.detail == "refused"


@pytest.mark.parametrize("lie", [
    goal(move("book_1", "desk_0")), goal(move("lemon", "bed")), goal(move("vase", "dining table")),
    goal({"frame": "go", "to": place("at", "desk")}),
    goal({"frame": "look", "answer": "exists", "what": noun("lemon")}),
    goal({"frame": "told", "what": noun("lemon")}, {"frame": "change", "what": [noun("fridge")], "state": "closed"})],
    ids=str)
def test_a_goal_that_leaves_out_what_the_words_name_is_asked_about_before_anything_is_done(serve, lie):
    report = carried_out(serve(lie), known="all", certain=0.95)
    assert report.outcome.detail == "asked_back" and not report.steps
    assert "That leaves out" in report.summary and ("lemon" in report.summary or "desk" in report.summary)
    meant = carried_out(serve(lie), known="all", certain=0.95, answers=["yes"])
    assert meant.outcome.ok and meant.steps, "whoever gave the instruction may mean it"


@pytest.mark.parametrize(("instruction", "reply"), [
    ("put the lemon on the desk", GOOD), ("bring me a fruit", goal(move("lemon", "desk"))),
    ("put the lemons onto the writing desk", GOOD), ("put lemon_0 on desk_0", goal(move("lemon_0", "desk_0"))),
    ("what could I drink at the table?", goal({"frame": "wish", "purpose": "what could I drink at the table"})),
    ("take the lemon out of the fridge and put it on the desk", GOOD), ("light 2-3 candles", GOOD)])
def test_other_words_for_the_same_leave_nothing_out(instruction, reply):
    graph, words = build_graph(load_house("flat"), "all"), default_vocabulary()
    assert not left_out(instruction, from_json(json.dumps(reply)), graph, words)


def test_a_model_s_goal_that_holds_already_is_not_certain(serve):
    shut = goal({"frame": "change", "what": [noun("fridge")], "state": "closed"})
    report = carried_out(serve(shut), "open the fridge", certain=0.95)
    assert report.outcome.code is Code.UNCERTAIN and "nothing was done" in report.summary


@pytest.mark.parametrize("much", [
    goal(move("lemon", "desk") | {"what": [noun("lemon")] * 10_000}),
    goal({"frame": "sequence", "steps": [[move("lemon", "desk")]] * 10_000}),
    goal({"frame": "move", "what": [noun("lemon", attributes=["red"] * 10_000)], "to": [place("on", "desk")]})],
    ids=["things", "steps", "attributes"])
def test_what_names_too_much_is_not_begun(much):
    graph, words = build_graph(load_house("flat"), "all"), default_vocabulary()
    found = checked(Completion(json.dumps(much), True, ModelCall("goal", 1, 1)), graph, words)
    assert isinstance(found, Unusable) and "the most" in found.problem


@pytest.mark.parametrize("name", ["l\u0435mon", "lem\u200bon", "\u202enomel", "lemon\x00", "lemon\n", "lemon_7"])
def test_a_name_that_only_looks_like_one_is_none(serve, name):
    report = carried_out(serve(goal(move(name, "desk"))), repairs=0)
    assert report.outcome.code is Code.UNKNOWN_TARGET and not report.steps


def without_text(value):
    if isinstance(value, list):
        return [without_text(item) for item in value]
    if isinstance(value, dict):
        return {k: without_text(v) for k, v in value.items() if k not in ("text", "notes")}
    return value


def fits(value, form, definitions):
    """As much of JSON schema as these schemas use."""
    if "$ref" in form:
        return fits(value, definitions[form["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in form:
        return any(fits(value, one, definitions) for one in form["anyOf"])
    if "const" in form or "enum" in form:
        return value in form.get("enum", [form.get("const")])
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
    if not isinstance(value, kinds[form["type"]]):
        return False
    if isinstance(value, dict):
        known = form["properties"]
        return set(form.get("required", ())) <= set(value) <= set(known) and all(
            fits(v, known[k], definitions) for k, v in value.items())
    if isinstance(value, list):
        items = form.get("prefixItems") or [form["items"]] * len(value)
        counted = form.get("minItems", 0) <= len(value) <= form["maxItems"]
        return counted and len(items) == len(value) and all(map(lambda v, f: fits(v, f, definitions), value, items))
    return True


@pytest.mark.parametrize("bad", [
    "I would put the lemon on the desk.", "", "{", "[]", "7" * 5000, "[" * 100_000, {"frames": []}, {"frames": [{}]},
    {"frames": [{"frame": "teleport"}]}, {"frames": "lemon"},
    goal({"frame": "move", "what": [noun("\ud83d")]})])
def test_what_is_no_frames_is_asked_for_once_more_and_then_a_failure(serve, bad):
    server = serve(bad, GOOD)
    report = carried_out(server)
    assert report.success and [c.kind for c in report.calls] == ["goal", "repair"]
    assert "UNKNOWN_ACTION" in server.requests[1]["messages"][-1]["content"]
    report = carried_out(server := serve(bad), repairs=1)
    assert not report.success and report.outcome.code is Code.UNKNOWN_ACTION and not report.steps
    assert len(server.requests) == 2 == report.cost.calls, "what led nowhere is paid for, too"
    assert "the model gives no goal that can be used" in report.summary


def test_what_is_neither_there_nor_to_be_looked_for_is_sent_back_with_what_there_is(serve):
    server = serve(goal(move("unicorn", "desk")), GOOD)
    assert carried_out(server).success
    told = server.requests[1]["messages"][-1]["content"]
    assert "UNKNOWN_TARGET" in told and "nothing is called unicorn" in told and "desk_0" in told
    report = carried_out(serve(goal(move("lemon", "moon"))), repairs=0)
    assert report.outcome.code is Code.UNKNOWN_TARGET and "moon" in report.summary and not report.steps


def test_a_name_in_the_depth_is_checked_too(serve):
    deep = goal({"frame": "if", "ask": {"what": noun("milk", places=[place("in", "volcano")])},
                 "then": [move("lemon", "desk")]})
    assert carried_out(serve(deep), repairs=0).outcome.code is Code.UNKNOWN_TARGET


def test_ids_and_more_general_words_name_what_is_there(serve):
    assert carried_out(serve(goal(move("lemon_0", "desk_0"))), known="all").success
    graph, words = build_graph(load_house("flat"), "all"), default_vocabulary()
    assert is_here("fruit", graph, words) and is_here("dining table", graph, words)
    assert not is_here("unicorn", graph, words) and not is_here("", graph, words)


def test_frames_that_mean_nothing_here_are_sent_back_with_the_type_of_the_reason(serve):
    server = serve(goal({"frame": "change", "what": [noun("desk")], "state": "open"}), GOOD)
    report = carried_out(server)
    assert report.success and "NOT_INTERACTIVE" in server.requests[1]["messages"][-1]["content"]


def test_a_cut_off_reply_is_not_taken(serve):
    server = serve(GOOD, finish_reason=["length", "stop"])
    assert carried_out(server).success and "be brief" in server.requests[1]["messages"][-1]["content"]


def test_the_model_may_refuse(serve):
    report = carried_out(serve({"refuse": "a robot cannot fly"}), "fly to the moon")
    assert report.outcome.detail == "refused" and "a robot cannot fly" in report.summary and report.cost.calls == 1


def test_the_model_may_ask_and_the_answer_is_read_by_it(serve):
    server = serve(goal({"frame": "ask_back", "question": "which fruit?"}), GOOD)
    report = carried_out(server, "bring me a fruit", answers=["put the lemon on the desk"])
    assert report.success and report.steps[0].call.arguments == ("which fruit?",)
    assert "put the lemon on the desk" in server.requests[1]["messages"][-1]["content"]
    assert carried_out(serve(goal({"frame": "ask_back", "question": "which?"}))).outcome.detail == "asked_back"


def test_what_cannot_be_reached_is_asked_about_again_with_the_reason_and_no_more_often_than_allowed(serve):
    wash = goal({"frame": "change", "what": [noun("lemon")], "state": "clean"})
    server = serve(wash, GOOD)
    report = carried_out(server)
    assert report.success and [c.kind for c in report.calls] == ["goal", "goal"]
    again = server.requests[1]["messages"][-1]["content"]
    assert "could not be reached" in again and "clean" in again and "Last: " in again
    report = carried_out(server := serve(wash), repairs=1)
    assert not report.success and report.outcome.detail == "gave_up" and len(server.requests) == 2


def test_a_skill_that_fails_is_the_planner_s_business_not_the_model_s(serve):
    server = serve(GOOD)
    report = carried_out(server, slips=0.6, seed=1)
    assert any(not s.outcome.ok for s in report.steps) and len(server.requests) == 1


@pytest.mark.parametrize(("replies", "options"), [
    (([503],), {}), (([None],), {}), (([GOOD],), {"delay": 60.0}), (([GOOD],), {"dribble": 0.5})],
    ids=["error", "cut", "slow", "dribbling"])
def test_a_server_that_cannot_be_used_is_a_failure_within_its_time(serve, replies, options):
    start = time.monotonic()
    report = carried_out(serve(*replies[0], **options), timeout=0.4)
    assert report.outcome.code is Code.UNREACHABLE_BACKEND and not report.steps and not report.success
    assert report.outcome.detail == "" and time.monotonic() - start < 30.0


def test_the_symbolic_planner_takes_over_only_where_that_is_asked_for_and_says_so():
    report = carried_out(None, url="http://127.0.0.1:9/v1", fallback=True)
    assert report.success and {s.decision.policy for s in report.steps} == {"symbolic"}
    assert "takes over" in report.steps[0].decision.reasoning and "in the model's place" in report.summary
    assert carried_out(None, url="http://127.0.0.1:9/v1").outcome.code is Code.UNREACHABLE_BACKEND


def test_a_check_of_done_has_no_meaning_with_it_and_is_refused():
    with pytest.raises(ConfigError, match="protocol goal"):
        make_planner(PlannerSettings(policy="vllm", llm=ModelSettings(protocol="goal"), verify="grammar"))


def test_prompts_of_ones_own(tmp_path, serve):
    words = load_goal_prompts().model_dump() | {"system": "Be terse."}
    (tmp_path / "terse.yaml").write_text(json.dumps(words))
    server = serve(GOOD)
    assert carried_out(server, prompt=str(tmp_path / "terse.yaml")).success
    assert server.requests[0]["messages"][0]["content"] == "Be terse."
    (tmp_path / "wrong.yaml").write_text(json.dumps(words | {"first": "{world} {weather}"}))
    with pytest.raises(ConfigError, match="weather"):
        carried_out(server, prompt=str(tmp_path / "wrong.yaml"))


def test_a_reply_is_one_of_three_things():
    graph, words = build_graph(load_house("flat"), "all"), default_vocabulary()

    def read(text, complete=True):
        return checked(Completion(text, complete, ModelCall("goal", 1, 1)), graph, words)
    assert read('{"refuse": "no"}') == Declined("no")
    assert isinstance(read(json.dumps(GOOD | {"refuse": "no"})), Unusable)
    assert isinstance(read("{}"), Unusable) and isinstance(read('{"refuse": "no"}', complete=False), Unusable)
    assert not isinstance(read(json.dumps(GOOD)), (Declined, Unusable))


def drawn(form, definitions, chance, depth=0):
    """Something that keeps to a schema, any of its objects' fields there or not."""
    if "$ref" in form:
        return drawn(definitions[form["$ref"].rpartition("/")[2]], definitions, chance, depth + 1)
    if "anyOf" in form:
        flat = [one for one in form["anyOf"]
                if depth < 5 or not one.get("$ref", "").endswith(("IfFrame", "SequenceFrame"))]
        return drawn(chance.choice(flat), definitions, chance, depth + 1)
    if "const" in form or "enum" in form:
        return chance.choice(form.get("enum", [form.get("const")]))
    if form["type"] == "object":
        return {name: drawn(inner, definitions, chance, depth + 1) for name, inner in form["properties"].items()
                if name in form.get("required", ()) or (depth < 6 and chance.random() < 0.25)}
    if form["type"] == "array":
        few = max(form.get("minItems", 0), chance.choice([0, 1, 1, 2]) if depth < 8 else 0)
        return [drawn(f, definitions, chance, depth + 1) for f in form.get("prefixItems") or [form["items"]] * few]
    return {"string": chance.choice(["red", "to drink", "I am thirsty", "foo", ""]), "integer": chance.randint(-1, 3),
            "boolean": chance.random() < 0.5, "null": None}[form["type"]]


def test_whatever_keeps_to_the_schema_is_read_or_refused_and_breaks_nothing():
    graph, words = build_graph(load_house("flat"), "all"), default_vocabulary()
    form = goal_schema(here(graph), ["milk", "apple", "cola"])

    class Said:
        def ask(self, messages, schema, deadline, kind="step"):
            return Completion(self.text, True, ModelCall(kind, 1, 1))

    model, read = Said(), set()
    for seed in range(150):
        model.text = json.dumps(drawn(form["anyOf"][0], form["$defs"], Random(seed)))
        reader = ModelInterpreter(ModelSettings(protocol="goal", repairs=0), model=model)
        read.add(type(reader.read("x", Context(graph, words))))
    assert {Goal, Refused, AskBack} <= read


def test_a_goal_that_the_model_is_not_certain_of_is_asked_about():
    graph, words = build_graph(load_house("flat"), "all"), default_vocabulary()

    class Unsure:
        def ask(self, messages, schema, deadline, kind="step"):
            return Completion(json.dumps(GOOD), True, ModelCall(kind, 1, 1, certainty=0.6))

    def tracker(certain):
        settings = ModelSettings(protocol="goal", certain=certain)
        made = GoalTracker("x", ModelInterpreter(settings, model=Unsure()), words, asks=True)
        made.follow(graph, Situation())
        return made
    assert tracker(0.5).progress is not None
    asking = tracker(0.7)
    assert asking.progress is None and asking.question.message.startswith("Do you mean: lemon on desk?")
    asking.answered(SkillResult(Code.SUCCEEDED, message="yes"), graph, Situation())
    asking.follow(graph, Situation())
    assert asking.progress.goal == tracker(0.5).progress.goal


def test_a_goal_that_was_reached_is_shown_where_the_next_one_is_like_it(tmp_path, serve):
    store = ExampleSettings(path=str(tmp_path / "examples.jsonl"), tokens=200)
    first = carried_out(serve(GOOD), examples=store)
    (line,) = (tmp_path / "examples.jsonl").read_text().splitlines()
    kept = json.loads(line)
    assert first.success and kept["instruction"] == LEMON and kept["frames"] == GOOD["frames"]
    assert kept["plan"][-1] == ["place", "on", "desk_0"]
    server = serve({"refuse": "no"})
    failed = carried_out(server, "place the lemon onto the desk", examples=store)
    shown = server.requests[0]["messages"][1]["content"]
    assert shown.startswith(f"Example: {LEMON}: ") and json.dumps(GOOD["frames"]) in shown
    assert not failed.success and len((tmp_path / "examples.jsonl").read_text().splitlines()) == 1
    carried_out(server := serve({"refuse": "no"}), "open the window", examples=store)
    assert "Example" not in server.requests[0]["messages"][1]["content"], "unlike it"
    tight = store.model_copy(update={"tokens": 20})
    carried_out(server := serve({"refuse": "no"}), LEMON, examples=tight)
    assert "Example" not in server.requests[0]["messages"][1]["content"], "whole or not at all"


def both(server, instruction, **changes):
    return carried_out(server, instruction, grammar_first=True, **changes)


def test_of_two_readers_the_grammar_reads_what_it_understands_and_the_model_is_not_asked(serve):
    server = serve(goal(move("mug", "sofa")))
    report = both(server, LEMON)
    assert report.success and not server.requests and {s.decision.policy for s in report.steps} == {"symbolic"}


@pytest.mark.parametrize("instruction", ["lemon desk now chop chop the lemon thither",
                                         f"{LEMON} and frobnicate the wall"])
def test_of_two_readers_the_model_reads_what_the_grammar_does_not_understand(serve, instruction):
    server = serve(GOOD)
    report = both(server, instruction)
    assert report.success and len(server.requests) == 1 and instruction in server.requests[0]["messages"][-1]["content"]
    assert {s.decision.policy for s in report.steps} <= {"goal", "closing_up"}


def test_where_neither_reads_it_the_grammar_says_what_it_did_not_understand(serve):
    report = both(serve({"refuse": "no"}), "frobnicate the wall")
    assert not report.steps and "frobnicate" in report.summary and report.outcome.code is Code.UNKNOWN_ACTION


def test_of_two_readers_a_model_that_cannot_be_used_is_said_to_be_that():
    report = both(None, "frobnicate the wall", url="http://127.0.0.1:9/v1")
    assert not report.steps and report.outcome.code is Code.UNREACHABLE_BACKEND
