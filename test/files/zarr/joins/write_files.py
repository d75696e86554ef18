"""Writes NetCDF files that are joined: one call a file, with all that may differ between files."""
import ctypes, datetime, os, zlib as checksums
import cftime, h5py, netCDF4 as nc, numpy as np

LAT, LON = 6, 8
PACKED = dict(dtype="i2", fill=-32767, scale=0.01, offset=273.15)


def days(calendar, year, month, day, count, hours=24):
    first = cftime.datetime(year, month, day, calendar=calendar)
    return [first + datetime.timedelta(hours=hours * i) for i in range(count)]


def write(path, dates, units="days since 2000-01-01", calendar="noleap", time_type="f8", chunk=1, zlib=True, level=4, shuffle=True,
          fletcher=False, szip=False, endian="native", dtype="f4", scale=None, offset=None, fill=1e20, missing=None, kind="NETCDF4", bounds=True,
          lat=None, lon=None, height=2.0, unit="K", names=("tas",), fixed=0.0, attributes={}, contiguous=False, pole=None, seed=None,
          climatology=False, text=False, base=280.0, valid=None, bounds_units=None, levels=None, level_units="Pa", level_bounds=None,
          curvilinear=None, cells=None, empty=False):
    """One file. `dates` are of cftime; `fixed` is added to a field without time. `curvilinear` is added to latitudes and longitudes of two
    dimensions; `cells` is the number of cells of a grid without rows and columns."""
    own = np.random.default_rng(checksums.crc32(os.path.basename(path).encode()) if seed is None else seed)
    d = nc.Dataset(path, "w", format=kind)
    d.Conventions = "CF-1.8"; d.source = "a model"; d.tracking_id = "hdl:" + os.path.basename(path); d.creation_date = str(own.integers(1e9))
    for name, value in attributes.items(): d.setncattr(name, value)
    d.createDimension("time", len(dates) if contiguous else None); d.createDimension("bnds", 2)

    def put(name, dims, values, type="f8", **own):
        v = d.createVariable(name, type, dims); v.setncatts(own); v[...] = values

    if cells: grid = ("cell",); d.createDimension("cell", cells); d.createDimension("vertices", 3)
    else:
        lat = np.linspace(-75, 75, LAT) if lat is None else lat; lon = np.arange(LON) * 45.0 if lon is None else lon
        grid = ("lat", "lon"); d.createDimension("lat", len(lat)); d.createDimension("lon", len(lon))
        put("lat", ("lat",), lat, units="degrees_north", bounds="lat_bnds"); put("lat_bnds", ("lat", "bnds"), np.stack([lat - 15, lat + 15], 1))
        put("lon", ("lon",), lon, units="degrees_east")
    shape = tuple(len(d.dimensions[x]) for x in grid); numbers = np.arange(np.prod(shape), dtype="f8").reshape(shape)
    where = "height"
    if curvilinear is not None or cells:
        where += " latitude longitude"
        for name, unit_ in (("latitude", "degrees_north"), ("longitude", "degrees_east")):
            put(name, grid, numbers + (curvilinear or 0), units=unit_, **(dict(bounds=name + "_vertices") if cells else {}))
            if cells: put(name + "_vertices", ("cell", "vertices"), numbers[:, None] + [-.5, 0, .5])
    put("height", (), height, units="m"); put("orog", grid, numbers + fixed, "f4", units="m")
    if levels:
        d.createDimension("lev", levels); put("lev", ("lev",), np.arange(levels) * 1000.0, units=level_units, bounds="lev_bnds")
        put("lev_bnds", ("lev", "bnds"), np.stack([np.arange(levels) * 1000.0 - 500, np.arange(levels) * 1000.0 + (500 if level_bounds is None else level_bounds)], 1))
    if pole is not None: put("crs", (), 0, "i4", grid_mapping_name="rotated_latitude_longitude", grid_north_pole_latitude=pole)
    write_times(d, dates, units, calendar, time_type, bounds and ("climatology" if climatology else "bounds"), bounds_units, empty)
    if text and kind == "NETCDF4":
        tx = d.createVariable("label", str, ("time",))
        for i, x in enumerate(dates): tx[i] = x.isoformat()
    dims = ("time",) + (("lev",) if levels else ()) + grid
    for name in names:
        options = dict(fill_value=fill) if fill is not None else {}
        if kind == "NETCDF4":
            options["endian"] = endian
            if contiguous: options["contiguous"] = True
            # Chunks with both szip and a checksum are not readable again by netCDF4 itself.
            else: options.update(fletcher32=fletcher and not szip, chunksizes=(chunk,) + tuple(len(d.dimensions[x]) for x in dims[1:]))
            if szip and not contiguous: options.update(compression="szip", szip_coding="nn", szip_pixels_per_block=8)
            elif not contiguous: options.update(zlib=zlib, complevel=level, shuffle=shuffle)
        v = d.createVariable(name, dtype, dims, **options)
        v.set_auto_maskandscale(False); v.units = unit; v.coordinates = where; v.cell_methods = "time: mean"
        if pole is not None: v.grid_mapping = "crs"
        if scale is not None: v.scale_factor = scale; v.add_offset = offset
        if missing is not None: v.missing_value = np.dtype(dtype).type(missing)
        if valid is not None: v.valid_range = np.array(valid, dtype)
        if empty: continue
        f = base + 10 * own.standard_normal((len(dates),) + v.shape[1:])
        if scale is not None: f = np.round((f - offset) / scale)
        f = f.astype(dtype)
        if fill is not None: f[own.random(f.shape) < .05] = fill
        if missing is not None: f[own.random(f.shape) < .05] = missing
        v[:] = f
    d.close()


