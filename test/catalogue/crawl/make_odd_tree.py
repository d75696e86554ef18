"""Writes data that are odd, whole or damaged, into the folder given; prints what the index must say of each that is whole.

A line of JSON a file: its path in the folder, and fields of its document. Whatever is not told has to be refused.
"""

import gzip
import json
import os
import socket
import sys

import h5py
import netCDF4
import numpy as np
import xarray as xr

FOLDER = sys.argv[1]


def path(name):
    whole = os.path.join(FOLDER, name)
    os.makedirs(os.path.dirname(whole), exist_ok=True)
    return whole


def told(name, **fields):
    print(json.dumps({"file": name, "fields": fields}))


def write(name, values, units, calendar=None, bounds=None, format="NETCDF4", frequency="mon", variable="tas"):
    with netCDF4.Dataset(path(name), "w", format=format) as file:
        file.setncatts({"Conventions": "CF-1.11", "source_id": "ODD-1", **({"frequency": frequency} if frequency else {})})
        file.createDimension("time", None)
        time = file.createVariable("time", "f8", ("time",))
        time.setncatts({"units": units, "standard_name": "time", **({"calendar": calendar} if calendar else {})})
        data = file.createVariable(variable, "f4", ("time",))
        data.setncatts({"units": "K", "long_name": "Odd temperature"})
        time[:] = values
        data[:] = np.zeros(len(values))
        if bounds is not None:
            time.bounds = "time_bnds"
            file.createDimension("bnds", 2)
            file.createVariable("time_bnds", "f8", ("time", "bnds"))[:] = bounds


COMMON = {"variable": ["tas"], "units": ["K"], "long_name": ["Odd temperature"], "model": ["ODD-1"]}


def timed(name, values, units, start, end, calendar=None, **options):
    write(name, values, units, calendar, **options)
    told(name, time=f"[{start} TO {end}]", time_frequency=[options.get("frequency", "mon")], **COMMON)


# Times
MONTHS = np.arange(12) * 30.0
timed("times/paleo.nc", MONTHS, "days since -20000-01-01", "-20000-01-01T00:00:00Z", "-20000-12-01T00:00:00Z", "360_day")
timed("times/february_30.nc", [58, 59.5], "days since 2001-01-01", "2001-02-28T00:00:00Z", "2001-02-28T12:00:00Z", "360_day")
timed("times/360_day_bounds.nc", MONTHS + 15, "days since 1850-01-01", "1850-01-01T00:00:00Z", "1850-12-30T23:59:59Z",
      "360_day", bounds=np.stack([MONTHS, MONTHS + 30], 1))
timed("times/future.nc", [0, 31], "days since 12345-01-01", "+12345-01-01T00:00:00Z", "+12345-02-01T00:00:00Z", "noleap")
timed("times/year_0.nc", [59, 60], "days since 0000-01-01", "0000-02-29T00:00:00Z", "0000-03-01T00:00:00Z",
      "proleptic_gregorian")
timed("times/before_1.nc", [0, 31], "days since -0044-03-15", "-0043-03-15T00:00:00Z", "-0043-04-15T00:00:00Z", "julian")
timed("times/reform.nc", [0, 31], "days since 1582-10-01", "1582-10-01T00:00:00Z", "1582-11-11T00:00:00Z", "standard")
timed("times/julian_leap_day.nc", [0, 1], "days since 1500-02-29", "1500-02-28T00:00:00Z", "1500-03-01T00:00:00Z", "julian")
timed("times/descending.nc", [60, 31, 0], "days since 2000-01-01", "2000-01-01T00:00:00Z", "2000-03-01T00:00:00Z")
timed("times/one.nc", [15], "days since 2000-01-01", "2000-01-16T00:00:00Z", "2000-01-16T00:00:00Z")
timed("times/some_missing.nc", [0, np.nan, 60], "days since 2000-01-01", "2000-01-01T00:00:00Z", "2000-03-01T00:00:00Z")
timed("times/absolute.nc", [20000101.5, 20000201.5], "day as %Y%m%d.%f", "2000-01-01T12:00:00Z", "2000-02-01T12:00:00Z")
# What they are is known, but not when: they are in the index without a time, and it is said why.
for name, values, units in (
    ("empty", [], "days since 2000-01-01"),
    ("all_missing", [np.nan] * 3, "days since 2000-01-01"),
    ("months", [0, 1], "months since 2000-01-01"),
    ("years_of_no_length", [0, 1], "common_years since 2000-01-01"),
    ("nonsense", [0, 1], "fortnights since the flood"),
    ("beyond", [0, 1e15], "days since 2000-01-01"),
):
    write(f"times/no_{name}.nc", values, units)
    told(f"times/no_{name}.nc", time=None, time_frequency=["mon"], **COMMON)

