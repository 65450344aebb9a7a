import sys
from pathlib import Path

import pytest

SETUP = Path(__file__).parents[2] / "scripts" / "setup"


@pytest.fixture(autouse=True)
def setup_modules(monkeypatch):
    """The set-up's modules import each other by their bare names."""
    monkeypatch.syspath_prepend(SETUP)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(SETUP) in sys.modules[name].__file__:
            del sys.modules[name]
