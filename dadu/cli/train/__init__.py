"""``dadu train``: trains, evaluates and exports what the project ships. A verb a network, made of its recipe."""

from __future__ import annotations

import typer

from dadu.cli.verbs import LazyVerbs, verb_group
from dadu.learning.networks import NETWORKS


class TrainVerbs(LazyVerbs):
    """Verbs of which those of `NETWORKS` have no module."""

    def app_of(self, name: str) -> typer.Typer:
        if name not in NETWORKS:
            return super().app_of(name)
        from dadu.cli.train.network import network_app

        return network_app(name)


app = verb_group("dadu.cli.train", "Train what the project ships.", {
    **{name: told for name, (_, told) in NETWORKS.items()},
    "quantise": "Writes detector and namer in 8 bits.",
    "trust": "Fits how far names can be trusted.",
}, TrainVerbs)
