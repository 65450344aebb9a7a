"""``dadu map``: what a robot saw of a home, as a whole. One file a verb."""

from __future__ import annotations

from dadu.cli.verbs import verb_group

app = verb_group("dadu.cli.map", "What a robot saw of a home, as a whole.", {
    "fuse": "Fuses a recording's pictures to a coloured mesh of the home.",
})
