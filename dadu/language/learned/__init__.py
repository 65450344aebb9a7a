"""Words to frames by a small network of our own: it writes symbols of a frame language and points into the sentence.

`slots.py` derives that language from the types of `dadu.language.frames`, `writing.py` says which symbol may come next,
`codec.py` turns symbols into frames, `sentence.py` words into numbers, `reader.py` runs the network.
"""
