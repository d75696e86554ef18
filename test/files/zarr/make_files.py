"""Writes small files of the kinds that are read into the folder given first."""

import ctypes
import json
import os
import sys

import h5py
import hdf5plugin
import netCDF4
import numpy as np
import xarray as xr
import zarr

FOLDER = sys.argv[1]
os.makedirs(FOLDER, exist_ok=True)
random = np.random.default_rng(7)


def path(name):
    return os.path.join(FOLDER, name)


def scales(file, **lengths):
    """Coordinates of the lengths, as dimension scales."""
    for name, length in lengths.items():
        file[name] = np.arange(float(length))
        file[name].make_scale(name)


def attach(dataset, *names):
    for axis, name in enumerate(names):
        dataset.dims[axis].attach_scale(dataset.file[name])
    return dataset


def netcdf3():
    kinds = ("NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA")
    for kind in kinds:
        with netCDF4.Dataset(path(kind.lower() + ".nc"), "w", format=kind) as file:
            file.title = "Zürich"
            file.count = np.array([1, 2, 3], "i4")
            file.createDimension("time", None)
            file.createDimension("x", 1000)
            file.createDimension("n", 3)
            file.createVariable("time", "f8", ("time",)).units = "days since 2001-01-01"
            a = file.createVariable("a", "f4", ("time", "x"), fill_value=-9.0)
            b = file.createVariable("b", "i1", ("time", "n"))
            c = file.createVariable("c", "i2", ("x",))
            text = file.createVariable("text", "S1", ("n",))
            scalar = file.createVariable("scalar", "i4", ())
            file["time"][:] = np.arange(700)
            a[:] = random.random((700, 1000))
            b[:] = random.integers(-100, 100, (700, 3))
            c[:] = np.arange(1000)
            text[:] = np.array([b"a", b"b", b"c"])
            scalar[...] = 5
    with netCDF4.Dataset(path("single_record.nc"), "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("t", None)
        file.createDimension("k", 3)
        file.createVariable("only", "i1", ("t", "k"))[:] = np.arange(33).reshape(11, 3)
    with netCDF4.Dataset(path("large_records.nc"), "w", format="NETCDF3_64BIT_OFFSET") as file:
        file.createDimension("t", None)
        file.createDimension("y", 700)
        file.createDimension("x", 1100)
        for name in "ab":
            file.createVariable(name, "f4", ("t", "y", "x"))[:] = random.random((3, 700, 1100))


def indexes():
    """Every kind of chunk index, in the newest form and the oldest."""
    for name, version in (("index_latest.nc", "latest"), ("index_earliest.nc", "earliest")):
        with h5py.File(path(name), "w", libver=version) as file:
            scales(file, t=30, y=300, x=260)
            values = random.integers(0, 1000, (30, 300, 260)).astype("i4")

            def make(key, maxshape=None, **options):
                options.setdefault("chunks", (7, 64, 50))
                data = file.create_dataset(key, values.shape, "i4", maxshape=maxshape, **options)
                data[...] = values
                attach(data, "t", "y", "x")

            make("fixed")
            make("fixed_filtered", compression="gzip", shuffle=True)
            make("first_unlimited", (None, 300, 260), compression="gzip")
            make("second_unlimited", (30, None, 260), compression="gzip")
            make("last_unlimited", (30, 400, None))
            make("two_unlimited", (None, None, 260), compression="gzip", shuffle=True)
            make("two_plain", (None, 300, None))
            make("single", chunks=(30, 300, 260), compression="gzip")
            make("single_plain", chunks=(30, 300, 260))
            make("larger_max", (60, 300, 600), compression="gzip")
            sparse = file.create_dataset("sparse", values.shape, "i4", chunks=(1, 100, 100), fillvalue=3)
            sparse[4, 5:150, 7] = 1
            attach(sparse, "t", "y", "x")
            sparse = file.create_dataset(
                "sparse_unlimited", values.shape, "i4", maxshape=(None, 300, 260),
                chunks=(1, 100, 100), compression="gzip",
            )
            sparse[20] = 1
            attach(sparse, "t", "y", "x")
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_chunk((7, 64, 50))
            plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            space = h5py.h5s.create_simple(values.shape)
            h5py.h5d.create(file.id, b"implicit", h5py.h5t.STD_I32LE, space, plist)
            file["implicit"][...] = values
            attach(file["implicit"], "t", "y", "x")
    with h5py.File(path("index_long.nc"), "w", libver="latest") as file:
        # Enough chunks for super blocks, and for pages within data blocks; joined when served.
        for key, length, maxshape, options in (
            ("fixed", 20_000, None, {}),
            ("unlimited", 200_000, (None,), {}),
            ("filtered", 20_000, (None,), {"compression": "gzip"}),
        ):
            values = (np.arange(length) % 251).astype("u1")
            data = file.create_dataset(key, chunks=(1,), maxshape=maxshape, data=values, **options)
            data.make_scale(key)


def library():
    """The library that h5py is built on, for what h5py has no name for."""
    folder = os.path.join(os.path.dirname(os.path.dirname(h5py.__file__)), "h5py.libs")
    (name,) = [name for name in os.listdir(folder) if name.startswith("libhdf5-")]
    return ctypes.CDLL(os.path.join(folder, name))


def edges():
    """Edge chunks that are stored without filters, of which the index says nothing."""
    with h5py.File(path("plain_edges.nc"), "w", libver="latest") as file:
        scales(file, y=500, x=400)
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_chunk((150, 130))
        plist.set_shuffle()
        plist.set_deflate(4)
        set_options = library().H5Pset_chunk_opts
        set_options.argtypes = (ctypes.c_int64, ctypes.c_uint)
        assert set_options(plist.id, 2) >= 0
        h5py.h5d.create(file.id, b"v", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((500, 400)), plist)
        file["v"][...] = random.random((500, 400))
        attach(file["v"], "y", "x")


def masks():
    """Chunks to which a filter was not applied."""
    with h5py.File(path("masks.nc"), "w") as file:
        scales(file, y=1000, x=600)
        data = file.create_dataset("v", (1000, 600), "f4", chunks=(100, 600), compression="gzip", shuffle=True)
        values = random.random((1000, 600)).astype("f4")
        data[...] = values
        data.id.write_direct_chunk((200, 0), values[200:300].tobytes(), filter_mask=3)
        import zlib

        data.id.write_direct_chunk((300, 0), zlib.compress(values[300:400].tobytes()), filter_mask=1)
        attach(data, "y", "x")


def filters():
    with h5py.File(path("filters.nc"), "w") as file:
        scales(file, y=600, x=700, z=1400)
        floats = np.round(random.random((600, 700)) * 100, 2).astype("f4")
        integers = random.integers(0, 4000, (600, 700)).astype("i4")
        plugins = hdf5plugin

        def make(name, values, **options):
            attach(file.create_dataset(name, data=values, chunks=(100, 250), **options), "y", "x")

        make("gzip", floats, compression="gzip", shuffle=True)
        make("gzip_checked", floats, compression="gzip", shuffle=True, fletcher32=True)
        make("checked", floats, fletcher32=True)
        make("checked_i8", integers.astype("i8"), compression="gzip", shuffle=True, fletcher32=True)
        make("big_endian", floats.astype(">f4"), compression="gzip", shuffle=True)
        make("big_endian_lzf", integers.astype(">i4"), compression="lzf", shuffle=True)
        make("big_endian_scale_offset", integers.astype(">i2"), scaleoffset=0)
        make("szip", integers, compression="szip")
        make("scale_offset", integers, scaleoffset=0)
        make("scale_offset_f4", floats, scaleoffset=2)
        make("lzf", floats, compression="lzf")
        make("lz4", floats, **plugins.LZ4())
        make("bitshuffle", floats, **plugins.Bitshuffle())
        make("blosc", floats, **plugins.Blosc(cname="lz4"))
        make("blosc_zstd", floats, **plugins.Blosc(cname="zstd", shuffle=plugins.Blosc.BITSHUFFLE))
        make("blosc2", floats, **plugins.Blosc2())
        make("zfp", floats, **plugins.Zfp(reversible=True))
        make("zstd", floats, **plugins.Zstd())
        make("bzip2", floats, **plugins.BZip2())
        small = file.create_dataset("small", (600,), "f4", chunks=(7,), **plugins.Blosc())
        small[...] = floats[:, 0]
        attach(small, "y")
        for name, options in (("zstd", plugins.Zstd()), ("blosc", plugins.Blosc()), ("bzip2", plugins.BZip2())):
            holes = file.create_dataset(name + "_holes", (600, 1400), "f4", chunks=(100, 700), fillvalue=2.5, **options)
            holes[0:100] = 1
            attach(holes, "y", "z")
        # N-bit: twelve bits that count, four bits up.
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_chunk((100, 250))
        plist.set_filter(5, h5py.h5z.FLAG_MANDATORY)
        kind = h5py.h5t.STD_I16LE.copy()
        kind.set_precision(12)
        kind.set_offset(2)
        h5py.h5d.create(file.id, b"n_bit", kind, h5py.h5s.create_simple((600, 700)), plist)
        file["n_bit"][...] = (integers % 4000 - 2000).astype("i2")
        attach(file["n_bit"], "y", "x")


def types():
    with h5py.File(path("types.nc"), "w") as file:
        scales(file, x=6)
        for kind in "i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 >i2 >i4 >i8 >f4 >f8".split():
            name = kind.replace(">", "big_")
            attach(file.create_dataset(name, data=np.arange(6).astype(kind)), "x")
        attach(file.create_dataset("flag", data=np.arange(6) % 2 == 0), "x")
        attach(file.create_dataset("complex", data=np.arange(6) * (1 + 2j)), "x")
        compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        compact.set_layout(h5py.h5d.COMPACT)
        h5py.h5d.create(file.id, b"compact", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((6,)), compact)
        file["compact"][...] = np.arange(6)
        attach(file["compact"], "x")
        file.attrs["exact"] = np.int64(2**62 + 1)
        file.attrs["one"] = 1.0
        file.attrs["single"] = np.float32(0.1)
        file.attrs["large"] = 1e20
        file.attrs["none"] = np.nan
        file.attrs["many"] = np.array([1.0, np.inf, -np.inf])
        file.attrs["text"] = 'quote " and \\ and ü'
    with netCDF4.Dataset(path("texts.nc"), "w") as file:
        file.createDimension("x", 5)
        file.createDimension("n", 4)
        file.createVariable("texts", str, ("x",))[:] = np.array(["Ærø", "", "b", "日本", "e" * 300], object)
        letters = file.createVariable("letters", "S1", ("x", "n"), fill_value=b"-")
        letters.set_auto_chartostring(False)
        letters[:] = np.array([list("abcd")] * 5, "S1")


def fills():
    with netCDF4.Dataset(path("fills.nc"), "w") as file:
        file.createDimension("t", None)
        file.createDimension("x", 600)
        file.createDimension("y", 500)

        def make(name, kind, **options):
            data = file.createVariable(name, kind, ("t", "y", "x"), chunksizes=(1, 500, 600), **options)
            data.set_auto_maskandscale(False)
            return data

        for name, options in (("with_fill", {"fill_value": -1.0}), ("without", {})):
            data = make(name, "f4", zlib=True, **options)
            data[2] = random.random((500, 600))
            data[5] = 1
        # Shorter than the unlimited dimension.
        short = make("short", "f4", zlib=True, shuffle=True)
        short[0:2] = 7
        tail = file.createVariable("tail", "i4", ("t",), zlib=True, chunksizes=(4,))
        tail[0:2] = [1, 2]
    with h5py.File(path("other_fill.nc"), "w") as file:
        scales(file, y=900, x=600)
        data = file.create_dataset("differs", (900, 600), "f4", chunks=(300, 600), fillvalue=3, compression="gzip")
        data.attrs["_FillValue"] = np.float32(-1)
        data[0:300] = 5
        attach(data, "y", "x")


def awkward():
    """What JSON, or a language whose numbers are doubles, makes hard: for clients of all kinds."""
    with netCDF4.Dataset(path("awkward.nc"), "w") as file:
        file.createDimension("t", 9)
        file.createDimension("y", 400)
        file.createDimension("x", 400)
        file.createDimension("n", 3)
        file.createDimension("none", None)

        def make(name, kind, **options):
            options = {"zlib": True, "chunksizes": (1, 400, 400), **options}
            if kind.startswith(">"):
                kind, options["endian"] = kind[1:], "big"
            data = file.createVariable(name, kind, ("t", "y", "x"), **options)
            data.set_auto_maskandscale(False)
            return data

        # Chunks that nobody wrote, with fill values that no double holds, that are no number, or not finite.
        for kind, fill in (
            ("i8", netCDF4.default_fillvals["i8"]), ("u8", netCDF4.default_fillvals["u8"]), ("i4", -(2**31)),
            ("u4", 2**32 - 1), ("i1", -128), ("f4", np.nan), ("f8", -np.inf), ("S1", b"-"), (">i8", 2**53 + 1),
            (">f4", 1e20),
        ):
            data = make("hole_" + kind.replace(">", "big_"), kind, fill_value=np.array(fill, kind))
            data.set_auto_chartostring(False)
            data[4] = np.array(b"x" if kind == "S1" else 7, kind)
        # Checksums, which netCDF-4 puts before the other filters.
        make("checked_f4", "f4", shuffle=True, fletcher32=True)[:] = random.random((9, 400, 400))
        make("checked_i2", "i2", zlib=False, fletcher32=True)[:] = random.integers(0, 99, (9, 400, 400))
        odd = make("odd", "f4", fill_value=np.float32(np.nan))
        odd[:] = 1
        odd.missing_value = np.float32(np.nan)
        odd.valid_range = np.array([-np.inf, np.inf], "f4")
        odd.mixed = np.array([np.nan, 1, -0.0], "f8")
        odd.says = "NaN, not Infinity: \\"
        file.largest = np.int64(2**63 - 1)
        file.not_a_number = np.nan
        for kind in ("f8", "i8", "u1", "S1", str):
            scalar = file.createVariable(f"scalar_{getattr(kind, '__name__', kind)}", kind, ())
            scalar.set_auto_chartostring(False)
            scalar[...] = np.array("ü" if kind is str else b"c" if kind == "S1" else 3, object if kind is str else kind)
        file.createVariable("nothing", "f4", ("none", "n"))
        texts = file.createVariable("texts", str, ("y", "n"), chunksizes=(7, 2))
        texts[:] = np.array([f"{i} {'ä' * (i % 5)}" for i in range(1200)], object).reshape(400, 3)
        texts.units = "1"


def structure():
    """User block, dense attributes and links, committed and shared messages, groups, links."""
    with h5py.File(path("user_block.nc"), "w", userblock_size=1024) as file:
        scales(file, x=40)
        attach(file.create_dataset("v", data=np.arange(40), chunks=(11,), compression="gzip"), "x")
        attach(file.create_dataset("contiguous", data=np.arange(40) * 2), "x")
    for name, version in (("dense.nc", "latest"), ("old.nc", "earliest")):
        with h5py.File(path(name), "w", libver=version, track_order=name == "dense.nc") as file:
            scales(file, x=4)
            for i in range(60):
                file.attrs[f"attribute_{i}"] = "text " * i
            for i in range(120):
                data = attach(file.create_dataset(f"variable_{i:03d}", data=np.arange(4) + i), "x")
                for k in range(12):
                    data.attrs[f"a{k}"] = k
            group = file.create_group("below").create_group("further")
            group.create_dataset("v", data=np.arange(4)).dims[0].attach_scale(file["x"])
    with h5py.File(path("links.nc"), "w") as file:
        scales(file, x=4)
        group = file.create_group("below")
        attach(group.create_dataset("v", data=np.arange(4)), "x")
        group["loop"] = file["/"]
        file["again"] = group
        file["soft"] = h5py.SoftLink("/below/v")
        file["soft_loop"] = h5py.SoftLink("/soft_loop")
        file["dangling"] = h5py.SoftLink("/nothing")
        file["outside"] = h5py.ExternalLink("types.nc", "/i4")
        file["kind"] = np.dtype("f8")
        attach(file.create_dataset("committed", data=np.arange(4.0), dtype=file["kind"]), "x")
    with h5py.File(path("phony.nc"), "w") as file:
        file["a"] = random.random((3, 4))
        file["b"] = random.random((4, 4))
        file.create_group("g")["d"] = random.random((4, 9))
        file.create_dataset("e", (3, 4), maxshape=(None, 4), chunks=(1, 4), data=random.random((3, 4)))
    with netCDF4.Dataset(path("named.nc"), "w") as file:
        file.createDimension("alpha", 3)
        file.createDimension("beta", 4)
        file.createVariable("alpha", "f4", ("beta",))[:] = np.arange(4)
        file.createVariable("beta", "f4", ("beta", "alpha"))[:] = 2
        file.createVariable("a b/ü".replace("/", "-"), "f4", ("alpha",))[:] = 1
        below = file.createGroup("sub group")
        below.createDimension("gamma", 2)
        below.createVariable("v", "i4", ("alpha", "gamma"))[:] = 3
    with h5py.File(path("elsewhere.nc"), "w") as file:
        # What lies in other files is left out, whatever the names say.
        scales(file, x=4)
        layout = h5py.VirtualLayout((4,), "i4")
        layout[:] = h5py.VirtualSource("types.nc", "i4", (6,))[0:4]
        file.create_virtual_dataset("virtual", layout)
        file.create_dataset("external", (4,), "u1", external=[("/etc/hostname", 0, 4)])
        attach(file.create_dataset("here", data=np.arange(4)), "x")


def fill_hdf5(file):
    """Datasets of every layout and index, many attributes and many links."""
    scales(file, t=10, y=150, x=200)
    values = random.integers(0, 1000, (10, 150, 200)).astype("i4")
    for name, maxshape in (("fixed", None), ("unlimited", (None, 150, 200)), ("unlimited_2", (None, None, 200))):
        for kind, options in (("", {}), ("_filtered", {"compression": "gzip", "shuffle": True})):
            data = file.create_dataset(name + kind, data=values, chunks=(3, 64, 50), maxshape=maxshape, **options)
            attach(data, "t", "y", "x")
    attach(file.create_dataset("contiguous", data=values), "t", "y", "x")
    many = file.create_group("many")
    for i in range(12):
        attach(many.create_dataset(f"v{i}", data=np.arange(10) + i), "t").attrs["number"] = i
    for i in range(40):
        many.attrs[f"a{i}"] = f"text {i}" if i % 2 else i


# Dataspaces, types, fill values, filters and attributes.
SHARED_KINDS = [1 << message for message in (0x01, 0x03, 0x05, 0x0B, 0x0C)]


def sharing_file(name, indexes, limits, version):
    """A new file whose objects share messages of the kinds of each index."""
    hdf5 = library()
    for setter in (hdf5.H5Pset_shared_mesg_nindexes, hdf5.H5Pset_shared_mesg_index, hdf5.H5Pset_shared_mesg_phase_change):
        setter.argtypes = (ctypes.c_int64,) + (ctypes.c_uint,) * 3
    plist = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    assert hdf5.H5Pset_shared_mesg_nindexes(plist.id, len(indexes), 0, 0) >= 0
    for i, kinds in enumerate(indexes):
        assert hdf5.H5Pset_shared_mesg_index(plist.id, i, kinds, 4) >= 0
    assert hdf5.H5Pset_shared_mesg_phase_change(plist.id, *limits, 0) >= 0
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    bounds = {"earliest": h5py.h5f.LIBVER_EARLIEST, "latest": h5py.h5f.LIBVER_LATEST}
    access.set_libver_bounds(bounds[version], h5py.h5f.LIBVER_LATEST)
    return h5py.File(h5py.h5f.create(path(name).encode(), h5py.h5f.ACC_TRUNC, plist, access))


def formats():
    """Every version of the file format that HDF5 can write, user blocks, and what only few files have."""
    for name, options in (
        ("earliest", {}),
        ("v108", {}),
        ("v110", {"track_order": True, "userblock_size": 512}),
        ("v112", {"track_order": True}),
        ("v114", {}),
        ("latest", {"track_order": True, "userblock_size": 65536}),
    ):
        low_and_high = ("earliest", "v108") if name == "earliest" else (name, name)
        with h5py.File(path(f"format_{name}.nc"), "w", libver=low_and_high, **options) as file:
            fill_hdf5(file)
    # In one index or in several; in lists, or in B-trees from the first message on.
    for name, indexes, limits in (
        ("one", [sum(SHARED_KINDS)], (50, 40)),
        ("each", SHARED_KINDS, (50, 40)),
        ("tree", [sum(SHARED_KINDS)], (0, 0)),
    ):
        for version in ("earliest", "latest"):
            with sharing_file(f"shared_{name}_{version}.nc", indexes, limits, version) as file:
                fill_hdf5(file)
                for variable in ("fixed", "contiguous"):
                    file[variable].attrs["history"] = "the same long text " * 20
                    file[variable].attrs["_FillValue"] = np.int32(-1)
    for version in ("earliest", "latest"):
        with h5py.File(path(f"committed_{version}.nc"), "w", libver=version) as file:
            scales(file, t=10)
            file["text"] = h5py.string_dtype()
            file["number"] = np.dtype(">f8")
            attach(file.create_dataset("numbers", data=np.arange(10.0), dtype=file["number"]), "t")
            attach(file.create_dataset("texts", data=[f"{i} ä" for i in range(10)], dtype=file["text"]), "t")
            file.attrs.create("of_type", 2.5, dtype=file["number"])
            file["numbers"].attrs.create("text_of_type", "ö", dtype=file["text"])
    with h5py.File(path("huge_attributes.nc"), "w", libver="latest") as file:
        scales(file, x=4)
        attach(file.create_dataset("v", data=np.arange(4)), "x")
        for i in range(12):
            file.attrs[f"small_{i}"] = i
        # Managed in blocks, huge with an address of its own, and beyond what a header can hold.
        for length in (100, 3000, 5000, 70_000, 300_000):
            file["v"].attrs[f"numbers_{length}"] = np.arange(length, dtype="f8")
            file["v"].attrs[f"text_{length}"] = "ä" * length
        for i in range(2000):
            file.attrs[f"more_{i}"] = np.arange(i % 90)
    with h5py.File(path("filtered_links.h5"), "w", libver="latest") as file:
        # A group whose list of members is compressed.
        plist = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
        set_deflate = library().H5Pset_deflate
        set_deflate.argtypes = (ctypes.c_int64, ctypes.c_uint)
        assert set_deflate(plist.id, 4) >= 0
        group = h5py.Group(h5py.h5g.create(file.id, b"group", gcpl=plist))
        for i in range(50):
            group[f"v{i}"] = i
    with h5py.File(path("many_chunks.nc"), "w", libver="latest") as file:
        # Pages of fixed arrays, and B-trees of several levels; joined when served.
        values = (np.arange(40_000) % 251).astype("u1")
        for key, shape, maxshape, options in (
            ("fixed_pages", (40_000,), None, {"compression": "gzip"}),
            ("fixed_holes", (40_000,), (50_000,), {}),
            ("tree", (200, 200), (None, None), {}),
            ("tree_filtered", (200, 200), (None, None), {"compression": "gzip"}),
        ):
            chunks = (1,) * len(shape)
            data = file.create_dataset(key, shape, "u1", chunks=chunks, maxshape=maxshape, fillvalue=9, **options)
            if key == "fixed_holes":
                data[3000:3010] = 1
                data[39_999] = 2
            else:
                data[...] = values.reshape(shape)


def beyond():
    """Chunks and values beyond 4 GiB of a file that is mostly a hole."""
    with h5py.File(path("beyond.nc"), "w") as file:
        scales(file, x=40, z=50_000)
        hole = file.create_group("below").create_dataset("hole", (5 * 2**30,), "u1", fill_time="never")
        hole[-1] = 1
        data = file.create_dataset("v", (40, 50_000), "f4", chunks=(10, 50_000), compression="gzip")
        data[...] = random.random((40, 50_000))
        attach(data, "x", "z")


def small():
    """Small files of all structures, to be damaged."""
    for name, version in (("small_old.nc", "earliest"), ("small_new.nc", "latest"), ("small_shared.nc", "sharing")):
        is_sharing = version == "sharing"
        shared = (name, SHARED_KINDS, (2, 1), "latest")
        with sharing_file(*shared) if is_sharing else h5py.File(path(name), "w", libver=version) as file:
            scales(file, x=20, y=12)
            names = np.array(["å", "b", "", "d" * 40] * 5, object)
            attach(file.create_dataset("names", data=names, dtype=h5py.string_dtype()), "x")
            for key, maxshape in (("a", None), ("b", (None, 12)), ("c", (None, None))):
                options = {"compression": "gzip", "shuffle": True, "fletcher32": True}
                values = np.arange(240.0).reshape(20, 12)
                data = file.create_dataset(key, data=values, chunks=(3, 5), maxshape=maxshape, **options)
                attach(data, "x", "y").attrs["_FillValue"] = -1.0
            below = file.create_group("below")
            for i in range(20):
                below.attrs[f"attribute_{i}"] = "text " * i
                below[f"v{i}"] = i
    for kind, name in (("NETCDF3_CLASSIC", "small_3.nc"), ("NETCDF3_64BIT_DATA", "small_5.nc")):
        with netCDF4.Dataset(path(name), "w", format=kind) as file:
            file.title = "small"
            file.createDimension("t", None)
            file.createDimension("x", 6)
            file.createVariable("a", "f4", ("t", "x"))[:] = np.arange(30.0).reshape(5, 6)
            file.createVariable("b", "i2", ("t",))[:] = np.arange(5)
            file.createVariable("x", "f8", ("x",))[:] = np.arange(6.0)


def damaged():
    """Small files of the structures that `small` has not, to be damaged too."""
    with netCDF4.Dataset(path("small_netcdf4.nc"), "w") as file:
        file.title = "Damaged on purpose"
        file.createDimension("time", None)
        file.createDimension("x", 6)
        below = file.createGroup("below")
        for group, options in ((file, {}), (below, {"zlib": True, "shuffle": True, "fletcher32": True})):
            data = group.createVariable("a", "f4", ("time", "x"), fill_value=-9.0, chunksizes=(2, 3), **options)
            data.units = "kelvin"
            data[0:5] = np.arange(30.0).reshape(5, 6)
        file.createVariable("x", "f8", ("x",))[:] = np.arange(6.0)
        file.createVariable("time", "i4", ("time",), chunksizes=(4,)).units = "days since 2001-01-01"
        file["time"][:] = np.arange(7)
        file.createVariable("names", str, ("x",))[:] = np.array(["one", "two", "", "four", "five", "six"], object)
        file.createVariable("letters", "S1", ("x",))[:] = np.array(list("abcdef"), "S1")
    for name, version in (("small_tree.nc", "earliest"), ("small_arrays.nc", "latest")):
        with h5py.File(path(name), "w", libver=version) as file:
            scales(file, x=200)
            checked = {"fletcher32": True}
            for key, maxshape in (("fixed", None), ("unlimited", (None,))):
                length = 200 if version == "earliest" else 1500
                values = np.arange(length).astype("u2")
                file.create_dataset(key, data=values, chunks=(1,), maxshape=maxshape, **checked)
            square = (np.arange(400) % 251).astype("u1").reshape(20, 20)
            file.create_dataset("square", data=square, chunks=(1, 2), maxshape=(None, None), compression="gzip", **checked)
            attach(file.create_dataset("contiguous", data=np.arange(200.0)), "x").attrs["units"] = "kelvin"
            attach(file.create_dataset("zipped", data=np.arange(200), chunks=(50,), compression="gzip", shuffle=True), "x")
            kind = np.dtype([("number", "i4"), ("value", "f8"), ("three", "f4", (3,))])
            file.create_dataset("structures", data=np.zeros(20, kind))
            file.create_dataset("texts", data=np.array([b"one", b"three"] * 5, "S6"))
            file.create_dataset("flags", data=np.arange(12) % 2 == 0)
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_layout(h5py.h5d.COMPACT)
            h5py.h5d.create(file.id, b"compact", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((6,)), plist)
            file["compact"][...] = np.arange(6)
            many = file.create_group("many").create_group("further")
            for i in range(60):
                many[f"variable_{i:02d}"] = i
    with netCDF4.Dataset(path("small_64.nc"), "w", format="NETCDF3_64BIT_OFFSET") as file:
        file.history = "made to be damaged"
        file.createDimension("time", None)
        file.createDimension("y", 5)
        file.createDimension("x", 4)
        for name in ("north", "south"):
            data = file.createVariable(name, "f8", ("y", "x"), fill_value=-1.0)
            data.units = "kelvin"
            data[:] = np.arange(20.0).reshape(5, 4)
        file.createVariable("flow", "i2", ("time", "y", "x"))[:] = np.arange(60).reshape(3, 5, 4)
        file.createVariable("step", "i1", ("time",))[:] = np.arange(3)


def sparse():
    """Small files that say to be large: huge dimensions, and indexes with room for very many chunks."""
    for version in ("earliest", "latest"):
        with h5py.File(path(f"sparse_{version}.nc"), "w", libver=version) as file:
            file.create_dataset("contiguous", (2**45,), "u1")
            file.create_dataset("chunked", (2**40,), "u1", chunks=(2**20,))[2**39] = 1
            file.create_dataset("grid", (2**20, 2**20), "u1", chunks=(1, 1), maxshape=(None, None))[2**19, 7] = 1
            # An index that holds all its elements, most of which are a hole in the file.
            file.create_dataset("elements", (20_000_000,), "u1", chunks=(1,))[19_999_999] = 1
            file.create_dataset("growing", (20_000_000,), "u1", chunks=(1,), maxshape=(None,))[19_999_999] = 1


def edited():
    """Files whose users deleted, renamed, shrank and added much: what is left of it lies about in them."""
    for version in ("earliest", "v108", "latest"):
        options = {"libver": (version, version) if version == "v108" else version}
        with h5py.File(path(f"edited_{version}.nc"), "w", **options) as file:
            scales(file, x=40, y=30)
            for i in range(30):
                shape = {"chunks": (4, 5), "maxshape": (None, None), "compression": "gzip"}
                data = attach(file.create_dataset(f"v{i}", data=random.random((40, 30)), **shape), "x", "y")
                for k in range(15):
                    data.attrs[f"a{k}"] = "text " * k
            data = file.create_dataset("any_order", (60, 60), "f4", chunks=(1, 1), compression="gzip")
            for place in random.permutation(600):
                data[place // 60, place % 60] = place
        with h5py.File(path(f"edited_{version}.nc"), "r+", **options) as file:
            for i in range(0, 30, 3):
                del file[f"v{i}"]
            for i in range(1, 30, 3):
                for k in range(0, 15, 2):
                    del file[f"v{i}"].attrs[f"a{k}"]
                file[f"v{i}"].attrs["longer"] = "x" * 300
                file.move(f"v{i}", f"renamed_{i}")
            for i in range(0, 30, 6):
                attach(file.create_dataset(f"v{i}", data=np.arange(40.0)), "x")
            for i in range(2, 30, 3):
                file[f"v{i}"].resize((17, 12))
                if i % 2:
                    file[f"v{i}"].resize((60, 31))
            file.create_group("g/h")
            file["g/h/link"] = file["v2"]
            del file["g/h/link"]
            for i in range(200):
                file[f"new_{i:03d}"] = i
            for i in range(0, 200, 3):
                del file[f"new_{i:03d}"]


def names():
    """Variables whose names mean something else in an address."""
    with h5py.File(path("names.nc"), "w") as file:
        for name in ("plain", "a#b", "a?b", "a%20b", "%41", "a\\b", "a%b", "a b", "a&b", "a+b", "ü", "tas [K]"):
            file[name] = np.arange(1, 5)
        file.create_group("g#h")["v"] = 1


def blosc():
    """Blosc with each compressor, some of which no client or no plugin has."""
    values = np.round(random.random((600, 700)) * 100, 2).astype("f4")
    with h5py.File(path("blosc.nc"), "w") as file:
        for name in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
            for shuffle in range(3):
                options = {"chunks": (100, 250), **hdf5plugin.Blosc(cname=name, shuffle=shuffle)}
                file.create_dataset(f"{name}_{shuffle}", data=values, **options)
        file.create_dataset("zlib_f8", data=values.astype("f8"), chunks=(100, 250), **hdf5plugin.Blosc(cname="zlib"))
        # Joined, so that they are decoded.
        small = file.create_dataset("small", (700,), "f4", chunks=(70,), **hdf5plugin.Blosc(cname="zlib"))
        small[...] = values[0]
    with h5py.File(path("blosc_unreadable.nc"), "w") as file:
        for name, options in (
            ("snappy", hdf5plugin.Blosc(cname="snappy")),
            ("blosc2_zlib", hdf5plugin.Blosc2(cname="zlib")),
        ):
            data = file.create_dataset(name, (100,), "f4", chunks=(10,), **options)
            # As a writer with that compressor would: the filter was applied, whatever this one can do.
            data.id.write_direct_chunk((0,), bytes([2, 1, 0x41, 4]) + bytes(60))


def large():
    """Chunks that are small in the file and large once decoded."""
    with h5py.File(path("large.nc"), "w") as file:
        file.create_dataset("v", (2, 2**26), "f4", chunks=(1, 2**26), compression="lzf")[0] = 1


def left_out():
    """What has no place in zarr, beside what has."""
    with h5py.File(path("left_out.nc"), "w") as file:
        scales(file, x=4)
        file.create_dataset("ragged", (4,), h5py.vlen_dtype("i4"))
        file.create_dataset("long_double", (4,), np.longdouble)
        file.create_dataset("references", (4,), h5py.ref_dtype)
        kind = np.dtype([("number", "i4"), ("three", "f4", (3,)), ("inner", [("a", "u1"), ("b", "f8")])])
        values = np.zeros(4, kind)
        values["number"] = np.arange(4)
        values["three"] = np.arange(12).reshape(4, 3)
        values["inner"]["b"] = 0.5
        attach(file.create_dataset("structures", data=values), "x")
        attach(file.create_dataset("plain", data=np.arange(4)), "x")


def bench():
    """For bench/zarr.ts: a file of 300,000 chunks, one of chunks of 4 MB, and one of chunks that are stored in 0.2 MB."""
    with h5py.File(path("many_chunks.nc"), "w") as file:
        values = np.zeros((300_000, 8), "f4")
        values[:, 0] = np.arange(300_000)
        file.create_dataset("v", data=values, chunks=(1, 8), compression="gzip", compression_opts=1)
    fields("large_chunks.nc", 96, 720, 1440)
    fields("small_chunks.nc", 384, 240, 480)


def fields(name, times, lats, lons):
    """Temperatures with some noise, each field a chunk."""
    with netCDF4.Dataset(path(name), "w") as file:
        file.createDimension("time", None)
        file.createDimension("lat", lats)
        file.createDimension("lon", lons)
        options = {"zlib": True, "shuffle": True, "chunksizes": (1, lats, lons), "fill_value": 1e20}
        data = file.createVariable("tas", "f4", ("time", "lat", "lon"), **options)
        lat = np.sin(np.linspace(0, 3, lats))[:, None]
        for i in range(times):
            noise = 0.02 * random.standard_normal((lats, lons))
            data[i] = (250 + 40 * lat + noise + i / 10).astype("f4")


def stores():
    data = xr.Dataset(
        {"v": (("x", "y"), random.random((40, 30)), {"units": "m"})}, coords={"x": np.arange(40.0)}
    )
    data.to_zarr(path("v2.zarr"), zarr_format=2, consolidated=True, mode="w")
    data.to_zarr(path("v3.zarr"), zarr_format=3, consolidated=True, mode="w")
    # Without consolidated metadata, or with those of the root alone.
    odd = {"none": np.nan, "all": np.inf, "one": 1.0, "large": 2**62 + 1, "text": 'NaN, "Infinity"'}
    for version in (2, 3):
        for name in (f"bare{version}.zarr", f"root{version}.zarr"):
            options = {"zarr_format": version, "consolidated": False}
            data.assign_attrs(odd).to_zarr(path(name), mode="w", **options)
            data.isel(x=slice(20)).to_zarr(path(name), mode="a", group="sub group/below", **options)
            zarr.open_group(path(name), mode="a")["sub group"].attrs["note"] = "has no arrays"
        zarr.consolidate_metadata(path(f"root{version}.zarr"))
    encoding = {"v": {"chunks": (4, 10), "shards": (20, 30)}}
    data.to_zarr(path("sharded3.zarr"), mode="w", zarr_format=3, consolidated=False, encoding=encoding)
    # zarr-python 2 writes no attributes where there are none.
    bare = zarr.open_group(path("plain2.zarr"), mode="w", zarr_format=2)
    bare.create_array("a", shape=(6,), chunks=(4,), dtype=">i2", dimension_names=None)[:] = np.arange(6)
    bare["a"].attrs["_ARRAY_DIMENSIONS"] = ["y"]
    os.remove(path("plain2.zarr/.zattrs"))


def codecs():
    """Stores of one array `v`, whose codecs have other parameters than usual; `codecs.json` has their values."""
    import numcodecs
    from zarr.codecs import BytesCodec, ShardingCodec, TransposeCodec

    values = {}

    def store(name, data, chunks, **options):
        array = zarr.create(store=path(f"{name}.zarr"), shape=data.shape, dtype=data.dtype, chunks=chunks, **options)
        array[...] = data
        values[f"{name}.zarr"] = zarr.open_array(path(f"{name}.zarr"), mode="r")[...].tolist()

    # 0 is the fill value, and so missing.
    numbers = np.arange(1.0, 9.0)
    for size in (2, 4, 8):
        store(f"shuffle{size}", numbers, (4,), zarr_format=2, filters=[numcodecs.Shuffle(size)])
    scale = dict(offset=0, scale=1, dtype="<f4")
    for name, kind in (("packed", "<i2"), ("packed_swapped", ">i2")):
        packed = numcodecs.FixedScaleOffset(**scale, astype=kind)
        store(name, numbers.astype("f4"), (4,), zarr_format=2, filters=[packed])
    for name, kind in (("delta", "<f4"), ("delta_of_other_type", "<i4")):
        store(name, numbers.astype("f4"), (4,), zarr_format=2, filters=[numcodecs.Delta("<f4", kind)])
    grid = np.arange(1.0, 17.0).reshape(4, 4)
    shards = dict(chunk_shape=(1, 2), codecs=[BytesCodec()])
    store("shards", grid, (2, 2), zarr_format=3, codecs=[ShardingCodec(**shards)])
    store("shards_index_first", grid, (2, 2), zarr_format=3, codecs=[ShardingCodec(**shards, index_location="start")])
    store("shards_transposed", grid, (2, 2), zarr_format=3, codecs=[TransposeCodec(order=(1, 0)), ShardingCodec(**shards)])
    # Chunks of zeros are not written.
    for kind, fill in (("<i8", None), ("<i8", 7), ("<i4", None)):
        store(f"{kind[1:]}_{fill}", np.array([0, 0, 1, 1], kind), (2,), zarr_format=2, fill_value=fill)
    for kind, fill in (("<u8", 2**64 - 2), ("<i8", 2**63 - 1), ("<i8", -(2**63))):
        name = f"{kind[1:]}_{fill}"
        store(name, np.array([fill, fill, 1, 1], kind), (2,), zarr_format=2, fill_value=fill)
        values[f"{name}.zarr"] = [None, None, 1, 1]
    with open(path("codecs.json"), "w") as out:
        json.dump(values, out)


def slices():
    """A group, texts, more chunks than are read for one slice, and a field that is larger than a map."""
    with h5py.File(path("slices.nc"), "w") as file:
        file.create_dataset("forecast/t2m", data=np.arange(192, dtype="i2").reshape(4, 6, 8), chunks=(1, 6, 8))
        file["forecast/t2m"].attrs.update({"scale_factor": 0.5, "_FillValue": np.int16(7)})
        file.create_dataset("names", data=np.array([b"a", b"bb"]))
        file.create_dataset("many", data=np.arange(20_002.0), chunks=(2,))
        file.create_dataset("wide", data=np.arange(3000 * 1500, dtype="f4").reshape(3000, 1500))


def signs():
    """Integers whose fill values are of another type, and integers of the other sign by `_Unsigned`."""
    with h5py.File(path("signs.nc"), "w") as file:
        scales(file, x=3)

        def make(name, kind, values, fill, **attributes):
            data = attach(file.create_dataset(name, data=np.array(values, kind)), "x")
            data.attrs.update({"_FillValue": fill, "scale_factor": 0.5, **attributes})

        make("double", "i2", [1, -9999, 3], -9999.0)
        make("never", "i2", [1, -9999, 3], 1e20)
        for sign in ("true", "false"):
            for fill in (np.int8(-1), np.uint8(255), np.int8(1)):
                name = f"{sign}_{fill.dtype}_{fill}".replace("-", "minus_")
                make(f"i1_{name}", "i1", [1, -1, 3], fill, _Unsigned=sign)
                make(f"u1_{name}", "u1", [1, 255, 3], fill, _Unsigned=sign)


def resizable():
    """Variables that are shorter than a scale of fixed length, in one dimension and in two, within a chunk and beyond it."""
    with h5py.File(path("resizable.nc"), "w") as file:
        scales(file, x=10, y=400)

        def make(name, shape, maxshape, chunks, *names, **options):
            values = (np.arange(np.prod(shape)) % 100 + 1).reshape(shape).astype("i4")
            data = file.create_dataset(name, data=values, maxshape=maxshape, chunks=chunks, fillvalue=-1, **options)
            attach(data, *names).attrs["_FillValue"] = np.int32(-1)

        make("small", (5,), (None,), (3,), "x")
        make("field", (7, 300), (10, 400), (4, 128), "x", "y", compression="gzip")
        make("plain", (4, 400), (None, 400), (4, 400), "x", "y")
        make("long", (11,), (None,), (3,), "x")
        attach(file.create_dataset("whole", data=np.arange(10)), "x")


def others():
    import tarfile

    with open(path("a.grb"), "wb") as file:
        file.write(b"GRIB" + bytes(200))
    with tarfile.open(path("a.tar"), "w") as file:
        file.add(path("single_record.nc"), "a.nc")
    open(path("empty.nc"), "wb").close()


KINDS = (
    netcdf3, indexes, edges, masks, filters, types, fills, awkward, structure, formats, beyond, small, stores, others,
)
if __name__ == "__main__":
    for kind in [globals()[name] for name in sys.argv[2:]] or KINDS:
        kind()
