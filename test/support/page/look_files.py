"""Writes the ten files of a first look, one of each kind that maps draw differently, into the folder given.

`look-files.ts` runs it (makeLookFiles) and names the variable to look at in each of them.
"""
import os
import sys

import netCDF4 as nc
import numpy as np
import xarray as xr

FOLDER = sys.argv[1]
rng = np.random.default_rng(17)


def create(name):
    os.makedirs(FOLDER, exist_ok=True)
    file = nc.Dataset(os.path.join(FOLDER, name), "w")
    file.Conventions = "CF-1.8"
    file.set_auto_maskandscale(False)
    return file


def variable(file, name, type, dimensions, values, **attributes):
    options = {key: attributes.pop(key) for key in ("fill_value", "chunksizes", "zlib", "endian") if key in attributes}
    made = file.createVariable(name, type, dimensions, **options)
    made.set_auto_maskandscale(False)
    made.setncatts(attributes)
    made[...] = values
    return made


def time(file, count, units="days since 2000-01-01", calendar="standard", step=30.5):
    file.createDimension("time", None)
    variable(file, "time", "f8", ("time",), np.arange(count) * step + 15.25, units=units, calendar=calendar, axis="T", standard_name="time")


def axis(file, name, values, **attributes):
    file.createDimension(name, len(values))
    variable(file, name, "f8", (name,), values, **attributes)


def latitude(file, values):
    axis(file, "lat", values, units="degrees_north", standard_name="latitude")


def longitude(file, values):
    axis(file, "lon", values, units="degrees_east", standard_name="longitude")


def warmth(latitudes, longitudes, count):
    """Values that tell where they lie: warm at the equator, warmest at 90 E."""
    base = 250 + 50 * np.cos(np.radians(latitudes)) + 10 * np.sin(np.radians(longitudes))
    steps = np.arange(count).reshape(-1, *[1] * base.ndim)
    return (base + 5 * np.sin(2 * np.pi * steps / 12) + rng.normal(0, 0.1, (count, *base.shape))).astype("f4")


def regular():
    file = create("regular.nc")
    time(file, 12, calendar="noleap")
    lat, lon = np.linspace(-89.5, 89.5, 180), np.arange(360) - 179.5
    latitude(file, lat)
    longitude(file, lon)
    values = warmth(lat[:, None], lon[None], 12)
    values[:, :8] = 1e20
    variable(file, "tas", "f4", ("time", "lat", "lon"), values, fill_value=np.float32(1e20), zlib=True,
             chunksizes=(1, 180, 360), units="K", standard_name="air_temperature", long_name="<img src=x onerror=alert(1)>")
    file.close()


def rotated():
    file = create("rotated.nc")
    time(file, 4)
    axis(file, "rlat", np.linspace(-20, 20, 81), units="degrees", standard_name="grid_latitude")
    axis(file, "rlon", np.linspace(-25, 15, 101), units="degrees", standard_name="grid_longitude")
    x, y = np.radians(file["rlon"][:][None]), np.radians(file["rlat"][:][:, None])
    pole = np.radians(39.25)
    lat = np.degrees(np.arcsin(np.sin(pole) * np.sin(y) + np.cos(pole) * np.cos(y) * np.cos(x)))
    lon = 18 + np.degrees(np.arctan2(np.cos(y) * np.sin(x), np.sin(pole) * np.cos(y) * np.cos(x) - np.cos(pole) * np.sin(y)))
    variable(file, "lat", "f8", ("rlat", "rlon"), lat, units="degrees_north", standard_name="latitude")
    variable(file, "lon", "f8", ("rlat", "rlon"), lon, units="degrees_east", standard_name="longitude")
    variable(file, "rotated_pole", "i4", (), 0, grid_mapping_name="rotated_latitude_longitude",
             grid_north_pole_latitude=39.25, grid_north_pole_longitude=-162.0)
    variable(file, "pr", "f4", ("time", "rlat", "rlon"), warmth(lat, lon, 4), zlib=True, units="kg m-2 s-1",
             coordinates="lon lat", grid_mapping="rotated_pole")
    file.close()


def curvilinear():
    file = create("curvilinear.nc")
    time(file, 3, units="hours since 1850-01-01", step=720.0)
    file.createDimension("j", 90)
    file.createDimension("i", 120)
    axis(file, "lev", [5.0, 15.0, 30.0], units="m", positive="down", standard_name="depth")
    j, i = np.mgrid[0:90, 0:120]
    lat, lon = -80 + j * 1.85 + 2 * np.sin(i / 20), 73 + i * 3.0 + j / 10
    variable(file, "nav_lat", "f4", ("j", "i"), lat, units="degrees_north")
    variable(file, "nav_lon", "f4", ("j", "i"), lon, units="degrees_east")
    values = np.stack([warmth(lat, lon, 3) - 10 * level for level in range(3)], 1)
    values[..., 30:50, 40:60] = -999
    variable(file, "thetao", "f4", ("time", "lev", "j", "i"), values, fill_value=np.float32(-999), units="degC",
             coordinates="nav_lat nav_lon", chunksizes=(1, 1, 45, 60), zlib=True)
    file.close()


