"""How memory associates, forgets and describes."""

from __future__ import annotations

from pydantic import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from dadu.core.config import Settings, Share
from dadu.world.support import SupportSettings


class PlaceErrorSettings(Settings):
    """Standard deviation of where a thing is from where it is remembered [m], by what that rests on."""

    detection: PositiveFloat = 0.05
    """where it was seen before"""
    prior: PositiveFloat = 0.1
    """where it was said to be beforehand"""
    skill: PositiveFloat = 0.3
    """where a skill left it"""
    operator: PositiveFloat = 0.3
    """where an operator said it is"""


class AssociationSettings(SupportSettings):
    """Defaults suit a depth camera on a robot that is localised to about 5 cm."""

    place_error: PlaceErrorSettings = PlaceErrorSettings()
    drift: NonNegativeFloat = 0.6
    """how far from its place a thing may be met that is in view but not seen there, and still be the same [m]"""
    held_gate: NonNegativeFloat = 0.25
    """for what is in the hand, from the grasp centre [m]"""
    hand_radius: NonNegativeFloat = 0.3
    """what was this close to the grasp centre may be in the hand [m]"""
    reach: PositiveFloat = 1.1
    """the same from the base, where the grasp centre is not known [m]"""
    score: Share = 0.25
    """chance from which on a thing is believed that was not known before"""
    unknown: Share = 0.5
    """the same of one whose name nobody knows"""
    furniture_size: PositiveFloat = 0.6
    """a thing of unknown category is furniture from this extent on [m]"""
    jitter: NonNegativeFloat = 0.01
    """changes of position or size below this are noise [m]"""


class ForgettingSettings(Settings):
    """When a thing is taken to be gone."""

    views: PositiveInt = 3
    """pictures that show its place empty"""
    rays: PositiveInt = 3
    """coarse pixels that must look through its place"""
    range: PositiveFloat = 4.0
    """beyond this a view says nothing [m]"""
    half_life: PositiveFloat = 3600.0
    """of the confidence in things that are not seen again [s]"""
    doubt: Share = 0.5
    """factor on the confidence in a thing that a skill did not find"""
    floor: Share = 0.2
    """confidence below which a doubted thing counts as gone"""


class NearnessSettings(Settings):
    """When two objects on one surface, or on one room's floor, stand next to each other."""

    distance: NonNegativeFloat = 0.35
    """free gap between their boxes up to which they do [m]"""
    slack: NonNegativeFloat = 0.1
    """those that did still do within this much more [m]"""


class MemorySettings(Settings):
    memory: bool = True
    """false (ablation): nothing is remembered beyond what was told beforehand, is in view, or in the hand"""
    attention: NonNegativeFloat = 20.0
    """without memory, what was perceived or handled so long ago [s] is not forgotten yet"""
    association: AssociationSettings = AssociationSettings()
    forgetting: ForgettingSettings = ForgettingSettings()
    nearness: NearnessSettings = NearnessSettings()
    flush_period: NonNegativeFloat = 0.5
    """mere reconfirmations are written this often [s, wall]; changes at once"""
    first_number: NonNegativeInt = 0
    """of the ids that things are given: robots that tell each other of things have different ones"""
    undo_depth: PositiveInt = 20
    """edits of an operator that can be taken back"""
