"""DaDu: plain-language mobile manipulation, closed loop. This package never imports ROS; see ``nodes/``."""

__version__ = "0.1.0"
