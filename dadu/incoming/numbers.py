"""Which numbers can be those of a robot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dadu.core.errors import NotUsable, choices
from dadu.core.geometry import FARTHEST
from dadu.core.robot import JointLimit

_TURNED = 1e6
"""[rad or m] that no joint has turned: a wheel is 80 km from where it began"""


def plausible(values: Iterable[float], limit: float = FARTHEST) -> bool:
    """True if all are numbers, and none beyond `limit`."""
    return all(-limit < value < limit for value in values)


def joint_states(names: Sequence[str], positions: Sequence[float], efforts: Sequence[float],
                 limits: Mapping[str, JointLimit] | None = None
                 ) -> tuple[Mapping[str, float], Mapping[str, float], str]:
    """Positions [m or rad] and efforts of the joints that have them, and in a sentence what was left out: positions
    that are no number, two different ones, or off their range by more than half of that; efforts that do not go with
    the names. Efforts without a number are not known. Errors: NotUsable where positions do not go with the names."""
    if len(positions) not in (0, len(names)):
        raise NotUsable(f"joint states of {len(names)} joints hold {len(positions)} positions")
    first = dict(zip(reversed(names), reversed(positions)))
    doubtful = {name for name, value in zip(names, positions) if value != first[name]}
    known = {name: float(value) for name, value in zip(names, positions)
             if -_TURNED < value < _TURNED and name not in doubtful}
    lost = {name for name in names if name not in known} if positions else set()
    told = [f"no number, or two, for the position of {choices(lost)}"] if lost else []
    for name, limit in (limits or {}).items():
        if name in known and not limit.is_near(known[name]):
            told.append(f"{name} stands at {known.pop(name):g}, far from its range {limit.lower:g} to {limit.upper:g}: "
                        "are these degrees, or millimetres?")
    if len(efforts) not in (0, len(names)):
        told.append(f"joint states of {len(names)} joints hold {len(efforts)} efforts, which are left out")
        efforts = ()
    return known, {name: float(value) for name, value in zip(names, efforts) if plausible((value,))}, "; ".join(told)


def velocity(values: Sequence[float]) -> Sequence[float]:
    """Velocities [m/s, rad/s], as they are. Errors: NotUsable."""
    if not plausible(values, _TURNED):
        raise NotUsable("the velocity holds a number that is none")
    return values
