"""What an instruction asks for: one immutable type a kind of request, closed under conditions and order."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field

from dadu.language.frames.noun import NounPhrase, PlacePhrase, frame_type

State = Literal["clean", "dirty", "filled", "empty", "powered_on", "powered_off", "open", "closed", "sliced", "hot",
                "cold"]
"""the predicates is_clean... of `dadu.goals`, less their prefix"""


@frame_type
class MoveFrame:
    """Things are to be somewhere: put, bring, take out of, throw away; with `to` empty they are fetched and held."""

    frame: Literal["move"] = field(default="move", kw_only=True)
    what: tuple[NounPhrase, ...]
    to: tuple[PlacePhrase, ...] = ()
    """each of them must hold: on the table, next to the lamp"""
    source: PlacePhrase | None = None
    """from the fridge"""
    same_place: bool = False
    """all of them at one and the same place"""
    respectively: bool = False
    """the first thing to the first place, the second to the second"""


@frame_type
class SwapFrame:
    """Two things (or groups) trade places."""

    frame: Literal["swap"] = field(default="swap", kw_only=True)
    what: tuple[NounPhrase, NounPhrase]


@frame_type
class ChangeFrame:
    """Things are to be in a state: wash, fill, heat, switch off, open."""

    frame: Literal["change"] = field(default="change", kw_only=True)
    what: tuple[NounPhrase, ...]
    state: State
    using: PlacePhrase | None = None
    """in the microwave, under the tap, with water"""


@frame_type
class EnsureFrame:
    """So many things are to be at a place in the end, those there already included: keep two apples on the shelf."""

    frame: Literal["ensure"] = field(default="ensure", kw_only=True)
    what: NounPhrase
    at: PlacePhrase


@frame_type
class LookFrame:
    """Something is to be found out, and told."""

    frame: Literal["look"] = field(default="look", kw_only=True)
    answer: Literal["find", "exists", "where", "count", "what", "state"]
    """find: be where it is; what: what there is at the place"""
    what: NounPhrase | None = None
    at: PlacePhrase | None = None
    state: State | None = None
    using: NounPhrase | None = None
    """examine the book under the lamp: the lamp"""


@frame_type
class GoFrame:
    """The robot is to be somewhere."""

    frame: Literal["go"] = field(default="go", kw_only=True)
    to: PlacePhrase


@frame_type
class TidyFrame:
    """What lies about at a place is to go where it belongs: tidy the kitchen, clear the table."""

    frame: Literal["tidy"] = field(default="tidy", kw_only=True)
    scope: PlacePhrase | None = None
    to: tuple[PlacePhrase, ...] = ()
    """where to, where that is said"""
    excluded: tuple[NounPhrase, ...] = ()
    clear: bool = False
    """nothing is to be left there, whether or not it belongs there"""


@frame_type
class WishFrame:
    """A need, an occasion or a complaint; what would help is common sense: I am thirsty, set the table for two."""

    frame: Literal["wish"] = field(default="wish", kw_only=True)
    purpose: str
    """the words that carry it"""
    at: PlacePhrase | None = None
    """where what helps is to go, or where the occasion is"""
    people: int = 1
    without: tuple[NounPhrase, ...] = ()
    """without sugar"""
    extra: tuple[NounPhrase, ...] = ()
    """tea with honey"""


@frame_type
class LeaveFrame:
    """Things that must be left alone, or places nothing may go to: do not touch the vase."""

    frame: Literal["leave"] = field(default="leave", kw_only=True)
    what: tuple[NounPhrase, ...]
    at: PlacePhrase | None = None


@frame_type
class ToldFrame:
    """What the speaker says to be so, and asks nothing: the milk is in the fridge, there is no oven."""

    frame: Literal["told"] = field(default="told", kw_only=True)
    what: NounPhrase
    at: PlacePhrase | None = None
    state: State | None = None
    exists: bool = True


@frame_type
class RemarkFrame:
    """Words that ask for nothing and change nothing. They are told in `notes`."""

    frame: Literal["remark"] = field(default="remark", kw_only=True)
    text: str


@frame_type
class AskBackFrame:
    """The words may mean several things, and only who said them knows which."""

    frame: Literal["ask_back"] = field(default="ask_back", kw_only=True)
    question: str


@frame_type
class Ask:
    """What a condition asks: whether there is such a thing (there), or whether it is in this state."""

    what: NounPhrase
    at: PlacePhrase | None = None
    state: State | None = None
    negated: bool = False
    text: str = ""


@frame_type
class IfFrame:
    """If, then, otherwise; `unless` negates."""

    frame: Literal["if"] = field(default="if", kw_only=True)
    ask: Ask
    then: tuple[Frame, ...]
    otherwise: tuple[Frame, ...] = ()


@frame_type
class SequenceFrame:
    """Each step only after the one before is done. Steps that may be done in any order are one step of several."""

    frame: Literal["sequence"] = field(default="sequence", kw_only=True)
    steps: tuple[tuple[Frame, ...], ...]


Frame = Annotated[
    MoveFrame | SwapFrame | ChangeFrame | EnsureFrame | LookFrame | GoFrame | TidyFrame | WishFrame | LeaveFrame
    | ToldFrame | RemarkFrame | AskBackFrame | IfFrame | SequenceFrame, Field(discriminator="frame")]


@frame_type
class Utterance:
    """A whole instruction: its frames as they were said, in any order but for what a SequenceFrame says."""

    frames: tuple[Frame, ...]
    notes: tuple[str, ...] = ()
    """what was read into the words: slips of spelling, words passed over"""
