"""Training of the detector: everything but `network` and `losses` does without PyTorch."""
