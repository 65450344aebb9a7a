"""A detector of our own: the network's input and output, instances, names; nothing here needs PyTorch."""
