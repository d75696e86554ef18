"""Opens an intake-esm catalogue by its address, searches it, and loads a dataset of several files.

usage: intake_catalogue.py API, where the sample catalogue is loaded; exits with an error where
anything differs from opening the files themselves.
"""

import sys
import warnings

import dask
import intake
import xarray as xr

warnings.simplefilter("ignore")
# netCDF4 of these days crashes now and then when several threads open files.
dask.config.set(scheduler="synchronous")
api = sys.argv[1]

catalogue = intake.open_esm_datastore(f"{api}/databrowser/intake-catalogue/cmip6/file?dataset=sample")
assert len(catalogue.df) == 25, len(catalogue.df)
assert "tas" in catalogue.unique()["variable_id"]
assert len(catalogue.keys()) > 10

found = catalogue.search(
    source_id="MPI-ESM1-2-LR", experiment_id="historical", table_id="Amon", variable_id=["tas", "pr"]
)
assert len(found.df) == 6, found.df
assert len(found.keys()) == 1, found.keys()

# What a facet has one of in every row is a text, so intake-esm can group by it.
for column in ("source_id", "experiment_id", "member_id", "table_id"):
    assert all(isinstance(value, str) for value in found.df[column]), found.df[column]
assert "lists" in catalogue.esmcat.description, catalogue.esmcat.description
models = catalogue.search(
    require_all_on="source_id", variable_id=["tas", "pr"], experiment_id=["historical"]
)
assert len(models.df) > 0 and models.df["source_id"].map(type).eq(str).all(), models.df

(dataset,) = found.to_dataset_dict(progressbar=False, threaded=False).values()
files = sorted(found.df["file"])
expected = xr.open_mfdataset(
    files, combine="by_coords", data_vars="minimal", coords="minimal", compat="override"
)
assert dataset.sizes["time"] == 180, dataset.sizes
for name in ("tas", "pr"):
    xr.testing.assert_equal(dataset[name].load().drop_vars("height", errors="ignore"),
                            expected[name].load().drop_vars("height", errors="ignore"))
    assert dataset[name].attrs["units"] == expected[name].attrs["units"]

native = intake.open_esm_datastore(
    f"{api}/databrowser/intake-catalogue/cmip6/uri?dataset=sample&translate=false&multi-version=true"
)
assert {"uri", "model", "version", "dataset_id"} <= set(native.df.columns), native.df.columns
assert len(native.df) == 26, len(native.df)
assert len(native.search(model="UKESM1-0-LL").keys()) == 1

print("ok", len(catalogue.df))
