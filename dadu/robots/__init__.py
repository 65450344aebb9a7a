"""Robot descriptions, read from ``config/robots/``."""

from dadu.robots.loader import UnknownRobot, list_robots, load_robot

__all__ = ["UnknownRobot", "list_robots", "load_robot"]
