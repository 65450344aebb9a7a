"""The conversation of one task: it only ever grows at its end, so that the server's prefix cache holds, until it has
grown too long; then it begins anew with the world as it is and the steps so far in brief."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dadu.planner.loop.changes import GraphChange, changes, seen
from dadu.planner.model.client import Message
from dadu.planner.model.names_given import concern, names_in, untold
from dadu.planner.model.prompt import Prompts, first_prompt, system_prompt, turn_prompt
from dadu.planner.model.tokens import clip, estimate
from dadu.planner.policies.policy import Turn
from dadu.planner.settings import ModelSettings
from dadu.planner.situation import Situation
from dadu.skills.effects import apply
from dadu.world.graph import WorldGraph

_USED, _UNUSABLE = 600, 120
"""tokens of a reply as it is kept: of one that could be used, whose plan is still to be followed; and of any other"""


class Conversation:
    """What has been said so far. `ask` gives the messages of a turn, `answered` takes the reply that counts."""

    def __init__(self, prompts: Prompts, settings: ModelSettings, capabilities: Sequence[str]) -> None:
        self.prompts = prompts
        self._settings = settings
        self._capabilities = capabilities
        self._system: Message = {"role": "system", "content": ""}
        self._said: list[Message] = []
        """user and assistant in turn, ending with the assistant"""
        self._asked: Message = {"role": "user", "content": ""}
        self._told = 0
        self._known: frozenset[str] = frozenset()
        """words of `_said`"""
        self.told: frozenset[str] = frozenset()
        """words of all that the newest question goes with, and of itself: names that a reply may know"""
        self._world = WorldGraph()
        self._task: tuple[str, Situation] | None = None

    def ask(self, turn: Turn, examples: str = "") -> tuple[list[Message], bool]:
        """The messages of this turn, and whether they begin anew."""
        content = self._following(turn)
        begins = content is None
        if content is None:
            self._said, self._known = [], frozenset()
            words = system_prompt(self.prompts, self._capabilities, asks=turn.questions > 0, ways=turn.ways)
            self._system = {"role": "system", "content": words}
            content = first_prompt(turn, self.prompts, self._settings, examples)
        self._asked = {"role": "user", "content": content}
        self.told = self._known | names_in(content)
        return [self._system, *self._said, self._asked], begins

    def answered(self, text: str, turn: Turn, usable: bool = True) -> None:
        """Keeps question and answer, less the blanks that a grammar lets a model put between the parts of an object:
        hundreds of tokens, which the estimate does not count."""
        kept = clip(" ".join(text.split()) or "{}", _USED if usable else _UNUSABLE)
        self._said += [self._asked, {"role": "assistant", "content": kept}]
        self._known = self.told | names_in(kept)
        self._told, self._world = len(turn.history), turn.graph.copy()
        self._task = (turn.instruction, turn.situation)

    def _following(self, turn: Turn) -> str | None:
        """What to say next; None where the conversation has to begin anew: another task, too long, more has changed
        in what matters to the instruction than a turn has room for, or nothing may be remembered."""
        same = self._task is not None and self._task[0] == turn.instruction and self._task[1] is turn.situation
        if not same or not self._said or not self._settings.memory:
            return None
        news, important = self._news(turn)
        steps = turn.history[self._told:]
        told = important if self.prompts.named_only else news
        told = [*told, *self._left_out(turn, told)]
        content = turn_prompt(steps, turn, told, self.prompts, self._settings.turn_tokens)
        if any(text not in content for text in important):
            return None
        length = sum(estimate(m["content"]) for m in (self._system, *self._said))
        return content if length + estimate(content) <= self._settings.context_tokens else None

    def _news(self, turn: Turn) -> tuple[list[str], list[str]]:
        """What has changed beyond the robot's own doing, what the instruction names first, then by `concern`; and those
        of the last."""
        expected = self._world
        for step in turn.history[self._told:]:
            if step.result is not None and step.result.ok:
                expected = apply(expected, step.call)
        found = [c for c in changes(expected, turn.graph) if c.id not in turn.feedback]
        named = [c.text for c in found if _named(c, turn)]
        matters = concern(turn)
        return named + [c.text for c in sorted(found, key=lambda c: matters(c.id)) if c.text not in named], named

    def _left_out(self, turn: Turn, told: Sequence[str]) -> Iterator[str]:
        """What there is and neither the conversation has said so far nor `told` says: for want of room, or since the
        instruction does not name it."""
        said = self._known | names_in(" ".join(told))
        for entity in untold(turn, said):
            yield entity.id if self.prompts.named_only else seen(turn.graph, entity)


def _named(change: GraphChange, turn: Turn) -> bool:
    """True if the instruction speaks of it, or the goal as it is understood does."""
    entity = turn.graph.entities.get(change.id)
    words = {w for w in turn.about.lower().replace(",", " ").split() if len(w) > 2}
    called = {change.id.lower(), *(entity.category.lower().split("_") if entity is not None else ())}
    if turn.progress is not None and any(change.id in p.subject.ids for p in turn.progress.goal.propositions):
        return True
    return any(w == c or w == f"{c}s" for w in words for c in called)
