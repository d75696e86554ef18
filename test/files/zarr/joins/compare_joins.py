"""Compares joined stores with what their files say, each file read for itself by netCDF4 and cftime, and with xarray's own
`open_mfdataset` of the same files where that is right.

Reads lines "address<TAB>folder<TAB>version" on its standard input, and prints a line of JSON for each: {"problems": differences in
words, "digests": {name: SHA-256 of the stored values}}. Without a version, whatever zarr-python finds, and no comparison with xarray.
Instead of an address there may be the path of references to the files, as JSON or as a folder of Parquet files.
"""
import datetime, hashlib, json, os, sys, warnings
import cftime, netCDF4 as nc, numpy as np, xarray as xr
try: import dask
except ImportError: dask = None  # with zarr-python 2, which is compared with cftime alone


def times(d, v):
    """Values of a variable with times as microseconds since an epoch of its own calendar, from the file's own units."""
    units, calendar = getattr(v, "units", None), getattr(v, "calendar", None)
    t = d["time"]
    u, c = units if units and " since " in units else t.units, calendar or getattr(t, "calendar", "standard")
    v.set_auto_maskandscale(False)
    return [x.isoformat()[:23] for x in rounded(cftime.num2date(v[:].ravel(), u, c, only_use_cftime_datetimes=True))]


def rounded(dates):
    return [x + datetime.timedelta(microseconds=500) for x in np.atleast_1d(dates)]


def unpacked(v):
    v.set_auto_maskandscale(False)
    a = v[:]
    fills = [x for name in ("_FillValue", "missing_value") if name in v.ncattrs() for x in np.atleast_1d(v.getncattr(name))]
    if a.dtype.kind not in "fiu": return a
    b = a.astype("f8")
    for f in fills:
        if not np.isnan(f): b[a == np.asarray(f).astype(a.dtype)] = np.nan
    return b * float(getattr(v, "scale_factor", 1)) + float(getattr(v, "add_offset", 0))


def reference(folder, files):
    opened = [nc.Dataset(os.path.join(folder, f)) for f in files]
    opened = [d for d in opened if len(d["time"])]
    starts = [times(d, d["time"]) for d in opened]
    owners = {}  # of times that files share the longest has them, of equally long ones the first
    for i in sorted(range(len(opened)), key=lambda i: (-len(starts[i]), starts[i][0])):
        for t in starts[i]: owners.setdefault(t, i)
    kept = []  # (dataset, from, to, its times)
    for i, (d, own) in enumerate(zip(opened, starts)):
        mine = [n for n, t in enumerate(own) if owners[t] == i]
        if mine: kept.append((d, mine[0], mine[-1] + 1, own))
    return sorted(kept, key=lambda one: one[3][one[1]])


def opened(address, version, **how):
    known = dict(consolidated=True, zarr_format=version) if version else {}
    if not os.path.isabs(address): return xr.open_zarr(address, chunks=None, **known, **how)
    fo = address
    if os.path.isdir(address):
        from fsspec.implementations.reference import LazyReferenceMapper
        import pandas
        # pyarrow otherwise gives NaN for a path that is null, where fastparquet, fsspec's own choice, gives None.
        pandas.set_option("future.infer_string", False)
        fo = LazyReferenceMapper(address, engine="pyarrow")
    return xr.open_zarr("reference://", storage_options={"fo": fo}, consolidated=True, chunks=None, **how)


def compare(address, folder, files, version, kind="dataset"):
    """A store of one dataset. Members are compared one by one; variables by the files of each."""
    told = []
    ours = opened(address, version, decode_times=False)
    plain = opened(address, version, decode_cf=False)
    if kind == "member":
        for label in ours.member.values:
            own = [f for f in files if f.split("_")[0] == label]
            one, bare = ours.sel(member=label), plain.isel(member=list(ours.member.values).index(label))
            told += [f"{label}: {x}" for x in stores(one, bare, folder, own, False)]
        return told
    if kind == "variables":
        for label in dict.fromkeys(f.split("_")[0] for f in files):
            told += [f"{label}: {x}" for x in stores(ours, plain, folder, [f for f in files if f.split("_")[0] == label], False)]
        return told
    return stores(ours, plain, folder, files, True)


