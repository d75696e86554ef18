"""Compares data served as zarr with what netCDF-C reads of the files, or HDF5 where netCDF-C opens a file not.

usage: foreign.py PAIRS.json, which is [{"file": path, "url": address, "version": 2 or 3}, ...]; runs with zarr-python 2 and 3.
Prints one JSON object: {"zarr": its version, "files": {name: "equal", "differs", "refused" or "unread"}, "variables", "leftOut",
"differences": ["file: what", ...]}. Each file is read in a process of its own, as the libraries crash on some.
"""

import json
import os
import signal
import sys
import urllib.request
import warnings

import h5py
import hdf5plugin  # noqa: F401  (filters for h5py)
import netCDF4
import numpy as np
import zarr

warnings.simplefilter("ignore")
HIDDEN = ["CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_Netcdf4Coordinates", "_Netcdf4Dimid", "_nc3_strict", "_NCProperties"]
ZARR_3 = int(zarr.__version__.split(".")[0]) >= 3


def netcdf_of(path):
    """{path of a group: (attributes, {name: (dimensions, attributes, values or None)})}"""
    found = {}

    def walk(group, prefix):
        variables = {}
        for name, variable in group.variables.items():
            variable.set_auto_maskandscale(False)
            variable.set_always_mask(False)
            variable.set_auto_chartostring(False)
            try:
                values = np.asarray(variable[...])
            except Exception:
                values = None
            variables[name] = (list(variable.dimensions), attributes(variable.ncattrs(), variable.getncattr), values)
        found[prefix] = (attributes(group.ncattrs(), group.getncattr), variables)
        for name, child in group.groups.items():
            walk(child, prefix + name + "/")

    with netCDF4.Dataset(path) as file:
        walk(file, "")
    return found


def hdf5_of(path):
    found = {}

    def walk(group, prefix, above):
        variables = {}
        found[prefix] = ({}, variables)
        for name in group:
            link = group.get(name, getlink=True)
            member = group.get(name)
            if isinstance(member, h5py.Dataset) and member.shape is not None:
                if h5py.h5ds.is_scale(member.id) and h5py.h5ds.get_scale_name(member.id).startswith(b"This is a netCDF dim"):
                    continue
                variables[name] = (None, {}, np.asarray(member[()]))
            elif isinstance(member, h5py.Group) and isinstance(link, h5py.HardLink):
                address = h5py.h5o.get_info(member.id).addr
                if address not in above:
                    walk(member, prefix + name + "/", above | {address})

    with h5py.File(path) as file:
        walk(file, "", {h5py.h5o.get_info(file.id).addr})
    return found


def attributes(names, get):
    found = {}
    for name in names:
        try:
            found[name] = get(name)
        except Exception:
            continue
    return found


def reference(path):
    try:
        return netcdf_of(path)
    except Exception:
        return hdf5_of(path)


def text(value):
    return (value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)).rstrip("\0")


def parts(values):
    """The arrays of a structure's fields, row by row, however they are nested."""
    if values.dtype.names is None:
        return [values.reshape(values.shape[:1] + (-1,)) if values.ndim > 1 else values]
    return [part for name in values.dtype.names for part in parts(values[name])]


def flat(values):
    """The elements of a structure's numbers and texts as one list for each element of the array."""
    one = np.asarray(values).reshape(-1)
    columns = []
    for part in parts(one):
        columns += [part] if part.ndim == 1 else [part[:, i] for i in range(part.shape[1])]
    return columns


def is_same(a, b):
    if a.dtype.names is not None and b.dtype.names is not None:
        a, b = flat(a), flat(b)
        return len(a) == len(b) and all(is_same(x, y) for x, y in zip(a, b))
    if a.dtype.kind in "OUSTV" or b.dtype.kind in "OUSTV":
        return [text(one) for one in a.ravel().tolist()] == [text(one) for one in b.ravel().tolist()]
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc" and b.dtype.kind in "fc")


