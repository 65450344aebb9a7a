"""What each verb asks for: one function a frame, all of the form ``frame(draft, clause, part)``."""

from __future__ import annotations

from collections.abc import Callable

from dadu.language.reading.syntax import Clause
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.frames import (
    former,
    looking,
    moving,
    occasions,
    remarks,
    states,
    staying,
    stocking,
    temperature,
    tidying,
    wishes,
)
from dadu.language.understanding.things.attachment import Group

Frame = Callable[[Draft, Clause, Group], None]

FRAMES: dict[str, Frame] = {
    "take": moving.take, "fetch": moving.fetch, "put": moving.put, "bring": moving.bring, "ship": moving.ship,
    "discard": moving.discard, "spare": staying.spare, "swap": former.swap,
    "stow": tidying.stow, "amiss": tidying.amiss, "receive": tidying.receive, "clear": tidying.clear,
    "occasion": occasions.occasion, "refill": stocking.refill, "ensure": stocking.ensure,
    "go": looking.go, "find": looking.find, "inspect": looking.inspect, "explore": looking.explore,
    "check": looking.check, "count": looking.count,
    "open": states.open_, "close": states.close, "state": states.state, "clean": states.clean, "dry": states.dry,
    "fill": states.fill, "pour": states.pour, "slice": states.slice_,
    "heat": temperature.heat, "cool": temperature.cool, "power_on": states.power_on, "power_off": states.power_off,
    "wish": wishes.wish, "avoid": wishes.avoid, "remedy": wishes.remedy,
    "remark": remarks.remark, "prepare": remarks.prepare, "given": remarks.given, "report": remarks.report,
    "meant": remarks.meant,
}
