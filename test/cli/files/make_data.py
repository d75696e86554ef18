"""Writes files of data with headers of many kinds into the folder given first."""

import os
import sys

import h5py
import netCDF4
import numcodecs
import numpy as np
import xarray as xr
import zarr

FOLDER = sys.argv[1]
os.makedirs(FOLDER, exist_ok=True)


def path(name):
    return os.path.join(FOLDER, name)


class File:
    """A file in the making; dimensions come with their variables."""

    def __init__(self, name, format="NETCDF4", **attributes):
        self.file = netCDF4.Dataset(path(name), "w", format=format)
        self.file.setncatts({"Conventions": "CF-1.11", **attributes})

    def add(self, name, values=None, dims=None, kind="f8", fill=None, **attributes):
        values = np.asarray(values if values is not None else 0.0)
        dims = (name,) * values.ndim if dims is None else tuple(dims)
        for dim, length in zip(dims, values.shape):
            if dim not in self.file.dimensions:
                self.file.createDimension(dim, length)
        variable = self.file.createVariable(name, kind, dims, fill_value=fill)
        variable.set_auto_maskandscale(False)
        variable.setncatts(attributes)
        variable[...] = values
        return self

    def time(self, values, units="days since 2000-01-01", name="time", bounds=None, **attributes):
        more = {"bounds": name + "_bnds"} if bounds is not None else {}
        self.add(name, values, standard_name="time", units=units, **more, **attributes)
        if bounds is not None:
            self.add(name + "_bnds", bounds, (name, "bnds") if np.ndim(values) else ("bnds",))
        return self

    def axes(self, lat, lon):
        self.add("lat", lat, units="degrees_north", standard_name="latitude")
        return self.add("lon", lon, units="degrees_east", standard_name="longitude")

    def data(self, *dims, name="tas", **attributes):
        shape = [len(self.file.dimensions[dim]) for dim in dims]
        return self.add(name, np.zeros(shape), dims, "f4", units="K", **attributes)

    def done(self):
        self.file.close()


def edges(values):
    return np.stack([values[:-1], values[1:]], 1)


MONTHS = np.cumsum([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])

# Times
File("bounds.nc").time(edges(MONTHS).mean(1), bounds=edges(MONTHS)).data("time").done()
File("no_bounds.nc").time(np.arange(8) / 4).data("time").done()
File("bounds_of_moments.nc").time([1.0, 2.0, 3.0], bounds=[[1, 1], [2, 2], [3, 3]]).data("time").done()
File("bounds_at_the_end.nc").time([1.0, 2.0, 3.0], bounds=[[0, 1], [1, 2], [2, 3]]).data("time").done()
File("bounds_that_are_empty.nc").time([1.0, 2.0, 3.0], bounds=np.zeros((3, 2))).data("time").done()
year = np.arange(13) * 30
File("360_day.nc").time(
    edges(year).mean(1), bounds=edges(year), calendar="360_day"
).data("time").done()
for name, values, units, calendar in (
    ("paleo.nc", np.arange(24) * 30 + 15.0, "days since -20000-01-01", "360_day"),
    ("far_future.nc", np.arange(3) * 365.0, "days since 12345-01-01", "noleap"),
    ("year_0.nc", np.arange(366.0), "days since 0000-01-01", "proleptic_gregorian"),
    ("reform.nc", np.arange(10.0), "days since 1582-10-01", "standard"),
    ("julian_leap_day.nc", np.arange(2.0), "days since 1500-02-28 12:00", "julian"),
    ("descending.nc", np.arange(10.0)[::-1], "days since 2000-01-01", "standard"),
    ("months_of_30_days.nc", np.arange(14.0), "months since 2000-01-01", "360_day"),
    ("years_before_present.nc", np.arange(0, -3000, -1000.0), "common_years since 1950-01-01", "noleap"),
    ("all_missing.nc", np.full(3, np.nan), "days since 2000-01-01", "standard"),
    ("beyond_history.nc", np.array([0, 1e12]), "days since 2000-01-01", "standard"),
):
    File(name).time(values, units=units, calendar=calendar).data("time").done()
