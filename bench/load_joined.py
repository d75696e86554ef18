"""Compares loading a joined address with loading the addresses of its files.

usage: load_joined.py SERVICE JOINED SINGLE...; SERVICE is the process that serves them. Prints ratios of processor time, joined to
single, as medians of rounds:

- in parts: the joined variable in parts of one file each, against the files one after the other. Both clients do the same work.
- as one array: the whole joined variable, against xarray's concatenation of all files. Both end with one array.
- one array against parts: the whole joined variable, against files that are dropped one by one. The client needs memory for all
  values, and pays for its pages; the service does the same work.
"""

import os
import statistics
import sys
import time

import xarray as xr

service, joined, *single = sys.argv[1:]
TICKS = os.sysconf("SC_CLK_TCK")


def served():
    """Seconds of processor time that the service has used."""
    with open(f"/proc/{service}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def opened(address):
    return xr.open_zarr(address, decode_times=False, chunks=None)


def whole():
    return [opened(joined).tas.values.nbytes]


def in_parts():
    dataset = opened(joined)
    steps = dataset.sizes["time"] // len(single)
    return [dataset.tas[at * steps : (at + 1) * steps].values.nbytes for at in range(len(single))]


def one_by_one():
    return [opened(address).tas.values.nbytes for address in single]


def concatenated():
    return [xr.concat([opened(address).tas for address in single], "time").values.nbytes]


def spent(load):
    client, server, wall = time.process_time(), served(), time.perf_counter()
    size = sum(load())
    return size, time.process_time() - client, served() - server, time.perf_counter() - wall


# In turn, so that what else runs on the machine weighs on all alike; the first round warms caches.
rounds = [[spent(load) for load in (whole, in_parts, one_by_one, concatenated)] for _ in range(3)][1:]
size = rounds[0][0][0]
assert all(spent[0] == size for each in rounds for spent in each)


def ratio(a, b, part):
    return statistics.median(part(each[a]) / part(each[b]) for each in rounds)


print(f"{size / 1e9:.2f} GB by xarray, join against single files:")
for name, a, b in (("in parts", 1, 2), ("as one array", 0, 3), ("one array against parts", 0, 2)):
    parts = {
        "client and service": lambda spent: spent[1] + spent[2],
        "client": lambda spent: spent[1],
        "service": lambda spent: spent[2],
        "wall time": lambda spent: spent[3],
    }
    print(f"  {name}: " + ", ".join(f"{what} {ratio(a, b, part):.2f}" for what, part in parts.items()))
