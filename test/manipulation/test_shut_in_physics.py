"""Between an open door and a counter, in the simulated small flat, in lock step."""

from dadu.core.geometry import Pose2
from dadu.navigation.go_to import go_to
from dadu.navigation.standing.base_placement import place_base
from dadu.skills.outcome import Code
from dadu.stacks.site import rasterize

from .bench import Bench


def test_a_robot_that_a_door_shuts_in_as_memory_has_it_drives_out_all_the_same():
    """It had put something on the cupboard, and then said of thirty tasks that the cupboard was open in the way."""
    bench = Bench(house="small_flat")
    try:
        bench.scene.map = rasterize(bench.house)
        bench.set_part("cupboard_0", "door", 1.03)
        inside = Pose2(5.066, 0.539, 3.126)
        bench.place_robot(inside)
        stance = place_base(bench.scene, bench.robot, "cupboard_0", "close", start=inside)
        assert isinstance(stance, Pose2), stance
        gone = bench.run(go_to(bench.robot, bench.scene, stance))
        assert gone.code is Code.SUCCEEDED, gone
        assert isinstance(place_base(bench.scene, bench.robot, "dresser_0", "look", start=stance), Pose2)
    finally:
        bench.sim.close()
