"""One question to an OpenAI-compatible server, within a deadline."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import openai

from dadu.planner.model.prompt import Message
from dadu.planner.policy import PolicyUnavailable
from dadu.planner.settings import ModelSettings

_BACKOFF = 0.5
"""wall seconds before the first retry; doubled each time"""


@dataclass(frozen=True)
class Answer:
    """The text, and what it cost."""

    text: str
    complete: bool
    """false: cut off by max_tokens"""
    tokens_in: int
    tokens_out: int


class ModelClient:
    """Chat completions with a JSON schema as response format (guided_json is silently ignored by servers of today)."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        # A local server wants no key; the client insists on one. Retries are done here, within one deadline.
        self._client = openai.OpenAI(base_url=settings.url, api_key="none", max_retries=0)
        self._model = settings.model

    def ask(self, messages: list[Message], schema: dict[str, Any], deadline: float) -> Answer:
        """Errors: PolicyUnavailable when no answer has come by `deadline` (of time.monotonic) or after the retries."""
        problem = "no time left"
        for attempt in range(self._settings.retries + 1):
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                break
            try:
                return self._once(messages, schema, remaining)
            except openai.APITimeoutError:
                problem = "no answer in time"
            except openai.APIConnectionError as error:
                problem = f"no connection ({error.__cause__ or error})"
            except openai.APIStatusError as error:
                problem = f"status {error.status_code}: {error.message}"
                if error.status_code < 500 and error.status_code != 429:
                    break  # asking again will not help
            except openai.APIError as error:
                problem = f"no answer that can be read ({error.message})"
            time.sleep(min(_BACKOFF * 2**attempt, max(0.0, deadline - time.monotonic())))
        raise PolicyUnavailable(f"the model server at {self._settings.url} cannot be used: {problem}")

    def _once(self, messages: list[Message], schema: dict[str, Any], timeout: float) -> Answer:
        if not self._model:
            self._model = next(iter(self._client.models.list(timeout=timeout))).id
        completion = self._client.chat.completions.create(
            model=self._model, messages=messages, temperature=self._settings.temperature,
            max_tokens=self._settings.max_tokens, timeout=timeout,
            response_format={"type": "json_schema",
                             "json_schema": {"name": "action", "schema": schema, "strict": True}})
        if not completion.choices:
            raise openai.APIError("no choices", request=None, body=None)
        choice, usage = completion.choices[0], completion.usage
        return Answer(choice.message.content or "", choice.finish_reason != "length",
                      usage.prompt_tokens if usage else 0, usage.completion_tokens if usage else 0)
