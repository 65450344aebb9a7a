"""An embedder that was taught what means the same."""

import numpy as np


class Taught:
    """An embedder for which the words of a group mean the same."""

    def __init__(self, *groups):
        self.groups, self.name, self.rows = groups, f"taught {id(self)}", {}

    def embed(self, texts):
        keys = [next((i for i, words in enumerate(self.groups) if text in words), text) for text in texts]
        for key in keys:
            self.rows.setdefault(key, len(self.rows))
        return np.eye(1000, dtype=np.float32)[[self.rows[key] for key in keys]]
