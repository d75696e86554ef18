"""Holds pixels that a page has drawn against xarray: look_pixels.py FOLDER < JSON, prints what differs.

The lines that the page shows are run as they are (without their plot, where matplotlib is not there), and the value of each
pixel is looked up in the file by the pixel's longitude and latitude.
"""

import base64
import json
import os
import re
import sys

import numpy as np
import xarray as xr
from page_lines import PLOTS, field_of

FOLDER = sys.argv[1]
asked = json.load(sys.stdin)
table = np.frombuffer(base64.b64decode(asked["table"]), "u1").reshape(256, 3)
os.environ["TOKEN"] = asked["token"]
wrong = []


def vectors(longitude, latitude):
    a, b = np.radians(np.asarray(longitude, "f8")), np.radians(np.asarray(latitude, "f8"))
    return np.stack([np.cos(b) * np.cos(a), np.cos(b) * np.sin(a), np.sin(b)], -1)


def places(data, array):
    """Longitudes and latitudes of the cells in degrees, in the order of the drawn dimensions, and these."""
    if "clon" in data:
        return np.degrees(data["clon"].values), np.degrees(data["clat"].values), ["ncells"]
    for x, y in (("nav_lon", "nav_lat"), ("lon", "lat")):
        if x in data and data[x].ndim == 2:
            return data[x].values, data[y].values, list(data[x].dims)
    longitude, latitude = np.meshgrid(data["lon"].values, data["lat"].values)
    return longitude, latitude, ["lat", "lon"]


for look in asked["looks"]:
    path = os.path.join(FOLDER, look["file"])
    data = xr.open_dataset(path, decode_times=False, engine="zarr" if path.endswith("zarr") else "netcdf4")
    array = data[look["variable"]]
    longitude, latitude, dimensions = places(data, array)
    indexes = json.loads(re.search(r"\.isel\((\{.*\})\)", look["code"]).group(1))
    field = array.isel(indexes).transpose(*dimensions).values
    told = field_of(look["code"]).transpose(*dimensions).values
    if not np.allclose(told, field, rtol=1e-6, equal_nan=True):
        wrong.append([look["file"], "the lines give other values"])
    if look["sampled"]:
        for axis in (0, 1):
            length = field.shape[axis]
            if length > 1024:
                taken = [int((i + 0.5) * length / 1024) for i in range(1024)]
                field, longitude, latitude = (each.take(taken, axis) for each in (field, longitude, latitude))
    low, high = (float(re.search(name + r"=([-+.\de]+)", look["code"]).group(1)) for name in ("vmin", "vmax"))
    expected = np.nanpercentile(field.astype("f4"), [2, 98])
    if not np.allclose([low, high], expected, rtol=1e-6):
        wrong.append([look["file"], "range", [low, high], expected.tolist()])
    field, centres = field.ravel(), vectors(longitude, latitude).reshape(-1, 3)
    regular = len(dimensions) == 2 and data["lon"].ndim == 1 if "lon" in data else False
    outside = 0
    for pixel in look["pixels"]:
        x, y = pixel["place"]
        away = np.linalg.norm(centres - vectors(x, y), axis=-1)
        if regular:
            # As sel(method="nearest") does: each axis by itself, longitudes round the circle.
            turned = np.abs((longitude.ravel() - x + 180) % 360 - 180)
            above = np.abs(latitude.ravel() - y)
            near = np.flatnonzero((turned <= turned.min() + 1e-6) & (above <= above.min() + 1e-6))
        else:
            near = np.flatnonzero(away <= away.min() * (1 + 1e-6) + 1e-9)
        if pixel["cell"] < 0:
            outside += 1
            own = np.sort(np.linalg.norm(centres - centres[near[0]], axis=-1))[1]
            if regular or away.min() < own / 2:
                wrong.append([look["file"], pixel, "a cell is here"])
            continue
        values = field[near]
        if pixel["value"] is None:
            if not np.isnan(values).any() or pixel["drawn"][3] == 255:
                wrong.append([look["file"], pixel, values.tolist(), "is not missing"])
            continue
        fitting = values[np.isclose(values, pixel["value"], rtol=4e-7, atol=0)]
        if fitting.size == 0:
            wrong.append([look["file"], pixel, values.tolist(), "another value"])
            continue
        # Rounding may be to either side of where one colour ends.
        edges = (np.array([1 - 1e-6, 1, 1 + 1e-6]) * fitting[0] - low) / (high - low) * 256
        colours = table[np.clip(np.floor(edges), 0, 255).astype(int)].tolist()
        if pixel["drawn"][:3] not in colours or pixel["drawn"][3] != 255:
            wrong.append([look["file"], pixel, colours, "another colour"])
    if outside > len(look["pixels"]) * 0.6:
        wrong.append([look["file"], "little is drawn", outside])
print(json.dumps({"wrong": wrong[:10], "plots": PLOTS}))
