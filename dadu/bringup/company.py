"""Whether a process of the graph still hears the others.

Shared memory ports of Fast DDS can come apart when a process stands still for some seconds (a debugger, SIGSTOP, a
machine that swaps): the process lives on, but nothing reaches it any more, and after the lease of its discovery it
reaches nobody. It cannot mend that from within; started anew it is heard at once.
"""

from __future__ import annotations

DEAF = 3
"""exit status of a node that hears nobody any more: it is started again"""
_SILENCE = 15
"""looks in a row, at one a second. Looks, not seconds: while the process itself stands still, none are counted."""


class Company:
    """Counts reports that every process gives once a second and that all are to hear, its own among them."""

    def __init__(self, silence: int = _SILENCE) -> None:
        self._silence = silence
        self._silent = 0
        self._met = False

    def look(self, own: int, heard: int) -> bool:
        """Whether it has become deaf: since the last look `own` reports were given and `heard` arrived, own ones
        included. A process that never had company misses none."""
        self._met = self._met or heard > own
        self._silent = 0 if heard > own else self._silent + 1
        return self._met and self._silent >= self._silence
