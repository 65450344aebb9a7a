"""Does what goes wrong when it is due, and ends what lasts."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dadu.eval.chaos.task import Fault, FaultKind
from dadu.eval.chaos.verdict import changes_world

_SLICE = 0.05
"""wall seconds that a slowed node is stopped, and that it goes on, in turn"""
_COPIES = {FaultKind.LOSE: 0.5, FaultKind.DOUBLE: 2.0}


class Hands(Protocol):
    """What a graph's tormentor can do to it."""

    def send(self, node: str, number: int) -> None:
        """A signal to a node."""
        ...

    def fill_disk(self, node: str, full: bool) -> None: ...

    def relay(self, topic: str, node: str, copies: float) -> None:
        """The node hears so many of each of the topic's messages, on average."""
        ...

    def press(self, pressed: bool) -> None:
        """The emergency stop."""
        ...

    def hold_base(self) -> None:
        """A person has it, and stands still; to be repeated."""
        ...

    def release_base(self) -> None: ...

    def shift_clock(self, by: float) -> None:
        """One message of it is early or late [s]."""
        ...

    def set_ahead(self, by: float) -> str:
        """The clock, for good [s]; what came of it, in words."""
        ...

    def disturb(self, kind: str, thing: str, place: str) -> str:
        """Changes the world behind the robot's back, or what a sensor says of it; what came of it, in words."""
        ...

    def cancel(self) -> None:
        """The task."""
        ...


@dataclass
class _Ongoing:
    """A fault that lasts."""

    fault: Fault
    until: float
    """wall [s]"""
    end: Callable[[], object]


class Faults:
    """Those of one task. `step` again and again, `end` whatever happens."""

    def __init__(self, faults: Sequence[Fault], hands: Hands) -> None:
        self.done: list[str] = []
        """what was carried out, in words"""
        self.disturbed: float | None = None
        """when the world was last changed behind the robot's back, simulated seconds after the task began"""
        self._waiting, self._hands = list(faults), hands
        self._ongoing: list[_Ongoing] = []

    def step(self, elapsed: float, now: float) -> None:
        """`elapsed`: simulated seconds since the task began; `now`: wall [s]."""
        while self._waiting and self._waiting[0].at <= elapsed:
            fault = self._waiting.pop(0)
            said = self._begin(fault, elapsed, now)
            self.done.append(f"{fault}{f': {said}' if said else ''}")
        for ongoing in [o for o in self._ongoing if o.until <= now]:
            self._ongoing.remove(ongoing)
            ongoing.end()
        for fault in (o.fault for o in self._ongoing):
            if fault.kind is FaultKind.OVERRIDE:
                self._hands.hold_base()
            elif fault.kind is FaultKind.SLOW:
                self._hands.send(fault.subject, signal.SIGSTOP if int(now / _SLICE) % 2 else signal.SIGCONT)

    def end(self) -> None:
        """Whatever lasts is over."""
        while self._ongoing:
            self._ongoing.pop().end()

    def _begin(self, fault: Fault, elapsed: float, now: float) -> str:
        """What came of it, where that is not plain."""
        kind, hands, said = fault.kind, self._hands, ""
        if kind is FaultKind.KILL:
            hands.send(fault.subject, signal.SIGKILL)
        elif kind is FaultKind.CANCEL:
            hands.cancel()
        elif kind is FaultKind.CLOCK:
            hands.shift_clock(fault.shift)
        elif kind is FaultKind.JUMP:
            said = hands.set_ahead(fault.shift)
        elif changes_world(kind):
            self.disturbed = elapsed
            said = hands.disturb(kind.value, *(("", fault.subject) if kind is FaultKind.CLOSE else
                                               (fault.subject, fault.target)))
        else:
            begin, end = self._lasting(fault)
            said = begin() or ""
            self._ongoing.append(_Ongoing(fault, now + fault.seconds, end))
        return said

    def _lasting(self, fault: Fault) -> tuple[Callable[[], str | None], Callable[[], object]]:
        """How it begins, and how it ends."""
        hands, kind, node = self._hands, fault.kind, fault.subject
        if kind is FaultKind.SILENCE or kind in _COPIES and not fault.target:
            sensor = fault.subject
            return lambda: hands.disturb(kind.value, sensor, ""), lambda: hands.disturb("hear", sensor, "")
        if kind in _COPIES:
            topic, hearer = fault.subject, fault.target
            return lambda: hands.relay(topic, hearer, _COPIES[kind]), lambda: hands.relay(topic, hearer, 1.0)
        pairs: dict[FaultKind, tuple[Callable[[], str | None], Callable[[], object]]] = {
            FaultKind.FREEZE: (lambda: hands.send(node, signal.SIGSTOP), lambda: hands.send(node, signal.SIGCONT)),
            FaultKind.SLOW: (lambda: None, lambda: hands.send(node, signal.SIGCONT)),
            FaultKind.DISK_FULL: (lambda: hands.fill_disk(node, True), lambda: hands.fill_disk(node, False)),
            FaultKind.E_STOP: (lambda: hands.press(True), lambda: hands.press(False)),
            FaultKind.OVERRIDE: (hands.hold_base, hands.release_base),
            FaultKind.BLOCK: (lambda: hands.disturb("block", "", ""), lambda: hands.disturb("unblock", "", "")),
        }
        return pairs[kind]
