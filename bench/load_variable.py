"""Times xarray loading a variable, through the service and from the file in turn.

usage: load_variable.py FILE ADDRESS AUTHORIZATION VARIABLE; prints a JSON array: the median seconds
of each, the median ratio of the pairs, and the megabytes that were loaded.
"""

import json
import statistics
import sys
import time
import warnings

import xarray as xr

warnings.simplefilter("ignore")
path, address, authorization, name = sys.argv[1:]
options = {"headers": {"Authorization": authorization}}


def timed(opened):
    start = time.perf_counter()
    with opened() as dataset:
        size = dataset[name].load().nbytes
    return time.perf_counter() - start, size


pairs = []
for round in range(6):
    ours, size = timed(lambda: xr.open_zarr(address, storage_options=options, chunks=None))
    theirs, _ = timed(lambda: xr.open_dataset(path))
    if round > 0:
        pairs.append((ours, theirs))
print(
    json.dumps(
        [
            statistics.median(ours for ours, _ in pairs),
            statistics.median(theirs for _, theirs in pairs),
            statistics.median(ours / theirs for ours, theirs in pairs),
            size / 1e6,
        ]
    )
)
