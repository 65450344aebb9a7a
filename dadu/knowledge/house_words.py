"""What memory knows of categories: whether a label names furniture, and what else it is called."""

from __future__ import annotations

from dataclasses import dataclass, field

from dadu.house.catalogue import Affordance, furniture_categories, object_categories
from dadu.world.detection import Detection
from dadu.world.graph import Kind, WorldGraph


@dataclass(frozen=True)
class DetectorVocabulary:
    """Categories with their aliases. A label of neither list is judged by its size."""

    furniture: dict[str, tuple[str, ...]] = field(
        default_factory=lambda: {name: c.aliases for name, c in furniture_categories().items()})
    objects: dict[str, tuple[str, ...]] = field(
        default_factory=lambda: {name: c.aliases for name, c in object_categories().items()})

    opening: frozenset[str] = field(default_factory=lambda: frozenset(
        name for name, category in furniture_categories().items() if Affordance.OPEN.value in category.affordances))
    """furniture that has doors or drawers"""

    def kind(self, detection: Detection, graph: WorldGraph, furniture_size: float) -> Kind:
        """FURNITURE or OBJECT, for a detection; `furniture_size` [m] decides where nothing else does."""
        if detection.label in self.furniture or any(e.category == detection.label for e in graph.of(Kind.FURNITURE)):
            return Kind.FURNITURE  # what the house calls furniture is, whatever the catalogue says
        if detection.label in self.objects:
            return Kind.OBJECT
        return Kind.FURNITURE if max(detection.size) >= furniture_size else Kind.OBJECT

    def aliases(self, label: str) -> tuple[str, ...]:
        return self.furniture.get(label) or self.objects.get(label) or ()