def same_attribute(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and text(a) == text(b)
    a, b = np.asarray(a), np.asarray(b)
    # In JSON an empty list is of no type.
    if a.size == 0 and b.size == 0:
        return True
    if a.dtype.kind in "OUST" or b.dtype.kind in "OUST":
        return a.size == b.size and [text(one) for one in a.ravel()] == [text(one) for one in b.ravel()]
    return a.size == b.size and np.array_equal(a.ravel(), b.ravel(), equal_nan=a.dtype.kind in "fc" and b.dtype.kind in "fc")


def opened(url, version):
    """The root of the data, and attributes of its groups and arrays by path, from the document that has all of them."""
    document = "zarr.json" if version == 3 else ".zmetadata"
    with urllib.request.urlopen(f"{url}/{document}") as answer:
        whole = json.load(answer)
    groups, arrays = {"": whole.get("attributes", {})}, {}
    if version == 3:
        for path, one in whole["consolidated_metadata"]["metadata"].items():
            (arrays if one["node_type"] == "array" else groups)[path] = one.get("attributes", {})
    else:
        for key, one in whole["metadata"].items():
            path, _, kind = key.rpartition("/")
            if kind == ".zattrs":
                (arrays if f"{path}/.zarray" in whole["metadata"] else groups)[path] = one
    if ZARR_3:
        return zarr.open_group(url, mode="r", zarr_format=version), groups, arrays
    return zarr.open_consolidated(url, mode="r"), groups, arrays


def dimensions_of(array, version):
    return list(array.metadata.dimension_names or []) if version == 3 else array.attrs.get("_ARRAY_DIMENSIONS")


def compare(pair):
    try:
        theirs = reference(pair["file"])
    except Exception:
        return {"state": "unread"}
    try:
        root, groups, arrays = opened(pair["url"], pair["version"])
    except Exception as error:
        return {"state": "refused", "differences": [f"refused: {str(error)[:160]}"]}
    notes, compared, left = [], 0, 0
    out_of = {path: [one.split(": ")[0] for one in attrs.get("_left_out", [])] for path, attrs in groups.items()}
    for prefix, (attrs, variables) in theirs.items():
        path = prefix.rstrip("/")
        if path not in groups:
            steps = path.split("/")
            if not any(step in out_of.get("/".join(steps[:i]), []) for i, step in enumerate(steps)):
                notes.append(f"the group {path} is missing")
            continue
        out = out_of[path]

        def check(where, wanted, got, has_fill):
            if "(attributes)" in out:
                return
            for name, value in wanted.items():
                value_ = np.asarray(value)
                if name in HIDDEN or (has_fill and name == "_FillValue") or value_.dtype.names or value_.ndim > 1:
                    continue
                if name not in got or not same_attribute(value, got[name]):
                    notes.append(f"{where}@{name} is {got.get(name)!r}, not {value!r}"[:200])

        check(path, attrs, groups[path], False)
        for name, (dimensions, attrs, values) in variables.items():
            here = f"{prefix}{name}"
            if here not in arrays:
                left += 1
                if name not in out and values is not None:
                    notes.append(f"{here} is missing and not named as left out")
                continue
            array = root[here]
            check(here, attrs, arrays[here], True)
            own = dimensions_of(array, pair["version"])
            if dimensions is not None and own != dimensions:
                notes.append(f"{here} has the dimensions {own}, not {dimensions}")
            if values is None:
                continue
            try:
                got = np.asarray(array[...])
            except Exception as error:
                notes.append(f"{here}: {type(error).__name__}: {str(error)[:100]}")
                continue
            compared += 1
            if got.shape != values.shape:
                notes.append(f"{here} has the shape {got.shape}, not {values.shape}")
            elif not is_same(got, values):
                notes.append(f"{here} has other values")
    return {"state": "differs" if notes else "equal", "differences": notes, "compared": compared, "left": left}


def apart(pair):
    """What `compare` gives, in a process of its own; "unread" if that dies: netCDF-C crashes on the file."""
    end, begin = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(120)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            found = compare(pair)
        except Exception as error:
            found = {"state": "differs", "differences": [f"{type(error).__name__}: {str(error)[:160]}"]}
        with os.fdopen(begin, "w") as out:
            json.dump(found, out)
        os._exit(0)
    os.close(begin)
    with os.fdopen(end) as got:
        answer = got.read()
    _, status = os.waitpid(child, 0)
    return json.loads(answer) if status == 0 else {"state": "unread"}


with open(sys.argv[1], encoding="utf-8") as file:
    pairs = json.load(file)
results = {os.path.basename(pair["file"]): apart(pair) for pair in pairs}
print(
    json.dumps(
        {
            "zarr": zarr.__version__,
            "files": {name: one["state"] for name, one in results.items()},
            "variables": sum(one.get("compared", 0) for one in results.values()),
            "leftOut": sum(one.get("left", 0) for one in results.values()),
            "differences": [f"{name}: {what}" for name, one in results.items() for what in one.get("differences", [])],
        }
    )
)
