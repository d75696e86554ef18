"""Reads files with HDF5 (h5py) and netCDF-C (netCDF4-python), each in a process of its own, as these crash on some.

usage: library_values.py FOLDER
Prints {"name": null or {"variables": {path: {"shape", "values", "attributes"}}, "groups": {path: attributes}, "dimensions": {path: names} or null}}.
`values` is a digest of the values as little-endian bytes, or of texts without padding; null for what is not compared.
"""

import hashlib
import json
import math
import os
import resource
import signal
import sys
import warnings

import h5py
import netCDF4
import numpy as np

warnings.simplefilter("ignore")
MOST_BYTES = 64 << 20
# Files that are read in one process, and the seconds of its processor for each.
TOGETHER = 20
LONGEST = 1
HIDDEN = ["CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_Netcdf4Coordinates", "_Netcdf4Dimid", "_nc3_strict", "_NCProperties"]


def text(value):
    raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "replace").rstrip("\0 ")


def digest(array):
    array = np.asarray(array)
    if array.dtype.kind in "iufcbV" and array.dtype.names is None or array.dtype == "S1":
        raw = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    elif array.dtype.kind in "SO":
        raw = "\1".join(text(one) for one in array.ravel().tolist()).encode()
    else:
        return None
    return hashlib.sha1(raw).hexdigest()


def number(value):
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return float(value)


def attribute(value):
    """A text or a list of numbers; None for what is not compared."""
    if isinstance(value, (str, bytes)):
        raw = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
        return raw.decode("ascii").rstrip("\0 ") if all(0 < byte < 128 for byte in raw.rstrip(b"\0")) else None
    array = np.asarray(value)
    if array.ndim > 1 or array.dtype.kind not in "iuf" or array.dtype.itemsize > 8 or array.size == 0:
        return None
    return [number(one) for one in np.atleast_1d(array)]


def attributes(names, get):
    found = {}
    for name in names:
        if name in HIDDEN:
            continue
        try:
            value = attribute(get(name))
        except Exception:
            continue
        if value is not None:
            found[name] = value
    return found


def of_hdf5(attrs, name):
    """The value of an attribute; None for a sequence of variable length that is no text, as JSON has no such type."""
    kind = attrs.get_id(name).get_type()
    return None if isinstance(kind, h5py.h5t.TypeVlenID) else attrs[name]


def listed(names):
    """Names as far as HDF5 lists them."""
    try:
        return list(names)
    except Exception:
        return []


def walk_hdf5(group, prefix, above, out):
    out["groups"][prefix[:-1]] = attributes(listed(group.attrs), lambda name: of_hdf5(group.attrs, name))
    for name in listed(group):
        try:
            link = group.get(name, getlink=True)
            member = group[name]
            address = h5py.h5o.get_info(member.id).addr
        except Exception:
            continue
        path = prefix + name
        if isinstance(member, h5py.Group):
            if isinstance(link, h5py.HardLink) and address not in above and len(above) < 20:
                walk_hdf5(member, path + "/", above | {address}, out)
        elif isinstance(member, h5py.Dataset):
            try:
                if member.shape is None or member.size * member.dtype.itemsize > MOST_BYTES:
                    continue
                if h5py.h5ds.is_scale(member.id) and h5py.h5ds.get_scale_name(member.id).startswith(b"This is a netCDF dim"):
                    continue
                values = digest(member[()])
                shape = list(member.shape)
            except Exception:
                continue
            own = attributes(listed(member.attrs), lambda name: of_hdf5(member.attrs, name))
            out["variables"][path] = {"shape": shape, "values": values, "attributes": own}


def walk_netcdf(group, prefix, out, has_values):
    if has_values:
        out["groups"][prefix[:-1]] = attributes(group.ncattrs(), group.getncattr)
    for name, variable in group.variables.items():
        path = prefix + name
        out["dimensions"][path] = list(variable.dimensions)
        if not has_values:
            continue
        variable.set_auto_maskandscale(False)
        variable.set_always_mask(False)
        variable.set_auto_chartostring(False)
        if variable.size * variable.dtype.itemsize > MOST_BYTES:
            continue
        values = digest(variable[...])
        own = attributes(variable.ncattrs(), variable.getncattr)
        out["variables"][path] = {"shape": list(variable.shape), "values": values, "attributes": own}
    for name, child in group.groups.items():
        walk_netcdf(child, prefix + name + "/", out, has_values)


def hdf5_of(path):
    out = {"variables": {}, "groups": {}, "dimensions": None}
    with h5py.File(path, "r") as file:
        walk_hdf5(file, "", {h5py.h5o.get_info(file["/"].id).addr}, out)
    return out


def netcdf_of(path, has_values):
    out = {"variables": {}, "groups": {}, "dimensions": {}}
    with netCDF4.Dataset(path) as file:
        walk_netcdf(file, "", out, has_values)
    return out


def netcdf_values(path):
    return netcdf_of(path, True)


def netcdf_names(path):
    return netcdf_of(path, False)


def apart(read, paths):
    """What a function gives of each path in a process of its own, up to the one that ends it: None where it fails."""
    end, begin = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(begin, "w") as out:
            for path in paths:
                signal.setitimer(signal.ITIMER_PROF, LONGEST)
                try:
                    found = read(path)
                except BaseException:
                    found = None
                signal.setitimer(signal.ITIMER_PROF, 0)
                print(json.dumps(found), file=out, flush=True)
        os._exit(0)
    os.close(begin)
    with os.fdopen(end) as got:
        lines = got.read().splitlines()
    os.waitpid(child, 0)
    return [json.loads(line) for line in lines]


def each(read, paths):
    """What a function gives of each path. A process costs more than a small file, so it reads some."""
    found = []
    while len(found) < len(paths):
        some = paths[len(found) : len(found) + TOGETHER]
        done = apart(read, some)
        found += done if len(done) == len(some) else [*done, None]
    return found


def is_classic(path):
    with open(path, "rb") as file:
        return file.read(3) == b"CDF"


names = sorted(os.listdir(sys.argv[1]))
paths = [os.path.join(sys.argv[1], name) for name in names]
classic = [path for path in paths if is_classic(path)]
others = [path for path in paths if path not in set(classic)]
result = dict(zip(classic, each(netcdf_values, classic)))
result |= zip(others, each(hdf5_of, others))
read = [path for path in others if result[path]]
for path, named in zip(read, each(netcdf_names, read)):
    if named:
        result[path]["dimensions"] = named["dimensions"]
print(json.dumps({name: result[path] for name, path in zip(names, paths)}))
