"""What stands behind a colon: ``put these on the desk: the pen, the cup``; each thing with its own place; or one place
for each."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.frames.frame import ChangeFrame, Frame, MoveFrame, WishFrame


def listed(old: Frame, made: tuple[MoveFrame, ...]) -> tuple[Frame, ...] | None:
    """What `old`, said before the colon, and the list ask for together; `made` is the list as if "move" stood there.
    None where they do not belong together."""
    what = tuple(np for frame in made for np in frame.what)
    if any(frame.to for frame in made):
        return (replace(old, to=made[0].to),) if isinstance(old, MoveFrame) and all(np.pronoun for np in what) else made
    if isinstance(old, WishFrame) and old.at is not None:  # set the table: a plate, a cup
        return (MoveFrame(what, (old.at,)),)
    if not isinstance(old, (MoveFrame, ChangeFrame)):
        return None
    return (replace(old, what=what if all(  # these, two toys: the list says which
        np.plural or np.pronoun or np.quantity.number for np in old.what) else old.what + what),)
