"""The detector's card."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dadu.learning.recipe.card import held_out, listed, row, share, shown, trained, write_card
from dadu.learning.recipe.facts import TrainingFacts

_LIMITS = (
    "Trained on rendered pictures of generated homes alone: no photograph was used, and none was measured.",
    "Small or far things are missed, see the table. Furniture is named as a whole, without its doors and drawers.",
    "People and robots are background.",
    "A score is the chance that there is such a thing and that it is called so; embeddings say how near other names "
    "are.",
    "Not for use where a wrong detection can hurt somebody.",
)
_BITS = "\nTheir convolutions are kept and computed in 8 bits (`dadu train quantise`)."
_FOUND = ("recall", "ap50_agnostic", "ap50_pooled")
_NAMED = ("first", "among_five", "nearest_known")


def write(folder: Path, facts: TrainingFacts, namer: TrainingFacts, figures: Mapping[str, Any], homes: str) -> None:
    """To `folder`. `facts` are the detector's; `homes`: those measured on, in words."""
    write_card(
        folder, "DaDu's detector", f"""\
Two networks of dense convolutions, from random initialisation. The detector, a U-Net of
{facts.parameters / 1e6:.2f} million parameters: RGB-D in; objects, furniture and middles of objects out, at half the
picture's size. The namer, {namer.parameters / 1e6:.2f} million: a thing cut out in, an embedding out. A category is a
phrase: embeddings lie in a space of the sentence encoder MiniLM. Used by
`perception:=learned`.{_BITS if facts.quantised else ""}""",
        (f"Data of the detector: {shown(facts, 'pictures')}; {len(facts.categories)} categories taught.",
         held_out(facts), f"Training: {trained(facts, 'detector', 'pictures')}.",
         f"Training of the namer, on {shown(namer, 'crops')}: {trained(namer, 'namer', 'crops')}."),
        _figures(figures, homes), _LIMITS, figures)


def _figures(figures: Mapping[str, Any], homes: str) -> str:
    found = [row(span, *(share(values[key]) for key in _FOUND)) for span, values in figures["by_distance"].items()]
    named = [row(who, figures[key]["things"], *(share(figures[key][name]) for name in _NAMED), "0.20")
             for who, key in (("categories taught", "naming_known"), ("never shown", "naming_held_out"),
                              ("houses' own", "naming_own"))]
    own, furniture = figures["own"], figures["furniture"]
    lines = [
        f"On {figures['pictures']} pictures of {homes}, never trained on, {figures['objects']} objects:", "",
        "| distance | recall | AP50, any name | AP50, right name |", "|---|---|---|---|", *found,
        row("all", *(share(figures[key]) for key in _FOUND)), "",
        f"- Categories taught, within 2.5 m: AP50 with the right name "
        f"{share(figures['ap50_pooled_near_known'])}.",
        f"- Mean of the categories' AP50: {share(figures['ap50'])}.",
        f"- Recall of categories never shown: {share(figures['recall_held_out'])}, of the others "
        f"{share(figures['recall_known'])}.",
        *([f"- Houses' own kinds of things, known by their names alone: recall {share(own['recall'])}, AP50 with the "
           f"right name {share(own['ap50_pooled'])}, within 2.5 m {share(own['ap50_pooled_near'])}:\n  "
           f"{listed(own['categories'])}."] if own["categories"] else []),
        f"- Furniture: recall {share(furniture['recall'])}, AP50 with the right name "
        f"{share(furniture['ap50_pooled'])}.", "",
        "| named right by true masks | things | of all | of five phrases | by the nearest known | by chance |",
        "|---|---|---|---|---|---|", *named]
    return "\n".join(lines)
