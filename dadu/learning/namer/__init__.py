"""Training of the namer: everything but `network` and `losses` does without PyTorch."""
