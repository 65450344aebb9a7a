"""Between a person and the agent that they play: what they want next, from whatever thread they say it."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

from dadu.skills.call import SkillCall
from dadu.team.messages import Act

_WAITING = 4
"""calls that may wait at most: a click more than that is taken for impatience"""


@dataclass(frozen=True)
class End:
    """The person has no more to do."""

    done: bool
    """false: they give up"""


@dataclass(frozen=True)
class Saying:
    """What the person says to the others, to all or to one, as `dadu.team.messages.TeamMessage`."""

    act: Act
    job: str
    to: str = ""


class Player:
    """One person's. Those who show a page give orders, from any thread; the agent's own thread takes them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls: deque[SkillCall] = deque()
        self._said: deque[Saying] = deque()
        self._stop = False
        self._end: End | None = None

    def order(self, *calls: SkillCall) -> None:
        """Calls to be carried out one after the other, in place of what is under way and what waits."""
        with self._changed:
            self._calls.clear()
            self._calls.extend(calls[:_WAITING])
            self._stop = True
            self._changed.notify_all()

    def stop(self) -> None:
        """Breaks off what is under way and what waits."""
        self.order()

    def say(self, saying: Saying) -> None:
        with self._changed:
            if len(self._said) < _WAITING:
                self._said.append(saying)
            self._changed.notify_all()

    def end(self, done: bool) -> None:
        with self._changed:
            self._end, self._stop = End(done), True
            self._changed.notify_all()

    def interrupted(self) -> bool:
        """True if what is under way is to end: something else is wanted."""
        return self._stop

    def fail(self) -> None:
        """What waits is not carried out: it counted on what has just failed, unless that was broken off for it."""
        with self._changed:
            if not self._stop:
                self._calls.clear()

    def sayings(self) -> list[Saying]:
        """What was said since this was asked last."""
        with self._changed:
            said = list(self._said)
            self._said.clear()
            return said

    def wants(self, seconds: float = 0.0) -> bool:
        """True if anything is wanted now, or was by the end of so many `seconds` of wall time."""
        with self._changed:
            if seconds and not (self._calls or self._end or self._said):
                self._changed.wait(seconds)
            return bool(self._calls or self._end or self._said)

    def next(self) -> SkillCall | End | None:
        """What is wanted now; None: nothing."""
        with self._changed:
            self._stop = False
            if self._end is not None:
                return self._end
            return self._calls.popleft() if self._calls else None
