#!/bin/sh
# coal 3.0.3 (with pin 4.1.0), trimesh 4.9.0 with pycollada 0.9.3, numpy 2.4.6, Python 3.11.
#
# A COLLADA mesh says its unit and which axis is up. coal's MeshLoader, by which Pinocchio reads collision meshes of a URDF, leaves out both; trimesh leaves the
# numbers and the axes as they are, too, but keeps the unit in `units`, which `convert_units("meters")` then applies. RViz and Gazebo scale by the unit. So a mesh in millimetres that is right on the screen is a
# thousand times too large for whoever checks collisions, and no one says so.
#
# Guess before: coal, which reads by assimp, scales to metres and turns to z up; trimesh scales nothing. Seen, for a tetrahedron of 1000 x 2000 x 3000 mm, y up:
#   coal: [1000.0, 2000.0, 3000.0]
#   pinocchio: [1000.0, 2000.0, 3000.0]
#   trimesh: [1000.0, 2000.0, 3000.0] units 0.001 * meters
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 pin==4.1.0 coal==3.0.3 trimesh==4.9.0 pycollada==0.9.3
cat > t.dae <<'XML'
<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2026-01-01T00:00:00</created><modified>2026-01-01T00:00:00</modified><unit name="millimeter" meter="0.001"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">0 0 0 1000 0 0 0 2000 0 0 0 3000</float_array>
<technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 1 2 3 0 3 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
XML
v/bin/python - <<'PY'
import coal
import numpy as np
import pinocchio
import trimesh

shape = coal.MeshLoader().load("t.dae", np.ones(3))
shape.computeLocalAABB()
print("coal:", shape.aabb_local.max_.tolist())
urdf = '<robot name="r"><link name="base"><collision><geometry><mesh filename="t.dae"/></geometry></collision></link></robot>'
model = pinocchio.buildModelFromXML(urdf)
read = pinocchio.buildGeomFromUrdfString(model, urdf, pinocchio.GeometryType.COLLISION, package_dirs=["."]).geometryObjects[0].geometry
read.computeLocalAABB()
print("pinocchio:", read.aabb_local.max_.tolist())
mesh = trimesh.load("t.dae", force="mesh")
print("trimesh:", mesh.bounds[1].tolist(), "units", mesh.units)
for got in (shape.aabb_local.max_, read.aabb_local.max_, mesh.bounds[1]):
    assert np.allclose(got, (1000, 2000, 3000)), got
assert mesh.units == "0.001 * meters"
assert np.allclose(mesh.convert_units("meters").bounds[1], (1, 2, 3))
PY
