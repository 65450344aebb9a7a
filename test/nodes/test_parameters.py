"""Settings as ROS parameters: typed, nested, unknown ones refused."""

import pytest
import rclpy
from dadu_nodes.support.parameters import declare
from rclpy.node import Node

from dadu.core.config import Settings
from dadu.core.errors import ConfigError


class Inner(Settings):
    speed: float = 0.3


class Outer(Settings):
    name: str = "a"
    count: int = 1
    inner: Inner = Inner()


def settings(*arguments):
    rclpy.init(args=["--ros-args", *(a for pair in arguments for a in ("-p", pair))])
    try:
        node = Node("one")
        return declare(node, Outer)
    finally:
        rclpy.shutdown()


def test_defaults():
    assert settings("use_sim_time:=true") == Outer()


def test_values_are_converted_by_their_type():
    assert settings("inner.speed:=1", "name:=b", "count:=3") == Outer(name="b", count=3, inner=Inner(speed=1.0))


@pytest.mark.parametrize("pair, expected", [
    ("sped:=1", "one: unknown parameter 'sped'; valid: count, inner.speed, name"),
    ("count:=many", "parameters of node one: count: .*got 'many'"),
])
def test_refusals(pair, expected):
    with pytest.raises(ConfigError, match=expected):
        settings(pair)
