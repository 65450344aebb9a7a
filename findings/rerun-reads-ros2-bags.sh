#!/bin/sh
# rerun-sdk 0.41.0, rosbags 0.11.9, opencv-python-headless 5.0.0.93, numpy 2.4.6, Python 3.11.
#
# Rerun opens ROS 2 bags in MCAP and turns messages into its own archetypes. Five kinds come out as something else than was recorded, none with a warning: a big-endian 16-bit picture keeps its bytes and is taken as little-endian (a big-endian
# cloud is turned round); mono16, which infrared and thermal cameras send, becomes a depth picture; a compressedDepth picture keeps the 12 bytes of its header before the PNG, so that it is no PNG; the packed colour of a cloud (rgb, rgba) becomes a
# number called so and not the points' colour; /tf_static is a transform of the moment at which it was recorded, not a static one. And a camera's matrix is taken over for full pixels where the message says that it is binned.
#
# Guess before: pictures and clouds by their encoding and byte order, compressedDepth unpacked or refused, colours as colours, /tf_static static, the camera at binned resolution. Seen: see the checks below.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 rerun-sdk==0.41.0 rosbags==0.11.9 opencv-python-headless==5.0.0.93
v/bin/python - <<'PY'
import cv2
import numpy as np
from rerun.chunk import McapReader
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

store = get_typestore(Stores.ROS2_JAZZY)
types = store.types


def new(name, *values):
    return types[name.replace("/", "/msg/")](*values)


def header(frame):
    return new("std_msgs/Header", new("builtin_interfaces/Time", 1, 0), frame)


def image(encoding, pixels, big=0):
    height, width = pixels.shape
    return new("sensor_msgs/Image", header("camera"), height, width, encoding, big, width * pixels.itemsize, pixels.view(np.uint8).reshape(-1))


def cloud(points, names, datatypes, big=False):
    fields = [new("sensor_msgs/PointField", name, 4 * i, kind, 1) for i, (name, kind) in enumerate(zip(names, datatypes))]
    step = 4 * len(names)
    return new("sensor_msgs/PointCloud2", header("camera"), 1, len(points), fields, big, step, step * len(points), np.frombuffer(points.tobytes(), np.uint8), False)


depth = np.arange(24, dtype=np.uint16).reshape(4, 6) * 100
points = np.array([(1, 2, 3), (4, 5, 6)], "f4")
coloured = np.zeros(2, [("x", "f4"), ("y", "f4"), ("z", "f4"), ("rgba", "u4")])
coloured["rgba"] = 0xFFFF8001
png = cv2.imencode(".png", depth)[1].reshape(-1)
turn = new("geometry_msgs/Quaternion", 0.0, 0.0, 0.0, 1.0)
mount = new("geometry_msgs/TransformStamped", header("base"), "camera", new("geometry_msgs/Transform", new("geometry_msgs/Vector3", 1.0, 0.0, 0.0), turn))
matrix = np.array([500.0, 0, 3, 0, 500, 2, 0, 0, 1])
projection = np.array([500.0, 0, 3, 0, 0, 500, 2, 0, 0, 0, 1, 0])
messages = {
    "/depth": image("16UC1", depth),
    "/depth_big": image("16UC1", depth.byteswap(), big=1),
    "/infrared": image("mono16", depth),
    "/depth/compressedDepth": new("sensor_msgs/CompressedImage", header("camera"), "16UC1; compressedDepth png", np.concatenate([np.zeros(12, np.uint8), png])),
    "/cloud_big": cloud(points.astype(">f4"), "xyz", (7, 7, 7), big=True),
    "/cloud_coloured": cloud(coloured, ("x", "y", "z", "rgba"), (7, 7, 7, 6)),
    "/camera_info": new("sensor_msgs/CameraInfo", header("camera"), 4, 6, "plumb_bob", np.zeros(5), matrix, np.eye(3).reshape(-1), projection, 2, 2,
                        new("sensor_msgs/RegionOfInterest", 0, 0, 0, 0, False)),
    "/tf_static": new("tf2_msgs/TFMessage", [mount]),
}
with Writer("bag", version=9, storage_plugin=StoragePlugin.MCAP) as writer:
    for topic, message in messages.items():
        connection = writer.add_connection(topic, message.__msgtype__, typestore=store)
        writer.write(connection, 100_000_000_000, store.serialize_cdr(message, message.__msgtype__))

seen, static = {}, {}
for chunk in McapReader("bag/bag.mcap").stream():
    batch = chunk.to_record_batch()
    for name in batch.schema.names:
        if ":" in name and not name.startswith("Mcap"):
            seen[chunk.entity_path, name] = batch.column(name)[0].as_py()
            static[chunk.entity_path] = chunk.is_static


def pixels(topic):
    return np.frombuffer(bytes(seen[topic, "DepthImage:buffer"][0]), "<u2").reshape(4, 6)


assert (pixels("/depth") == depth).all()
assert (pixels("/depth_big") == depth.byteswap()).all(), "a big-endian picture is turned round now"
assert (pixels("/infrared") == depth).all(), "mono16 is not a depth picture any more"
blob = bytes(seen["/depth/compressedDepth", "EncodedImage:blob"][0])
assert blob[:12] == bytes(12) and blob[12:] == png.tobytes(), "compressedDepth is unpacked now"
assert seen["/cloud_big", "Points3D:positions"] == points.tolist()
assert seen["/cloud_coloured", "Points3D:rgba"] == [0xFFFF8001] * 2 and ("/cloud_coloured", "Points3D:colors") not in seen, "packed colours are colours now"
assert seen["/tf_static", "Transform3D:translation"] == [[1.0, 0.0, 0.0]] and not static["/tf_static"], "/tf_static is static now"
assert seen["/camera_info", "Pinhole:image_from_camera"][0] == matrix.reshape(3, 3).T.reshape(-1).tolist()
assert seen["/camera_info", "Pinhole:resolution"] == [[6.0, 4.0]]
print("100 mm, big-endian, becomes", pixels("/depth_big")[0, 1], "mm; the rest as stated")
PY
