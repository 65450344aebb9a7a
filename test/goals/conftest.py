"""For the tests of goals."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # worlds beside the tests
