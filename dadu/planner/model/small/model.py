"""A small language model that answers in this process, with a JSON schema as its grammar."""

from __future__ import annotations

import json
import threading
import time
from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dadu.core.errors import ConfigError
from dadu.planner.cost import ModelCall, flops
from dadu.planner.model.client import Completion, Message, sampling_temperature
from dadu.planner.model.small.converted import NETWORK, TOKENIZER, converted
from dadu.planner.model.small.tokens import END, control, conversation
from dadu.planner.model.small.weights import INSTALL
from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.settings import ModelSettings

_PARAMETERS = 0.135e9


class SmallModel:
    """Of one task; all in a process share the network, and take turns."""

    def __init__(self, settings: ModelSettings) -> None:
        """Loads the network, and converts it where that was not done. Errors: ConfigError where it is not installed."""
        self._settings = settings
        self._loaded = _loaded(settings.threads)

    def ask(self, messages: list[Message], schema: dict[str, Any], deadline: float, kind: str = "step") -> Completion:
        """Errors: PolicyUnavailable when it is not done by `deadline` (of time.monotonic)."""
        start = time.monotonic()
        with self._loaded.lock:
            try:
                return self._answer(messages, schema, deadline, kind, start)
            except TimeoutError:
                problem = f"too slow, no answer in {time.monotonic() - start:.0f} s (llm.timeout, --llm-timeout)"
            except ValueError as error:
                problem = str(error)
        raise PolicyUnavailable(f"the small model cannot be used: {problem}")

    def check(self) -> None:
        """Nothing is left that could be wrong once it is loaded."""

    def _answer(self, messages: list[Message], schema: dict[str, Any], deadline: float, kind: str, start: float
                ) -> Completion:
        prompt = conversation(self._loaded.tokenizer, messages)
        grammar = self._loaded.grammar(json.dumps(schema) if self._settings.constrain != "never" else "")
        temperature = sampling_temperature(self._settings, kind)
        written: list[int] = []
        chances: list[float] = []
        known = None
        while not grammar.is_stopped() and len(written) < self._settings.max_tokens:
            forced = grammar.compute_ff_tokens()
            if not forced:
                logits, read = self._loaded.network.logits([*prompt, *written], deadline)
                known = read if known is None else known
                token, chance = self._chosen(logits, grammar.compute_bitmask(), temperature)
                forced = [token]
                chances.append(chance)
            if not grammar.consume_tokens(forced):
                raise ValueError(grammar.get_error())
            written += forced
        end = self._loaded.end
        complete = grammar.is_stopped() or bool(written) and written[-1] == end
        text = self._loaded.tokenizer.decode([token for token in written if token != end])
        call = ModelCall(kind, len(prompt), len(written), known or 0, time.monotonic() - start,
                         flops(_PARAMETERS, len(prompt) + len(written)),
                         float(np.exp(np.mean(np.log(chances)))) if chances else None)
        return Completion(text, complete, call)

    def _chosen(self, logits: NDArray[np.float32], mask: bytes, temperature: float) -> tuple[int, float]:
        """One of those that the grammar's `mask`, a bit each, lets through; and its chance among them."""
        allowed = np.unpackbits(np.frombuffer(mask, np.uint8), count=len(logits), bitorder="little").astype(bool)
        logits = np.where(allowed, logits, -np.inf)
        chances = _softmax(logits)
        if temperature == 0.0:
            token = int(np.argmax(logits))
        else:
            token = int(self._loaded.random.choice(len(logits), p=_softmax(logits / temperature)))
        return token, float(chances[token])


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    raised = np.exp(logits.astype(np.float64) - logits.max())
    return cast("NDArray[np.float64]", raised / raised.sum())


class _Loaded:
    """What is read once in a process."""

    def __init__(self, threads: int) -> None:
        """Errors: ConfigError."""
        folder = converted()
        try:
            from llguidance import LLMatcher, LLTokenizer
        except ImportError:
            raise ConfigError(f"planner small needs the extra small (llguidance): {INSTALL}") from None
        from tokenizers import Tokenizer

        from dadu.planner.model.small.network import Network

        self.lock = threading.Lock()
        self.random = np.random.default_rng(0)
        self.network = Network(folder / NETWORK, threads)
        self.tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self.end = control(self.tokenizer, END)
        self._matcher = LLMatcher
        self._guide = LLTokenizer(str(folder / TOKENIZER), eos_token=self.end)

    def grammar(self, schema: str) -> Any:
        """llguidance's matcher for replies of `schema`, without blanks between their parts; empty: for any text."""
        written = (self._matcher.grammar_from_json_schema(schema, overrides={"whitespace_flexible": False})
                   if schema else self._matcher.grammar_from_regex("(?s:.*)"))
        made = self._matcher(self._guide, written)
        if made.is_error():
            raise ValueError(made.get_error())
        return made


@cache
def _loaded(threads: int) -> _Loaded:
    return _Loaded(threads)
