"""Lets tests here import `worked_examples` beside them: pytest's importlib mode leaves the path alone."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