def stores(ours, plain, folder, files, with_globals):
    told = []
    kept = reference(folder, files)
    names = dict.fromkeys(n for d, *_ in kept for n in d.variables)
    special = {"time"} | {getattr(d["time"], n) for d, *_ in kept for n in ("bounds", "climatology") if n in d["time"].ncattrs()}
    for name in names:
        if name not in ours.variables:
            if any(x.startswith(name + ": ") for x in ours.attrs.get("_left_out", [])): continue
            told.append(f"{name} is not in the join"); continue
        v = ours[name]
        have = [d for d, *_ in kept if name in d.variables]
        if "time" not in have[0][name].dimensions:
            want, got = unpacked(have[0][name]), v.values
            same = np.allclose(want, got.astype("f8"), rtol=0, atol=0 if with_globals else 1e-6, equal_nan=True) if got.dtype.kind in "fiu" else want.tolist() == got.tolist()
            if not same: told.append(f"{name} values")
            continue
        if name in special:
            t = plain["time"]; b = plain[name]
            units = b.attrs.get("units", t.attrs["units"]); calendar = b.attrs.get("calendar", t.attrs.get("calendar", "standard"))
            got = [x.isoformat()[:23] for x in rounded(cftime.num2date(b.values.ravel(), units, calendar, only_use_cftime_datetimes=True))]
            at = have[0][name].dimensions.index("time")
            want = np.concatenate([np.array(times(d, d[name]), object).reshape(d[name].shape).take(range(a, e), at) for d, a, e, _ in kept], at).ravel().tolist()
            if got != want: told.append(f"{name} dates {len(got)} {len(want)} {[x for x in zip(got, want) if x[0] != x[1]][:3]}")
            continue
        parts, at = [], have[0][name].dimensions.index("time")
        for d, a, e, _ in kept:
            if name in d.variables: parts.append(unpacked(d[name]).take(range(a, e), at))
            else: parts.append(np.full(have[0][name].shape[:at] + (e - a,) + have[0][name].shape[at + 1:], np.nan))
        want = np.concatenate(parts, at)
        got = v.values
        if got.shape != want.shape: told.append(f"{name} shape {got.shape} {want.shape}"); continue
        if want.dtype.kind == "f":
            got = got.astype("f8")
            if not np.array_equal(np.isnan(got), np.isnan(want)): told.append(f"{name} missing values"); continue
            if not np.allclose(got, want, rtol=2e-7, atol=1e-9, equal_nan=True): told.append(f"{name} values, at most {np.nanmax(np.abs(got - want))}")
        elif not np.array_equal(got, want): told.append(f"{name} values")
        for a in have[0][name].ncattrs():
            values = [np.asarray(getattr(d[name], a)).tolist() if a in d[name].ncattrs() else None for d in have]
            if a in ("_FillValue", "missing_value", "scale_factor", "add_offset", "coordinates") or any(x != values[0] for x in values): continue
            mine = plain[name].attrs.get(a)
            if a == "valid_range" and mine is None: continue  # unpacked values have none, nor members that differ in it
            if np.asarray(mine).tolist() != values[0]: told.append(f"{name}@{a} {mine!r} {values[0]!r}")
    for a in kept[0][0].ncattrs() if with_globals else ():
        values = [getattr(d, a, None) for d, *_ in kept]
        mine = ours.attrs.get(a)
        if all(x == values[0] for x in values):
            if mine != values[0]: told.append(f"@{a} {mine!r} {values[0]!r}")
        elif a == "tracking_id":
            if list(mine) != list(dict.fromkeys(values)): told.append(f"@{a} {mine!r}")
        elif mine is not None: told.append(f"@{a} stayed")
    return told


