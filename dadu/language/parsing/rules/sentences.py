"""Steps, their order and conditions: a whole sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dadu.language.frames.frame import (
    ChangeFrame,
    EnsureFrame,
    Frame,
    IfFrame,
    LookFrame,
    MoveFrame,
    RemarkFrame,
    SequenceFrame,
    ToldFrame,
)
from dadu.language.frames.noun import NounPhrase
from dadu.language.parsing.rules.orders import frames_of
from dadu.language.parsing.rules.parts import Complement, Due, Otherwise, Premise, SaidStep, Sentence, Stated
from dadu.language.parsing.rules.statements import StatementRules, ensured
from dadu.language.parsing.tokens import Word
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code


class SentenceRules(StatementRules):
    """Rules that make steps and sentences."""

    def joint(self, parts: list[Any], text: str) -> SaidStep:
        return SaidStep((), ordered=any(word.may_be("THEN") for word in parts))

    def purpose(self, parts: list[Any], text: str) -> SaidStep:
        """To cool it. What is done *by* something else is said in that."""
        frames: tuple[Frame, ...] = parts[-1]
        return SaidStep(frames, explains=parts[0].may_be("BY"))

    def purpose_done(self, parts: list[Any], text: str) -> SaidStep:
        """To be placed on the counter."""
        word = next(part for part in parts if isinstance(part, Word) and part.may_be("PARTICIPLE"))
        groups = parts[-1] if isinstance(parts[-1], tuple) else (Complement(),)
        return SaidStep(frames_of(word.verb, groups, text))

    def chain(self, parts: list[Any], text: str) -> tuple[SaidStep | Otherwise, ...]:
        steps: list[SaidStep | Otherwise] = []
        ordered = False
        for part in parts:
            if isinstance(part, SaidStep) and part.frames:
                part = _by_light(steps, part, purpose=True)
                steps = [SaidStep((RemarkFrame(text.partition(" by ")[0]),))] if part.explains else steps
                steps.append(part)
            elif isinstance(part, SaidStep):
                ordered = part.ordered
            elif isinstance(part, Otherwise):
                steps.append(part)
            elif not isinstance(part, Word):
                step = SaidStep(part if isinstance(part, tuple) else (part,), ordered)
                steps.append(_by_light(steps, step))
                ordered = False
        return tuple(steps)

    deeds = chain

    def conditional(self, parts: list[Any], text: str) -> Any:
        """If, then, otherwise."""
        condition = next(part for part in parts if isinstance(part, Premise))
        then = next(_in_order(part) for part in parts if isinstance(part, tuple))
        otherwise = next((part.frames for part in parts if isinstance(part, Otherwise)), ())
        if not condition.asks:
            return Otherwise(then, not condition.none, condition.at)
        return (conditioned(condition, then, otherwise),)

    def offered(self, parts: list[Any], text: str) -> Otherwise:
        """If there is no cup, a mug; but a mug is fine. Errors: Refusal where it hangs on anything else."""
        if isinstance(parts[0], Premise) and any(not ask.negated or ask.state for ask in parts[0].asks):
            raise Refusal(f"I do not know what is to be done in {text!r}", [text], Code.UNKNOWN_ACTION)
        said = next((part for part in parts if isinstance(part, (Premise, Stated))), Premise())
        lacking = said.things if isinstance(said, Stated) else tuple(ask.what for ask in said.asks)
        return Otherwise((), offered=next(part for part in reversed(parts) if isinstance(part, tuple)), lacking=lacking)

    def otherwise(self, parts: list[Any], text: str) -> Otherwise:
        return Otherwise(() if isinstance(parts[-1], Word) else _in_order(parts[-1]))

    def timed_first(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """After washing the plate, put it away."""
        return _timed(parts[0], parts[1], _in_order(parts[-1]))

    def timed_last(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Put the plate away after washing it."""
        done, then = parts[-1], _in_order(parts[0])
        return _timed(parts[-2], done, then)

    def holding(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Turn on the lamp while holding the book; with the book in hand."""
        things = next((part for part in parts if isinstance(part, tuple) and isinstance(part[0], NounPhrase)), ())
        held = (MoveFrame(things),) if things else parts[-1]
        return (*held, *_in_order(parts[0]))

    def done(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """What is done before or after."""
        if isinstance(parts[0], tuple) and isinstance(parts[0][0], NounPhrase):
            word = next((part for part in reversed(parts) if isinstance(part, Word) and not part.may_be(
                "BE", "HAVE", "POSTURE")), None)
            places = parts[-1] if isinstance(parts[-1], tuple) else ()
            if word is not None and word.verb:
                return frames_of(word.verb, (Complement(parts[0], places),), text)
            return ensured(Stated(parts[0], places, str(word or "")), text)
        verb = next((part for part in parts if isinstance(part, Word) and part.verb), None)
        if verb is not None:
            return frames_of(verb.verb, parts[-1] if isinstance(parts[-1], tuple) else (), text)
        frames: tuple[Frame, ...] = parts[-1]
        return frames

    def sentence(self, parts: list[Any], text: str) -> Sentence:
        chain: tuple[SaidStep | Otherwise, ...] = next(part for part in parts if isinstance(part, tuple))
        if isinstance(parts[0], SaidStep) and parts[0].ordered and isinstance(chain[0], SaidStep):
            chain = (replace(chain[0], ordered=True), *chain[1:])
        if isinstance(parts[-1], Word) and isinstance(chain[-1], SaidStep):  # close it afterwards
            chain = (*chain[:-1], replace(chain[-1], ordered=True))
        return Sentence(chain)


def _by_light(steps: list[SaidStep | Otherwise], last: SaidStep, purpose: bool = False) -> SaidStep:
    """``take the book to the lamp to look at it``, and with a `purpose` ``turn on the lamp to see the book``: by its
    light. The first half leaves `steps`."""
    looks = last.frames[0] if len(last.frames) == 1 else None
    before = steps[-1].frames[-1] if steps and steps[-1].frames else None
    if not isinstance(looks, LookFrame) or looks.using or looks.at:
        return last
    lamps: tuple[NounPhrase, ...] = ()
    what: tuple[NounPhrase | None, ...] = (looks.what,)
    if isinstance(before, MoveFrame) and before.to and (looks.what is None or looks.what.pronoun):
        lamps, what = before.to[-1].nouns, before.what
    elif purpose and isinstance(before, ChangeFrame) and (before.state, looks.answer) == ("powered_on", "find"):
        lamps = before.what[:1]
    lamp = next((n for n in lamps if n.name.endswith(("lamp", "light"))), None)
    if lamp is None:
        return last
    steps[-1] = replace(steps[-1], frames=steps[-1].frames[:-1])
    return replace(last, frames=tuple(LookFrame("find", np, using=lamp) for np in what))


def conditioned(condition: Premise, then: tuple[Frame, ...], otherwise: tuple[Frame, ...]) -> Frame:
    """Where each of several must hold, one condition within the other."""
    frame: tuple[Frame, ...] = then
    for ask in reversed(condition.asks):
        frame = (IfFrame(ask, frame, otherwise),)
    return frame[0]


def in_order(steps: tuple[SaidStep, ...]) -> tuple[Frame, ...]:
    """The frames of the steps, in a sequence where some come only after others."""
    steps = tuple(_believed(step, after) for step, after in zip(steps, (*steps[1:], SaidStep(()))))
    if not any(step.ordered for step in steps[1:]):
        return tuple(frame for step in steps for frame in step.frames)
    groups: list[tuple[Frame, ...]] = [()]
    for step in steps:
        if step.ordered and groups[-1]:
            groups.append(())
        groups[-1] = groups[-1] + step.frames
    return (SequenceFrame(tuple(groups)),)


def _believed(step: SaidStep, after: SaidStep) -> SaidStep:
    """``the pills should be by the bed, bring them here``: not asked for but believed, where what follows takes them
    away."""
    takes = any(isinstance(f, MoveFrame) and any(np.pronoun in ("it", "them") for np in f.what)
                for f in after.frames[:1])
    if not (takes and isinstance(step.frames, Due)):
        return step
    moved = ((f.what, f.to[0]) if isinstance(f, MoveFrame) else ((f.what,), f.at) for f in step.frames
             if isinstance(f, EnsureFrame) or isinstance(f, MoveFrame) and f.to)
    return replace(step, frames=tuple(ToldFrame(np, at) for what, at in moved for np in what))


def _in_order(chain: Any) -> tuple[Frame, ...]:
    if not isinstance(chain, tuple):
        return (chain,)
    if chain and all(isinstance(step, SaidStep) for step in chain):
        return in_order(chain)
    if any(isinstance(step, (SaidStep, Otherwise)) for step in chain):
        raise Refusal("I do not know to what an 'otherwise' belongs", ["otherwise"], Code.UNKNOWN_ACTION)
    frames: tuple[Frame, ...] = tuple(chain)
    return frames


def _timed(word: Word, done: tuple[Frame, ...], then: tuple[Frame, ...]) -> tuple[Frame, ...]:
    return (SequenceFrame((then, done) if word.may_be("BEFORE") else (done, then)),)
