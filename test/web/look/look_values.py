"""What xarray and cftime say of the files of look_files.py, as JSON: look_values.py FOLDER SEED"""

import base64
import json
import os
import random
import sys

import cftime
import numpy as np
import xarray as xr

FOLDER, SEED = sys.argv[1], int(sys.argv[2])
random.seed(SEED)
# Of each variable: how it is drawn, its dimensions from top to bottom and from left to right, its longitudes and latitudes.
KINDS = {
    ("regular.nc", "tas"): ("regular", "lat", "lon", "lon", "lat"),
    ("rotated.nc", "pr"): ("curvilinear", "rlat", "rlon", "lon", "lat"),
    ("curvilinear.nc", "thetao"): ("curvilinear", "j", "i", "nav_lon", "nav_lat"),
    ("unstructured.nc", "ua"): ("points", None, "ncells", "clon", "clat"),
    ("packed.nc", "t2m"): ("regular", "lat", "lon", "lon", "lat"),
    ("longitudes360.nc", "psl"): ("regular", "lat", "lon", "lon", "lat"),
    ("descending.nc", "ta"): ("regular", "lat", "lon", "lon", "lat"),
    ("days360.nc", "tas"): ("regular", "lat", "lon", "lon", "lat"),
    ("version3.zarr", "tos"): ("regular", "lat", "lon", "lon", "lat"),
    ("big_chunks.nc", "orog"): ("regular", "lat", "lon", "lon", "lat"),
}
TRIES = 3


def text(values, type):
    return base64.b64encode(np.ascontiguousarray(values, type).tobytes()).decode()


def sampled(values):
    """As the service samples a slice for the page: the nearest to the middle of each share."""
    for axis, length in enumerate(values.shape):
        if values.ndim == 2 and length > 1024:
            values = values.take([int((i + 0.5) * length / 1024) for i in range(1024)], axis)
    return values


found = []
for (name, variable), (kind, y, x, longitude, latitude) in KINDS.items():
    path = os.path.join(FOLDER, name)
    data = xr.open_dataset(path, decode_times=False, engine="zarr" if name.endswith("zarr") else "netcdf4")
    array = data[variable]
    drawn = [each for each in (y, x) if each is not None]
    others = [each for each in array.dims if each not in drawn]
    time = data["time"]
    factor = 180 / np.pi if kind == "points" else 1
    fields = []
    for _ in range(TRIES):
        indexes = {each: random.randrange(array.sizes[each]) for each in others}
        whole = array.isel(indexes).transpose(*drawn).values
        values = sampled(whole) if name == "big_chunks.nc" else whole
        fields.append({"indexes": indexes, "values": text(values, "f4"), "shape": list(values.shape),
                       "percentiles": np.nanpercentile(values.astype("f4"), [0, 2, 50, 98, 100]).tolist()})
    cell = {each: random.randrange(array.sizes[each]) for each in array.dims if each != "time"}
    found.append({
        "file": name, "variable": variable, "kind": kind, "drawn": drawn, "units": array.attrs["units"],
        "longitudes": text(data[longitude].values * factor, "f8"), "latitudes": text(data[latitude].values * factor, "f8"),
        "dates": [each.isoformat() for each in cftime.num2date(time.values, time.attrs["units"], time.attrs["calendar"], only_use_cftime_datetimes=True)],
        "fields": fields,
        "series": {"indexes": cell, "values": text(array.isel(cell).values, "f4")},
    })
print(json.dumps(found))
