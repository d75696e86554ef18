"""How files are opened for the comparisons: xarray's reading of the file itself is the reference."""

import sys
import warnings

import hdf5plugin  # noqa: F401  (filters for h5py)
import netCDF4
import xarray as xr
import zarr

warnings.simplefilter("ignore")
# Of longer variables the end is compared.
LARGE = 2**28
END = 12


def below(group, prefix, found):
    for name, child in group.groups():
        found.append(prefix + name)
        below(child, prefix + name + "/", found)


def groups(path, engine):
    """None for the root, and the paths of all other groups where the engine knows groups."""
    found = [None]
    if engine == "zarr":
        below(zarr.open_group(path, mode="r"), "", found)
    if engine != "netcdf4":
        return found

    def walk(group, prefix):
        for name, child in group.groups.items():
            found.append(prefix + name)
            walk(child, prefix + name + "/")

    try:
        with netCDF4.Dataset(path) as file:
            walk(file, "")
    except (AttributeError, OSError) as error:
        print(f"netCDF4 cannot open {path}: {error}", file=sys.stderr)
    return found


def reference(path, engine, group=None, **keywords):
    """What xarray reads from the path."""
    if engine == "zarr":
        return xr.open_zarr(path, group=group, chunks=None, **keywords)
    return xr.open_dataset(path, group=group, engine=engine, **keywords)


def is_text(values):
    return values.dtype.kind in "UTO"
