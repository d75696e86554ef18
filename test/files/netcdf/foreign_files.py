"""Makes valid files as other programs write them: foreign_files.py FOLDER

Each is odd in a place that the format leaves free, or uses a form that few programs write. HDF5 or netCDF-C reads all of them.
"""

import ctypes
import glob
import os
import shutil
import struct
import sys

import h5py
import netCDF4
import numpy as np

FOLDER = sys.argv[1]
# The HDF5 that h5py brings along, for what h5py does not offer.
(LIBRARY,) = glob.glob(os.path.join(os.path.dirname(h5py.__file__), "..", "h5py.libs", "libhdf5-*.so*"))
hdf5 = ctypes.CDLL(LIBRARY)
number = ctypes.c_int64


def path(name):
    return os.path.join(FOLDER, name)


def edited(name, change):
    with open(path(name), "rb") as file:
        data = bytearray(file.read())
    change(data)
    with open(path(name), "wb") as file:
        file.write(data)


def places(data, wanted):
    return [at for at in range(len(data)) if data[at : at + len(wanted)] == wanted]


def messages(data, header):
    """The messages of an object header of version 1: their places, types and lengths."""
    end = header + 16 + struct.unpack_from("<I", data, header + 8)[0]
    at = header + 16
    while at < end:
        kind, length = struct.unpack_from("<HH", data, at)
        yield at, kind, length
        at += 8 + length


def attribute_names():
    names = "DATE TIME NOTE CASE NODE WAVE RATE BASE FLAGS CLAS NAMES DIMENSION_LISTS REFERENCE_LISP _Netcdf4Dimic".split()
    with netCDF4.Dataset(path("attribute_names.nc"), "w") as file:
        file.createDimension("x", 3)
        file.createVariable("x", "f8", ("x",))[:] = [1, 2, 3]
        variable = file.createVariable("v", "f4", ("x",))
        variable[:] = [4, 5, 6]
        for name in names:
            variable.setncattr(name, "2020-01-01")


def attribute_references():
    with h5py.File(path("attribute_references.h5"), "w") as file:
        file["v"] = np.arange(3)
        file["w"] = np.arange(3)
        one = np.empty((1,), object)
        one[0] = np.array([file["v"].ref], h5py.ref_dtype)
        file["w"].attrs.create("ancillary", one, dtype=h5py.vlen_dtype(h5py.ref_dtype))
        file["v"].attrs["origin"] = np.array((1, 2), np.dtype([("dataset", "i4"), ("dimension", "i4")]))


def old_groups():
    for name, garbage in (("neighbour", None), ("big", 0x8407005A04006406)):
        name = f"old_group_{name}.h5"
        with h5py.File(path(name), "w", libver=("earliest", "v108")) as file:
            file["a/v"] = np.arange(3)
            file.create_group("empty")

        def change(data):
            nodes = places(data, b"SNOD")
            for at in places(data, b"TREE\0"):
                used = struct.unpack_from("<H", data, at + 6)[0]
                # What follows the entries and the final key, or stands in a node without entries.
                child = at + 24 + (16 * used + 8 if used else 8)
                data[child : child + 8] = struct.pack("<Q", nodes[0] if garbage is None else garbage)
            for at in nodes:
                entry = at + 8 + 40 * struct.unpack_from("<H", data, at + 6)[0]
                data[entry : entry + 16] = struct.pack("<QQ", 8, 1 << 60)

        edited(name, change)


def reserved_bytes():
    """Reserved bytes, unused flags and padding of HDF5's oldest structures that are not zero."""
    with h5py.File(path("reserved.h5"), "w", libver="earliest") as file:
        file.create_dataset("v", data=np.arange(6.0).reshape(2, 3), chunks=(1, 3), compression="gzip", shuffle=True)
        file["v"].attrs["units"] = np.bytes_(b"K")
        header = h5py.h5o.get_info(file["v"].id).addr

    def change(data):
        data[header + 1] = 7
        data[header + 2 : header + 4] = struct.pack("<H", 99)
        data[header + 12 : header + 16] = b"\1\2\3\4"
        for at, kind, length in messages(data, header):
            data[at + 5 : at + 8] = b"\5\6\7"
            if kind == 1:
                data[at + 8 + 3 : at + 8 + 8] = b"\1\2\3\4\5"
            if kind == 3:
                data[at + 8 + 3] |= 0x80
            if kind == 0:
                data[at + 8 : at + 8 + length] = (b"\1\0\6\0\10\0\10\0" * length)[:length]
        for at in places(data, b"SNOD"):
            data[at + 5] = 9
        for at in places(data, b"HEAP"):
            data[at + 5 : at + 8] = b"\1\1\1"

    edited("reserved.h5", change)


