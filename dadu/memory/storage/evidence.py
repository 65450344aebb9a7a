"""What views have said of things, as it is kept: the votes on their names as JSON, how they look as float32. So are
examples that somebody showed."""

from __future__ import annotations

import json

import numpy as np

from dadu.memory.association.labels import Votes
from dadu.memory.examples import TaughtThing
from dadu.world.exemplar import Exemplar


def written(votes: Votes) -> tuple[str, bytes]:
    """JSON, and the sum of embeddings; empty where there is none."""
    views = [[list(view), pictures, said] for view, (pictures, said) in votes.views.items()]
    look = b"" if votes.look is None else written_look(votes.look)
    return json.dumps({"prior": votes.prior, "views": views, "shown": votes.shown, "said": votes.said}), look


def read(text: str, look: bytes) -> Votes:
    """From what `written` made. Errors: ValueError."""
    try:
        said = json.loads(text)
        views = {(int(a), int(b), int(c)): (int(pictures), {str(label): float(n) for label, n in scores.items()})
                 for (a, b, c), pictures, scores in said["views"]}
        shown, told = int(said["shown"]), str(said.get("said", ""))
        prior = {str(label): float(n) for label, n in said["prior"].items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"votes {text[:60]!r}: {error!r}") from None
    if any(pictures < 1 for pictures, _ in views.values()):
        raise ValueError("a view of no picture")
    return Votes(prior, views, _look(look) if look else None, shown, told)


def read_example(thing: str, stamp: float, category: str, look: bytes) -> TaughtThing:
    """Of a look that `written_look` made. Errors: ValueError."""
    try:
        vector, time = _look(look), float(stamp)
    except TypeError as error:
        raise ValueError(f"no example of {category!r}: {error}") from None
    if not (category and vector.size and np.isfinite(vector).all() and np.isfinite(time)):
        raise ValueError(f"no example of {category!r}")
    return TaughtThing(thing, time, Exemplar(category, vector))


def written_look(look: np.ndarray) -> bytes:
    """float32 (D,), little-endian."""
    return look.astype("<f4").tobytes()


def _look(data: bytes) -> np.ndarray:
    """float32 (D,). Errors: ValueError."""
    return np.frombuffer(data, "<f4").astype(np.float32)
