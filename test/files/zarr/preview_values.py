"""Holds slices that the service makes against xarray's reading of the same files.

usage: preview_values.py SETTINGS, JSON of {"address": below which slices are, "token", "seed", "tries": of each variable,
"files": [{"path", "engine", "id"}, ...]}. Prints JSON: {"compared": number, "differences": ["file variable query: what", ...]}.
"""

import io
import json
import os
import random
import sys
import urllib.error
import urllib.parse
import urllib.request
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from opening import groups, reference

warnings.simplefilter("ignore")
SETTINGS = json.loads(sys.argv[1])
random.seed(SETTINGS["seed"])


def ask(store, variable, query):
    path = "/".join(urllib.parse.quote(part, safe="") for part in variable.split("/"))
    address = f"{SETTINGS['address']}/{store}.zarr/{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {SETTINGS['token']}"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return np.load(io.BytesIO(answer.read()))
    except urllib.error.HTTPError as error:
        return f"{error.code} {error.read().decode()[:300]}"


def sampled(values, axis, most):
    length = values.shape[axis]
    if length <= most:
        return values
    return values.take([int((i + 0.5) * length / most) for i in range(most)], axis)


def question(shape, corner):
    """A query, and what NumPy would be asked. @param corner 0: the first of all, 1: the last, else by chance"""
    kept = random.sample(range(len(shape)), min(len(shape), random.choice([0, 1, 1, 2, 2, 2])))
    if corner < 2:
        kept = []
    texts, keys = [], []
    for d, length in enumerate(shape):
        start = random.randrange(length) if length else 0
        stop = random.randint(start + 1, length) if length else 0
        one = [0, length - 1, start][min(corner, 2)]
        if d in kept and (random.random() < 0.5 or length == 0):
            texts.append(":")
            keys.append(slice(None))
        elif d in kept:
            texts.append(f"{start}:{stop}" if stop < length or random.random() < 0.5 else f"{start}:")
            keys.append(slice(start, stop))
        else:
            texts.append(str(one))
            keys.append(one)
    query = {"index": ",".join(texts)} if texts else {}
    if kept and random.random() < 0.5:
        query["width"] = random.randint(1, 40)
    if len(kept) == 2 and random.random() < 0.5:
        query["height"] = random.randint(1, 40)
    return query, tuple(keys)


def compare(file, name, array, query, keys):
    found = ask(file["id"], name, query)
    told = f"{os.path.basename(file['path'])} {name} {json.dumps(query)}"
    if isinstance(found, str):
        return f"{told}: {found}"
    expected = np.asarray(array.isel(dict(zip(array.dims, keys))).values)
    if expected.ndim == 2:
        expected = sampled(sampled(expected, 0, query.get("height", 1024)), 1, query.get("width", 1024))
    elif expected.ndim == 1:
        expected = sampled(expected, 0, query.get("width", 1 << 20))
    expected = expected.astype("f4")
    if found.dtype != np.dtype("<f4") or found.shape != expected.shape:
        return f"{told}: {found.dtype} {found.shape} for {expected.shape}"
    if not np.allclose(found, expected, rtol=3e-7, atol=1e-38, equal_nan=True):
        return f"{told}: values {found.ravel()[:5]} for {expected.ravel()[:5]}"
    return None


differences, work = [], []
for file in SETTINGS["files"]:
    for group in groups(file["path"], file["engine"]):
        options = {"decode_times": False, "decode_timedelta": False, "decode_coords": False}
        try:
            data = reference(file["path"], file["engine"], group, **options)
        except Exception as error:
            print(f"{file['path']} {group}: {error}", file=sys.stderr)
            continue
        for name, array in data.variables.items():
            if array.dtype.kind not in "iufb":
                continue
            path = name if group is None else f"{group}/{name}"
            for corner in range(SETTINGS["tries"]):
                if corner < 2 and 0 in array.shape:
                    continue
                query, keys = question(array.shape, corner)
                if 0 in [length for length, key in zip(array.shape, keys) if isinstance(key, int)]:
                    continue
                work.append((file, path, array, query, keys))
with ThreadPoolExecutor(6) as pool, np.errstate(all="ignore"):
    differences = [each for each in pool.map(lambda one: compare(*one), work) if each is not None]
print(json.dumps({"compared": len(work), "differences": differences}))
