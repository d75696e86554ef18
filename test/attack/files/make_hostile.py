"""Files that are made to cost much: make_hostile.py FOLDER KIND..."""

import bz2
import os
import sys

import h5py
import hdf5plugin
import numpy as np

folder = sys.argv[1]


def path(name):
    return os.path.join(folder, name)


def spinning():
    """Chunks of bzip2 that are cut off: the plugin asks for more of them until it has counted to the end."""
    whole = bz2.compress(np.random.default_rng(1).bytes(4 << 20))
    for i in range(6):
        with h5py.File(path(f"spinning_{i}.h5"), "w") as file:
            data = file.create_dataset("v", (8, 1024, 1024), "f4", chunks=(1, 1024, 1024), **hdf5plugin.BZip2())
            for chunk in range(8):
                data.id.write_direct_chunk((chunk, 0, 0), whole[: len(whole) // 2])


def good():
    """Chunks that have to be decoded here, and may be."""
    for name in ("good.h5", "fine.h5"):
        with h5py.File(path(name), "w") as file:
            values = np.arange(64 * 256 * 256, dtype="f4").reshape(64, 256, 256)
            file.create_dataset("v", data=values, chunks=(1, 256, 256), **hdf5plugin.LZ4())


def sparse():
    """An index of 48 million chunks in a file that takes a few kB on disk."""
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
    file = h5py.h5f.create(path("sparse.h5").encode(), h5py.h5f.ACC_TRUNC, fapl=access)
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((1, 1))
    plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    plist.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    h5py.h5d.create(file, b"v", h5py.h5t.STD_U8LE, h5py.h5s.create_simple((6928, 6928)), plist)
    file.close()


def large():
    """Chunks of 100 MB that take little on disk; and chunks of 24 MB that are sent as they lie."""
    with h5py.File(path("large.h5"), "w") as file:
        plugin = hdf5plugin.LZ4()
        data = file.create_dataset("v", (24, 25 << 20), "f4", chunks=(1, 25 << 20), **plugin)
        data[0] = 1
        _, stored = data.id.read_direct_chunk((0, 0))
        for chunk in range(1, 24):
            data.id.write_direct_chunk((chunk, 0), stored)
    with h5py.File(path("stored.h5"), "w") as file:
        data = file.create_dataset("v", (8, 24 << 20), "u1", chunks=(1, 24 << 20), compression="gzip")
        data[0] = 1
        for chunk in range(8):
            data.id.write_direct_chunk((chunk, 0), np.random.default_rng(chunk).bytes(24 << 20))


def joined():
    """Two files whose steps end within chunks of 64 MB: those of a join are put together from both."""
    for i in range(2):
        with h5py.File(path(f"part{i}.h5"), "w") as file:
            time = file.create_dataset("time", data=np.arange(17.0) + 17 * i)
            time.attrs["units"] = "days since 2000-01-01"
            time.make_scale("time")
            data = file.create_dataset("v", (17, 8 << 20), "f4", chunks=(16, 1 << 20), compression="gzip", fillvalue=1e20)
            data.dims[0].attach_scale(time)
            data[:16, : 1 << 20] = i
            _, stored = data.id.read_direct_chunk((0, 0))
            for step in (0, 16):
                for column in range(8):
                    data.id.write_direct_chunk((step, column << 20), stored)


for kind in sys.argv[2:]:
    {"spinning": spinning, "good": good, "sparse": sparse, "large": large, "joined": joined}[kind]()
