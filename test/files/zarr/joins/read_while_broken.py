"""Reads joined stores by xarray while one of their files is removed, cut or replaced.

Reads lines "address<TAB>folder<TAB>file<TAB>fault<TAB>seed" on its standard input, and prints a line of JSON for each: [] if each
reading gave the values that were stored, or raised, and the last one raised.
"""
import json, os, random, shutil, sys, threading
import netCDF4 as nc, numpy as np, xarray as xr


def stored(folder):
    parts = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".nc"): continue
        with nc.Dataset(os.path.join(folder, name)) as d: parts.append(np.ma.filled(d["tas"][:].astype("f8"), np.nan))
    return np.concatenate(parts)


def spoil(folder, name, fault, chance):
    path = os.path.join(folder, name)
    if fault == "removed": os.remove(path)
    elif fault == "cut": os.truncate(path, chance.randrange(0, os.path.getsize(path)))
    else:
        # Other values in the same form, as when a version is published again.
        shutil.copy(os.path.join(folder, "part0.nc"), path + ".new"); os.replace(path + ".new", path)


def attempt(address, folder, name, fault, seed):
    told, chance = [], random.Random(seed)
    want = stored(folder)
    data = xr.open_zarr(address, chunks=None, decode_times=False).tas
    raised, read = 0, 0
    timer = threading.Timer(chance.uniform(0, .03), spoil, (folder, name, fault, chance))
    timer.start()
    for _ in range(3):
        for step in range(len(want)):
            try: got = data[step].values
            except Exception: raised += 1; continue
            read += 1
            if not np.array_equal(got.astype("f8"), want[step], equal_nan=True): told.append(f"step {step}: {int(np.isnan(got).sum())} missing values")
    timer.join()
    try: data.values; told.append("the last reading did not raise")
    except Exception: raised += 1
    try: xr.open_zarr(address, chunks=None, decode_times=False); told.append("the store opens again")
    except Exception: pass
    return told


for line in sys.stdin:
    address, folder, name, fault, seed = line.rstrip("\n").split("\t")
    print(json.dumps(attempt(address, folder, name, fault, seed)), flush=True)
