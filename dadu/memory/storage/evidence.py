"""What views have said of things, as it is kept: the votes on their names as JSON, how they look as float32."""

from __future__ import annotations

import json

import numpy as np

from dadu.memory.association.labels import Votes


def written(votes: Votes) -> tuple[str, bytes]:
    """JSON, and the sum of embeddings; empty where there is none."""
    views = [[list(view), pictures, said] for view, (pictures, said) in votes.views.items()]
    look = b"" if votes.look is None else votes.look.astype("<f4").tobytes()
    return json.dumps({"prior": votes.prior, "views": views, "shown": votes.shown}), look


def read(text: str, look: bytes) -> Votes:
    """From what `written` made. Errors: ValueError."""
    try:
        said = json.loads(text)
        views = {(int(a), int(b), int(c)): (int(pictures), {str(label): float(n) for label, n in scores.items()})
                 for (a, b, c), pictures, scores in said["views"]}
        shown = int(said["shown"])
        prior = {str(label): float(n) for label, n in said["prior"].items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"votes {text[:60]!r}: {error!r}") from None
    if any(pictures < 1 for pictures, _ in views.values()):
        raise ValueError("a view of no picture")
    return Votes(prior, views, np.frombuffer(look, "<f4").astype(np.float32) if look else None, shown)
