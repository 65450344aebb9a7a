"""``dadu bag``: recordings, one's own and others'. One file a verb."""

from __future__ import annotations

from dadu.cli.verbs import verb_group

app = verb_group("dadu.cli.bag", "Look into recordings, repair and cut them.", {
    "info": "Says what is in a recording, and what of it can be used.",
    "repair": "Writes a whole bag of what can be read of a broken one.",
    "cut": "Writes a bag of some seconds and topics of another.",
})
