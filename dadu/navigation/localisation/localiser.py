"""Where the robot is on the static map: odometry, corrected by matching each laser scan to the map.

The most probable pose given the odometry's prediction (a Gaussian) and the scan (the map's likelihood field under a
robust kernel), by Gauss-Newton: what the scan cannot tell, such as the position along a bare corridor, stays with the
odometry. A lost robot is found again by trying poses all over the map.
"""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
from pydantic import Field, FiniteFloat
from scipy.ndimage import distance_transform_edt

from dadu.core.config import Settings, load, save
from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2, wrap
from dadu.core.robot import LaserScan
from dadu.navigation.localisation.likelihood import LikelihoodField
from dadu.world.occupancy import FREE, OccupancyMap


class _Correction(Settings):
    map_odom: tuple[FiniteFloat, FiniteFloat, FiniteFloat]
    """x, y [m], yaw [rad] of odom in map"""


def save_correction(path: Path, map_odom: Pose2) -> None:
    """Writes at once or not at all."""
    partial = path.with_suffix(".partial")
    save(_Correction(map_odom=tuple(map_odom)), partial)
    os.replace(partial, path)


def load_correction(path: Path) -> Pose2 | None:
    """What `save_correction` left, or None where there is nothing of use."""
    try:
        return Pose2(*load(_Correction, path).map_odom)
    except ConfigError:
        return None


_STEP, _YAWS, _RAYS, _BEST, _CLEARANCE, _SIGMA = 0.2, 72, 60, 12, 0.2, 0.15


def search(map: OccupancyMap, field: LikelihoodField, hits: np.ndarray) -> list[Pose2]:
    """The most likely poses on the whole map, best first, for laser hits (N, 2) [m] in base_link: a coarse search over
    positions and headings."""
    hits = hits[np.linspace(0, len(hits) - 1, min(len(hits), _RAYS)).astype(int)] if len(hits) else hits
    stride = max(1, round(_STEP / map.resolution))
    room = distance_transform_edt(map.grid == FREE) * map.resolution > _CLEARANCE
    cells = np.argwhere(room)
    places = map.centres(cells[(cells % stride == 0).all(axis=1)])
    if not len(places) or not len(hits):
        return []
    scored = []
    for yaw in np.linspace(-np.pi, np.pi, _YAWS, endpoint=False):
        turned = Pose2(0.0, 0.0, float(yaw)).apply(hits)
        d, _ = field.sample(places[:, None] + turned)
        score = np.exp(-0.5 * (d / _SIGMA) ** 2).mean(axis=1)
        best = np.argsort(score)[-3:]
        scored += [(float(score[i]), Pose2(float(places[i, 0]), float(places[i, 1]), float(yaw))) for i in best]
    scored.sort(key=lambda entry: -entry[0])
    return [pose for _, pose in scored[:_BEST]]


_AMBIGUITY = 0.02  # share of explained hits that a metre nearer to the expected pose is worth [1/m]
_FAR = 4.0  # beyond it nearness counts for nothing more [m]
_CLEARLY = 0.15  # greater share of explained hits for which a doubted place is left
_ANYWHERE_NEAR = np.diag([0.1, 0.1, 0.1]) ** 2  # covariance about a candidate of the search [m, m, rad]
_DOUBTED_BELOW = 0.7
"""share of explained hits below which a match is doubted: where furniture stands as on the map it is 0.9"""
_INLIER = 0.12
"""a hit this near to the map is explained by it [m]"""
_CORRELATION = 10.0
"""neighbouring rays count as one in so many"""


class LocalisationSettings(Settings):
    rays: int = Field(120, ge=10)
    """at most so many of a scan are used"""
    sigma: float = Field(0.03, gt=0)
    """of a hit's distance to the map's surface [m]"""
    kernel: float = Field(0.1, gt=0)
    """residuals beyond it lose their weight (Geman-McClure) [m]"""
    iterations: int = Field(12, ge=1)
    """of the match, at most"""
    drift_xy: float = Field(0.05, gt=0)
    """odometry's error per metre driven [m]"""
    drift_yaw: float = Field(0.05, gt=0)
    """and per radian turned or metre driven [rad]"""
    jump: float = Field(1.0, gt=0)
    """between two scans, beyond which odometry has started anew, or the robot has driven unseen [m]"""
    idle: int = Field(10, ge=1)
    """of a standing robot's scans one in so many is used"""
    lost_below: float = Field(0.4, ge=0, le=1)
    """share of explained hits below which a match is not trusted"""
    lost_after: int = Field(20, ge=1)
    """untrusted scans in a row before the whole map is searched"""
    doubted_after: int = Field(60, ge=1)
    """doubted scans in a row before the whole map is searched for a place that fits clearly better"""


