"""Reads a zarr address with xarray, variable by variable.

usage: odd_files.py ADDRESS. Prints {"attributes": ..., "variables": {name: values as lists, or the error}}.
"""

import json
import sys

import xarray as xr

dataset = xr.open_zarr(sys.argv[1], consolidated=True, chunks=None)
variables = {}
for name in dataset.variables:
    try:
        values = dataset[name].values
        variables[name] = {"dtype": str(values.dtype), "values": json.loads(json.dumps(values.ravel()[:20].tolist(), default=str))}
    except Exception as error:
        variables[name] = {"error": f"{type(error).__name__} {error}"[:200]}
print(json.dumps({"attributes": dict(dataset.attrs), "variables": variables}))