def shared_message():
    """A committed datatype behind a message of version 1, as HDF5 before 1.6 wrote it."""
    with h5py.File(path("shared_message_1.h5"), "w", libver="earliest") as file:
        kind = np.dtype([("a", "i4"), ("b", "f8")])
        file["kind"] = kind
        file.create_dataset("v", data=np.array([(1, 2.0), (3, 4.0)], kind), dtype=file["kind"])
        address, header = (h5py.h5o.get_info(file[name].id).addr for name in ("kind", "v"))

    def change(data):
        body = b""
        for at, number, length in messages(data, header):
            content = bytes(data[at + 8 : at + 8 + length])
            if number == 3:
                content = bytes([1, 0]) + bytes(6) + struct.pack("<QQ", 16, address)
            elif number == 0:
                content = content[:-8]
            body += struct.pack("<HHB", number, len(content), data[at + 4]) + bytes(3) + content
        data[header + 16 : header + 16 + len(body)] = body

    edited("shared_message_1.h5", change)


def two_scales():
    with h5py.File(path("two_scales.h5"), "w") as file:
        for name in ("x", "x2"):
            file[name] = np.arange(3.0)
            file[name].make_scale(name)
        file["v"] = np.arange(3)
        for name in ("x", "x2"):
            file["v"].dims[0].attach_scale(file[name])


def resizable():
    """Resizable variables that are shorter or longer than a scale of fixed length."""
    with h5py.File(path("resizable.h5"), "w") as file:
        file["x"] = np.arange(5.0)
        file["x"].make_scale("x")
        for name, length, maxshape in (("shorter", 3, (None,)), ("bounded", 3, (5,)), ("longer", 7, (None,)), ("fixed", 5, None)):
            values = np.arange(length, dtype="i4")
            file.create_dataset(name, data=values, chunks=(2,), maxshape=maxshape, fillvalue=-1).dims[0].attach_scale(file["x"])


def scale_type():
    """A list of scales as numbers of the size of an address: HDF5 does not look at their class."""
    shutil.copy(path("two_scales.h5"), path("scale_type.h5"))

    def change(data):
        base = places(data, b"DIMENSION_LIST\0\0\x19")[0] + 24
        assert data[base] == 0x17
        data[base] = 0x13

    edited("scale_type.h5", change)


def odd_types():
    """Texts of variable length whose types have another size, and a fill value in the order of a VAX."""
    with h5py.File(path("odd_types.h5"), "w") as file:
        file.create_dataset("texts", data=["one", "two"], chunks=(2,))
        file["texts"].attrs["comment"] = "kept"
        file["filled"] = np.arange(3.0)
        file["filled"].attrs["_FillValue"] = 1.0

    def change(data):
        sizes = places(data, b"\x19\x01\x01\0\x10\0\0\0")
        assert len(sizes) == 2
        for at in sizes:
            data[at + 4] = 15
        at = places(data, b"_FillValue\0")[0]
        kind = data.index(b"\x11\x20\x3f\0\x08", at)
        data[kind + 1] = 0x61

    edited("odd_types.h5", change)


def namesakes():
    """Two members of one name."""
    with h5py.File(path("namesakes.h5"), "w") as file:
        for name in ("kept", "twin_a", "twin_b"):
            file[name] = np.arange(3)

    def change(data):
        at = places(data, b"twin_b\0")[0]
        data[at + 5] = ord("a")

    edited("namesakes.h5", change)


def scales():
    """Scales of every form of CLASS, and variables with scales on some dimensions."""

    def mark(dataset, size, padding):
        text = h5py.h5t.C_S1.copy()
        text.set_size(size)
        text.set_strpad(padding)
        one = h5py.h5a.create(dataset.id, b"CLASS", text, h5py.h5s.create(h5py.h5s.SCALAR))
        one.write(np.array(b"DIMENSION_SCALE", dtype=f"S{size}"))

    with h5py.File(path("scales.h5"), "w") as file:
        forms = [(16, "NULLTERM"), (16, "NULLPAD"), (16, "SPACEPAD"), (15, "NULLPAD"), (17, "NULLTERM"), (20, "NULLTERM")]
        for i, (size, padding) in enumerate(forms):
            name = f"x{i}"
            file[name] = np.arange(10.0 + i)
            mark(file[name], size, getattr(h5py.h5t, f"STR_{padding}"))
        file["text"] = np.arange(30.0)
        file["text"].attrs["CLASS"] = "DIMENSION_SCALE"
        for name, length in (("a", 3), ("b", 4)):
            file[name] = np.arange(float(length))
            file[name].make_scale(name)
        file["again"] = file["a"]
        file["second_only"] = np.zeros((3, 5))
        file["v"] = np.zeros((3, 4))
        for i, name in enumerate("ab"):
            file["v"].dims[i].attach_scale(file[name])