def mfdataset(kept):
    """The files by xarray, with the arguments of somebody who knows them: joined along time only, nothing compared. Steps that
    files share are dropped as the join does."""
    parts = {path: slice(a, e) for path, a, e in kept}
    cut = lambda one: one.isel(time=parts[one.encoding["source"]])
    return xr.open_mfdataset(list(parts), combine="nested", concat_dim="time", data_vars="minimal", coords="minimal", compat="override", join="override",
                             combine_attrs="drop_conflicts", preprocess=cut, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True))


def is_reference(kept):
    """Whether xarray decodes these files rightly. It raises for some calendars that are equal, and decodes neither climatology
    bounds, nor bounds with units of their own in the calendar of the axis: those are compared with cftime alone."""
    calendars = {getattr(d["time"], "calendar", "standard").replace("gregorian", "standard") for d, *_ in kept}
    return len({c.replace("365_day", "noleap").replace("366_day", "all_leap") for c in calendars}) == 1


def by_xarray(address, version, folder, files):
    told = []
    own = reference(folder, files)
    if not is_reference(own): return told
    of_axis = {getattr(d["time"], a, "") for d, *_ in own for a in ("bounds", "climatology")}
    skipped = {name for d, *_ in own for name in of_axis & {*d.variables} if "units" in d[name].ncattrs() or name.startswith("climatology")}
    kept = [(os.path.realpath(d.filepath()), a, e) for d, a, e, _ in own]
    # netCDF's library is not safe if it is used twice at once.
    for d, *_ in own: d.close()
    del own
    ours = opened(address, version, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True))
    with dask.config.set(scheduler="synchronous"), mfdataset(kept) as theirs:
        for name, v in theirs.variables.items():
            if name in skipped or name == "label" and name not in ours.variables: continue
            if name not in ours.variables: told.append(f"xarray has {name}"); continue
            mine, want, got = ours.variables[name], v.values, ours.variables[name].values
            if want.shape != got.shape: told.append(f"xarray {name} shape {want.shape} {got.shape}"); continue
            if want.dtype == object: same = [str(x) for x in want.ravel()] == [str(x) for x in got.ravel()] if isinstance(want.ravel()[0], str) else dates(want) == dates(got)
            elif want.dtype.kind == "f": same = np.allclose(got.astype("f8"), want.astype("f8"), rtol=2e-7, atol=1e-9, equal_nan=True)
            else: same = np.array_equal(got, want)
            if not same: told.append(f"xarray {name} values")
            for a in {*v.attrs, *mine.attrs} - {"missing_value", "coordinates", "bounds", "climatology"}:
                if a == "valid_range" and a not in mine.attrs: continue  # unpacked values have none
                if np.asarray(v.attrs.get(a)).tolist() != np.asarray(mine.attrs.get(a)).tolist(): told.append(f"xarray {name}@{a} {v.attrs.get(a)!r} {mine.attrs.get(a)!r}")
        for a in {*theirs.attrs, *ours.attrs} - {"tracking_id", "_left_out"}:
            if theirs.attrs.get(a) != ours.attrs.get(a): told.append(f"xarray @{a} {theirs.attrs.get(a)!r} {ours.attrs.get(a)!r}")
    return told


def dates(values):
    return [x.isoformat()[:23] for x in rounded(values.ravel())]


def digests(address, version):
    plain = opened(address, version, decode_cf=False)
    found = {}
    for name, v in plain.variables.items():
        values = v.values
        data = "\0".join(map(str, values.ravel())).encode() if values.dtype.kind in "OUT" else np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"))).tobytes()
        found[name] = hashlib.sha256(data).hexdigest()
    return found


warnings.simplefilter("ignore")
for line in sys.stdin:
    address, folder, version = line.rstrip("\n").split("\t")
    version = int(version) if version else None
    with open(os.path.join(folder, "case.json")) as f: how = json.load(f)
    found = {}
    try:
        told = compare(address, folder, how["files"], version, how.get("kind", "dataset"))
        if version and how.get("kind", "dataset") == "dataset" and not how.get("missing"): told += by_xarray(address, version, folder, how["files"])
        if version: found = digests(address, version)
    except Exception as error: told = [f"raises {type(error).__name__}: {error}"]
    print(json.dumps({"problems": told, "digests": found}), flush=True)
