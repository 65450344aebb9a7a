"""The picture of the layers in docs/architecture.md is that of the code."""

import re

from .import_graph import ROOT, import_graph
from .test_layers import LAYERS, layer

PAGE = (ROOT / "docs" / "architecture.md").read_text()


def imports() -> dict[str, set[str]]:
    """Package to those that it imports."""
    found: dict[str, set[str]] = {}
    for module, others in import_graph(ROOT, "dadu").items():
        if "." in module:
            found.setdefault(layer(module), set()).update(layer(o) for o in others if "." in o)
    return {package: others - {package} for package, others in found.items()}


def below(package: str, graph: dict[str, set[str]]) -> set[str]:
    """All that it imports, directly or not."""
    return graph[package].union(*(below(other, graph) for other in graph[package]))


def test_the_picture_shows_who_imports_whom():
    graph = imports()
    arrows = {package: {o for o in others if not any(o in below(between, graph) for between in others)}
              for package, others in graph.items()}
    rows = [f"  {package} --> {' & '.join(sorted(arrows[package], key=LAYERS.index))}"
            for package in reversed(LAYERS) if arrows.get(package)]
    picture = PAGE[PAGE.index("flowchart TB"):]
    assert re.findall(r"^  \w+ --> .*$", picture, re.MULTILINE) == rows, "draw it so:\n" + "\n".join(rows)


def test_the_table_names_the_packages_from_low_to_high():
    named = re.findall(r"^\| `dadu/(\w+)` \|", PAGE, re.MULTILINE)
    assert named == [name for name in LAYERS if (ROOT / "dadu" / name / "__init__.py").exists()]
