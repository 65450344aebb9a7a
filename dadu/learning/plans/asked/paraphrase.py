"""Other words for an instruction from a served language model, each read back by the grammar to the same goal."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from dadu.core.errors import ConfigError
from dadu.goals.suite_goal import SuiteGoal
from dadu.knowledge.lexicon import default_lexicon
from dadu.language.frames.frame import Utterance
from dadu.language.parsing.names import names_of
from dadu.language.parsing.parse import parse
from dadu.language.refusal import Refusal
from dadu.learning.plans.home import PlanHome
from dadu.learning.plans.task import NotAsked, Wording, goal_of
from dadu.learning.sentences.held_out import FormSplit, may_be_taught, split_of
from dadu.planner.model.client import Model, ModelClient
from dadu.planner.model.goal.names import nouns
from dadu.planner.model.reading import ReplyError, one_object
from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.settings import ModelSettings

_SECONDS = 60.0
_WORDS = re.compile(r"[a-z0-9_]+(?:'[a-z]+)?|[,.;:!?&]")
_ASKED = ("Say this instruction to a household robot in {number} other ways, as different people would. Keep every "
          "thing, place, number and order in it. Reply with one JSON object: {{\"texts\": [...]}}.\n{text}")
_TEXTS = {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 8}
_SCHEMA: dict[str, Any] = {"type": "object", "properties": {"texts": _TEXTS}, "required": ["texts"],
                           "additionalProperties": False}


@dataclass
class Paraphraser:
    """Of one server."""

    model: Model

    @classmethod
    def from_url(cls, url: str) -> Paraphraser:
        """An OpenAI-compatible server, by a URL that ends in /v1."""
        return cls(ModelClient(ModelSettings(url=url, temperature=0.8, timeout=_SECONDS)))

    def wordings(self, first: Wording, goal: SuiteGoal, home: PlanHome, splits: Collection[FormSplit], number: int
                 ) -> list[Wording]:
        """At most `number`, whose forms are of those splits and which name nothing kept out that `first` does not.
        Errors: ConfigError where the server cannot be used."""
        said = {n.name for n in nouns(first.utterance)}
        found = []
        for text in self._texts(first.text, number):
            try:
                utterance = parse(text, names_of(home.vocabulary, home.truth))
                same = goal_of(utterance, home) == goal
            except (Refusal, NotAsked):
                continue
            form, split = split_of(form_of(text, utterance))
            known = all(n.name in said or may_be_taught(n.name) for n in nouns(utterance) if n.name)
            if same and known and split in splits:
                found.append(Wording(text, utterance, form))
        return found

    def _texts(self, text: str, number: int) -> Iterator[str]:
        """As they come, less what is no line of text."""
        asked = [{"role": "user", "content": _ASKED.format(number=number, text=text)}]
        try:
            reply = one_object(self.model.ask(asked, _SCHEMA, time.monotonic() + _SECONDS, "paraphrase").text)
        except PolicyUnavailable as error:
            raise ConfigError(str(error)) from None
        except ReplyError:
            return
        texts = reply.get("texts")
        for one in texts[:number] if isinstance(texts, list) else ():
            if isinstance(one, str) and one.strip() and one.isprintable() and len(one) <= 500:
                yield one.strip()


def form_of(text: str, utterance: Utterance) -> str:
    """The words, with a mark for each that the frames name something by."""
    singular = default_lexicon().singular
    named = {singular(word) for n in nouns(utterance) for part in (n.name, *n.attributes) for word in part.split()}
    plain = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("-", " ")
    return " ".join("_" if singular(word) in named else word for word in _WORDS.findall(plain))
