"""One question to an OpenAI-compatible server, within a deadline."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent import futures
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

import openai

from dadu.core.errors import QUOTED, choices
from dadu.planner.cost import ModelCall, flops, parameters_of
from dadu.planner.model.key import api_key, without
from dadu.planner.model.reading import SCHEMA_NAME, bare, message_text
from dadu.planner.model.tokens import estimate
from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.settings import ModelSettings

_log = logging.getLogger(__name__)
Message = dict[str, Any]
T = TypeVar("T")

_BACKOFF = 0.5
"""wall seconds before the first retry; doubled each time"""
_HELLO = 10.0
"""wall seconds in which a server that is up says what it serves"""
_NO_SCHEMA = (400, 404, 415, 422, 501)
"""what servers answer that do not know the response format"""
_BUSY = (408, 409, 429)
"""what they answer, beside 500 and above, that can be asked again"""
_INSTEAD = {"max_tokens": "max_completion_tokens", "temperature": "", "chat_template_kwargs": ""}
"""options that not every server takes, and what those have in place of them"""
_CUT_OFF = ("length", "max_tokens", "model_length", "content_filter")
"""reasons to end that leave an answer unfinished, by servers' names"""
_VARIED = 0.5
"""least temperature of a repair: at 0 a model that has just read its own reply repeats it word for word"""


@dataclass(frozen=True)
class Completion:
    """The text, and what it cost."""

    text: str
    complete: bool
    """false: cut off by max_tokens"""
    call: ModelCall


class Unnamed(ValueError):
    """Several models are served, and none is named: asking again will not help."""


class Model(Protocol):
    """Who answers."""

    def ask(self, messages: list[Message], schema: dict[str, Any], deadline: float, kind: str = "step") -> Completion:
        """An answer to a conversation, as `schema` has it, before `deadline` (of time.monotonic). Errors:
        PolicyUnavailable."""
        ...


def sampling_temperature(settings: ModelSettings, kind: str) -> float:
    """Of a reply of this `kind`, as in `Model.ask`."""
    return max(settings.temperature, _VARIED if kind == "repair" else 0.0)