File("february_30.nc").time([59.25, 59.75], calendar="360_day").data("time").done()
File("noleap.nc").time([58.0, 59.0, 60.0], calendar="noleap").data("time").done()
File("scalar_time.nc").time(31.0, bounds=[16.0, 47.0]).axes([1, 2], [3, 4]).data("lat", "lon").done()
File("scalar_without_bounds.nc").time(31.0).axes([1, 2], [3, 4]).data("lat", "lon").done()
File("unordered.nc").time([3.0, 1.0, 2.0]).data("time").done()
File("missing_times.nc").add(
    "time", [0.0, 9.969209968386869e36, 2.0, -1.0, np.nan], ("time",), units="days since 2000-01-01",
    missing_value=-1.0,
).data("time").done()
File("packed_time.nc").add(
    "time", [0, 1, 2], ("time",), "i2", units="hours since 2000-01-01", scale_factor=6.0, add_offset=12.0
).data("time").done()
File("integer_time.nc").add(
    "time", [0, 3600, 7200], ("time",), "i8", units="seconds since 1970-01-01"
).data("time").done()
File("climatology.nc").add(
    "time", edges(MONTHS).mean(1), ("time",), units="days since 2000-01-01", climatology="climatology_bounds",
    standard_name="time",
).add(
    "climatology_bounds", edges(MONTHS) - [[14610, 3653]], ("time", "nv")
).data("time").done()
File("bounds_with_units.nc").time([12.0, 36.0], units="hours since 2000-01-01", bounds=[[0, 1], [1, 2]]).data(
    "time"
).done()
with netCDF4.Dataset(path("bounds_with_units.nc"), "a") as file:
    file["time_bnds"].units = "days since 2000-01-01"
File("absolute.nc").time([20200115.0, 20200116.0], units="day as %Y%m%d.%f").data("time").done()
File("valid_time.nc").add(
    "time", [0.0, 1.0], units="days since 2000-01-01", standard_name="forecast_reference_time"
).add("step", [0, 6, 12, 18], units="hours", standard_name="forecast_period").add(
    "valid_time", [[0, 0.25, 0.5, 0.75], [1, 1.25, 1.5, 1.75]], ("time", "step"), standard_name="time",
    units="days since 2000-01-01",
).data("time", "step", coordinates="valid_time").done()
File("single_precision.nc").add(
    "time", np.arange(60000, 60008, 1 / 24).astype("f4"), ("time",), "f4", units="days since 1850-01-01"
).data("time").done()
File("frequency.nc", frequency="6hrPt").time([0.0, 1.0]).data("time").done()
File("frequency_in_words.nc", frequency="sampled half hourly").time([0.0, 1.0]).data("time").done()
File("resolution.nc", time_coverage_resolution="P1D").time([0.0]).data("time").done()
File("odd_steps.nc").time([0.0, 40.0, 80.0]).data("time").done()
File("months.nc").time([0.0, 1.0], units="months since 2000-01-01").data("time").done()
File("no_units.nc").add("time", [0.0, 1.0], ("time",)).data("time").done()
File("no_values.nc").add("x", [1.0], ("x",)).add("tas", np.zeros((2, 1)), ("time", "x"), units="K").done()
File("empty_time.nc").time(np.zeros(0)).data("time").done()
File("tai.nc").time([0.0, 1.0], calendar="tai").data("time").done()
File("monthly_without_time.nc", frequency="mon").axes([1, 2], [3, 4]).data("lat", "lon").done()
File("fixed.nc").axes([1, 2], [3, 4]).data("lat", "lon", name="orog").done()
with netCDF4.Dataset(path("million.nc"), "w") as file:
    file.createDimension("time", None)
    file.createDimension("nv", 2)
    variable = file.createVariable("time", "f8", ("time",), chunksizes=(1,))
    variable.setncatts({"units": "hours since 1900-01-01", "bounds": "time_bnds"})
    bounds = file.createVariable("time_bnds", "f8", ("time", "nv"), chunksizes=(1, 2))
    file.createVariable("tas", "f4", ("time",), chunksizes=(10000,)).units = "K"
    variable[:] = np.arange(300_000) + 0.5
    bounds[:] = edges(np.arange(300_001))

