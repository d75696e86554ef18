"""Compares data served as zarr with xarray.open_dataset on the file it came from.

usage: compare.py PAIRS.json, which is [{"file": path, "url": address, "engine": name or null, "version": 2, 3 or null}, ...];
instead of an address "references" may be a path, of references to the file.
Prints one JSON object: {"zarr": its version, "variables": number compared, "differences": ["file: what", ...]}.
"""

import json
import os
import sys

import numpy as np
import pandas as pd
import xarray as xr
import zarr
from fsspec.implementations.reference import LazyReferenceMapper
from opening import END, LARGE, groups, is_text, reference

# pyarrow otherwise gives NaN for a path that is null, where fastparquet, fsspec's own choice, gives None.
pd.set_option("future.infer_string", False)
MODES = {"default": {}, "raw": {"decode_cf": False}}


def same_attribute(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and a == b
    a, b = np.asarray(a), np.asarray(b)
    # In JSON an empty list is of no type.
    if a.size == 0 and b.size == 0:
        return True
    if a.shape != b.shape or (a.dtype.kind in "iu") != (b.dtype.kind in "iu"):
        return False
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc" and b.dtype.kind in "fc")


def same_text(a, b):
    # What is masked is NaN among texts.
    return a == b or (a != a and b != b)


def difference(a, b):
    """What two variables' values differ in, or None."""
    if a.dtype != b.dtype and not (is_text(a) and is_text(b)):
        return f"dtype {a.dtype} {b.dtype}"
    if a.shape != b.shape:
        return f"shape {a.shape} {b.shape}"
    if is_text(a):
        same = all(same_text(x, y) for x, y in zip(a.ravel().tolist(), b.ravel().tolist()))
    else:
        same = np.array_equal(a, b, equal_nan=a.dtype.kind in "fcMm")
    return None if same else "values"


def opened(pair, group, keywords):
    """What xarray reads from an address, or from references in a file or a folder."""
    references = pair.get("references")
    if references is None:
        source, options = pair["url"], {"zarr_format": pair.get("version")}
    else:
        fo = references
        if os.path.isdir(references):
            # The engine of Parquet that fsspec takes unless told otherwise is not installed with the tests.
            fo = LazyReferenceMapper(os.path.join(references, group or ""), engine="pyarrow")
            group = None
        source, options = "reference://", {"storage_options": {"fo": fo}}
    return xr.open_zarr(source, group=group, consolidated=True, chunks=None, **options, **keywords)


def compare(pair):
    engine = pair.get("engine") or "netcdf4"
    compared, differences = 0, set()
    for group in groups(pair["file"], engine):
        for keywords in MODES.values():
            failure = None
            note = lambda text: differences.add(f"{os.path.basename(pair['file'])}: {text}")  # noqa: E731
            ours = theirs = None
            try:
                theirs = reference(pair["file"], engine, group, **keywords)
            except Exception as error:
                failure = type(error)
            try:
                ours = opened(pair, group, keywords)
            except Exception as error:
                if theirs is not None or failure is not type(error):
                    note(f"{group or '/'} cannot be opened: {str(error)[:200]}")
                continue
            if theirs is None:
                note(f"{group or '/'} can be opened, the file cannot")
                continue
            for name in set(theirs.variables) ^ set(ours.variables):
                note(f"{name} only in {'file' if name in theirs.variables else 'zarr'}")
            if set(theirs.coords) != set(ours.coords):
                note(f"coordinates {set(theirs.coords) ^ set(ours.coords)}")
            both = [name for name in theirs.variables if name in ours.variables]
            for name, a, b in [("", theirs.attrs, ours.attrs)] + [
                (name, theirs[name].attrs, ours[name].attrs) for name in both
            ]:
                for key in set(a) | set(b):
                    if key not in a or key not in b or not same_attribute(a[key], b[key]):
                        note(f"{name}@{key} {a.get(key)!r} {b.get(key)!r}"[:200])
            for name in both:
                compared += 1
                a, b = theirs[name], ours[name]
                if a.dims != b.dims:
                    note(f"{name} dimensions {a.dims} {b.dims}")
                    continue
                if a.nbytes > LARGE:
                    a, b = a[-END:], b[-END:]
                try:
                    what = difference(a.values, b.values)
                except Exception as error:
                    what = f"cannot be read: {type(error).__name__} {str(error)[:120]}"
                if what:
                    note(f"{name} {what}")
    return compared, differences


with open(sys.argv[1], encoding="utf-8") as file:
    pairs = json.load(file)
results = [compare(pair) for pair in pairs]
print(
    json.dumps(
        {
            "zarr": zarr.__version__,
            "variables": sum(compared for compared, _ in results),
            "differences": sorted(set().union(*(found for _, found in results))),
        }
    )
)