class ModelClient:
    """Chat completions with a JSON schema as response format (guided_json is silently ignored by servers of today)."""

    def __init__(self, settings: ModelSettings) -> None:
        """Errors: ConfigError for a file of a key that holds none."""
        self._settings = settings
        self._key = api_key(settings.api_key_file)
        # A local server wants no key; the client insists on one. Retries are done here, within one deadline.
        self._client = openai.OpenAI(base_url=settings.url, api_key=self._key or "none", max_retries=0)
        self._model = settings.model
        self._constrain = settings.constrain != "never"
        self._refused: set[str] = set()
        """those of `_INSTEAD` that the server does not take"""

    def ask(self, messages: list[Message], schema: dict[str, Any], deadline: float, kind: str = "step") -> Completion:
        """Errors: PolicyUnavailable when no answer has come by `deadline` (of time.monotonic) or after the retries."""
        began = time.monotonic()
        problem, attempt, form = "no time left", 0, schema if self._constrain else None
        while attempt <= self._settings.retries and (remaining := deadline - time.monotonic()) > 0:
            try:
                answer = _call_with_deadline(remaining, partial(self._once, messages, form, remaining, kind))
                self._constrain = form is not None  # a server that wants no schema is asked without it from now on
                return answer
            except (openai.APIError, TimeoutError, ValueError) as error:
                problem = self._problem(error, time.monotonic() - began)
                if isinstance(error, Unnamed):
                    break
                status = error.status_code if isinstance(error, openai.APIStatusError) else None
                named = str(error.param) if isinstance(error, openai.BadRequestError) else ""
                if named in _INSTEAD and named not in self._refused:
                    self._refused.add(named)
                    _log.warning("the model server does not take %s, and is asked without it", named)
                    continue
                if form is not None and self._settings.constrain == "auto" and status in _NO_SCHEMA:
                    form = None  # that may be the reason; replies are checked anyway
                    continue
                if status is not None and status < 500 and status not in _BUSY:
                    break  # asking again will not help
                told = error.response.headers.get("retry-after", "") if isinstance(error, openai.APIStatusError) else ""
                pause = max(_BACKOFF * 2**attempt, float(told) if told.isdigit() else 0.0)  # else a date
            time.sleep(min(pause, max(0.0, deadline - time.monotonic())))
            attempt += 1
        self._model = self._settings.model  # it may come back with another
        raise self._unavailable(problem)

    def check(self) -> None:
        """Asks which models there are, once. Errors: PolicyUnavailable with the sentence that says why not."""
        try:
            _call_with_deadline(_HELLO, partial(self._only, _HELLO))
        except (openai.APIError, TimeoutError, ValueError) as error:
            raise self._unavailable(self._problem(error, _HELLO)) from None

    def _problem(self, error: Exception, waited: float) -> str:
        rootless = isinstance(error, openai.NotFoundError) and not urlsplit(self._settings.url).path.strip("/")
        return _problem(error, waited) + "; most servers' addresses end in /v1" * rootless

    def _unavailable(self, problem: str) -> PolicyUnavailable:
        said = without(self._key, problem)
        return PolicyUnavailable(f"the model server at {self._settings.url} cannot be used: {said}")

    def _once(self, messages: list[Message], schema: dict[str, Any] | None, timeout: float, kind: str) -> Completion:
        start = time.monotonic()
        self._model = self._model or self._only(timeout)
        options: dict[str, Any] = {"messages": messages}
        if schema is not None:
            options["response_format"] = {"type": "json_schema",
                                          "json_schema": {"name": SCHEMA_NAME, "schema": schema, "strict": True}}
        extra: dict[str, Any] = {"temperature": sampling_temperature(self._settings, kind),
                                 "max_tokens": self._settings.max_tokens}
        if self._settings.no_thinking:
            extra["chat_template_kwargs"] = {"enable_thinking": False}
        sent = self._client.chat.completions.with_raw_response.create(
            model=self._model, timeout=timeout, **options,
            extra_body={_INSTEAD[name] if name in self._refused else name: value for name, value in extra.items()
                        if name not in self._refused or _INSTEAD[name]})
        # As it came: the client's own types hold no server to them.
        try:
            completion = _mapping(sent.http_response.json(), "its answer")
        except json.JSONDecodeError:
            raise ValueError(f"its answer is no JSON: {sent.http_response.text[:QUOTED]!r}") from None
        if not completion.get("choices") and (stated := completion.get("error") or completion.get("message")):
            raise ValueError(f"the server says {str(stated)[:QUOTED]}")
        choice = _mapping(_first(completion.get("choices")), "its choice")
        text = bare(message_text(_mapping(choice.get("message"), "its message")))
        usage = completion.get("usage")
        call = self._cost(usage if isinstance(usage, dict) else {}, messages, text, kind, time.monotonic() - start)
        return Completion(text, choice.get("finish_reason") not in _CUT_OFF, call)

    def _only(self, timeout: float) -> str:
        """The model that is served, adapters of it aside. Errors: Unnamed for several, ValueError for none."""
        served = [model.id for model in self._client.models.list(timeout=timeout).data
                  if not (model.model_extra or {}).get("parent")]
        if len(served) > 1 and not self._settings.model:
            raise Unnamed(f"it serves {choices(served)}: name one of them, llm.model or --model")
        return str(_first(served))

    def _cost(self, usage: dict[str, Any], messages: list[Message], text: str, kind: str, seconds: float) -> ModelCall:
        """As the server counted; estimated where it does not say."""
        tokens_in = _count(usage.get("prompt_tokens")) or sum(estimate(str(m["content"])) for m in messages)
        tokens_out = _count(usage.get("completion_tokens")) or estimate(text)
        details = usage.get("prompt_tokens_details")
        cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else 0
        parameters = self._settings.parameters * 1e9 or parameters_of(self._model)
        return ModelCall(kind, tokens_in, tokens_out, cached, seconds, flops(parameters, tokens_in + tokens_out))


def _problem(error: Exception, waited: float) -> str:
    """In words. `waited`: wall seconds."""
    if isinstance(error, (openai.APITimeoutError, TimeoutError)):
        return f"too slow, no answer in time: {waited:.0f} s were waited (llm.timeout, --llm-timeout)"
    if isinstance(error, openai.APIConnectionError):
        return f"no connection ({error.__cause__ or error})"
    if isinstance(error, openai.APIStatusError):
        return error.message  # begins with the status
    return str(error) if isinstance(error, Unnamed) else f"no answer that can be read ({error})"


def _count(value: Any) -> int:
    """Of tokens; 0 where a server says something else."""
    return value if isinstance(value, int) and value >= 0 else 0


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} is no object but {str(value)[:QUOTED]!r}")
    return value


def _first(items: Any) -> Any:
    """Errors: ValueError where a server sends none, or no list at all."""
    if not isinstance(items, list) or not items:
        raise ValueError("the server's answer holds nothing")
    return items[0]


def _call_with_deadline(seconds: float, request: Callable[[], T]) -> T:
    """Runs `request` in a thread of its own and leaves it there after `seconds`: the client's own time limit starts
    anew with every byte, so that a server that dribbles would never run out of it. Errors: TimeoutError, and the
    request's."""
    answer: futures.Future[T] = futures.Future()

    def work() -> None:
        try:
            answer.set_result(request())
        except (openai.OpenAIError, ValueError, AttributeError, TypeError) as error:
            # The last two: an answer in JSON that is no completion at all.
            known = isinstance(error, (openai.OpenAIError, ValueError))
            answer.set_exception(error if known else ValueError(str(error)))

    threading.Thread(target=work, name="model request", daemon=True).start()
    try:
        return answer.result(timeout=seconds)
    except futures.TimeoutError:  # not the built-in one before Python 3.11
        raise TimeoutError from None
