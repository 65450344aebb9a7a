#!/bin/sh
# pyrealsense2 2.59.1.11053, numpy 2.4.6, Python 3.11. No camera is needed: a software device.
#
# rs.align(colour) brings depth into the colour camera's pixels. Where that has more of them, a depth pixel is spread over what lies between its two corners, both ends included: over three by three pixels instead of two by two at twice the
# resolution. Neighbours overlap, the nearer one wins, and so every thing that stands before something grows by a pixel to the right and below, not to the left and above. The same resolution gives the same picture.
#
# Guess before: four pixels for each, 128 in all. Seen, a thing of 8 x 4 pixels at 1 m before a wall at 2 m, both cameras in one place with the same field of view:
#   colour as depth, 64 x 48     rows 20 to 27, columns 30 to 33
#   twice that, 128 x 96         rows 40 to 56, columns 60 to 68 (153 pixels; it should end at 55 and 67)
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 pyrealsense2==2.59.1.11053
v/bin/python - <<'PY'
import numpy as np
import pyrealsense2 as rs

WIDTH, HEIGHT, FOCAL = 64, 48, 60.0


def stream(kind, uid, form, size, factor):
    made = rs.video_stream()
    made.type, made.index, made.uid, made.fmt, made.fps, made.bpp = kind, 0, uid, form, 30, size
    made.width, made.height = WIDTH * factor, HEIGHT * factor
    camera = rs.intrinsics()
    camera.width, camera.height, camera.fx, camera.fy = made.width, made.height, FOCAL * factor, FOCAL * factor
    camera.ppx, camera.ppy, camera.model, camera.coeffs = made.width / 2 - 0.5, made.height / 2 - 0.5, rs.distortion.none, [0] * 5
    made.intrinsics = camera
    return made


def frame(pixels, size, number, profile):
    made = rs.software_video_frame()
    made.pixels, made.bpp, made.stride, made.profile = pixels, size, pixels.shape[1] * size, profile.as_video_stream_profile()
    made.timestamp, made.frame_number, made.domain, made.depth_units = 33.0 * number, number, rs.timestamp_domain.hardware_clock, 0.001
    return made


def aligned(depth, factor):
    device = rs.software_device()
    sensors = device.add_sensor("Depth"), device.add_sensor("Color")
    profiles = (sensors[0].add_video_stream(stream(rs.stream.depth, 0, rs.format.z16, 2, 1)),
                sensors[1].add_video_stream(stream(rs.stream.color, 1, rs.format.rgb8, 3, factor)))
    sensors[0].add_read_only_option(rs.option.depth_units, 0.001)
    same = rs.extrinsics()
    same.rotation, same.translation = [1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0]
    profiles[0].register_extrinsics_to(profiles[1], same)
    device.create_matcher(rs.matchers.dlr_c)
    both = rs.syncer()
    for sensor, profile in zip(sensors, profiles):
        sensor.open(profile)
        sensor.start(both)
    colour = np.zeros((HEIGHT * factor, WIDTH * factor, 3), np.uint8)
    for number in range(1, 20):
        sensors[0].on_video_frame(frame(depth, 2, number, profiles[0]))
        sensors[1].on_video_frame(frame(colour, 3, number, profiles[1]))
        pair = both.wait_for_frames()
        if pair.size() == 2:
            return np.array(rs.align(rs.stream.color).process(pair).get_depth_frame().get_data())
    raise SystemExit("the two streams were never paired")


depth = np.full((HEIGHT, WIDTH), 2000, np.uint16)
depth[20:28, 30:34] = 1000
for factor, first, last in ((1, (20, 30), (27, 33)), (2, (40, 60), (56, 68))):
    near = np.argwhere(aligned(depth, factor) == 1000)
    print(factor, "rows and columns", near.min(0), "to", near.max(0), len(near), "pixels")
    assert tuple(near.min(0)) == first and tuple(near.max(0)) == last
PY
