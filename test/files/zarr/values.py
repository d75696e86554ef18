"""Writes down what xarray reads from files, for clients that are not Python.

usage: values.py FILES.json, which is [{"file": path, "engine": name}, ...].
Prints a JSON list, for each file of {group: {"attributes": ..., "variables": {name: {...}}}}: each variable's
dimensions, shape, type, attributes and the SHA-256 of its values, row by row and little-endian, texts joined by NUL.
"""

import hashlib
import json
import sys

import numpy as np
from opening import END, LARGE, groups, is_text, reference


def attribute(value):
    """An attribute, its numbers as text: JSON has neither all digits nor NaN."""
    values = np.asarray(value)
    if values.dtype.kind in "OUS":
        texts = [item.decode("latin-1") if isinstance(item, bytes) else str(item) for item in values.ravel().tolist()]
        return {"kind": "text", "isOne": values.ndim == 0, "values": texts}
    kind = {"f": "float", "i": "integer", "u": "integer", "b": "integer"}.get(values.dtype.kind, "other")
    return {"kind": kind, "isOne": values.ndim == 0, "values": [str(item) for item in values.ravel().tolist()]}


def digest(values):
    if is_text(values):
        texts = [item.decode() if isinstance(item, bytes) else str(item) for item in values.ravel().tolist()]
        return hashlib.sha256("\0".join(texts).encode()).hexdigest()
    little = values.astype(values.dtype.newbyteorder("<"))
    return hashlib.sha256(np.ascontiguousarray(little).tobytes()).hexdigest()


def describe(variable):
    is_whole = variable.nbytes <= LARGE
    values = (variable if is_whole else variable[-END:]).values
    return {
        "dimensions": list(variable.dims),
        "shape": list(variable.shape),
        "type": "text" if is_text(values) else values.dtype.newbyteorder("=").name,
        "attributes": {name: attribute(value) for name, value in variable.attrs.items()},
        "from": 0 if is_whole else variable.shape[0] - END,
        "sha256": digest(values),
    }


def read(file, engine):
    found = {}
    for group in groups(file, engine):
        dataset = reference(file, engine, group, decode_cf=False)
        found[group or ""] = {
            "attributes": {name: attribute(value) for name, value in dataset.attrs.items()},
            "variables": {name: describe(variable) for name, variable in dataset.variables.items()},
        }
    return found


with open(sys.argv[1], encoding="utf-8") as list_:
    print(json.dumps([read(**item) for item in json.load(list_)]))