def write_times(d, dates, units, calendar, time_type, bounds, bounds_units, empty):
    """The time axis, and its bounds named by the attribute `bounds`."""
    t = d.createVariable("time", time_type, ("time",)); t.units = units; t.calendar = calendar; t.standard_name = "time"; t.axis = "T"
    name = {"climatology": "climatology_bnds", "bounds": "time_bnds"}.get(bounds)
    if name:
        t.setncattr(bounds, name); tb = d.createVariable(name, "f8", ("time", "bnds"))
        if bounds_units: tb.units = bounds_units
    if empty: return
    values = cftime.date2num(dates, units, calendar)
    t[:] = np.round(values).astype(time_type) if np.dtype(time_type).kind == "i" else values
    if not name: return
    half = (dates[1] - dates[0]) / 2 if len(dates) > 1 else datetime.timedelta(hours=12)
    tb[:] = np.stack([cftime.date2num([x + sign * half for x in dates], bounds_units or units, calendar) for sign in (-1, 1)], 1)


def with_plain_edges(path, chunk):
    """Stores `tas` again with an option of HDF5 that netCDF4 has no name for: chunks at an edge are not filtered."""
    folder = os.path.join(os.path.dirname(os.path.dirname(h5py.__file__)), "h5py.libs")
    (library,) = [name for name in os.listdir(folder) if name.startswith("libhdf5-")]
    set_options = ctypes.CDLL(os.path.join(folder, library)).H5Pset_chunk_opts
    set_options.argtypes = (ctypes.c_int64, ctypes.c_uint)
    with h5py.File(path, "a", libver="latest") as file:
        old = file["tas"]; values = old[...]; own = {k: v for k, v in old.attrs.items() if k not in ("DIMENSION_LIST", "_Netcdf4Dimid", "_Netcdf4Coordinates")}
        del file["tas"]
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE); plist.set_chunk(chunk); plist.set_shuffle(); plist.set_deflate(4)
        assert set_options(plist.id, 2) >= 0
        space = h5py.h5s.create_simple(values.shape, (h5py.h5s.UNLIMITED,) + values.shape[1:])
        h5py.h5d.create(file.id, b"tas", h5py.h5t.IEEE_F32LE, space, plist)
        file["tas"][...] = values; file["tas"].attrs.update(own)
        for i, name in enumerate(("time", "lat", "lon")): file["tas"].dims[i].attach_scale(file[name])
