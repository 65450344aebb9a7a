"""Replies as models and servers send them: what is unambiguous is taken by every protocol, anything else is refused."""

import json
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dadu.core.errors import ConfigError
from dadu.planner.model.client import ModelClient
from dadu.planner.model.goal.interpreter import Declined, checked
from dadu.planner.model.reading import ReplyError, bare, message_text, one_object, read
from dadu.planner.model.schema import Reply
from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.settings import ModelSettings

GO = {"action": "go_to", "arguments": {"target": "desk_0"}}
SAID = json.dumps(GO)
OTHER = '{"action": "done", "arguments": {}}'

TEXTS = {
    "plain": SAID,
    "indented": json.dumps(GO, indent=2),
    "thoughts": f"<think>First {OTHER}? No.</think>\n\n{SAID}",
    "thoughts begun by the template": f"I might say {OTHER}, but no.\n</think>\n{SAID}",
    "thoughts of Mistral": f"[THINK]{OTHER}?[/THINK]{SAID}",
    "thoughts of Kimi": f"◁think▷{OTHER}◁/think▷{SAID}",
    "thoughts of Seed": f"<seed:think>{OTHER}</seed:think>{SAID}",
    "channels": "<|channel|>analysis<|message|>?<|end|><|start|>assistant"
                f"<|channel|>final<|message|>{SAID}<|return|>",
    "channels, constrained": f"<|channel|>analysis<|message|>{OTHER}?<|end|><|start|>assistant"
                             f"<|channel|>final <|constrain|>json<|message|>{SAID}<|return|>",
    "channels, as a call": f"<|channel|>analysis<|message|>{OTHER}?<|end|><|start|>assistant<|channel|>commentary "
                           f"to=functions.action <|constrain|>json<|message|>{SAID}<|call|>",
    "nothing but thoughts": f"<think>{SAID}</think>\n",
    "fence": f"```json\n{SAID}\n```",
    "fence in capitals": f"```JSON\n{SAID}\n```",
    "fence amid prose": f"Sure! I go to the desk:\n\n```\n{SAID}\n```\nTell me if {{anything}} is wrong.",
    "end of sentence": f"{SAID}</s>",
    "end of ChatML": f"{SAID}<|im_end|>\n<|endoftext|>",
    "end of Llama 3": f"<|start_header_id|>assistant<|end_header_id|>\n\n{SAID}<|eot_id|>",
    "end of Gemma": f"{SAID}<end_of_turn>",
    "tool call of Hermes": '<tool_call>\n{"name": "go_to", "arguments": {"target": "desk_0"}}\n</tool_call>',
    "tool call of Llama": '<|python_tag|>{"name": "go_to", "parameters": {"target": "desk_0"}}<|eom_id|>',
    "tool call of Mistral": '[TOOL_CALLS][{"name": "go_to", "arguments": {"target": "desk_0"}}]',
    "call of the schema": json.dumps({"name": "action", "arguments": GO}),
    "list of one": f"[{SAID}]",
    "text in JSON": json.dumps(SAID),
    "remarks": '{ // so "it { is\n"action": "go_to", /* } */ "arguments": {"target": "desk_0"}, // done\n}',
    "trailing commas": '{"action": "go_to", "arguments": {"target": "desk_0",},}',
    "said twice": f"{SAID}\n{SAID}",
    "arguments as text": json.dumps({**GO, "arguments": json.dumps(GO["arguments"])}),
    "null for what is not given": json.dumps({"reasoning": None, "plan": None, **GO,
                                              "arguments": {"target": "desk_0", "relation": None}}),
    "keys of its own": json.dumps({"confidence": 0.9, "next": ["x"], **GO}),
    "line break in a text": '{"reasoning": "one\ntwo", ' + SAID[1:],
    "an end of thoughts in a text": json.dumps({"reasoning": "after </think> {", **GO}),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_is_unambiguous_is_taken(text):
    for form in (text, bare(text)):
        reply = read(form, Reply)
        assert (reply.action, reply.arguments) == ("go_to", {"target": "desk_0"})


def test_no_arguments_may_be_null():
    assert read('{"action": "done", "arguments": null}', Reply).arguments == {}


@pytest.mark.parametrize(("text", "why"), [
    (f"{SAID}\n{OTHER}", "2 different"), (f"```json\n{SAID}\n```\nor\n```json\n{OTHER}\n```", "2 different"),
    (SAID[:-1], "breaks off"), (SAID[:-4], "breaks off"), ("", "no JSON object"),
    ("I go to the desk.", "no JSON object"),
    ("{'action': 'done'}", "double quotes"), ('{"action": "go_to", "action": "done"}', "twice"),
    ('{"action": go_to}', "no JSON"), ('{"action": "done",,}', "no JSON"), ('{"a": ' * 5000 + "1" + "}" * 5000, "deep"),
    ('{"action": "\\ud800"}', "no JSON"), ("[1, 2]", "no JSON object"), ('{"action": 3}', "action"), ("{}", "action"),
    ('{"action": "go_to", "arguments": {"target": ["desk_0"]}}', "arguments"), ('{"x": NaN}', "NaN"),
    ('{"x": 1e999}', "1e999"), (None, "no JSON object"),
    (f'{{"action": go_to}} {OTHER}', "no JSON")])
def test_what_is_not_is_refused_with_what_was_wrong(text, why):
    with pytest.raises(ReplyError, match=why):
        read(text, Reply)


PIECES = st.sampled_from(['{"', '"}', '{', '}', '"', '\\', ',', ':', '[', ']', '</think>', '<think>', '```', SAID,
                          OTHER, '"name"', '"arguments"', 'null', 'True', '\ud800', '<|im_end|>', ' ', '\n'])


@given(st.one_of(st.text(), st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=25).map("".join)))
@example('"' * 3000)
@example('{"' + '\\"' * 3000)
def test_any_text_is_an_object_or_the_one_error(text):
    try:
        value = one_object(text)
    except ReplyError as error:
        assert str(error)
    else:
        assert isinstance(value, dict) and one_object(bare(text)) == value
    bare(text).encode()


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def nested(texts, keys, leaves):
    """What JSON can say, a few entries in each list and object: long ones take long to make and show nothing new."""
    return st.recursive(
        st.none() | st.booleans() | st.integers() | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=leaves)


