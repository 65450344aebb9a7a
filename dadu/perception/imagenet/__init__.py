"""A classifier that others trained on photographs of a thousand kinds of things (extra ``imagenet``), without
PyTorch."""
