"""`dadu --version`."""

import subprocess
import sys
from importlib import metadata


def test_it_prints_the_installed_version():
    done = subprocess.run([sys.executable, "-m", "dadu.cli", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["dadu", metadata.version("dadu")]
