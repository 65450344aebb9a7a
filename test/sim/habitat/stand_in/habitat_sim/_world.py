"""Scene datasets, and a world of boxes."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import trimesh
from magnum import Quaternion, Vector3

from habitat_sim.physics import MotionType

_MARGIN = 0.04  # what a collision margin left at its default lifts things by [m]


def load(dataset, scene):
    root = Path(dataset).parent
    config = json.loads(Path(dataset).read_text())
    folders = {kind: [root / p for p in config[kind]["paths"][".json"]]
               for kind in ("stages", "objects", "scene_instances")}
    instance = json.loads(_find(folders["scene_instances"], scene, "scene_instance").read_text())
    stage = _template(folders["stages"], instance["stage_instance"]["template_name"], "stage")
    objects, counts = [], {}
    for entry in instance["object_instances"]:
        template = _template(folders["objects"], entry["template_name"], "object")
        n = counts[template.name] = counts.get(template.name, -1) + 1
        w, x, y, z = entry.get("rotation", (1.0, 0.0, 0.0, 0.0))
        objects.append(Object(template, f"{template.name}_:{n:04d}", entry["translation"], (x, y, z, w),
                              MotionType[entry["motion_type"].upper()]))
    return World(stage, objects)


def _find(folders, name, kind):
    """By any part of the path, which must fit one file only."""
    suffix = "scene_instance.json" if kind == "scene_instance" else f"{kind}_config.json"
    found = [path for folder in folders for path in sorted(folder.glob(f"*.{suffix}")) if name in str(path)]
    if len(found) != 1:
        raise RuntimeError(f"{len(found)} of {kind} fit {name}")
    return found[0]


def _template(folders, name, kind):
    path = _find(folders, name, kind)
    config = json.loads(path.read_text())
    scene = trimesh.load(path.parent / config["render_asset"], force="scene")
    turn = np.eye(3)
    if "up" not in config:  # a bare asset is taken for z up
        turn = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    boxes = [(b @ turn.T) for b in (g.bounds for g in scene.dump(concatenate=False))]
    whole = np.vstack(boxes)
    middle = (whole.min(0) + whole.max(0)) / 2  # an object's origin, where its file names no centre of mass
    offset = np.zeros(3) if kind == "stage" else np.array(config.get("COM", middle))
    return SimpleNamespace(name=path.name.split(".")[0], boxes=[np.sort(b, axis=0) - offset for b in boxes],
                           margin=config.get("margin", _MARGIN), semantic_id=config.get("semantic_id", 0))


class Object:
    def __init__(self, template, handle, position, rotation, motion):
        self._template, self.handle, self.motion_type = template, handle, motion
        self.translation = Vector3(*map(float, position))
        self.rotation = Quaternion(Vector3(*map(float, rotation[:3])), float(rotation[3]))
        self.semantic_id, self.awake, self._speed = template.semantic_id, True, 0.0
        self.linear_velocity = self.angular_velocity = Vector3(0.0, 0.0, 0.0)

    def __setattr__(self, name, value):
        kinds = {"translation": Vector3, "rotation": Quaternion, "linear_velocity": Vector3, "motion_type": MotionType}
        if name in kinds and not isinstance(value, kinds[name]):
            raise TypeError(f"{name} takes a {kinds[name].__name__}")
        object.__setattr__(self, name, value)

    @property
    def aabb(self):
        points = np.vstack(self._template.boxes)
        return SimpleNamespace(min=Vector3(*map(float, points.min(0))), max=Vector3(*map(float, points.max(0))))

    def boxes(self):
        """Corner pairs in its frame, with R and position."""
        R, t = self.rotation.matrix, np.array(self.translation)
        return [(R, t, b) for b in self._template.boxes]

    def span(self):
        corners = np.vstack([(np.array(np.meshgrid(*b.T)).reshape(3, -1).T @ R.T) + t for R, t, b in self.boxes()])
        return corners.min(0), corners.max(0)


class World:
    def __init__(self, stage, objects):
        self.stage, self.objects = stage, objects

    def all_boxes(self, skip=None):
        """R, position, corners, semantic id."""
        yield from ((np.eye(3), np.zeros(3), b, 0) for b in self.stage.boxes)
        for o in self.objects:
            if o is not skip:
                yield from ((R, t, b, o.semantic_id) for R, t, b in o.boxes())

    def fall(self, dt):
        """Dynamic things fall until they stand on a box below their middle."""
        for o in self.objects:
            if o.motion_type is not MotionType.DYNAMIC:
                continue
            low, high = o.span()
            x, z = (low[0] + high[0]) / 2, (low[2] + high[2]) / 2
            floor = 0.0
            for R, t, b, _ in self.all_boxes(skip=o):
                corners = (np.array(np.meshgrid(*b.T)).reshape(3, -1).T @ R.T) + t
                lo, hi = corners.min(0), corners.max(0)
                if lo[0] <= x <= hi[0] and lo[2] <= z <= hi[2] and floor < hi[1] <= low[1] + 0.01:
                    floor = hi[1]
            o._speed = o._speed + 9.81 * dt
            drop = min(low[1] - floor - o._template.margin, o._speed * dt)
            if drop < o._speed * dt:
                o._speed = 0.0
            px, py, pz = o.translation
            o.translation = Vector3(px, py - drop, pz)

    def cast(self, origin, directions, reach):
        """Distances (n,) and semantic ids (n,) along directions (n, 3)."""
        best, ids = np.full(len(directions), np.inf), np.zeros(len(directions), np.uint32)
        with np.errstate(divide="ignore", invalid="ignore"):
            for R, t, b, id in self.all_boxes():
                eye, rays = (origin - t) @ R, directions @ R
                ends = np.sort((b[:, None, :] - eye) / rays, axis=0)
                near, far = ends[0].max(1), ends[1].min(1)
                hit = (near < far) & (near > 0) & (near < best)
                best[hit], ids[hit] = near[hit], id
        return np.where(best <= reach, best, np.inf), ids

    def draw(self, position, R, resolution, hfov):
        height, width = resolution
        focal = width / 2 / np.tan(np.radians(hfov) / 2)
        v, u = np.mgrid[:height, :width]
        rays = np.stack([(u + 0.5 - width / 2) / focal, -(v + 0.5 - height / 2) / focal, -np.ones(u.shape)], -1)
        depth, ids = self.cast(position, rays.reshape(-1, 3) @ R.T, 1e3)
        depth = np.where(np.isfinite(depth), depth, 0).astype(np.float32).reshape(height, width)
        ids = ids.reshape(height, width)
        rgb = np.stack([40 + ids * 37 % 200, 40 + ids * 91 % 200, 90 + ids * 0, 255 + ids * 0], -1).astype(np.uint8)
        return depth, ids, rgb


class PathFinder:
    """Free are points of the floor as far as the agent's radius from all that stands between ankle and head; the tops
    of static boxes are islands of their own."""

    def __init__(self, world):
        self._world, self._walls, self._radius = world, [], 0.0

    def build(self, settings):
        self._radius = settings.agent_radius
        static = [o for o in self._world.objects if o.motion_type is MotionType.STATIC]
        boxes = [(np.eye(3), np.zeros(3), b) for b in self._world.stage.boxes] + [b for o in static for b in o.boxes()]
        for R, t, b in boxes:
            corners = (np.array(np.meshgrid(*b.T)).reshape(3, -1).T @ R.T) + t
            lo, hi = corners.min(0), corners.max(0)
            if hi[1] > 0.15 and lo[1] < settings.agent_height:
                self._walls.append((lo[[0, 2]], hi[[0, 2]]))
        spans = [(np.vstack(self._world.stage.boxes).min(0), np.vstack(self._world.stage.boxes).max(0))]
        self._low, self._high = spans[0]
        spans[0] = self._low, self._high * (1.0, 0.0, 1.0)
        for R, t, b in (b for o in static for b in o.boxes()):
            corners = (np.array(np.meshgrid(*b.T)).reshape(3, -1).T @ R.T) + t
            spans.append((corners.min(0), corners.max(0)))
        self._islands = spans
        return True

    @property
    def num_islands(self):
        return len(self._islands)

    def island_area(self, island_index=-1):
        low, high = self._islands[island_index]
        return float((high[0] - low[0]) * (high[2] - low[2]))

    def build_navmesh_vertices(self, island_index=-1):
        (x0, _, z0), (x1, y, z1) = self._islands[island_index]
        return [Vector3(float(x), float(y), float(z)) for x in (x0, x1) for z in (z0, z1)]

    def get_bounds(self):
        return Vector3(*map(float, self._low)), Vector3(*map(float, self._high))

    def get_topdown_island_view(self, meters_per_pixel, height, eps=0.5):
        xs = np.arange(self._low[0], self._high[0], meters_per_pixel)
        zs = np.arange(self._low[2], self._high[2], meters_per_pixel)
        return np.array([[self._island(np.array([x, z]), height, eps) for x in xs] for z in zs])

    def _island(self, p, height, eps):
        for i, (low, high) in enumerate(self._islands[1:], start=1):
            if abs(high[1] - height) < eps and (low[[0, 2]] <= p).all() and (p <= high[[0, 2]]).all():
                return i
        return 0 if self._free(p) else -1

    def snap_point(self, point):
        x, _, z = point
        return Vector3(x, 0.05, z)

    def try_step_no_sliding(self, start, end):
        a, b = np.array(start, float), np.array(end, float)
        steps = max(1, int(np.linalg.norm(b - a) / 0.01))
        reached = a
        for i in range(1, steps + 1):
            p = a + (b - a) * i / steps
            if not self._free(p[[0, 2]]):
                break
            reached = p
        return Vector3(*map(float, reached))

    def _free(self, p):
        return all(np.linalg.norm(np.maximum(np.maximum(lo - p, p - hi), 0)) >= self._radius for lo, hi in self._walls)
