"""A node with the states of ROS's managed nodes, for graphs that nav2_lifecycle_manager brings up and takes down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dadu_nodes.support.node import DaduNode
from dadu_nodes.support.parameters import S
from dadu_nodes.support.skill_server import SkillServer
from lifecycle_msgs.srv import ChangeState
from rclpy._rclpy_pybind11 import RCLError
from rclpy.lifecycle.node import LifecycleNodeMixin, LifecycleState, TransitionCallbackReturn

_ASLEEP = "{} is not active; its lifecycle manager has to activate it"


class ManagedNode(LifecycleNodeMixin, DaduNode[S]):
    """What it has to say it says in any state; skills it carries out while it is active."""

    def __init__(self, name: str, settings: type[S]) -> None:
        DaduNode.__init__(self, name, settings)
        self._served: SkillServer | None = None

    def manage(self, server: SkillServer, autostart: bool) -> None:
        """To be called last in the making: offers the transitions. `autostart`: active at once, with nobody's help."""
        self._served = server
        LifecycleNodeMixin.__init__(self)
        self._service_change_state.callback = _or_refused(self._service_change_state.callback)
        server.suspend(_ASLEEP.format(self.get_name()))
        if autostart:
            self.trigger_configure()
            self.trigger_activate()

    def destroy_node(self) -> None:
        if self._served is not None:
            self._state_machine.destroy_when_not_in_use()  # rclpy does not, as with actions
        super().destroy_node()

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        if self._served is not None:
            self._served.suspend("")
        return super().on_activate(state)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        self._sleep()
        return super().on_deactivate(state)

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        self._sleep()
        return super().on_shutdown(state)

    def _sleep(self) -> None:
        if self._served is not None:
            self._served.suspend(_ASLEEP.format(self.get_name()))


def _or_refused(change: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """`change`, and no success, instead of an end of the node, for a transition that there is not from where it is."""
    def changed(request: ChangeState.Request, response: ChangeState.Response) -> ChangeState.Response:
        try:
            return change(request, response)
        except RCLError:
            response.success = False
            return response
    return changed
