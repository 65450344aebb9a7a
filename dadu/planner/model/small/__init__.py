"""A small language model in this process: no server, no PyTorch. Weights of a package, in ONNX Runtime."""
