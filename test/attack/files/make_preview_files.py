"""Files and stores that are made to cost much, or are damaged later: make_preview_files.py FOLDER"""

import json
import os
import sys
import zlib

import h5py
import hdf5plugin
import numpy as np
import zarr

folder = sys.argv[1]


def store(name, shape, chunks, chunk):
    """A store of zarr v2 with an array v, and one stored chunk for all."""
    at = os.path.join(folder, name)
    os.makedirs(os.path.join(at, "v"))
    array = {"zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": "<f4", "fill_value": None, "order": "C",
             "filters": None, "compressor": {"id": "zlib", "level": 9}}
    for path, document in ((".zgroup", {"zarr_format": 2}), (".zattrs", {}), ("v/.zarray", array), ("v/.zattrs", {"_ARRAY_DIMENSIONS": ["y", "x"][: len(shape)]})):
        with open(os.path.join(at, path), "w") as file:
            json.dump(document, file)
    key = ".".join("0" for _ in shape)
    with open(os.path.join(at, "v", key), "wb") as file:
        file.write(chunk)


def zeros(count):
    """So many MiB of zeros, as zlib has them."""
    packer = zlib.compressobj(1)
    return b"".join([*(packer.compress(bytes(1 << 20)) for _ in range(count)), packer.flush()])


# A chunk that says to be 4 MB, and is 1.2 GB; one that says to be 8 TB; one that is cut off; one that is no zlib at all.
store("bomb.zarr", [1024, 1024], [1024, 1024], zeros(1200))
store("vast.zarr", [2**20, 2**20], [2**20, 2**20], zeros(1))
store("short.zarr", [1024, 1024], [1024, 1024], zeros(4)[:100])
store("noise.zarr", [1024, 1024], [1024, 1024], b"\x78\x9c" + bytes(range(256)))
# So many chunks that a list of them would be long, and none of them there.
store("grid.zarr", [2**26, 2**26], [1, 1], zeros(1))
group = zarr.open_group(os.path.join(folder, "fine.zarr"), mode="w", zarr_format=3)
group.create_array("v", shape=(64, 256), chunks=(8, 256), dtype="f4", dimension_names=["y", "x"])[:] = np.arange(64 * 256, dtype="f4").reshape(64, 256)


# Small chunks, and chunks of 80 MB that take little on disk; both have to be decoded here.
for name, shape in (("good.h5", (64, 64, 64)), ("large.h5", (8, 20 << 20))):
    with h5py.File(os.path.join(folder, name), "w") as file:
        data = file.create_dataset("v", shape, "f4", chunks=(1, *shape[1:]), **hdf5plugin.LZ4())
        if name == "good.h5":
            data[:] = np.arange(64**3, dtype="f4").reshape(shape)
            continue
        data[0] = 1
        _, stored = data.id.read_direct_chunk((0, 0))
        for chunk in range(1, 8):
            data.id.write_direct_chunk((chunk, 0), stored)