def phony():
    """Dimensions without names, beside variables of types that netCDF-C does not read."""
    with h5py.File(path("phony.h5"), "w") as file:
        file.create_dataset("a", (5,), dtype=h5py.ref_dtype)
        file.create_dataset("b", (7,), dtype=np.dtype(("i4", (2,))))
        file["c"] = np.arange(6)
        file["d"] = np.zeros((5, 6))
        file["g/e"] = np.zeros((6, 6))
        x = file.create_dataset("x", data=np.arange(9))
        x.make_scale("x")
        x.attrs["_Netcdf4Dimid"] = np.int64(7)
        file["y"] = np.zeros(11)
    with h5py.File(path("phony_empty.h5"), "w") as file:
        file.create_dataset("a", (0, 4), dtype="i4")
        file.create_dataset("b", (0, 4), maxshape=(None, 4), dtype="i4")
        file.create_dataset("c", (0, 0), dtype="i4")


def new_references():
    """A DIMENSION_LIST of the references of HDF5 1.12, which only some builds of HDF5 write."""
    class Sequence(ctypes.Structure):
        _fields_ = [("length", ctypes.c_size_t), ("first", ctypes.c_void_p)]

    hdf5.H5Tvlen_create.restype = hdf5.H5Acreate2.restype = number
    hdf5.H5Tvlen_create.argtypes = [number]
    hdf5.H5Acreate2.argtypes = [number, ctypes.c_char_p] + [number] * 4
    hdf5.H5Awrite.argtypes = [number, number, ctypes.c_void_p]
    hdf5.H5Aclose.argtypes = [number]
    hdf5.H5Rcreate_object.argtypes = [number, ctypes.c_char_p, number, ctypes.c_void_p]
    with h5py.File(path("new_references.h5"), "w", libver=("v112", "v112")) as file:
        for name in "xyz":
            file[name] = np.arange(3.0)
            file[name].make_scale(name)
        variable = file.create_dataset("v", data=np.arange(9.0).reshape(3, 3))
        kind = hdf5.H5Tvlen_create(number.in_dll(hdf5, "H5T_STD_REF_g").value)
        lists = (Sequence * 2)()
        kept = []
        for i, names in enumerate((b"z", b"y")):
            references = ctypes.create_string_buffer(64 * len(names))
            kept.append(references)
            for k, name in enumerate(names):
                at = ctypes.byref(references, 64 * k)
                assert hdf5.H5Rcreate_object(file.id.id, bytes([name]), 0, at) >= 0
            lists[i] = Sequence(len(names), ctypes.cast(references, ctypes.c_void_p))
        space = h5py.h5s.create_simple((2,))
        attribute = hdf5.H5Acreate2(variable.id.id, b"DIMENSION_LIST", kind, space.id, 0, 0)
        assert attribute >= 0 and hdf5.H5Awrite(attribute, kind, lists) >= 0
        hdf5.H5Aclose(attribute)


def ranks():
    """Nodes of another size than usual, which a superblock of version 2 keeps in its extension."""
    for name, version in (("ranks_old", "earliest"), ("ranks_new", "v108")):
        creation = h5py.h5p.create(h5py.h5p.FILE_CREATE)
        assert hdf5.H5Pset_sym_k(number(creation.id), 3, 50) >= 0
        assert hdf5.H5Pset_istore_k(number(creation.id), 100) >= 0
        access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
        low = h5py.h5f.LIBVER_EARLIEST if version == "earliest" else h5py.h5f.LIBVER_V18
        access.set_libver_bounds(low, h5py.h5f.LIBVER_V18)
        with h5py.File(h5py.h5f.create(path(f"{name}.h5").encode(), h5py.h5f.ACC_TRUNC, creation, access)) as file:
            for i in range(120):
                file[f"v{i:03}"] = np.arange(i)
            file.create_dataset("many", data=np.arange(600), chunks=(3,))


