"""Reads a zarr store of the service, as a notebook does, and compares it with the one on disk.

usage: paced_store.py ADDRESS TOKEN STORE
"""

import sys

import numpy as np
import zarr

address, token, path = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}
read = zarr.open_group(address, mode="r", storage_options={"headers": headers})["x"][:]
expected = zarr.open_group(path, mode="r")["x"][:]
np.testing.assert_array_equal(read, expected)
print("ok")
