#!/bin/sh
# pyrobosim 5.0.1 (without its web interface), transforms3d 0.4.2, scipy 1.17.1, shapely 2.2.0, trimesh 5.2.0, numpy 2.4.6, Python 3.11.
#
# Pose(roll=, pitch=, yaw=) and a world's file take three angles, and `eul` and get_yaw() give them back. In ROS, URDF and SDF these are angles about fixed axes, Rz(yaw) Ry(pitch) Rx(roll); here they are about axes that move along,
# Rx(roll) Ry(pitch) Rz(yaw). With a single angle, as of anything that stands on a floor, both are the same. A pose that comes from ROS as a quaternion has another yaw here, and the exporter to Gazebo writes the three numbers into an SDF file as
# they are, where they mean another rotation: a thing that lies askew in the one world lies otherwise in the other.
#
# Guess before: the angles of ROS and SDF. Seen (roll 0.3, pitch -0.5, yaw 1.2):
#   the matrix of Pose                                     that of Rx Ry Rz; off from Rz Ry Rx by 37.9 degrees
#   get_yaw() of the quaternion that ROS makes of them     1.245; with pitch -1.2: 1.439
#   an object of that pose, exported for Gazebo            <pose>0 0 1.5 0.3 -0.5 1.2</pose>, in Gazebo off by 37.9 degrees
#   roll, pitch or yaw alone                               the same
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 transforms3d==0.4.2 shapely==2.2.0 trimesh==5.2.0 pycollada==0.9.3 PyYAML==6.0.4 pillow==13.0.0 astar==0.99 plotly==6.9.0 typing_extensions==4.16.0
v/bin/pip install -q --no-deps pyrobosim==5.0.1
v/bin/python - <<'PY'
import pathlib
import re

import numpy as np
from pyrobosim.core.gazebo import WorldGazeboExporter
from pyrobosim.core.world import World
from pyrobosim.utils.general import get_data_folder
from pyrobosim.utils.pose import Pose
from scipy.spatial.transform import Rotation


def fixed(angles):
    return Rotation.from_euler("xyz", angles)


def of(pose):
    return Rotation.from_matrix(pose.get_rotation_matrix())


def apart(one, other):
    return np.degrees((one * other.inv()).magnitude())


angles = (0.3, -0.5, 1.2)
pose = Pose(roll=angles[0], pitch=angles[1], yaw=angles[2])
print("from moving axes", round(apart(of(pose), Rotation.from_euler("XYZ", angles)), 3), "from fixed axes", round(apart(of(pose), fixed(angles)), 1), "degrees")
assert apart(of(pose), Rotation.from_euler("XYZ", angles)) < 1e-5 and 37 < apart(of(pose), fixed(angles)) < 38
for single in ((0.3, 0, 0), (0, -0.5, 0), (0, 0, 1.2)):
    assert apart(of(Pose(roll=single[0], pitch=single[1], yaw=single[2])), fixed(single)) < 1e-5

for pitch, seen in ((-0.5, 1.245), (-1.2, 1.439)):
    x, y, z, w = fixed((0.3, pitch, 1.2)).as_quat()
    yaw = Pose(q=[w, x, y, z]).get_yaw()
    print("ROS' yaw 1.2, pitch", pitch, "yaw here", round(yaw, 3))
    assert abs(yaw - seen) < 2e-3

data, world = get_data_folder(), World()
world.add_metadata(locations=[data / "example_location_data_furniture.yaml"], objects=[data / "example_object_data_food.yaml"])
for name, left in (("kitchen", -2), ("bedroom", 4)):
    world.add_room(name=name, footprint=[(left, -2), (left + 4, -2), (left + 4, 2), (left, 2)], nav_poses=[Pose(x=left + 2)])
world.add_hallway(room_start="kitchen", room_end="bedroom", width=0.8)
table = world.add_location(category="table", parent="kitchen", pose=Pose())
banana = world.add_object(category="banana", parent=table, pose=Pose(z=1.0, roll=angles[0], pitch=angles[1], yaw=angles[2]))
folder = WorldGazeboExporter(world).export(pathlib.Path("out"))
text = (folder / f"{folder.name}.sdf").read_text()
numbers = [float(word) for word in re.search(f"<name>{banana.name}</name>\\s*<pose>(.*?)</pose>", text).group(1).split()]
print("in the SDF file", numbers, "off by", round(apart(of(banana.pose), fixed(numbers[3:])), 1), "degrees")
assert numbers[3:] == list(angles) and 37 < apart(of(banana.pose), fixed(numbers[3:])) < 38
print("as stated")
PY
