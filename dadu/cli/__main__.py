"""``python -m dadu.cli``."""

from dadu.cli import main

main()
