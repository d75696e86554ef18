"""Writes the files of this folder anew: python3 test/files/netcdf/files/make.py, with the packages of test/support/programs/requirements.txt

Files without a dash in their names are valid. All others are one of these with some bytes changed, so that they claim
something that is not so; each checksum is right unless the name says otherwise.
"""

import ctypes
import struct
import zlib
from pathlib import Path

import h5py
import numpy

FOLDER = Path(__file__).parent


# The checksum of HDF5's metadata: lookup3 with the initial value 0.
def lookup3(data):
    def rotate(value, bits):
        return ((value << bits) | (value >> (32 - bits))) & M

    M = 0xFFFFFFFF
    a = b = c = (0xDEADBEEF + len(data)) & M
    while len(data) > 12:
        x, y, z = struct.unpack_from("<III", data)
        a, b, c = (a + x) & M, (b + y) & M, (c + z) & M
        a = ((a - c) & M) ^ rotate(c, 4)
        c = (c + b) & M
        b = ((b - a) & M) ^ rotate(a, 6)
        a = (a + c) & M
        c = ((c - b) & M) ^ rotate(b, 8)
        b = (b + a) & M
        a = ((a - c) & M) ^ rotate(c, 16)
        c = (c + b) & M
        b = ((b - a) & M) ^ rotate(a, 19)
        a = (a + c) & M
        c = ((c - b) & M) ^ rotate(b, 4)
        b = (b + a) & M
        data = data[12:]
    if not data:
        return c
    x, y, z = struct.unpack("<III", data.ljust(12, b"\0"))
    a, b, c = (a + x) & M, (b + y) & M, (c + z) & M
    c = ((c ^ b) - rotate(b, 14)) & M
    a = ((a ^ c) - rotate(c, 11)) & M
    b = ((b ^ a) - rotate(a, 25)) & M
    c = ((c ^ b) - rotate(b, 16)) & M
    a = ((a ^ c) - rotate(c, 4)) & M
    b = ((b ^ a) - rotate(a, 14)) & M
    return ((c ^ b) - rotate(b, 24)) & M


def hdf5(name, libver, fill):
    path = FOLDER / name
    path.unlink(missing_ok=True)
    with h5py.File(path, "w", libver=libver, track_order=False) as file:
        fill(file)
    return bytearray(path.read_bytes())


def changed(name, original, *changes):
    """Writes a copy in which bytes stand at places, as (place, bytes)."""
    data = bytearray(original)
    for place, content in changes:
        assert 0 <= place and place + len(content) <= len(data), (name, place)
        data[place : place + len(content)] = content
    (FOLDER / name).write_bytes(data)


def u16(value):
    return struct.pack("<H", value)


def u32(value):
    return struct.pack("<I", value)


def u64(value):
    return struct.pack("<Q", value)


