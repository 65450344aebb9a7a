"""Tells a process of the graph that no longer hears the others.

A shared memory port of Fast DDS can come apart when its process stands still for some seconds (a debugger, SIGSTOP, a
machine that swaps): some or all of the others then write where nobody reads. The process lives on, and looks well from
outside. It cannot mend that from within; started anew it hears all of them, by ports of its own (`dds_ports`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

PEERS_LOST = 3
"""exit status of a node that no longer hears others whom it should: it is started again"""
_NOBODY, _SOMEBODY = 15, 40
"""looks in a row, at one a second, without a report of anybody, and of one who is there. Looks, not seconds: while the
process itself stands still, none are counted. Who dies is gone from discovery after some 20 s."""


class PeerLiveness:
    """Follows the reports that every process of a graph gives once a second, each saying whom it does not hear."""

    def __init__(self, me: str, nobody: int = _NOBODY, somebody: int = _SOMEBODY) -> None:
        self._me, self._nobody, self._somebody = me, nobody, somebody
        self._silence: dict[str, int] = {}
        """looks since the last report, by who gave it"""
        self._alone = 0
        self._met = False
        """whether anybody was ever heard"""
        self.unheard: tuple[str, ...] = ()
        """who is there and should be heard, but is not"""
        self.isolated = False
        """whether that is this process's fault: nobody is heard, or others hear one whom it does not"""

    def look(self, reports: Mapping[str, Collection[str]], there: Callable[[], Collection[str]],
             strangers: bool = False) -> None:
        """`reports` since the last look: by who gave it, whom that one does not hear; `strangers`: whether others were
        heard, who do not say that. `there`: who is in the graph, as discovery knows it; asked for only where somebody
        is missed."""
        others = {name: unheard for name, unheard in reports.items() if name != self._me}
        self._silence = {name: looks + 1 for name, looks in self._silence.items()} | dict.fromkeys(others, 0)
        self._alone = 0 if others else self._alone + 1
        self.unheard = self._missed(there)
        self._met |= strangers or bool(others)
        self.isolated = self._hears_nobody(there) or any(name != other and name not in theirs
                                 for name in self.unheard for other, theirs in others.items())

    def _hears_nobody(self, there: Callable[[], Collection[str]]) -> bool:
        """Any more; or from the beginning, although somebody is there."""
        if self._met:
            return bool(self._silence) and self._alone >= self._nobody
        return self._alone >= self._somebody and bool(set(there()) - {self._me})

    def _missed(self, there: Callable[[], Collection[str]]) -> tuple[str, ...]:
        """Forgets those that are gone."""
        missed = {name for name, looks in self._silence.items() if looks >= self._somebody}
        known = missed & set(there()) if missed else missed
        self._silence = {name: looks for name, looks in self._silence.items() if name not in missed - known}
        return tuple(sorted(known))
