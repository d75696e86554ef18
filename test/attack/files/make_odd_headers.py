"""Writes files whose headers are meant to harm, into the folder given."""

import os
import sys

import h5py
import netCDF4
import numpy as np

FOLDER = sys.argv[1]
COUNT = int(sys.argv[2])
os.makedirs(FOLDER)

HOSTILE = {
    "controls": "a\x1b]0;title\x07\x1b[2J\r\n/etc/passwd: refused: b\x00c",
    "lines": "a\u2028b\u0085c\u202ed\nindexed: everything",
    "expression": "${jndi:ldap://127.0.0.1/a}{!func}1 OR *:* `id` $(id)",
    "query": '*") OR user:* OR ("',
    "json": '"},{"file":"/forged.nc","user":"admin"},{"x":"',
    "long": "x" * 10_000_000,
    "script": "<script>alert(1)</script>",
    "empty": " ",
}
CLAIMS = {
    "user": "admin",
    "owner": "admin",
    "retracted": "false",
    "dataset": "official",
    "file": "/forged.nc",
    "uri": "file:///forged.nc",
    "fs_type": "hsm",
    "size": "1",
    "checksum": "sha256:00",
    "inode": "1",
    "_version_": "-1",
    "time_start": "1000-01-01T00:00:00Z",
    "__proto__": "x",
    "constructor": "x",
    "toString": "x",
}


def write(name, **attributes):
    with netCDF4.Dataset(os.path.join(FOLDER, name), "w") as file:
        for key, value in attributes.items():
            file.setncattr(key, value)
        file.createDimension("time", 2)
        time = file.createVariable("time", "f8", ("time",))
        time.setncatts({"units": "days since 2000-01-01"})
        time[:] = [0, 31]
        data = file.createVariable("tas", "f4", ("time",))
        data.setncatts({"units": "K"})


for name, text in HOSTILE.items():
    text = text.replace("\x00", "") if name == "controls" else text
    write(f"{name}.nc", **{key: text for key in ("source_id", "experiment_id", "license", "frequency", "version")})
write("claims.nc", source_id="CLAIM-1", frequency="mon", **CLAIMS)
with h5py.File(os.path.join(FOLDER, "variables.h5"), "w") as file:
    file.attrs["source_id"] = "NAMES-1"
    for name in ("line\nbreak", "\x1b[31mred", "\u202ereversed", "a" * 40_000, "${id}", "*"):
        file[name] = np.arange(3)
with h5py.File(os.path.join(FOLDER, "many.h5"), "w", libver="latest") as file:
    for i in range(COUNT):
        file.create_dataset(f"v{i}", (1,), "f4")
# It takes all the time that a file may take: for a test of its own.
os.makedirs(os.path.join(FOLDER, "..", "times"))
with netCDF4.Dataset(os.path.join(FOLDER, "..", "times", "times.nc"), "w") as file:
    file.frequency = "day"
    file.createDimension("obs", 10**11)
    time = file.createVariable("time", "f8", ("obs",), chunksizes=(10**6,))
    time.setncatts({"units": "seconds since 2000-01-01", "standard_name": "time"})
    file.createVariable("tas", "f4", ("obs",), chunksizes=(10**6,)).setncatts({"units": "K", "coordinates": "time"})
with netCDF4.Dataset(os.path.join(FOLDER, "long_axis.nc"), "w") as file:
    file.frequency = "day"
    file.createDimension("time", 10**8)
    time = file.createVariable("time", "f8", ("time",), chunksizes=(10**5,))
    time.units = "seconds since 2000-01-01"
    file.createVariable("tas", "f4", ("time",), chunksizes=(10**6,)).units = "K"
    time[: 10**5] = np.arange(10**5)
    time[10**8 - 10**5 :] = np.arange(10**8 - 10**5, 10**8)