# Boxes
GLOBE = np.arange(-88.75, 90, 2.5)
for name, lon in (
    ("globe_360.nc", np.arange(0, 360, 2.5)),
    ("globe_180.nc", np.arange(-180, 180, 2.5)),
    ("globe_closed.nc", np.linspace(0, 360, 145)),
    ("across_greenwich.nc", np.r_[350:360:2.5, 0:20:2.5]),
    ("across_the_antimeridian.nc", np.arange(170, 200, 2.5)),
    ("south_america.nc", np.arange(280, 325, 2.5)),
):
    File(name).axes(GLOBE if name.startswith("globe") else [-10, 0, 10], lon).data("lat", "lon").done()
File("tropics.nc").axes(np.arange(-30, 31, 2.0), np.arange(0, 360, 2.0)).data("lat", "lon").done()
File("from_north.nc").axes([70.0, 60, 50], [1.0, 2, 3]).data("lat", "lon").done()
cells = File("cell_bounds.nc").axes([45.0, 46], [9.0, 10])
cells.file["lat"].bounds, cells.file["lon"].bounds = "lat_bnds", "lon_bnds"
cells.add("lat_bnds", [[44.5, 45.5], [45.5, 46.5]], ("lat", "b")).add(
    "lon_bnds", [[8.5, 9.5], [9.5, 10.5]], ("lon", "b")
).data("lat", "lon").done()
zonal = File("zonal.nc").axes(GLOBE, [180.0])
zonal.file["lon"].bounds = "lon_bnds"
zonal.add("lon_bnds", [[0.0, 360.0]], ("lon", "b")).data("lat", "lon").done()
File("station.nc").axes(np.array(52.2), np.array(14.1)).time([0.0, 1.0]).data("time", coordinates="lat lon").done()


def rotated(rlat, rlon, pole_lat, pole_lon):
    """True coordinates of a rotated grid (COSMO's formulas)."""
    rlat, rlon = np.meshgrid(np.radians(rlat), np.radians(rlon), indexing="ij")
    pole = np.radians(pole_lat)
    lat = np.arcsin(np.cos(pole) * np.cos(rlat) * np.cos(rlon) + np.sin(pole) * np.sin(rlat))
    shift = np.arctan2(
        np.cos(rlat) * np.sin(rlon),
        np.sin(pole) * np.cos(rlat) * np.cos(rlon) - np.cos(pole) * np.sin(rlat),
    )
    return np.degrees(lat), pole_lon + 180 + np.degrees(shift)


def grid(name, lat, lon, dims=("y", "x"), units=("degrees_north", "degrees_east"), names=("lat", "lon"), **more):
    file = File(name)
    for key, values, unit in zip(names, (lat, lon), units):
        file.add(key, values, dims[: values.ndim], units=unit, **more)
    return file


lat, lon = rotated(np.arange(-10, 10, 0.5), np.arange(-12, 12, 0.5), 39.25, -162.0)
print("rotated", lon.min(), lon.max(), lat.min(), lat.max())
turned = grid("rotated.nc", lat, lon, ("rlat", "rlon"))
turned.add("rlat", np.arange(-10, 10, 0.5), units="degrees", standard_name="grid_latitude", axis="Y")
turned.add("rlon", np.arange(-12, 12, 0.5), units="degrees", standard_name="grid_longitude", axis="X")
turned.add("rotated_pole", 0, (), "i4", grid_mapping_name="rotated_latitude_longitude")
turned.data("rlat", "rlon", coordinates="lat lon", grid_mapping="rotated_pole").done()
alone = File("rotated_alone.nc")
alone.add("rlat", np.arange(-10, 10, 0.5), units="degrees", standard_name="grid_latitude", axis="Y")
alone.add("rlon", np.arange(-12, 12, 0.5), units="degrees", standard_name="grid_longitude", axis="X")
alone.data("rlat", "rlon").done()
File("no_angle_units.nc").add("latitude", [1.0, 2]).add("longitude", [3.0, 4]).data("latitude", "longitude").done()
File("projected.nc").add("x", [0.0, 1e3], units="m", standard_name="projection_x_coordinate", axis="X").add(
    "y", [0.0, 1e3], units="m", standard_name="projection_y_coordinate", axis="Y"
).data("y", "x").done()