def old_files():
    """HDF5 as of before 1.8: no checksums."""

    def fill(file):
        file["tas"] = numpy.arange(6, dtype="<i4").reshape(2, 3)
        file["tas"].attrs["units"] = numpy.bytes_(b"K")

    data = hdf5("old.nc", "earliest", fill)
    tree, node, heap = data.index(b"TREE"), data.index(b"SNOD"), data.index(b"HEAP")
    changed("old-superblock-version.nc", data, (8, b"\x09"))
    changed("old-offset-size.nc", data, (13, b"\x03"))
    changed("old-rank-zero.nc", data, (16, u16(0)))
    changed("old-reserved.nc", data, (9, b"\x01"))
    changed("old-end.nc", data, (40, u64(len(data) + 1)))
    changed("old-address-2-60.nc", data, (40, u64(1 << 60)))
    (FOLDER / "old-cut.nc").write_bytes(data[: len(data) // 2])
    changed("old-tree-signature.nc", data, (tree, b"TREF"))
    changed("old-tree-kind.nc", data, (tree + 4, b"\x01"))
    changed("old-tree-entries.nc", data, (tree + 6, u16(0xFFFF)))
    changed("old-tree-neighbour.nc", data, (tree + 8, u64(tree)))
    changed("old-tree-itself.nc", data, (tree + 5, b"\x01"), (tree + 32, u64(tree)))
    changed("old-tree-beyond.nc", data, (tree + 32, u64(1 << 40)))
    changed("old-node-entries.nc", data, (node + 6, u16(0xFFFF)))
    changed("old-node-name.nc", data, (node + 8, u64(0xFFFF)))
    changed("old-node-object.nc", data, (node + 16, u64(0)))
    changed("old-heap-signature.nc", data, (heap, b"HEAQ"))
    changed("old-heap-size.nc", data, (heap + 8, u64(1 << 45)))
    # The object header of the variable, and its messages.
    (header,) = struct.unpack_from("<Q", data, node + 16)
    changed("old-header-version.nc", data, (header, b"\x07"))
    changed("old-header-count.nc", data, (header + 2, u16(200)))
    changed("old-header-size.nc", data, (header + 8, u32(0x7FFFFFF8)))
    messages = {}
    at = header + 16
    while at < header + 16 + struct.unpack_from("<I", data, header + 8)[0]:
        kind, length = struct.unpack_from("<HH", data, at)
        messages.setdefault(kind, at)
        at += 8 + length
    space, kind, layout = messages[1] + 8, messages[3] + 8, messages[8] + 8
    changed("old-message-type.nc", data, (messages[1], u16(0x99)))
    changed("old-message-length.nc", data, (messages[1] + 2, u16(0xFFF8)))
    changed("old-message-missing.nc", data, (messages[1], u16(0)))
    changed("old-continuation-itself.nc", data, (messages[1], u16(0x10)), (space, u64(header + 16) + u64(24)))
    changed("old-space-version.nc", data, (space, b"\x09"))
    changed("old-space-rank.nc", data, (space + 1, b"\xff"))
    changed("old-space-length.nc", data, (space + 8, u64(1 << 40) + u64(1 << 40)))
    changed("old-type-class.nc", data, (kind, b"\x1f"))
    changed("old-type-size.nc", data, (kind + 4, u32(0)))
    changed("old-type-precision.nc", data, (kind + 10, u16(999)))
    changed("old-layout-version.nc", data, (layout, b"\x09"))
    changed("old-layout-class.nc", data, (layout + 1, b"\x07"))
    changed("old-layout-address.nc", data, (layout + 2, u64(1 << 40)))
    changed("old-layout-size.nc", data, (layout + 10, u64(7)))


def chunked_files():
    """Chunks, with the filters that are undone without a library."""
    values = numpy.arange(64, dtype="<i4").reshape(8, 8)

    def fill(file):
        file.create_dataset("tas", data=values, chunks=(4, 8), compression="gzip", shuffle=True, fletcher32=True)

    data = hdf5("chunked.nc", "earliest", fill)
    tree = data.index(b"TREE", data.index(b"TREE") + 4)
    # A key has the bytes of the chunk, its mask, and an offset for each dimension and the element.
    size = struct.unpack_from("<I", data, tree + 24)[0]
    (chunk,) = struct.unpack_from("<Q", data, tree + 24 + 32)
    changed("chunked-content.nc", data, (chunk + 2, b"\xff\xff"))
    changed("chunked-checksum.nc", data, (chunk + size - 1, bytes([data[chunk + size - 1] ^ 1])))
    changed("chunked-address.nc", data, (tree + 56, u64(1 << 40)))
    changed("chunked-size.nc", data, (tree + 24, u32(1 << 30)))
    changed("chunked-size-small.nc", data, (tree + 24, u32(3)))
    changed("chunked-offset.nc", data, (tree + 32, u64(3)))
    changed("chunked-order.nc", data, (tree + 32, u64(400)))
    changed("chunked-level.nc", data, (tree + 5, b"\x04"))
    # The filters' message begins after its head with its version and their number; the first is shuffle, by its number 2.
    pipeline = data.index(struct.pack("<HHHH", 2, 8, 1, 1))
    changed("chunked-filter.nc", data, (pipeline, u16(31999)))
    changed("chunked-filter-zero.nc", data, (pipeline, u16(0)))
    changed("chunked-filter-count.nc", data, (pipeline - 7, b"\xff"))

    def bomb(file):
        chunked = file.create_dataset("tas", (8, 8), "<i4", chunks=(8, 8), compression="gzip")
        chunked.id.write_direct_chunk((0, 0), zlib.compress(bytes(1 << 20), 9))

    hdf5("chunked-bomb.nc", "earliest", bomb)

    def short(file):
        chunked = file.create_dataset("tas", (8, 8), "<i4", chunks=(8, 8), compression="gzip")
        chunked.id.write_direct_chunk((0, 0), zlib.compress(bytes(12), 9))

    hdf5("chunked-short.nc", "earliest", short)


def new_files():
    """HDF5 as of 1.10: every structure ends with its checksum."""

    def fill(file):
        file["tas"] = numpy.arange(6, dtype="<i4").reshape(2, 3)
        file["tas"].attrs["units"] = "K"

    data = hdf5("new.nc", "latest", fill)
    root = data.index(b"OHDR")
    variable = data.index(b"OHDR", root + 4)

    def again(name, start, end, *changes):
        """A copy whose checksum, after `end`, is that of what stands there now."""
        copy = bytearray(data)
        for place, content in changes:
            copy[place : place + len(content)] = content
        copy[end : end + 4] = u32(lookup3(bytes(copy[start:end])))
        (FOLDER / name).write_bytes(copy)

    changed("new-superblock-checksum.nc", data, (44, b"\0\0\0\0"))
    again("new-end.nc", 0, 44, (28, u64(len(data) + 1)))
    again("new-root.nc", 0, 44, (36, u64(len(data))))
    again("new-root-undefined.nc", 0, 44, (36, b"\xff" * 8))
    changed("new-header-checksum.nc", data, (variable + 7, bytes([data[variable + 7] ^ 1])))
    changed("new-header-version.nc", data, (variable + 4, b"\x07"))
    # The head of a header: signature, version, flags, four times and the size of its messages in bytes.
    flags = data[variable + 5]
    head = 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0) + (1 << (flags & 3))
    size = int.from_bytes(data[variable + head - (1 << (flags & 3)) : variable + head], "little")
    first, end = variable + head, variable + head + size
    changed("new-header-size.nc", data, (variable + head - (1 << (flags & 3)), b"\xff"))
    step = 6 if flags & 4 else 4
    messages = {}
    at = first
    while at + step <= end:
        messages.setdefault(data[at], at)
        at += step + struct.unpack_from("<H", data, at + 1)[0]
    space, kind, layout = (messages[one] + step for one in (1, 3, 8))
    again("new-message-length.nc", variable, end, (messages[1] + 1, u16(0xFFFF)))
    again("new-continuation-itself.nc", variable, end, (messages[1], b"\x10"), (space, u64(variable) + u64(40)))
    again("new-space-rank.nc", variable, end, (space + 1, b"\xff"))
    again("new-space-length.nc", variable, end, (space + 4, u64(1 << 50) + u64(1 << 50)))
    again("new-type-class.nc", variable, end, (kind, b"\x1f"))
    again("new-layout-class.nc", variable, end, (layout + 1, b"\x07"))
    again("new-layout-address.nc", variable, end, (layout + 2, u64(len(data) - 1)))


# NetCDF-3, all numbers big-endian.
def name(text):
    raw = text.encode()
    return struct.pack(">I", len(raw)) + raw + bytes(-len(raw) % 4)


def classic(records=2, dimensions=None, kind=4, unit=b"K", vsize=None, begin=None, rank_ids=(0, 1), variable="tas", version=1):
    """A file with the variable tas(time, x) of shorts or ints, of two records, and its parts to be told wrong."""
    dimensions = dimensions if dimensions is not None else [("time", 0), ("x", 3)]
    sizes = {3: 2, 4: 4, 99: 4}[kind]
    record = 3 * sizes
    head = b"CDF" + bytes([version]) + struct.pack(">I", records)
    head += struct.pack(">II", 10, len(dimensions)) + b"".join(name(n) + struct.pack(">I", length) for n, length in dimensions)
    head += struct.pack(">II", 0, 0)
    body = struct.pack(">II", 11, 1) + name(variable)
    body += struct.pack(">I", len(rank_ids)) + b"".join(struct.pack(">I", one) for one in rank_ids)
    body += struct.pack(">II", 12, 1) + name("units") + struct.pack(">II", 2, len(unit)) + unit + bytes(-len(unit) % 4)
    place = len(head) + len(body) + 12
    body += struct.pack(">III", kind, record if vsize is None else vsize, place if begin is None else begin)
    values = b"".join(struct.pack(">i", one) for one in range(6))
    return head + body + values


def classic_files():
    write = lambda file, data: (FOLDER / file).write_bytes(data)
    data = classic()
    write("classic.nc", data)
    write("classic-cut.nc", data[:-5])
    write("classic-header-cut.nc", data[:60])
    write("classic-version.nc", classic(version=7))
    write("classic-records.nc", classic(records=1_000_000))
    write("classic-records-few.nc", classic(records=1))
    write("classic-type.nc", classic(kind=99))
    write("classic-dimension.nc", classic(rank_ids=(0, 9)))
    write("classic-two-unlimited.nc", classic(dimensions=[("time", 0), ("x", 0)]))
    write("classic-unlimited-second.nc", classic(rank_ids=(1, 0)))
    write("classic-name-slash.nc", classic(variable="a/b"))
    write("classic-name-empty.nc", classic(variable=""))
    write("classic-name-twice.nc", classic(dimensions=[("x", 0), ("x", 3)]))
    write("classic-vsize.nc", classic(vsize=400))
    write("classic-begin.nc", classic(begin=8))
    write("classic-begin-beyond.nc", classic(begin=1 << 30))
    write("classic-length.nc", classic(dimensions=[("time", 0), ("x", 0x7FFFFFFF)]))
    write("classic-list.nc", data.replace(struct.pack(">II", 10, 2), struct.pack(">II", 13, 2)))
    write("classic-count.nc", data.replace(struct.pack(">II", 10, 2), struct.pack(">II", 10, 0x7FFFFFFF)))
    write("classic-name-length.nc", data.replace(name("time"), struct.pack(">I", 0xFFFFFFF0) + b"time"))
    write("classic-padding.nc", data.replace(b"x\0\0\0", b"x\0\0\1", 1))


def cache_image():
    """A file that holds its structures in an image of HDF5's metadata cache, where HDF5 alone looks for them."""
    class Config(ctypes.Structure):
        _fields_ = [("version", ctypes.c_int), ("is_written", ctypes.c_bool), ("sizes", ctypes.c_bool), ("age", ctypes.c_int)]

    # h5py does not offer it.
    (library,) = (Path(h5py.__file__).parent.parent / "h5py.libs").glob("libhdf5-*.so*")
    set_config = ctypes.CDLL(str(library)).H5Pset_mdc_image_config
    set_config.argtypes = [ctypes.c_int64, ctypes.c_void_p]
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_V110, h5py.h5f.LIBVER_V110)
    set_config(access.id, ctypes.byref(Config(1, True, False, -1)))
    name = str(FOLDER / "new-cache-image.nc").encode()
    with h5py.File(h5py.h5f.create(name, h5py.h5f.ACC_TRUNC, fapl=access)) as file:
        file["tas"] = numpy.arange(6)


old_files()
chunked_files()
new_files()
classic_files()
cache_image()
