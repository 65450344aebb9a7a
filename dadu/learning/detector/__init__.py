"""Training of the detector: everything but `network`, `losses`, `training` and `export` does without PyTorch."""