j, i = np.meshgrid(np.linspace(-78, 89, 60), np.linspace(73, 433, 90, endpoint=False), indexing="ij")
ocean = np.where((i > 200) & (j > 0) & (i < 220), 1e20, j), np.where((i > 200) & (j > 0) & (i < 220), 1e20, i)
grid("ocean.nc", *ocean, ("j", "i"), names=("nav_lat", "nav_lon"), missing_value=1e20).data(
    "j", "i", name="tos", coordinates="nav_lon nav_lat"
).done()
arctic = rotated(np.arange(-22, 22, 0.44), np.arange(-22, 22, 0.44), 0.0, 0.0)
grid("arctic.nc", *arctic).data("y", "x", coordinates="lat lon").done()
count = 5000
height = np.linspace(-1, 1, count + 2)[1:-1]
clat, clon = np.arcsin(height), (np.arange(count) * 2.399963) % (2 * np.pi) - np.pi
icon = {"dims": ("ncells",), "units": ("radian", "radian"), "names": ("clat", "clon")}
grid("icon.nc", clat, clon, **icon).data("ncells", name="ta", coordinates="clat clon").done()
near = (np.abs(clon) < 0.3) & (np.abs(clat - 0.8) < 0.2)
print("icon_region", *np.degrees([clon[near].min(), clon[near].max(), clat[near].min(), clat[near].max()]))
grid("icon_region.nc", clat[near], clon[near], **icon).data("ncells", name="ta", coordinates="clat clon").done()
moving = File("moving.nc").time([0.0, 0.25, 0.5])
for key, unit, first in (("XLAT", "degree_north", 10.0), ("XLONG", "degree_east", 175.0)):
    moving.add(key, np.arange(3)[:, None, None] * 2 + first + np.zeros((3, 2, 2)), ("time", "y", "x"), units=unit)
moving.data("time", "y", "x", coordinates="XLONG XLAT").done()

# Variables
several = File("several.nc").time(edges(MONTHS).mean(1), bounds=edges(MONTHS)).axes([1.0, 2], [3.0, 4])
several.add("height", 2.0, (), units="m", positive="up").add("crs", 0, (), "i4", grid_mapping_name="latitude_longitude")
several.add("lev", [0.5], ("lev",), formula_terms="a: hyam ps: aps").add("hyam", [0.5], ("lev",))
several.add("aps", np.zeros((12, 2, 2)), ("time", "lat", "lon"), units="Pa")
several.add("area", np.zeros((2, 2)), ("lat", "lon"), units="m2", standard_name="cell_area")
several.add("flag", np.zeros((2, 2)), ("lat", "lon"), "i1").add("date", np.arange(12), ("time",), "i4")
several.add("region", np.array([b"a", b"b"], "S1"), ("lat",), "S1")
shared = {"cell_measures": "area: area", "grid_mapping": "crs", "coordinates": "height", "ancillary_variables": "flag"}
several.data("time", "lat", "lon", **shared).data("time", "lev", "lat", "lon", name="ta", **shared).done()
cmip = File("cmip.nc", variable_id="ta", frequency="mon").time(edges(MONTHS).mean(1), bounds=edges(MONTHS))
cmip.data("time", name="ta").data("time", name="ps").done()
File("no_data.nc").axes([1.0, 2], [3.0, 4]).done()
File("area.nc").axes([1.0, 2], [3.0, 4]).data("lat", "lon", name="area", cell_measures="area: area").done()
with netCDF4.Dataset(path("groups.nc"), "w") as file:
    group = file.createGroup("PRODUCT")
    for name, units in (("time", "seconds since 2010-01-01"), ("latitude", "degrees_north"), ("longitude", "degrees_east")):
        group.createDimension(name, 3)
        group.createVariable(name, "f8", (name,)).units = units
        group[name][:] = [10, 20, 30]
    group.createVariable("ozone", "f4", ("time", "latitude", "longitude")).units = "mol m-2"
    group["time"][:] = [0, 3600, 7200]

# Formats
for format in ("NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA", "NETCDF4_CLASSIC"):
    File(format.lower() + ".nc", format).time(edges(MONTHS).mean(1), bounds=edges(MONTHS)).axes(
        [45.0, 46], [9.0, 10]
    ).data("time", "lat", "lon").done()
