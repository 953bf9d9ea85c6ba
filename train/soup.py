"""Mixes adapters: each matrix is the sum of theirs, by their shares.

    python soup.py INTO.safetensors ONE.safetensors=0.5 OTHER.safetensors=0.5

Those that went on from one another lie near enough for that: what is between them is an adapter, too."""

import json
import struct
import sys

import numpy as np

KINDS = {"I8": np.int8, "F32": np.float32}


def read(path):
    """What is said of an adapter, and its matrices in full."""
    with open(path, "rb") as file:
        data = file.read()
    length, = struct.unpack("<Q", data[:8])
    head, parts = json.loads(data[8: 8 + length]), {}
    about = head.pop("__metadata__")
    for name, it in head.items():
        begin, end = (8 + length + at for at in it["data_offsets"])
        parts[name] = np.frombuffer(data[begin:end], dtype=KINDS[it["dtype"]]).reshape(it["shape"])
    return about, {name: it.astype(np.float32) * parts[name + ".scale"][:, None] for name, it in parts.items() if not name.endswith(".scale")}


def write(about, matrices, path):
    """As `llama.save` does with 8 bits."""
    parts = {}
    for name, matrix in matrices.items():
        scale = np.maximum(np.abs(matrix).max(1), 1e-8) / 127
        parts[name] = np.clip(np.round(matrix / scale[:, None]), -127, 127).astype(np.int8)
        parts[name + ".scale"] = scale.astype(np.float32)
    head, at = {"__metadata__": about}, 0
    for name in sorted(parts):
        kind = next(it for it, dtype in KINDS.items() if parts[name].dtype == dtype)
        head[name] = {"dtype": kind, "shape": list(parts[name].shape), "data_offsets": [at, at + parts[name].nbytes]}
        at += parts[name].nbytes
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts[name].tobytes() for name in sorted(parts)))


def main():
    mixed, about = {}, None
    for path, share in (it.rsplit("=", 1) for it in sys.argv[2:]):
        about, matrices = read(path)
        for name, matrix in matrices.items():
            mixed[name] = mixed.get(name, 0) + float(share) * matrix
    write(about, mixed, sys.argv[1])


if __name__ == "__main__":
    main()
