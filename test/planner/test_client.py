"""The client: deadlines, servers that cannot constrain, and the count of what was asked."""

import time

import pytest
from stand_in_server import action

from dadu.planner.cost import flops, parameters_of, total
from dadu.planner.model.client import ModelClient
from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.settings import ModelSettings

QUESTION = [{"role": "user", "content": "what now?"}]


def ask(server, seconds=60.0, **settings):
    client = ModelClient(ModelSettings(url=server.url, **({"retries": 1} | settings)))
    return client.ask(QUESTION, {"type": "object"}, time.monotonic() + seconds)


def test_a_server_that_dribbles_is_left_at_the_deadline(serve):
    start = time.monotonic()
    with pytest.raises(PolicyUnavailable, match="in time"):
        ask(serve(action("done"), dribble=0.5), seconds=0.8)
    assert time.monotonic() - start < 30.0  # the whole reply takes minutes


def refuses_schemas(body):
    return 400 if "response_format" in body else action("done")


def test_a_server_that_refuses_the_schema_is_asked_without_it_from_then_on(serve):
    server = serve(refuses_schemas)
    client = ModelClient(ModelSettings(url=server.url, retries=0))
    for _ in range(2):
        assert "done" in client.ask(QUESTION, {}, time.monotonic() + 60.0).text
    assert ["response_format" in r for r in server.requests] == [True, False, False]


def takes_none_of(*names):
    """A server that names the first option that it does not take, as hosted reasoning models do."""
    def answer(body):
        refused = next((name for name in names if name in body), None)
        return action("done") if refused is None else (400, {"error": {
            "message": f"Unsupported parameter: '{refused}'", "param": refused, "code": "unsupported_parameter"}})
    return answer


@pytest.mark.parametrize("names", [("max_tokens",), ("temperature",), ("max_tokens", "temperature"),
                                   ("chat_template_kwargs", "max_tokens", "temperature")])
def test_an_option_that_the_server_does_not_take_is_left_out_from_then_on(serve, names, caplog):
    server = serve(takes_none_of(*names))
    client = ModelClient(ModelSettings(url=server.url, retries=0, no_thinking=True))
    for _ in range(2):
        assert "done" in client.ask(QUESTION, {"type": "object"}, time.monotonic() + 60.0).text
    assert len(server.requests) == len(names) + 2 and all(name in caplog.text for name in names)
    last = server.requests[-1]
    assert ("max_completion_tokens" in last) == ("max_tokens" in names) and "response_format" in last


def test_a_server_that_says_when_it_may_be_asked_again_is_given_that_time(serve):
    server = serve((429, {"error": {"message": "slow down"}}, {"Retry-After": "1"}), action("done"))
    began = time.monotonic()
    assert "done" in ask(server).text and time.monotonic() - began >= 1.0


def test_what_is_refused_for_another_reason_is_asked_with_the_schema_again(serve):
    server = serve(400, 400, action("done"))
    client = ModelClient(ModelSettings(url=server.url, retries=0))
    with pytest.raises(PolicyUnavailable, match="400"):
        client.ask(QUESTION, {}, time.monotonic() + 60.0)
    client.ask(QUESTION, {}, time.monotonic() + 60.0)
    assert ["response_format" in r for r in server.requests] == [True, False, True]


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_a_server_that_is_busy_is_asked_again(serve, status):
    assert "done" in ask(serve(status, action("done"))).text


def test_a_repair_varies_where_nothing_else_does(serve):
    server = serve(action("done"))
    client = ModelClient(ModelSettings(url=server.url))
    for kind in ("step", "repair"):
        client.ask(QUESTION, {}, time.monotonic() + 60.0, kind)
    assert server.requests[0]["temperature"] == 0.0 < server.requests[1]["temperature"]


def test_a_model_that_is_replaced_is_asked_for_its_name(serve):
    server = serve(400, 400, action("done"))
    client = ModelClient(ModelSettings(url=server.url, retries=0))
    with pytest.raises(PolicyUnavailable):
        client.ask(QUESTION, {}, time.monotonic() + 60.0)
    server.model = "another"
    client.ask(QUESTION, {}, time.monotonic() + 60.0)
    assert [r["model"] for r in server.requests] == ["tiny", "tiny", "another"]


