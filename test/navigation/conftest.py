import sys
from pathlib import Path

# With pytest's importlib mode, helpers beside the tests are found only this way.
sys.path.insert(0, str(Path(__file__).parent))
