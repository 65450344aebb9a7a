"""The interpreter by a served language model: it writes frames once; grounding says what they mean in this world."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cache

from pydantic import Field, ValidationInfo, field_validator

from dadu.core.config import Settings, load
from dadu.core.errors import QUOTED, choices
from dadu.core.paths import shared
from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Choice, Context, Interpretation, Interpreter, Refused
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.frames.frame import LookFrame, Utterance
from dadu.language.frames.schema import FramesError, from_json, to_json
from dadu.language.frames.within import iter_parts, lacking
from dadu.language.grounding.ground import ground
from dadu.planner.cost import ModelExchange
from dadu.planner.first_look import first_look
from dadu.planner.model.client import Completion, Message, Model
from dadu.planner.model.examples import open_examples
from dadu.planner.model.goal.names import here, left_out, nouns, searchable, unknown_names
from dadu.planner.model.goal.schema import FRAMES, NAMED, goal_schema
from dadu.planner.model.make import make_model
from dadu.planner.model.prompt import checked_placeholders, world_in_words
from dadu.planner.model.reading import ReplyError, ReplyForm, read
from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.report import TaskReport
from dadu.planner.settings import GOAL, ModelSettings
from dadu.skills.outcome import Code
from dadu.skills.table import SKILLS
from dadu.world.graph import WorldGraph


class ModelInterpreter:
    """Of one task. The model is asked when an instruction is read for the first time, and again only where what it
    wrote cannot be used or reached; as the robot sees more, the same frames are grounded anew."""

    name = "model"
    reader = GOAL
    """as steps towards its goals are told to be chosen by"""

    def __init__(self, settings: ModelSettings, behind: Interpreter | None = None, model: Model | None = None) -> None:
        """`behind`: who reads the words where the model cannot be used, None: nobody, and the task has failed;
        `model`: by default the server of `settings`. Errors: ConfigError for prompts or examples that cannot be
        read."""
        self._settings, self._behind = settings, behind
        self._prompts = load_goal_prompts(settings.prompt)
        self._client: Model = make_model(settings) if model is None else model
        self._examples = open_examples(settings.examples)
        self._written: dict[str, Utterance | Refused] = {}
        self._certainty: dict[str, float | None] = {}
        """of what was written, by instruction, 0 to 1; None: not known"""
        self._repairs, self._reconsiders = settings.repairs, settings.repairs
        self._why = ""
        """why what was written before could not be reached"""
        self._exchange = ModelExchange()
        self.problem = ""
        """why somebody else reads in the model's place; empty: nobody does"""

    def read(self, instruction: str, context: Context) -> Interpretation:
        """What the model's frames ask for; where that depends on what was not seen, the next place to look."""
        while not self.problem:
            if instruction not in self._written:
                self._written[instruction] = self._ask(instruction, context)
            written = self._written[instruction]
            found = written if isinstance(written, Refused) else _grounded(written, context)
            if isinstance(written, Refused) or not isinstance(found, Refused) or not self._repairs:
                return self._or_behind(self._confirmed(found, instruction, written, context), instruction, context)
            self._repairs -= 1
            self._why = f"{found.code.name}: {found.message}"
            del self._written[instruction]
        return self._or_behind(Refused(self.problem, (), Code.UNREACHABLE_BACKEND), instruction, context)

    def frames(self, instruction: str, context: Context) -> Utterance | Refused:
        """What the model writes, not grounded; code 60 where it cannot be used."""
        return self._ask(instruction, context)

    def reconsider(self, instruction: str, reason: str) -> bool:
        """Has the model write another goal, since the one it wrote could not be reached for this `reason`; False where
        it was asked often enough."""
        if not self._reconsiders or self.problem:
            return False
        self._reconsiders -= 1
        self._why = reason
        self._written.pop(instruction, None)
        return True

    def learn(self, instruction: str, report: TaskReport) -> None:
        """Keeps what led to success as an example for tasks to come."""
        written = self._written.get(instruction)
        if self._examples is not None and report.success and isinstance(written, Utterance):
            calls = [s.call for s in report.steps if s.result is not None and s.result.ok and s.call.skill in SKILLS]
            self._examples.add(instruction, calls, json.loads(to_json(written))["frames"])

    def exchanged(self) -> ModelExchange:
        """What was asked since the last time that somebody wanted to know."""
        found, self._exchange = self._exchange, ModelExchange()
        return found

    def _or_behind(self, found: Interpretation, instruction: str, context: Context) -> Interpretation:
        if self._behind is None or not isinstance(found, Refused) or found.code is not Code.UNREACHABLE_BACKEND:
            return found
        self.problem = self.problem or found.message
        return self._behind.read(instruction, context)

    def _confirmed(self, found: Interpretation, instruction: str, written: Utterance | Refused, context: Context
                   ) -> Interpretation:
        """A question in place of a goal that the model is not certain of, or that leaves out what the words name."""
        if not isinstance(found, Goal) or not self._settings.certain:
            return found
        missing = left_out(instruction, written, context.graph, context.vocabulary)
        certainty = self._certainty.get(instruction)
        if not missing and (certainty is None or certainty >= self._settings.certain):
            return found
        meant, less = found.in_words(), f" That leaves out {', '.join(missing)}." if missing else ""
        return AskBack(f"Do you mean: {meant}?{less} If not, say it in other words.", (Choice(meant, found),))

    def _shown(self, instruction: str) -> str:
        limits = self._settings.examples
        if self._examples is None:
            return ""
        return self._examples.text(instruction, limits.limit, limits.tokens, limits.similarity, written=True)

    def _ask(self, instruction: str, context: Context) -> Utterance | Refused:
        """Frames that name only what there is; a refusal of the model's; or code 60 where it cannot be used."""
        form = goal_schema(here(context.graph), searchable(context.graph, context.vocabulary))
        world = world_in_words(context.graph, instruction, self._settings.world_tokens)
        told = {"instruction": instruction, "world": world}
        asked = (self._prompts.again.format(**told, reason=self._why) if self._why else
                 self._prompts.first.format(**told, examples=self._shown(instruction)))
        messages: list[Message] = [{"role": "system", "content": self._prompts.system.format().strip()},
                                   {"role": "user", "content": asked.strip()}]
        deadline, kind, unusable = time.monotonic() + self._settings.timeout, "goal", set()
        while True:
            try:
                answer = self._client.ask(messages, form, deadline, kind)
            except PolicyUnavailable as error:
                return Refused(str(error), (), Code.UNREACHABLE_BACKEND)
            self._certainty[instruction] = answer.call.certainty
            self._exchange = ModelExchange((*self._exchange.calls, answer.call), asked, answer.text, json.dumps(form))
            found = checked(answer, context.graph, context.vocabulary)
            if isinstance(found, Utterance):
                return found
            if isinstance(found, Declined):
                return Refused(f"the model refuses: {found.reason}", (), Code.NOT_INTERACTIVE)
            if not self._repairs or answer.text in unusable:  # said again, word for word: it knows nothing better
                return Refused(f"the model gives no goal that can be used: {found.problem}", (), found.code)
            unusable.add(answer.text)
            self._repairs, kind = self._repairs - 1, "repair"
            messages += _repair(answer.text, found, self._prompts.repair)