def test_of_several_models_one_has_to_be_named(serve):
    server = serve(action("done"))
    server.others = [{"id": "tiny-cook", "object": "model", "parent": "tiny"}]
    assert "done" in ask(server).text and server.requests[0]["model"] == "tiny", "an adapter is no other model"
    server.others.append({"id": "nomic-embed", "object": "model"})
    with pytest.raises(PolicyUnavailable, match="nomic-embed, tiny: name one"):
        ask(server)
    with pytest.raises(PolicyUnavailable, match="nomic-embed, tiny: name one"):
        ModelClient(ModelSettings(url=server.url)).check()
    ask(server, model="tiny")
    ModelClient(ModelSettings(url=server.url, model="tiny")).check()


def test_an_address_without_its_path_is_told_as_that(serve):
    with pytest.raises(PolicyUnavailable, match=r"404.*end in /v1"):
        ModelClient(ModelSettings(url=serve().url.removesuffix("/v1"))).check()


@pytest.mark.parametrize("url", ["http://no-such-host.invalid/v1", "http://127.0.0.1:9/v1"])
def test_an_address_that_leads_nowhere_is_a_sentence(url):
    start = time.monotonic()
    with pytest.raises(PolicyUnavailable, match="cannot be used"):
        ModelClient(ModelSettings(url=url, retries=0)).ask(QUESTION, {}, start + 90.0)
    assert time.monotonic() - start < 60.0, "said at once"


def test_whether_to_constrain_can_be_said(serve):
    with pytest.raises(PolicyUnavailable, match="400"):
        ask(serve(refuses_schemas), constrain="always")
    server = serve(refuses_schemas)
    ask(server, constrain="never")
    assert "response_format" not in server.requests[0]


def test_thinking_can_be_turned_off(serve):
    server = serve(action("done"))
    ask(server, no_thinking=True)
    assert server.requests[0]["chat_template_kwargs"] == {"enable_thinking": False}


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"not json", b'{"choices": []}', b'{"choices": "no"}',
                                  b'{"choices": [{"message": null}]}', b"\xff\xfe",
                                  b'data: {"choices": [{"delta": {"content": "{}"}}]}\n\ndata: [DONE]\n\n'])
def test_an_answer_that_is_none_is_said_to_be_none(serve, body):
    with pytest.raises(PolicyUnavailable, match="cannot be used"):
        ask(serve(body), retries=0)


def test_what_the_server_counts_is_recorded(serve):
    usage = {"prompt_tokens": 500, "completion_tokens": 30, "total_tokens": 530,
             "prompt_tokens_details": {"cached_tokens": 448}}
    call = ask(serve(action("done"), usage=usage, delay=0.1), model="some/Llama-3.1-8B-Instruct").call
    assert (call.tokens_in, call.tokens_out, call.tokens_cached) == (500, 30, 448)
    assert call.flops == 2 * 8e9 * 530 and 0.1 <= call.seconds < 5.0


def test_what_it_does_not_count_is_estimated(serve):
    call = ask(serve("one two three", usage=None), parameters=1.0).call
    assert call.tokens_in == 3 and call.tokens_out == 3 and call.flops == 2e9 * 6


@pytest.mark.parametrize(("name", "parameters"), [
    ("meta-llama/Llama-3.1-8B-Instruct", 8e9), ("Qwen/Qwen3-0.6B", 0.6e9), ("Qwen3-30B-A3B", 3e9), ("smol-135M", 135e6),
    ("qwen2.5-7b-instruct", 7e9), ("gpt-oss-20b", 20e9), ("tiny", 0.0), ("model-v3", 0.0), ("phi-4", 0.0)])
def test_parameters_by_name(name, parameters):
    assert parameters_of(name) == parameters


def test_flops_are_those_of_a_forward_pass():
    assert flops(8e9, 543) == pytest.approx(8688e9)


def test_costs_add_up(serve):
    call = ask(serve(action("done")), parameters=8.0).call
    assert total([call] * 3).tokens_in == 1200 and total([call] * 3).flops == 3 * call.flops
    assert total([]).calls == 0
