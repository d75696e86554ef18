"""Makes curvilinear grids of 100..149 E, 30..59 N, with fill values that may not be declared: boxes.py FOLDER"""

import sys

import netCDF4
import numpy as np

FOLDER = sys.argv[1]
FILLS = {"minus_999": -999.0, "minus_9999": -9999.0, "999": 999.0, "1e20": 1e20, "1e30": 1e30, "9.97e36": 9.969209968386869e36, "nan": np.nan}


def write(name, lat, lon, declared=None, chunks=(None, None)):
    with netCDF4.Dataset(f"{FOLDER}/{name}.nc", "w") as file:
        file.createDimension("time", None)
        file.createDimension("j", 30)
        file.createDimension("i", 50)
        time = file.createVariable("time", "f8", ("time",))
        time.units = "days since 2000-01-01"
        time[:] = [0, 31]
        for name, values, units, chunk in (("lat", lat, "degrees_north", chunks[0]), ("lon", lon, "degrees_east", chunks[1])):
            one = file.createVariable(name, "f8", ("j", "i"), fill_value=declared, chunksizes=chunk)
            one.units = units
            one[:] = values
        data = file.createVariable("tos", "f4", ("time", "j", "i"))
        data.units = "K"
        data.coordinates = "lat lon"
        data[:] = 0


def grid():
    lon, lat = np.meshgrid(np.arange(100, 150.0), np.arange(30.0, 60))
    return lat, lon


for name, fill in FILLS.items():
    lat, lon = grid()
    lat[:5, :5] = lon[:5, :5] = fill
    write(f"both_{name}", lat, lon)
    # The other half of the point is a number like any other.
    lat, lon = grid()
    lat[0, 0], lon[0, 0] = fill, 7
    write(f"latitude_{name}", lat, lon)
    lat, lon = grid()
    lat[0, 0], lon[0, 0] = -80, fill
    write(f"longitude_{name}", lat, lon)
lat, lon = grid()
lat[3:8, 20:30], lon[3:8, 20:30] = -5, 1e5
write("chunks", lat, lon, chunks=((7, 11), (30, 13)))
lat, lon = grid()
lat[:2, :], lon[:2, :] = 17, -77
write("declared", lat, np.where(lat == 17, 360, lon), declared=17.0)
write("turned", *(grid()[0], grid()[1] + 360))
