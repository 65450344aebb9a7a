"""What agents of a team tell each other: typed and short."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class Act(str, Enum):
    """What a message does; the value is how it is said."""

    TAKE = "I take"
    DONE = "I am done with"
    CANNOT = "I cannot do"
    ASK = "can you do"
    GONE = "I am out of this, I leave"
    THROUGH = "all holds that I know of, I am through with"
    HERE = "I am here, at"
    LOOK = "I look at"
    LOOKED = "I have looked at"


@dataclass(frozen=True)
class TeamMessage:
    """One agent's, to all or to one."""

    stamp: float
    """[s]"""
    sender: str
    act: Act
    job: str
    """as `dadu.team.jobs.Job.name`; of a look the place"""
    to: str = ""
    """empty: all"""
    reason: str = ""

    def __str__(self) -> str:
        end = {Act.ASK: "?"}.get(self.act, ".")
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.sender}: {f'{self.to}, ' if self.to else ''}{self.act.value} {self.job}{reason}{end}"


class Channel:
    """Carries everything to everybody, in the order in which it was said."""

    def __init__(self) -> None:
        self.said: list[TeamMessage] = []

    def say(self, message: TeamMessage) -> None:
        self.said.append(message)

    def heard(self, by: str, since: int = 0) -> Iterator[TeamMessage]:
        """What others have said, from message number `since` on."""
        return (m for m in self.said[since:] if m.sender != by and m.to in ("", by))
