"""The detectors of foundation models by name, with the weights that they have unless told otherwise."""

from __future__ import annotations

from collections.abc import Callable

from dadu.perception.foundation.by_words import GroundingDino, Owlv2
from dadu.perception.foundation.detector import FoundationDetector, weights_of
from dadu.perception.foundation.loading import PictureTextEncoder, Sam2
from dadu.perception.foundation.parts import BoxFinder
from dadu.perception.foundation.yolo_world import YoloWorld

_MASKS, _LOOKS = "facebook/sam2.1-hiera-small", "google/siglip2-base-patch16-224"


class _Published(FoundationDetector):
    def __init__(self, finder: Callable[[str], BoxFinder], default: str, weights: str, least_score: float) -> None:
        boxes, masks, looks = weights_of(weights, (default, _MASKS, _LOOKS))
        super().__init__(finder(boxes), Sam2(masks), PictureTextEncoder(looks) if looks else None, least_score)


class GroundingDinoDetector(_Published):
    """Grounding DINO, SAM 2, SigLIP 2."""

    name = "grounding_dino"

    def __init__(self, weights: str = "") -> None:
        """`weights`: see `weights_of`. Errors: ConfigError."""
        super().__init__(GroundingDino, "IDEA-Research/grounding-dino-tiny", weights, 0.3)


class Owlv2Detector(_Published):
    """OWLv2, SAM 2, SigLIP 2."""

    name = "owlv2"

    def __init__(self, weights: str = "") -> None:
        """`weights`: see `weights_of`. Errors: ConfigError."""
        super().__init__(Owlv2, "google/owlv2-base-patch16-ensemble", weights, 0.2)


class YoloWorldDetector(_Published):
    """YOLO-World, SAM 2, SigLIP 2."""

    name = "yolo_world"

    def __init__(self, weights: str = "") -> None:
        """`weights`: see `weights_of`. Errors: ConfigError."""
        super().__init__(YoloWorld, "yolov8s-worldv2.pt", weights, 0.1)