class Localiser:
    """Holds `map_odom`, the pose of odom in map, and how well the newest scan fits."""

    def __init__(self, map: OccupancyMap, initial: Pose2 | None, settings: LocalisationSettings | None = None, *,
                 filled: bool = False) -> None:
        """`initial`: where base_link is in map at the first scan, roughly; None: anywhere. `filled`: the map is drawn,
        see `dadu.navigation.localisation.likelihood`."""
        self.settings = settings or LocalisationSettings()
        """may be replaced between two scans"""
        self.map_odom: Pose2 | None = None
        """may be set before the first scan, from an earlier run with the same odometry"""
        self.share = 0.0
        """of the newest scan's hits, those that the map explains"""
        self._initial = initial
        self._map = map
        self._filled = filled
        self._field = LikelihoodField(map, filled)
        self._odom: Pose2 | None = None
        self._covariance = np.diag([0.05, 0.05, 0.05]) ** 2
        self._misses = 0
        self._doubts = 0
        self._skipped = 0

    def update(self, odom: Pose2, scan: LaserScan, known: Pose2 | None = None) -> Pose2:
        """Takes a scan taken at pose `odom` of base_link in odom; returns `map_odom`, which is `known` where somebody
        knows it."""
        if known is not None:
            self.map_odom, self._odom = known, odom
            return known
        if self.map_odom is not None and self._rests(odom):
            return self.map_odom
        hits = self._hits(scan)
        predicted = self._predict(odom, hits)
        pose, information, share = self._match(predicted, hits)
        pose, information, share = self._unless_doubtful(pose, information, share, hits)
        if share < self.settings.lost_below:
            self._misses += 1
            if self._misses >= self.settings.lost_after:
                pose, share = self._relocate(predicted, hits)
        else:
            self._misses = 0
            # A floor keeps the filter from trusting itself blindly.
            self._covariance = np.linalg.inv(information) + np.diag([0.004, 0.004, 0.003]) ** 2
        self.share = share
        if share >= self.settings.lost_below or self.map_odom is None:
            self.map_odom = pose * odom.inverse()
        return self.map_odom

    @property
    def uncertainty(self) -> float:
        """Standard deviation of where the base is, along the direction in which that is known least [m]."""
        return float(np.sqrt(np.linalg.eigvalsh(self._covariance[:2, :2])[-1]))

    def set_map(self, map: OccupancyMap) -> None:
        """Goes on with another map of the same place."""
        self._map, self._field = map, LikelihoodField(map, self._filled)

    def set_pose(self, pose: Pose2) -> None:
        """Starts again from `pose` of base_link in map, as an operator says."""
        self._initial, self.map_odom, self._misses = pose, None, 0
        self._covariance = np.diag([0.25, 0.25, 0.25]) ** 2

    def _rests(self, odom: Pose2) -> bool:
        """True if there is nothing to gain: the base stands, well matched, and was looked at a moment ago."""
        if self._odom is None or self._misses or self.share < self.settings.lost_below:
            return False
        step = self._odom.inverse() * odom
        still = math.hypot(step.x, step.y) < 1e-3 and abs(step.yaw) < 1e-3
        self._skipped = self._skipped + 1 if still else 0
        return still and self._skipped % self.settings.idle != 0

    def _predict(self, odom: Pose2, hits: np.ndarray) -> Pose2:
        """Base in map by odometry alone; grows the covariance by what odometry may have drifted."""
        previous, self._odom = self._odom or odom, odom
        if self.map_odom is None:
            return self._relocate(self._initial, hits)[0]
        step = previous.inverse() * odom
        driven, turned = math.hypot(step.x, step.y), abs(step.yaw)
        s = self.settings
        growth = np.array([s.drift_xy * driven, s.drift_xy * driven, s.drift_yaw * (turned + driven)])
        self._covariance = self._covariance + np.diag(growth ** 2)
        moved = self.map_odom * odom
        if driven <= s.jump:
            return moved
        # The driver started anew, counts from zero, and the robot is where it was; or it drove on with none heard.
        # Found by `dadu chaos`: 1.4 m off for five minutes, in which 16 pieces of furniture were seen twice.
        return max((moved, self.map_odom * previous), key=lambda pose: self._match(pose, hits)[2])

    def _match(self, predicted: Pose2, hits: np.ndarray) -> tuple[Pose2, np.ndarray, float]:
        """The most probable pose near `predicted`, its information (3, 3), and the share of explained hits."""
        s = self.settings
        prior = np.linalg.inv(self._covariance)
        x = np.array(predicted)
        H = prior
        for _ in range(s.iterations):
            pose = Pose2(*x)
            d, gradient = self._field.sample(pose.apply(hits))
            turned = Pose2(0.0, 0.0, pose.yaw).apply(hits)
            J = np.column_stack([gradient, gradient[:, 1] * turned[:, 0] - gradient[:, 0] * turned[:, 1]])
            weight = (s.kernel**2 / (s.kernel**2 + d**2))**2 / (s.sigma**2 * _CORRELATION)
            offset = x - predicted
            offset[2] = wrap(offset[2])
            H = prior + J.T @ (weight[:, None] * J)
            step = -np.linalg.solve(H, prior @ offset + J.T @ (weight * d))
            x = x + step
            if np.abs(step).max() < 3e-4:
                break
        pose = Pose2(float(x[0]), float(x[1]), wrap(float(x[2])))
        return pose, H, self._explained(pose, hits)

    def _unless_doubtful(self, pose: Pose2, information: np.ndarray, share: float, hits: np.ndarray
                         ) -> tuple[Pose2, np.ndarray, float]:
        """A match as it is; what fits clearly better elsewhere on the map where it was doubtful for long: a place a
        metre off may explain half of what is seen."""
        s = self.settings
        self._doubts = self._doubts + 1 if share < _DOUBTED_BELOW else 0
        if self._doubts < s.doubted_after:
            return pose, information, share
        self._doubts = 0
        covariance, self._covariance = self._covariance, _ANYWHERE_NEAR
        best = max((self._match(candidate, hits) for candidate in search(self._map, self._field, hits)),
                   key=lambda match: match[2], default=(pose, information, share))
        if best[2] > share + _CLEARLY:
            return best
        self._covariance = covariance
        return pose, information, share

    def _explained(self, pose: Pose2, hits: np.ndarray) -> float:
        d, _ = self._field.sample(pose.apply(hits))
        return float((np.abs(d) < _INLIER).mean()) if len(hits) else 0.0

    def _relocate(self, expected: Pose2 | None, hits: np.ndarray) -> tuple[Pose2, float]:
        """The pose on the whole map where the scan fits best, and the share of hits explained there. Of poses that
        look alike the one nearest to `expected` is taken."""
        self._misses = 0
        self._covariance = _ANYWHERE_NEAR
        found = search(self._map, self._field, hits) + ([] if expected is None else [expected])
        best, best_share, best_score = expected or Pose2(0.0, 0.0, 0.0), 0.0, -math.inf
        for candidate in found:
            pose, _, share = self._match(candidate, hits)
            away = 0.0 if expected is None else min(math.dist(pose[:2], expected[:2]), _FAR)
            if share - _AMBIGUITY * away > best_score:
                best, best_share, best_score = pose, share, share - _AMBIGUITY * away
        return best, best_share

    def _hits(self, scan: LaserScan) -> np.ndarray:
        """(N, 2) [m] in base_link, evenly thinned."""
        ranges = np.asarray(scan.ranges, float)
        valid = np.flatnonzero(np.isfinite(ranges) & (ranges > 0.05) & (ranges < scan.range_max))
        valid = valid[~scan.on_floor(valid)]
        valid = valid[np.linspace(0, len(valid) - 1, min(len(valid), self.settings.rays)).astype(int)]
        return scan.ends(valid)
