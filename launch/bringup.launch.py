"""The whole graph: ``ros2 launch dadu bringup.launch.py sim:=true``; ``--show-args`` lists the arguments.

A rendering of `dadu.bringup.graph`, where nodes, parameters and arguments are declared; ``dadu up`` is the other.
"""

import os

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from dadu.bringup.arguments import Arguments, as_text, choices_of, from_text
from dadu.bringup.command import instruction_command, settings_file
from dadu.bringup.environment import environment
from dadu.bringup.graph import NodeSpec, nodes
from dadu.bringup.run_directory import make_run_directory, note_start

RESPAWN_DELAY = 1.0  # [s]


def generate_launch_description() -> LaunchDescription:
    declarations = [
        DeclareLaunchArgument(
            name,
            default_value=as_text(field.default),
            description=field.description,
            choices=choices_of(name) or None,
        )
        for name, field in Arguments.model_fields.items()
    ]
    return LaunchDescription([*declarations, OpaqueFunction(function=start)])


def start(context: LaunchContext) -> list:
    """The graph's processes, once the arguments are known."""
    arguments = from_text({name: LaunchConfiguration(name).perform(context) for name in Arguments.model_fields})
    run_dir = make_run_directory(arguments.run_dir)
    note_start(arguments, run_dir)
    env = environment(run_dir)
    added = {name: value for name, value in env.items() if os.environ.get(name) != value}
    actions = [ros_node(spec, added) for spec in nodes(arguments)]
    if arguments.instruction:
        command = instruction_command(arguments.instruction)
        actions.append(ExecuteProcess(cmd=command, name="task", additional_env=added, output="screen"))
    return actions


def ros_node(spec: NodeSpec, env: dict[str, str]) -> Node:
    settings = settings_file(spec)
    return Node(
        package="dadu",
        executable=spec.name,
        name=spec.name,
        parameters=[*([str(settings)] if settings else []), spec.parameters],
        remappings=list(spec.remappings.items()),
        additional_env=env,
        output="screen",
        respawn=True,
        respawn_delay=RESPAWN_DELAY,
    )