def unstructured():
    file = create("unstructured.nc")
    time(file, 3, units="minutes since 2020-01-20", calendar="proleptic_gregorian", step=30.0)
    file.createDimension("ncells", 5120)
    axis(file, "height", [10.0, 100.5], units="m", positive="up", axis="Z")
    number = np.arange(5120) + 0.5
    lat, lon = np.arcsin(1 - 2 * number / 5120), np.mod(np.pi * (1 + 5**0.5) * number, 2 * np.pi) - np.pi
    variable(file, "clat", "f8", ("ncells",), lat, units="radian", standard_name="latitude")
    variable(file, "clon", "f8", ("ncells",), lon, units="radian", standard_name="longitude")
    values = np.repeat(warmth(np.degrees(lat), np.degrees(lon), 3)[:, None], 2, 1)
    values[:, 1] += 1
    variable(file, "ua", "f4", ("time", "height", "ncells"), values, zlib=True, units="m s-1",
             coordinates="clat clon", CDI_grid_type="unstructured")
    file.close()


def packed():
    file = create("packed.nc")
    time(file, 5)
    lat, lon = np.linspace(-88, 88, 45), np.arange(0, 360, 4.0) - 180
    latitude(file, lat)
    longitude(file, lon)
    values = np.round((warmth(lat[:, None], lon[None], 5) - 273.15) / 0.01).astype("i2")
    values[:, 10:20, 30:40] = -32767
    values[:, 25:30, 50:60] = -32766
    variable(file, "t2m", "i2", ("time", "lat", "lon"), values, fill_value=np.int16(-32767), missing_value=np.int16(-32766),
             scale_factor=0.01, add_offset=273.15, valid_range=np.array([-6000, 3000], "i2"), units="K", zlib=True)
    file.close()


def longitudes360():
    file = create("longitudes360.nc")
    time(file, 3)
    lat, lon = np.linspace(-87.5, 87.5, 36), np.arange(0, 360, 2.5)
    latitude(file, lat)
    longitude(file, lon)
    variable(file, "psl", "f8", ("time", "lat", "lon"), warmth(lat[:, None], lon[None], 3), units="Pa")
    file.close()


def descending():
    file = create("descending.nc")
    time(file, 2)
    axis(file, "plev", [100000.0, 85000.0, 50000.0, 100.0], units="Pa", positive="down", standard_name="air_pressure")
    lat, lon = np.linspace(90, -90, 73), np.arange(0, 360, 5.0)
    latitude(file, lat)
    longitude(file, lon)
    values = np.repeat(warmth(lat[:, None], lon[None], 2)[:, None], 4, 1)
    variable(file, "ta", "f4", ("time", "plev", "lat", "lon"), values, units="K", zlib=True, endian="big")
    file.close()


def days360():
    file = create("days360.nc")
    time(file, 24, units="days since 1859-12-01", calendar="360_day", step=15.0)
    lat, lon = np.linspace(-90, 90, 37), np.arange(0, 360, 7.5)
    latitude(file, lat)
    longitude(file, lon)
    # The axes the other way round, too.
    values = warmth(lat[:, None], lon[None], 24).transpose(0, 2, 1)
    variable(file, "tas", "f4", ("time", "lon", "lat"), values, units="K", zlib=True)
    file.close()


def version3():
    lat, lon = np.linspace(-89, 89, 90), np.arange(0, 360, 2.0)
    values = warmth(lat[:, None], lon[None], 6)
    values[:, 40:50, 80:90] = np.nan
    data = xr.Dataset(
        {"tos": (("time", "lat", "lon"), values, {"units": "degC", "standard_name": "sea_surface_temperature"})},
        coords={
            "time": ("time", np.arange(6) * 31.0, {"units": "days since 2015-01-01", "calendar": "noleap"}),
            "lat": ("lat", lat, {"units": "degrees_north"}),
            "lon": ("lon", lon, {"units": "degrees_east"}),
        },
    )
    data.to_zarr(os.path.join(FOLDER, "version3.zarr"), zarr_format=3, mode="w", encoding={"tos": {"chunks": (2, 45, 90)}})


def big_chunks():
    file = create("big_chunks.nc")
    time(file, 2)
    lat, lon = np.linspace(-89.9, 89.9, 900), np.arange(0, 360, 0.2)
    latitude(file, lat)
    longitude(file, lon)
    variable(file, "orog", "f4", ("time", "lat", "lon"), warmth(lat[:, None], lon[None], 2), units="m", zlib=True,
             chunksizes=(2, 900, 1800))
    file.close()


for make in (regular, rotated, curvilinear, unstructured, packed, longitudes360, descending, days360, version3, big_chunks):
    make()