def sizes():
    """Addresses and lengths of different widths, which few programs choose. HDF5 reads no heaps that it wrote with lengths of 2 bytes."""
    for offset, length in ((2, 2), (4, 4), (4, 8), (8, 2), (8, 4)):
        creation = h5py.h5p.create(h5py.h5p.FILE_CREATE)
        creation.set_sizes(offset, length)
        for version, low in (("old", h5py.h5f.LIBVER_EARLIEST), ("new", h5py.h5f.LIBVER_V110)):
            access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
            access.set_libver_bounds(low, h5py.h5f.LIBVER_V110)
            name = path(f"sizes_{offset}{length}_{version}.h5").encode()
            has_heaps = length > 2 or version == "old"
            with h5py.File(h5py.h5f.create(name, h5py.h5f.ACC_TRUNC, creation, access)) as file:
                file["x"] = np.arange(4.0)
                file["x"].make_scale("x")
                for i in range(12 if has_heaps else 6):
                    file[f"g/v{i}"] = np.arange(4) + i
                    file[f"g/v{i}"].dims[0].attach_scale(file["x"])
                file["texts"] = np.array(["a", "", "longer than eight"], object)
                most = (None,) if has_heaps else (40,)
                file.create_dataset("chunks", data=np.arange(20), chunks=(3,), compression="gzip", maxshape=most)
                for i in range(20 if has_heaps else 6):
                    file["chunks"].attrs[f"a{i}"] = ["one", "two"]


def soft_links():
    """Soft links that lead over others."""
    with h5py.File(path("soft_links.h5"), "w") as file:
        file["g/h/v"] = np.arange(3)
        file["one"] = h5py.SoftLink("/g/h/v")
        file["two"] = h5py.SoftLink("one")
        file["g/below"] = h5py.SoftLink("h")
        file["through"] = h5py.SoftLink("/g/below/./v")
        file["round"] = h5py.SoftLink("around")
        file["around"] = h5py.SoftLink("round")


# NetCDF-3, all numbers big-endian.
def classic(name, padding=b"\0", numrecs=3, tail=b"", sizes=(8, 12), names=("time", "tas"), attribute="units", twice=False):
    """A file with time(time) and tas(time, x) in three records, and its parts to be written otherwise."""
    word = lambda *values: struct.pack(f">{len(values)}I", *values)
    padded = lambda raw: raw + padding * (-len(raw) % 4)
    named = lambda text: word(len(text.encode())) + padded(text.encode())
    one = named(attribute) + word(2, 1) + padded(b"K")
    other = named(attribute) + word(2, 1) + padded(b"C")
    attributes = word(12, 2) + one + other if twice else word(12, 1) + one

    def header(begin):
        variables = named(names[0]) + word(1, 0) + attributes + word(6, sizes[0], begin)
        variables += named(names[1]) + word(2, 0, 1) + attributes + word(5, sizes[1], begin + 8)
        dimensions = word(10, 2) + named("time") + word(0) + named("x") + word(3)
        return b"CDF\1" + word(numrecs) + dimensions + word(0, 0) + word(11, 2) + variables

    begin = len(header(0))
    records = b"".join(struct.pack(">d3f", i, 1 + i, 2 + i, 3 + i) for i in range(3))
    with open(path(name), "wb") as file:
        file.write(header(begin) + records + tail)


def classics():
    classic("classic_padding.nc", padding=b"0")
    classic("classic_zeros_after.nc", tail=bytes(4096))
    classic("classic_fewer_records.nc", numrecs=2)
    classic("classic_no_records.nc", numrecs=0)
    classic("classic_sizes.nc", sizes=(400, 0))
    classic("classic_names_end.nc", names=("time\0\0", "tas\0"), attribute="units\0\0")
    classic("classic_slash.nc", names=("time", "a/b"), attribute="K/s")
    classic("classic_twice.nc", twice=True)
    with netCDF4.Dataset(path("classic_no_variables.nc"), "w", format="NETCDF3_CLASSIC") as file:
        file.title = "kept"
        file.comment = "x" * 4000
    with netCDF4.Dataset(path("classic_no_variables.nc"), "a") as file:
        file.delncattr("comment")


for make in (
    attribute_names, attribute_references, old_groups, reserved_bytes, shared_message, two_scales, resizable, scale_type, odd_types,
    namesakes, scales, phony, new_references, ranks, sizes, soft_links, classics,
):
    make()
