"""Opens a zarr stream with a token: as a notebook does, and through an intake-esm catalogue.

usage: zarr_streams.py API TOKEN FILE, where FILE is the one CMIP6 document of the index.
"""

import sys
import tempfile
import urllib.request
import warnings

import dask
import intake
import xarray as xr

warnings.simplefilter("ignore")
dask.config.set(scheduler="synchronous")
api, token, path = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}


def get(address):
    return urllib.request.urlopen(urllib.request.Request(address, headers=headers)).read()


(address,) = get(f"{api}/databrowser/load/cmip6?mip_era=CMIP6").decode().split()
expected = xr.open_dataset(path).load()
opened = xr.open_zarr(address, storage_options={"headers": headers}).load()
xr.testing.assert_identical(opened.tas, expected.tas)

with tempfile.NamedTemporaryFile(suffix=".json") as catalogue:
    catalogue.write(get(f"{api}/databrowser/load/cmip6?mip_era=CMIP6&catalogue-type=intake"))
    catalogue.flush()
    found = intake.open_esm_datastore(catalogue.name).search(variable_id="tas")
    (dataset,) = found.to_dataset_dict(
        progressbar=False, threaded=False, storage_options={"headers": headers}
    ).values()
    xr.testing.assert_equal(dataset.tas.load().drop_vars("height", errors="ignore"),
                            expected.tas.drop_vars("height", errors="ignore"))
print("ok")