@given(st.dictionaries(WORDS, nested(WORDS, WORDS, leaves=8), max_size=4))
def test_an_object_of_json_is_taken_as_it_is(value):
    if not {"name", "arguments", "parameters"} & set(value):
        assert one_object(json.dumps(value)) == one_object(bare(json.dumps(value))) == value


def call(name, arguments):
    return {"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}


MESSAGES = {
    "OpenAI": {"content": SAID, "refusal": None, "annotations": []},
    "OpenAI, in parts": {"content": [{"type": "text", "text": SAID[:9]}, {"type": "text", "text": SAID[9:]}]},
    "vLLM, thoughts apart": {"content": f"\n\n{SAID}", "reasoning_content": f"Hm, {OTHER}?", "tool_calls": []},
    "vLLM, all taken for thoughts": {"content": None, "reasoning_content": SAID, "tool_calls": []},
    "vLLM of late": {"content": None, "reasoning": SAID},
    "vLLM, taken for a call": {"content": None, "tool_calls": [call("go_to", '{"target": "desk_0"}')]},
    "llama.cpp server, call of the schema": {"content": "", "tool_calls": [call("action", SAID)]},
    "llama.cpp server, thoughts in the text": {"content": f"<think>\n{OTHER}?\n</think>\n\n{SAID}"},
    "Ollama": {"content": f"```JSON\n{SAID}\n```", "reasoning": "so"},
    "Ollama, arguments as object": {"content": "", "tool_calls": [call("go_to", {"target": "desk_0"})]},
    "LM Studio": {"content": f"{SAID}<|im_end|>", "reasoning_content": None},
    "SGLang": {"content": f"{SAID}</s>", "reasoning_content": "", "tool_calls": None},
    "TGI": {"content": f" {SAID}"},
    "function calls of old": {"content": None, "function_call": {"name": "go_to", "arguments": '{"target": "desk_0"}'}},
    "Mistral, thoughts as a part": {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": OTHER}]},
                                                {"type": "text", "text": SAID}]},
    "a proxy that reads JSON": {"content": GO},
}


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_every_server_s_way_of_putting_it_is_read(serve, message):
    reason = "eos_token" if message is MESSAGES["TGI"] else None
    body = {"choices": [{"message": {"role": "assistant", **message}, "finish_reason": reason}], "usage": None}
    client = ModelClient(ModelSettings(url=serve(json.dumps(body).encode()).url, retries=0))
    answer = client.ask([{"role": "user", "content": "?"}], {}, time.monotonic() + 60.0)
    reply = read(answer.text, Reply)
    assert answer.complete and (reply.action, reply.arguments) == ("go_to", {"target": "desk_0"})


def test_what_is_said_and_called_may_not_differ():
    with pytest.raises(ReplyError, match="2 different"):
        one_object(message_text({"content": OTHER, "tool_calls": [call("go_to", '{"target": "desk_0"}')]}))


@given(st.dictionaries(
    st.sampled_from(["content", "tool_calls", "reasoning_content", "function_call", "refusal"]),
    nested(st.text(max_size=12), st.sampled_from(["text", "function", "name", "arguments"]), leaves=10), max_size=4))
def test_any_message_says_some_text(message):
    assert isinstance(message_text(message), str)


def test_protocol_goal_reads_them_alike():
    from dadu.planner.cost import ModelCall
    from dadu.planner.model.client import Completion

    for text in ('<think>Hm.</think> ```JSON\n{"search": null, "refuse": "no", "why": 1,}\n```</s>',
                 '{"name": "action", "arguments": {"refuse": "no"}}'):
        assert checked(Completion(text, True, ModelCall("goal", 1, 1)), None, None) == Declined("no")


@pytest.mark.parametrize("body", [b'{"error": {"message": "context too long"}}',
                                  b'{"object": "error", "message": "context too long"}'])
def test_an_error_that_comes_as_an_answer_is_quoted(serve, body):
    with pytest.raises(PolicyUnavailable, match="context too long"):
        ModelClient(ModelSettings(url=serve(body).url, retries=0)).ask([], {}, time.monotonic() + 60.0)


def test_the_key_comes_from_a_file_or_the_environment_and_is_told_to_nobody(serve, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    (tmp_path / "key").write_text("sk-of-the-file\n")
    server = serve(b'{"error": "no sk-of-the-file here"}')
    for file, key in (("", "sk-of-the-environment"), (str(tmp_path / "key"), "sk-of-the-file")):
        settings = ModelSettings(url=server.url, api_key_file=file, retries=0)
        with pytest.raises(PolicyUnavailable) as failed:
            ModelClient(settings).ask([], {}, time.monotonic() + 60.0)
        assert server.headers[-1]["Authorization"] == f"Bearer {key}"
        assert key not in f"{failed.value} {settings!r} {settings.model_dump_json()}"


@pytest.mark.parametrize("content", [None, "", "\n", "two\nlines", "schlüssel", b"\xff\xfe"])
def test_a_file_that_holds_no_key_is_refused_without_telling_what_it_holds(tmp_path, content):
    file = tmp_path / "key"
    if content is not None:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ConfigError, match="key") as refused:
        ModelClient(ModelSettings(api_key_file=str(file)))
    assert "lines" not in str(refused.value)
