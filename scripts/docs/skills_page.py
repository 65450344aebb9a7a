"""The table of skills as a table of the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from dadu.skills.specification import (
    Argument,
    Effect,
    Gives,
    Hand,
    MovesBase,
    MovesPart,
    Puts,
    SetsState,
    Shows,
    SkillSpec,
    Takes,
)
from dadu.skills.table import SKILLS

HEAD = ("skill", "arguments", "before", "base stands to", "afterwards", "can", "action")


def table() -> list[str]:
    """Lines of Markdown."""
    return [_line(HEAD), _line(["---"] * len(HEAD)), *(_line(_cells(spec)) for spec in SKILLS.values())]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(spec: SkillSpec) -> list[str]:
    before = [f"hand {spec.hand.value}"] if spec.hand is not Hand.ANY else []
    before += [need for argument in spec.arguments for need in _needs(argument)]
    stands = dict.fromkeys(purpose for argument in spec.arguments for purpose in argument.stand.values())
    return [f"`{spec.name}`", ", ".join(_argument(a) for a in spec.arguments if not a.fixed), ", ".join(before),
            " or ".join(stands), ", ".join(filter(None, map(_effect, spec.effects))),
            "every robot" if spec.base else "who lists it", f"`{spec.action}`" if spec.action else ""]


def _argument(argument: Argument) -> str:
    """With what it may be, where its name does not say it."""
    values = [*(kind.value for kind in argument.kinds), *argument.words]
    told = f"`{argument.name}`" + ("" if values == [argument.name] else f" ({' or '.join(values)})")
    return f"[{told}]" if argument.optional else told


def _needs(argument: Argument) -> list[str]:
    name = f"`{argument.name}`"
    needs = [f"{name} held"] if argument.held else []
    needs += [f"{name} {argument.must_be.word}"] if argument.must_be is not None else []
    return needs + ([f"{name} affords {argument.affordance}"] if argument.affordance else [])


@singledispatch
def _effect(effect: Effect) -> str:
    raise NotImplementedError(type(effect).__name__)


@_effect.register
def _(effect: MovesBase) -> str:
    return f"robot at `{effect.target}`"


@_effect.register
def _(effect: Shows) -> str:
    return f"`{effect.place}` seen"


@_effect.register
def _(effect: Takes) -> str:
    return f"`{effect.object}` in the hand"


@_effect.register
def _(effect: Gives) -> str:
    return f"what was held in the hand of `{effect.agent}`"


@_effect.register
def _(effect: Puts) -> str:
    return "what was held stands there"


@_effect.register
def _(effect: MovesPart) -> str:
    return f"`{effect.receptacle}` {'open' if effect.open else 'closed'}"


@_effect.register
def _(effect: SetsState) -> str:
    return f"`{effect.argument}` {effect.state.word}"