def _repair(reply: str, problem: Unusable, words: str) -> list[Message]:
    return [{"role": "assistant", "content": reply},
            {"role": "user", "content": words.format(problem=f"{problem.code.name}: {problem.problem}").strip()}]


def _grounded(written: Utterance, context: Context) -> Interpretation:
    def goal(context: Context) -> Goal | AskBack:
        return ground(written, context.graph, context.vocabulary, complete=context.complete, looked=context.looked)
    return first_look(goal, context)


_PLACEHOLDERS: dict[str, set[str]] = {
    "system": set(),
    "first": {"instruction", "world", "examples"},
    "again": {"instruction", "world", "reason"},
    "repair": {"problem"},
}
"""what is filled in, by field of `GoalPrompts`"""


class GoalPrompts(Settings):
    """The fields of the file. Each may hold its `_PLACEHOLDERS`."""

    version: int
    """1: the placeholders above are those that are filled in"""
    system: str
    """the same for every task"""
    first: str
    again: str
    """the instruction once more, where what was asked for could not be reached"""
    repair: str
    """what follows a reply that cannot be used"""

    @field_validator(*_PLACEHOLDERS)
    @classmethod
    def _can_be_filled_in(cls, text: str, info: ValidationInfo) -> str:
        return checked_placeholders(text, _PLACEHOLDERS[str(info.field_name)])


@cache
def load_goal_prompts(path: str = "") -> GoalPrompts:
    """`path`: a YAML file; empty: our own. Errors: ConfigError naming file and field."""
    return load(GoalPrompts, path or shared("config", "prompts", "goal") / "goal.yaml")


class _Reply(ReplyForm):
    frames: list[object] = Field([], max_length=FRAMES)
    refuse: str = Field("", max_length=2000)


@dataclass(frozen=True)
class Declined:
    """The model says that it cannot be done."""

    reason: str


@dataclass(frozen=True)
class Unusable:
    """What is wrong with a reply, for the model."""

    problem: str
    code: Code


def checked(answer: Completion, graph: WorldGraph, vocabulary: Vocabulary) -> Utterance | Declined | Unusable:
    """What a reply says; all that its frames name is here, or could be looked for."""
    if not answer.complete:
        return Unusable(f"the reply was cut off after {answer.call.tokens_out} tokens; be brief", Code.UNKNOWN_ACTION)
    try:
        reply = read(answer.text, _Reply)
        if reply.refuse and reply.frames:
            raise ReplyError("it refuses, and says what to do: one of the two is meant")
        if reply.refuse:
            return Declined(reply.refuse)
        utterance = from_json(json.dumps({"frames": reply.frames}))
    except (ReplyError, FramesError) as error:
        why = str(error).splitlines()[0][:QUOTED]
        return Unusable(f"it is not one JSON object with frames, or with refuse ({why})", Code.UNKNOWN_ACTION)
    vague = (f"LookFrame.{look.answer} of nothing" for look in iter_parts(utterance, LookFrame)
             if look.what is None and look.answer not in ("find", "what"))
    empty = next(lacking(utterance), "") or next(vague, "")
    if empty:
        return Unusable(f"{empty} is empty", Code.UNKNOWN_ACTION)
    named = sum(1 + len(noun.attributes) for noun in nouns(utterance))
    if named > NAMED:
        return Unusable(f"it names {named} things and their looks, where {NAMED} are the most", Code.UNKNOWN_ACTION)
    unknown = unknown_names(utterance, graph, vocabulary)
    if unknown:
        return Unusable(f"nothing is called {', '.join(name[:QUOTED] for name in unknown[:5])}; name what there is "
                        f"({choices((e.id for e in graph), 40)}), a thing to look for, or refuse", Code.UNKNOWN_TARGET)
    return utterance
