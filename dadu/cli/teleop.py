"""``dadu teleop``: drives the robot by keyboard."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def teleop(
    speed: Annotated[float, typer.Option(min=0.01, max=2.0, help="forward speed at scale 1 [m/s]")] = 0.2,
    turn: Annotated[float, typer.Option(min=0.05, max=4.0, help="turning speed at scale 1 [rad/s]")] = 0.6,
) -> None:
    """Drives the robot by keyboard, taking the base from autonomy; works over ssh.

    A joystick does the same without this command: let its driver (such as teleop_twist_joy) publish
    geometry_msgs/Twist on /cmd_vel_teleop, and std_msgs/Empty on /operator/release to give the base back at once.
    """
    from dadu_nodes.commands.teleop import drive

    from dadu.core.robot import Twist

    drive(Twist(vx=speed, wz=turn))
