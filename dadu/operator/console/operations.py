"""What the operator's page needs of whoever serves it."""

from __future__ import annotations

from typing import Protocol

from dadu.operator.console.orders import Correction, DriveRequest
from dadu.operator.console.state import ConsoleState, SightView


class Operations(Protocol):
    """Called from the web server's threads; none may block. What becomes of a request is told as a notice of `view`."""

    def view(self) -> ConsoleState: ...

    def plan(self) -> str:
        """The floor plan as SVG."""
        ...

    def sight(self, after: float) -> SightView | None:
        """The newest camera picture; None: there is none, or it is that of the stamp `after`."""
        ...

    def picture(self, id: str) -> bytes:
        """What a thing looks like, as it was seen best, JPEG; empty: there is no picture of it."""
        ...

    def instruct(self, text: str) -> None: ...

    def answer(self, text: str) -> None:
        """To the question of the task in progress."""
        ...

    def cancel(self) -> None: ...

    def e_stop(self, pressed: bool) -> None: ...

    def drive(self, wanted: DriveRequest) -> None:
        """For a moment only: whoever holds a key down asks again and again."""
        ...

    def release(self) -> None:
        """Gives the base back to autonomy."""
        ...

    def correct(self, correction: Correction) -> None: ...
