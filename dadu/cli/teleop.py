"""``dadu teleop``: drives the robot by keyboard."""

from __future__ import annotations

from typing import Annotated

import typer


def teleop(
    speed: Annotated[float, typer.Option(min=0.01, max=2.0, help="forward speed at scale 1 [m/s]")] = 0.2,
    turn: Annotated[float, typer.Option(min=0.05, max=4.0, help="turning speed at scale 1 [rad/s]")] = 0.6,
    robot: Annotated[str, typer.Option(help="that runs: a name in config/robots/, or its YAML file")] = "stretch",
    namespace: Annotated[str, typer.Option(help="of the robot, as given to dadu up")] = "",
) -> None:
    """Drives the robot and moves arm, head and gripper by keyboard, taking it from autonomy; works over ssh.

    A gamepad whose driver (joy_node) publishes sensor_msgs/Joy on /joy works beside it: hold the left shoulder button.
    """
    from dadu_nodes.commands.teleop import drive

    from dadu.core.robot import Twist

    drive(Twist(vx=speed, wz=turn, vy=speed), robot, namespace)
