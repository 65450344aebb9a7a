"""What a replay found: how much was compared, and where the outcome differs from what was recorded."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Difference:
    """One place where the replay decides differently."""

    time: float
    """[s] on the clock of the recording"""
    what: str
    """kind of difference, such as ``moved``"""
    subject: str
    recorded: str
    replayed: str

    def __str__(self) -> str:
        return f"{self.time:9.2f} s  {self.what}  {self.subject}: recorded {self.recorded}, replayed {self.replayed}"


@dataclass
class ReplayReport:
    """The result of one replay."""

    node: str
    unit: str
    """what was compared: decisions, pictures, graphs"""
    compared: int = 0
    """0: the bag holds nothing to compare with; the replay ran all the same"""
    differences: list[Difference] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    """measures by name"""
    notes: list[str] = field(default_factory=list)

    def add(self, time: float, what: str, subject: str, recorded: object, replayed: object) -> None:
        self.differences.append(Difference(time, what, subject, str(recorded), str(replayed)))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def text(self, limit: int = 20) -> str:
        """For reading: the counts, then the first `limit` differences."""
        kinds = ", ".join(f"{n} {kind}" for kind, n in Counter(d.what for d in self.differences).most_common())
        lines = [f"{self.node}: {self.compared} {self.unit} compared, "
                 + (f"{len(self.differences)} differences ({kinds})" if self.differences else
                    "no difference" if self.compared else "so that nothing can be said of differences")]
        lines += [f"  {name}: {value:.4g}" for name, value in self.figures.items()]
        lines += [f"  note: {note}" for note in self.notes]
        lines += [str(d) for d in self.differences[:limit]]
        if len(self.differences) > limit:
            lines.append(f"... and {len(self.differences) - limit} more")
        return "\n".join(lines)
