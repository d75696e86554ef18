"""Reads data after the token has expired with which they were opened.

usage: long_job.py API ACCESS_TOKEN REFRESH_TOKEN, where the index has one entry of CMIP6; prints
"opened", waits for a line by which the token has expired, and prints what was seen.
"""

import json
import sys

import dask
import requests
import xarray as xr

dask.config.set(scheduler="threads")
api, token, refresh_token = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}
(address,) = requests.get(f"{api}/databrowser/load/cmip6", headers=headers).text.split()
opened = xr.open_zarr(address, storage_options={"headers": headers})

wanted = {"url": address, "ttl_seconds": 7200}
answer = requests.post(f"{api}/data-portal/share-zarr", json=wanted, headers=headers).json()
shared = xr.open_zarr(answer["url"])

print("opened", flush=True)
sys.stdin.readline()
assert requests.get(f"{api}/auth/v2/status", headers=headers).status_code == 401

seen = {"shared": float(shared.tas.mean())}
try:
    seen["expired"] = float(opened.tas.mean())
except Exception as error:
    seen["expired"] = str(error)

form = {"refresh_token": refresh_token}
token = requests.post(f"{api}/auth/v2/token", data=form).json()["access_token"]
# What the store was opened with is looked at again in each request.
headers["Authorization"] = f"Bearer {token}"
seen["renewed"] = float(opened.tas.mean())
print(json.dumps(seen))
