"""What an import did: taken over, changed by how much, left out and why. Nothing happens silently."""

from __future__ import annotations

import json
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

REPORT_FILE = "import.json"
"""beside what an import writes"""


@dataclass(frozen=True)
class Change:
    """One thing that is not as the source has it."""

    item: str
    what: str
    """a past participle that stands for all changes of its sort: ``moved out of a wall``"""
    by: float
    unit: str = "m"


@dataclass(frozen=True)
class Omission:
    """One thing of the source that is not there."""

    item: str
    kind: str
    """as in `ImportReport.taken`"""
    reason: str
    """the same words for all things left out for the same reason, so that they can be counted"""


@dataclass
class ImportReport:
    """Of one source, or of many together."""

    source: str
    taken: Counter[str] = field(default_factory=Counter)
    """how many by kind (plural): rooms, furniture, objects..."""
    changes: list[Change] = field(default_factory=list)
    left_out: list[Omission] = field(default_factory=list)

    def take(self, kind: str, count: int = 1) -> None:
        self.taken[kind] += count

    def change(self, item: str, what: str, by: float, unit: str = "m") -> None:
        self.changes.append(Change(item, what, by, unit))

    def leave_out(self, item: str, kind: str, reason: str) -> None:
        self.left_out.append(Omission(item, kind, reason))

    @property
    def lost(self) -> dict[str, float]:
        """Share left out, by kind."""
        out = Counter(omission.kind for omission in self.left_out)
        return {kind: out[kind] / (out[kind] + self.taken[kind]) for kind in sorted({*out, *self.taken})}

    def sentences(self) -> Iterator[str]:
        """The report for people, without the single items."""
        yield f"{self.source}: took over " + (", ".join(f"{n} {kind}" for kind, n in self.taken.items()) or "nothing")
        sizes: dict[tuple[str, str], list[float]] = defaultdict(list)
        for change in self.changes:
            sizes[change.what, change.unit].append(abs(change.by))
        for (what, unit), by in sorted(sizes.items(), key=lambda pair: -len(pair[1])):
            middle = f"{statistics.median(by):.2g} {unit} in the middle"
            yield f"  {len(by)} {what}, by {middle}, {max(by):.2g} {unit} at most"
        reasons = Counter((omission.kind, omission.reason) for omission in self.left_out)
        for (kind, reason), count in reasons.most_common():
            yield f"  left out: {count} {kind}: {reason}"

    @classmethod
    def of_all(cls, reports: Iterable[ImportReport], source: str) -> ImportReport:
        """Several as one."""
        whole = cls(source)
        for report in reports:
            whole.taken.update(report.taken)
            whole.changes += report.changes
            whole.left_out += report.left_out
        return whole


def write_reports(reports: Iterable[ImportReport], folder: Path) -> Path:
    """All reports with every item, as JSON, in `REPORT_FILE` of a folder."""
    path = folder / REPORT_FILE
    records = [{"source": r.source, "taken": dict(r.taken), "changes": [asdict(c) for c in r.changes],
                "left_out": [asdict(o) for o in r.left_out]} for r in reports]
    path.write_text(json.dumps(records, indent=1) + "\n")
    return path