times = xr.date_range("2001-01-01", periods=24, freq="MS")
dataset = xr.Dataset(
    {"pr": (("time", "lat", "lon"), np.zeros((24, 3, 4), "f4"))},
    {
        "time": times,
        "lat": ("lat", [47.0, 48, 49], {"units": "degrees_north"}),
        "lon": ("lon", [359.0, 0, 1, 2], {"units": "degrees_east"}),
    },
)
dataset.to_zarr(path("v2.zarr"), zarr_format=2)
dataset.to_zarr(path("v3.zarr"), zarr_format=3, consolidated=False)
dataset.chunk(time=1).to_zarr(path("v3_small_chunks.zarr"), zarr_format=3, encoding={"time": {"chunks": (1,)}})
dataset.to_netcdf(path("h5netcdf.nc"), engine="h5netcdf")
UNITS = {"time": "days since 2000-01-01", "pr": "mm", "lat": "degrees_north", "lon": "degrees_east"}


def store(name, version, options):
    """Ten values of each variable, 1 to 10, with options of its own."""
    group = zarr.open_group(path(name), mode="w", zarr_format=version)
    for key, units in UNITS.items():
        named = {"dimension_names": ["time"]} if version == 3 else {}
        array = group.create_array(key, shape=(10,), dtype="f8", fill_value=None, **named, **options[key])
        array[:] = np.arange(1.0, 11)
        array.attrs.update({"_ARRAY_DIMENSIONS": ["time"], "units": units, "valid_min": float("nan")})


codecs = {
    "time": {"compressors": numcodecs.LZ4(), "filters": [numcodecs.Delta("f8")]},
    "pr": {"compressors": numcodecs.BZ2()},
    "lat": {"compressors": numcodecs.GZip(), "filters": [numcodecs.Shuffle(8)]},
    "lon": {"compressors": numcodecs.Zstd(), "filters": [numcodecs.Fletcher32()]},
}
store("codecs.zarr", 2, {key: {"chunks": (4,), **one} for key, one in codecs.items()})
store("unknown_codec.zarr", 2, {key: {"chunks": (4,), **codecs["pr"]} for key in UNITS})
store("damaged.zarr", 2, {key: {"chunks": (4,), **one} for key, one in codecs.items()})
with open(path("damaged.zarr/lon/1"), "r+b") as file:
    file.truncate(20)
store("shards.zarr", 3, {key: {"chunks": (2,), "shards": (6,)} for key in UNITS})
days = np.arange(400.0)
for name, times, dim in (("many_chunks", days, "time"), ("many_chunks_unordered", days * 13 % 400, "obs")):
    xr.Dataset(
        {"pr": ((dim,), days)},
        {"time": ((dim,), times, {"units": "days since 2000-01-01", "standard_name": "time"})},
    ).to_zarr(path(name + ".zarr"), zarr_format=2, encoding={"time": {"chunks": (1,)}})
with netCDF4.Dataset(path("filters.nc"), "w") as file:
    file.createDimension("time", 500)
    for name, options in (("time", {"compression": "bzip2", "fletcher32": True}), ("pr", {"compression": "zstd"})):
        file.createVariable(name, "f8", ("time",), chunksizes=(100,), **options)[:] = np.arange(500)
    file["time"].setncatts({"units": "hours since 2000-01-01", "valid_min": np.nan})
    file["pr"].units = "mm"
with h5py.File(path("big_endian.h5"), "w") as file:
    file["time"] = np.arange(24, dtype=">f4")
    file["time"].attrs["units"] = "hours since 2000-01-01"
    file["time"].make_scale("time")
    file["pr"] = np.zeros(24, ">f4")
    file["pr"].attrs["units"] = "mm"
    file["pr"].dims[0].attach_scale(file["time"])

# What is none
open(path("empty.nc"), "w").close()
with open(path("grib.nc"), "wb") as file:
    file.write(b"GRIB\x00\x00\x00\x02" + bytes(200))
with open(path("h5netcdf.nc"), "rb") as whole, open(path("cut_off.nc"), "wb") as file:
    file.write(whole.read()[:3000])
with open(path("text.nc"), "w") as file:
    file.write("netcdf text {\n}\n")