# Formats
for format in ("NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA"):
    timed(f"formats/{format.lower()}.nc", [0, 31], "days since 2000-01-01", "2000-01-01T00:00:00Z",
          "2000-02-01T00:00:00Z", format=format)
# Who writes a stream does not know how many records there will be (netCDF classic format, "numrecs").
timed("formats/streaming.nc", [0, 31, 60], "days since 2000-01-01", "2000-01-01T00:00:00Z", "2000-03-01T00:00:00Z",
      format="NETCDF3_CLASSIC")
with open(path("formats/streaming.nc"), "r+b") as file:
    file.seek(4)
    file.write(b"\xff\xff\xff\xff")
timed("formats/sparse.nc", [0, 31], "days since 2000-01-01", "2000-01-01T00:00:00Z", "2000-02-01T00:00:00Z")
os.truncate(path("formats/sparse.nc"), 3 << 40)
with h5py.File(path("formats/plain_hdf5.h5"), "w") as file:
    file["numbers"] = np.arange(3)
told("formats/plain_hdf5.h5", variable=["numbers"])

dataset = xr.Dataset(
    {"tas": (("time",), np.zeros(2, "f4"), {"units": "K", "long_name": "Odd temperature"})},
    {"time": ("time", [0, 31], {"units": "days since 2000-01-01"})},
    {"frequency": "mon", "source_id": "ODD-1"},
)
PERIOD = "[2000-01-01T00:00:00Z TO 2000-02-01T00:00:00Z]"
for name, version, consolidated in (("v2", 2, True), ("v2_bare", 2, False), ("v3", 3, False)):
    dataset.to_zarr(path(f"stores/{name}.zarr"), zarr_format=version, consolidated=consolidated)
    told(f"stores/{name}.zarr", time=PERIOD, format="zarr", **COMMON)
dataset.to_zarr(path("stores/named_like_a_file.nc"), zarr_format=2)
told("stores/named_like_a_file.nc", time=PERIOD, format="zarr", **COMMON)
dataset.to_zarr(path("stores/in_groups.zarr"), group="a/b", zarr_format=2)
# The attributes of a group say nothing of all of the store.
told("stores/in_groups.zarr", time=PERIOD, format="zarr", variable=["tas"], units=["K"], model=None)
dataset.to_zarr(path("stores/damaged.zarr"), zarr_format=2, consolidated=False)
with open(path("stores/damaged.zarr/.zgroup"), "w") as file:
    file.write('{"zarr_format": 2')
dataset.to_zarr(path("stores/without_times.zarr"), zarr_format=2)
for name in ("0", ".zarray"):
    with open(path(f"stores/without_times.zarr/time/{name}"), "wb") as file:
        file.write(b"\x00")

# What is none, or not whole
write("broken/good.nc", [0, 31], "days since 2000-01-01")
whole = open(path("broken/good.nc"), "rb").read()
os.remove(path("broken/good.nc"))
for name, length in (("1", 1), ("8", 8), ("100", 100), ("1000", 1000), ("half", len(whole) // 2)):
    with open(path(f"broken/cut_off_{name}.nc"), "wb") as file:
        file.write(whole[:length])
write("broken/classic.nc", [0, 31], "days since 2000-01-01", format="NETCDF3_CLASSIC")
classic = open(path("broken/classic.nc"), "rb").read()
os.remove(path("broken/classic.nc"))
with open(path("broken/classic_cut_off.nc"), "wb") as file:
    file.write(classic[:60])
for name, content in (
    ("empty", b""),
    ("zeros", bytes(5000)),
    ("text", b"netcdf text {\n}\n"),
    ("page", b"<!DOCTYPE html><title>503 Service Unavailable</title>"),
    ("grib", b"GRIB\x00\x00\x00\x02" + bytes(200)),
    ("zipped", gzip.compress(whole)),
):
    with open(path(f"broken/{name}.nc"), "wb") as file:
        file.write(content)
with open(path("broken/terabytes.nc"), "wb") as file:
    file.truncate(4 << 40)

# What is no file
os.mkfifo(path("no_files/pipe.nc"))
with socket.socket(socket.AF_UNIX) as listener:
    os.chdir(os.path.join(FOLDER, "no_files"))
    listener.bind("socket.nc")
try:
    os.mknod(path("no_files/device.nc"), 0o600 | 0o020000, os.makedev(1, 3))
except PermissionError:
    os.mkfifo(path("no_files/device.nc"))
