"""Holds means, differences and units that a page shows against xarray: look_derived.py FOLDER < JSON, prints what differs.

The field is computed from the file by xarray in double precision, and again by the lines that the page shows.
"""

import io
import json
import os
import sys

import numpy as np
import xarray as xr
from page_lines import field_of

FOLDER = sys.argv[1]
asked = json.load(sys.stdin)
os.environ["TOKEN"] = asked["token"]
wrong = []


def drawn_dimensions(data, array):
    for x, y in (("nav_lon", "nav_lat"), ("lon", "lat")):
        if x in data and data[x].ndim == 2:
            return list(data[x].dims)
    return ["ncells"] if "ncells" in array.dims else ["lat", "lon"]


def expected(array, dimensions, kind, units):
    """In double precision; the page's indexes are those of its address, and 0 elsewhere."""
    others = [name for name in array.dims if name not in dimensions]
    # The address gives an index for the first dimension of the variable.
    first = {array.dims[0]: 1} if kind in ("minusTime", "minusMean") and array.dims[0] in others else {}
    at = {name: min(first.get(name, 0), array.sizes[name] - 1) for name in others}
    array = array.astype("f8")
    hasTime = "time" in others and array.sizes["time"] > 1
    field = array.isel(at)
    if kind == "mean" and hasTime:
        field = array.isel({name: i for name, i in at.items() if name != "time"}).mean("time")
    if kind == "minusTime" and hasTime:
        field = field - array.isel({**at, "time": 0})
    if kind == "minusMean" and hasTime:
        field = field - array.isel({name: i for name, i in at.items() if name != "time"}).mean("time")
    if kind == "units" and units == "K":
        field = field - 273.15
    if kind == "pressure" and units == "Pa":
        field = field / 100
    return field.transpose(*dimensions)


for look in asked["looks"]:
    path = os.path.join(FOLDER, look["file"])
    data = xr.open_dataset(path, decode_times=False, engine="zarr" if path.endswith("zarr") else "netcdf4")
    array = data[look["variable"]]
    dimensions = drawn_dimensions(data, array)
    field = expected(array, dimensions, look["kind"], array.attrs.get("units"))
    size = float(np.nanmax(np.abs(array.astype("f8").values)))
    near = {"rtol": 1e-5, "atol": 2e-6 * size, "equal_nan": True}
    about = [look["file"], look["kind"]]
    told = field_of(look["code"]).transpose(*dimensions).values
    if not np.allclose(told, field.values, **near):
        wrong.append([*about, "the lines give other values"])
    values = field.values.ravel()
    seen = 0
    for pixel in look["pixels"]:
        if pixel["cell"] < 0 or look["sampled"]:
            continue
        value = np.nan if pixel["value"] is None else pixel["value"]
        seen += 1
        if not np.allclose(value, values[pixel["cell"]], **near):
            wrong.append([*about, pixel, float(values[pixel["cell"]])])
    if seen < 10 and not look["sampled"]:
        wrong.append([*about, "little is seen", seen])
    has_areas = data["lat"].ndim == 1 and "ncells" not in array.dims and not look["sampled"] if "lat" in data else False
    if has_areas != (look["area"] is not None) or has_areas != (look["zonal"] is not None):
        wrong.append([*about, "means are offered where they are not known, or not where they are", look["area"]])
    if not has_areas:
        continue
    mean = float(field.weighted(np.cos(np.deg2rad(field.lat)).fillna(0)).mean())
    if not np.allclose(look["area"], mean, **near):
        wrong.append([*about, "area mean", look["area"], mean])
    rows = np.genfromtxt(io.StringIO(look["zonal"]), delimiter=",", skip_header=1)
    zonal = field.mean("lon").sortby("lat")
    if not np.allclose(rows[:, 0], zonal.lat.values, atol=1e-4) or not np.allclose(rows[:, 1], zonal.values, **near):
        wrong.append([*about, "zonal mean", rows[:3].tolist(), zonal.values[:3].tolist()])
print(json.dumps({"wrong": wrong[:10]}))
