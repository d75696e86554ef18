"""Writes sets of NetCDF files that are to be joined, one folder a set, into the folder given first.

With names of cases, those; with `random SEED COUNT`, that many sets over all that may differ between files. Each folder gets a
`case.json`: whether the files may be joined, and how.
"""
import json, os, shutil, sys
import numpy as np, netCDF4 as nc, cftime

D = sys.argv[1]
rng = np.random.default_rng(7)
LAT, LON = 6, 8


def write(path, dates, units="days since 2000-01-01", calendar="noleap", time_type="f8", chunk=1, zlib=True, level=4, shuffle=True,
          fletcher=False, endian="native", dtype="f4", scale=None, offset=None, fill=1e20, missing=None, kind="NETCDF4", bounds=True,
          lat=None, lon=None, height=2.0, unit="K", names=("tas",), fixed=0.0, attributes={}, contiguous=False, pole=None, seed=None,
          climatology=False, text=False, base=280.0, valid=None, bounds_units=None, levels=None, station=False, orog=True, empty=False):
    """One file. `dates` are of cftime; `fixed` is added to a field without time."""
    own = np.random.default_rng(abs(hash(os.path.basename(path))) % 2**32 if seed is None else seed)
    d = nc.Dataset(path, "w", format=kind)
    d.set_auto_maskandscale(False) if hasattr(d, "set_auto_maskandscale") else None
    d.Conventions = "CF-1.8"; d.source = "a model"; d.tracking_id = "hdl:" + os.path.basename(path); d.creation_date = str(own.integers(1e9))
    for name, value in attributes.items(): d.setncattr(name, value)
    d.createDimension("time", None); d.createDimension("lat", LAT if lat is None else len(lat)); d.createDimension("lon", LON); d.createDimension("bnds", 2)
    t = d.createVariable("time", time_type, ("time",)); t.units = units; t.calendar = calendar; t.standard_name = "time"; t.axis = "T"
    la = d.createVariable("lat", "f8", ("lat",)); la.units = "degrees_north"; la.bounds = "lat_bnds"
    lb = d.createVariable("lat_bnds", "f8", ("lat", "bnds"))
    lo = d.createVariable("lon", "f8", ("lon",)); lo.units = "degrees_east"
    h = d.createVariable("height", "f8", ()); h.units = "m"
    if orog:
        o = d.createVariable("orog", "f4", ("lat", "lon")); o.units = "m"
    if bounds:
        name = "climatology_bnds" if climatology else "time_bnds"
        t.setncattr("climatology" if climatology else "bounds", name)
        tb = d.createVariable(name, "f8", ("time", "bnds"))
        if bounds_units: tb.units = bounds_units
    if pole is not None:
        p = d.createVariable("crs", "i4", ()); p.grid_mapping_name = "rotated_latitude_longitude"; p.grid_north_pole_latitude = pole
    if text and kind == "NETCDF4":
        tx = d.createVariable("label", str, ("time",))
    dims = ("time",) + (("lev",) if levels else ()) + ("lat", "lon")
    if levels:
        d.createDimension("lev", levels); lv = d.createVariable("lev", "f8", ("lev",)); lv.units = "Pa"
    variables = []
    for name in names:
        options = dict(fill_value=fill) if fill is not None else {}
        if kind == "NETCDF4":
            options["endian"] = endian
            shape = (chunk,) + ((levels,) if levels else ()) + (LAT if lat is None else len(lat), LON)
            options.update(zlib=zlib, complevel=level, shuffle=shuffle, fletcher32=fletcher, chunksizes=shape)
        v = d.createVariable(name, dtype, dims, **options); v.units = unit; v.coordinates = "height"; v.cell_methods = "time: mean"
        if pole is not None: v.grid_mapping = "crs"
        if scale is not None: v.scale_factor = scale; v.add_offset = offset
        if missing is not None: v.missing_value = np.dtype(dtype).type(missing)
        if valid is not None: v.valid_range = np.array(valid, dtype)
        v.set_auto_maskandscale(False); variables.append(v)
    la[:] = np.linspace(-75, 75, LAT) if lat is None else lat
    lb[:] = np.stack([la[:] - 15, la[:] + 15], 1)
    lo[:] = np.arange(LON) * 45.0 if lon is None else lon
    h[...] = height
    if orog: o[:] = np.arange((LAT if lat is None else len(lat)) * LON).reshape(-1, LON) + fixed
    if levels: lv[:] = np.arange(levels) * 1000.0
    if pole is not None: p[...] = 0
    if not empty:
        values = cftime.date2num(dates, units, calendar)
        t[:] = np.round(values).astype(time_type) if np.dtype(time_type).kind == "i" else values
        if bounds:
            u = bounds_units or units
            half = (dates[1] - dates[0]) / 2 if len(dates) > 1 else __import__("datetime").timedelta(hours=12)
            tb[:] = np.stack([cftime.date2num([x - half for x in dates], u, calendar), cftime.date2num([x + half for x in dates], u, calendar)], 1)
        if text and kind == "NETCDF4":
            for i, x in enumerate(dates): tx[i] = x.isoformat()
        for v in variables:
            f = base + 10 * own.standard_normal(v[:].shape if False else (len(dates),) + v.shape[1:])
            if scale is not None: f = np.round((f - offset) / scale)
            f = f.astype(dtype)
            if fill is not None: f[own.random(f.shape) < .05] = fill
            v[:] = f
    d.close()


def days(calendar, year, month, day, count, hours=24):
    import datetime
    first = cftime.datetime(year, month, day, calendar=calendar)
    return [first + datetime.timedelta(hours=hours * i) for i in range(count)]


CASES = {}


def case(joins=True, says="", **how):
    def add(make):
        CASES[make.__name__] = (make, dict(joins=joins, says=says, **how)); return make
    return add


def three(P, lengths=(4, 4, 4), each=({}, {}, {}), calendar="noleap", year=2000, **common):
    at = 0
    all_days = days(calendar, year, 1, 1, sum(lengths))
    for i, (n, own) in enumerate(zip(lengths, each)):
        own = dict(own); mine = own.get("calendar", calendar)
        dates = days(mine, year, 1, 1, sum(lengths))[at:at + n] if mine != calendar else all_days[at:at + n]
        write(P(f"part{i}.nc"), dates, **{"calendar": calendar, **common, **own}); at += n


# Each row of the table of cases.
@case(passed=True)
def aligned(P): three(P)
@case(passed=True)
def aligned_blocks(P): three(P, (6, 6, 4), chunk=3)
@case(passed=True)
def last_partial(P): three(P, (6, 6, 5), chunk=3)
@case(passed=True)
def own_start_1(P): three(P, each=({"units": "days since 2000-01-01"}, {"units": "days since 2000-01-05"}, {"units": "hours since 2000-01-09"}))
@case(passed=True)
def reference_years_kerchunk302(P): three(P, each=({"units": "days since 1850-01-01"}, {"units": "days since 1950-01-01"}, {"units": "days since 2000-01-01"}))
@case(passed=True)
def time_types(P): three(P, each=({"time_type": "i4"}, {"time_type": "f8"}, {"time_type": "i8"}))
@case(passed=True)
def bounds_of_own_units(P): three(P, each=({"bounds_units": "hours since 1999-01-01"}, {"bounds_units": "days since 1990-01-01"}, {}))
@case(passed=True)
def climatology(P): three(P, climatology=True, each=({}, {"units": "days since 1990-01-01"}, {"units": "days since 2000-01-09"}))
@case(False, "calendars differ")
def calendars(P): three(P, each=({}, {"calendar": "360_day"}, {}))
@case(passed=True)
def calendar_names(P): three(P, each=({}, {"calendar": "365_day"}, {}))
@case(passed=True)
def gregorian(P): three(P, calendar="standard", each=({"calendar": "proleptic_gregorian"}, {"calendar": "gregorian"}, {"calendar": "standard"}))
@case(False, "calendars differ")
def gregorian_before_1582(P): three(P, calendar="standard", year=1500, each=({"calendar": "proleptic_gregorian", "units": "days since 1500-01-01"}, {"units": "days since 1500-01-01"}, {"units": "days since 1500-01-01"}))
@case(passed=False)
def years_in_blocks_of_30(P): three(P, (30, 15, 30), chunk=30)
@case(passed=False)
def leap_years_VirtualiZarr330(P):
    for i, year in enumerate((2003, 2004, 2005)):
        write(P(f"y{year}.nc"), days("standard", year, 1, 1, 366 if year == 2004 else 365), calendar="standard", chunk=30)
@case(passed=False)
def no_common_divisor(P): three(P, (7, 11, 5), chunk=5)
@case(passed=False)
def chunk_lengths(P): three(P, (8, 8, 8), each=({"chunk": 4}, {"chunk": 2}, {"chunk": 4}))
@case(passed=False)
def classic(P): three(P, kind="NETCDF3_CLASSIC", bounds=False, names=("tas",))
@case()
def classic_several(P): three(P, kind="NETCDF3_64BIT_OFFSET", names=("tas", "pr"), dtype="f8")
@case(passed=True)
def levels_of_deflate(P): three(P, each=({"level": 1}, {"level": 9}, {"level": 4}))
@case(passed=False)
def filters(P): three(P, each=({"shuffle": False}, {}, {"fletcher": True}))
@case(passed=False)
def uncompressed_beside(P): three(P, each=({"zlib": False, "shuffle": False}, {}, {}))
@case(passed=False)
def endian(P): three(P, each=({"endian": "big"}, {}, {}))
@case(passed=False)
def fills(P): three(P, each=({"fill": -9999.0}, {}, {"fill": np.nan}))
PACKED = dict(dtype="i2", fill=-32767, scale=0.01, offset=273.15)
@case(passed=True)
def packed_alike(P): three(P, **PACKED)
@case(passed=False)
def packed_differently_VirtualiZarr1004(P): three(P, each=(PACKED, {**PACKED, "scale": 0.02}, {**PACKED, "offset": 280.0}))
@case(passed=False)
def packed_beside_floats_VirtualiZarr1059(P): three(P, each=(PACKED, {}, {"dtype": "f8"}))
@case(passed=False)
def whole_numbers_of_other_fill(P): three(P, dtype="i4", each=({"fill": -1}, {"fill": -9}, {"fill": -1}))
@case(False, "types or fill values")
def whole_numbers_of_other_size(P): three(P, each=({"dtype": "i2", "fill": -1}, {"dtype": "i4", "fill": -1}, {"dtype": "i2", "fill": -1}))
@case(False, "units of tas differ")
def units_of_data(P): three(P, each=({}, {"unit": "degC", "base": 7.0}, {}))
@case(False, "valid_range of tas differ")
def valid_ranges(P): three(P, each=({"valid": (0, 400)}, {"valid": (0, 300)}, {"valid": (0, 400)}))
@case(False, "grids differ")
def grids(P): three(P, each=({}, {"lat": np.linspace(-80, 80, 9)}, {}))
@case(False, "values of lat")
def shifted(P): three(P, each=({}, {"lat": np.linspace(-75, 75, 6) + .1}, {}))
@case(passed=True, notes="rounding")
def rounding(P): three(P, each=({}, {"lat": np.linspace(-75, 75, 6) + 1e-7}, {}))
@case(False, "values of height")
def heights(P): three(P, each=({}, {"height": 10.0}, {}))
@case(False, "grid mappings differ")
def poles(P): three(P, each=({"pole": 39.25}, {"pole": 39.25}, {"pole": 32.5}))
@case(passed=True)
def same_pole(P): three(P, pole=39.25)
@case(False, "values of orog")
def fixed_fields(P): three(P, each=({}, {"fixed": 1.0}, {}))
@case(False, "has no pr")
def missing_refused(P): three(P, each=({"names": ("tas", "pr")}, {"names": ("tas",)}, {"names": ("tas", "pr")}))
@case(missing=True)
def missing_filled(P): three(P, each=({"names": ("tas", "pr")}, {"names": ("tas",)}, {"names": ("tas", "pr")}))
@case(overlaps=True)
def overlap(P):
    all_days = days("noleap", 2000, 1, 1, 12)
    for i, (a, b) in enumerate(((0, 5), (4, 8), (8, 12))): write(P(f"part{i}.nc"), all_days[a:b], seed=i)
@case(overlaps=True, passed=False)
def overlap_in_blocks(P):
    all_days = days("noleap", 2000, 1, 1, 14)
    for i, (a, b) in enumerate(((0, 6), (4, 10), (10, 14))): write(P(f"part{i}.nc"), all_days[a:b], chunk=3, seed=i)
@case(overlaps=True, passed=True)
def copies(P):
    three(P); shutil.copy(P("part1.nc"), P("part1_copy.nc"))
@case(overlaps=True)
def within(P):
    all_days = days("noleap", 2000, 1, 1, 10)
    write(P("all.nc"), all_days); write(P("part.nc"), all_days[3:6])
@case(False, "interleave")
def interleaved(P):
    all_days = days("noleap", 2000, 1, 1, 10)
    write(P("even.nc"), all_days[::2]); write(P("odd.nc"), all_days[1::2])
@case(False, "do not increase")
def backwards(P):
    all_days = days("noleap", 2000, 1, 1, 6)
    write(P("a.nc"), all_days[:3]); write(P("b.nc"), all_days[:2:-1])
@case(False, "do not increase")
def duplicate_dates(P):
    all_days = days("noleap", 2000, 1, 1, 6)
    write(P("a.nc"), all_days[:3]); write(P("b.nc"), [*all_days[3:5], all_days[4]])
@case(passed=True, gaps=True)
def gap(P):
    all_days = days("noleap", 2000, 1, 1, 14)
    write(P("part0.nc"), all_days[:4]); write(P("part1.nc"), all_days[9:])
@case(passed=True, notes="without steps")
def no_steps(P):
    three(P); write(P("empty.nc"), [], empty=True)
@case(passed=True)
def unsorted_names(P):
    all_days = days("noleap", 2000, 1, 1, 9)
    for name, a in (("z", 0), ("a", 3), ("m", 6)): write(P(f"{name}.nc"), all_days[a:a + 3])
@case(passed=True)
def single_steps(P): three(P, (1, 1, 1))
@case(passed=True)
def with_levels(P): three(P, levels=3)
@case(passed=True)
def with_texts(P): three(P, text=True)
@case(False, "no coordinate variable with times")
def no_time(P):
    for i in range(2):
        d = nc.Dataset(P(f"{i}.nc"), "w"); d.createDimension("x", 3); d.createVariable("a", "f4", ("x",))[:] = i; d.close()
@case(False, "variables in groups")
def groups(P):
    three(P)
    d = nc.Dataset(P("part1.nc"), "a"); g = d.createGroup("g"); g.createVariable("a", "f4", ("lat",))[:] = 0; d.close()
@case(False, "cannot be read")
def damaged(P):
    three(P)
    with open(P("part1.nc"), "r+b") as f: f.truncate(3000)
@case(False, "are packed")
def packed_times(P):
    three(P)
    d = nc.Dataset(P("part1.nc"), "a"); d["time"].scale_factor = 2.0; d.close()
@case(False, "cannot be written exactly|fixed length")
def vague_units(P): three(P, each=({}, {"units": "days since 2000-01-01"}, {})); d = nc.Dataset(P("part2.nc"), "a"); d["time"].units = "months since 2000-01-01"; d.close()

# Files of several groups: the name up to the first underscore.
def grouped(P, names, each=None, lengths=(4, 4), **common):
    all_days = days("noleap", 2000, 1, 1, sum(lengths)); at = 0
    for i, n in enumerate(lengths):
        for name in names: write(P(f"{name}_{i}.nc"), all_days[at:at + n], **{**common, **(each or {}).get(name, {})})
        at += n
@case(passed=True, kind="member")
def members(P): grouped(P, ("r1", "r2", "r3"))
@case(passed=False, kind="member")
def members_packed_differently(P): grouped(P, ("r1", "r2"), {"r2": PACKED})
@case(False, "times of r1 and r2 differ", kind="member")
def members_of_other_times(P): grouped(P, ("r1", "r2")); os.remove(P("r2_1.nc"))
@case(False, "values of height", kind="member")
def members_of_other_heights(P): grouped(P, ("r1", "r2"), {"r2": {"height": 10.0}})
@case(passed=True, kind="variables")
def variables(P): grouped(P, ("pr", "tas"), {"pr": {"names": ("pr",), "unit": "kg m-2 s-1"}})
@case(False, "tas is in several", kind="variables")
def variables_twice(P): grouped(P, ("tas", "tas2"))
@case(False, "values of lat", kind="variables")
def variables_of_other_grids(P): grouped(P, ("pr", "tas"), {"pr": {"names": ("pr",), "lat": np.linspace(-70, 70, 6)}})


def random_set(P, r):
    """A set in which some things differ that may differ, and sometimes one that may not."""
    calendar = str(r.choice(["noleap", "360_day", "standard", "proleptic_gregorian"]))
    files = int(r.integers(2, 6)); hours = int(r.choice([6, 24, 24, 720]))
    lengths = [int(r.integers(1, 12)) for _ in range(files)] if r.random() < .5 else [int(r.integers(2, 7)) * 2] * files
    chunk = int(r.choice([1, 1, 1, 2, 3, 5]))
    kind = "NETCDF3_CLASSIC" if r.random() < .15 else "NETCDF4"
    packed = r.random() < .25
    common = dict(calendar=calendar, chunk=chunk, kind=kind, levels=int(r.choice([0, 0, 0, 2])), climatology=bool(r.random() < .1), text=bool(r.random() < .1))
    if packed: common.update(PACKED)
    elif r.random() < .2: common.update(dtype="f8")
    wrong = str(r.choice(["", "", "", "", "", "", "", "unit", "height", "lat", "calendar", "pr"]))
    at = 0; all_days = days(calendar, int(r.integers(1600, 2300)), 1, 1, sum(lengths) + 20, hours)
    differs = {name: r.random() < .3 for name in ("units", "level", "filters", "fill", "packing", "endian", "time_type", "chunk")}
    bad = int(r.integers(1, files)); how = dict(joins=wrong == "", says="")
    for i, n in enumerate(lengths):
        own = {}
        if differs["units"]: own["units"] = f"{r.choice(['days', 'hours', 'minutes'])} since {r.integers(1500, 2000) if calendar != 'standard' else r.integers(1600, 2000)}-0{r.integers(1, 9)}-1{r.integers(0, 9)}"
        if differs["level"]: own["level"] = int(r.integers(1, 9))
        if differs["filters"]: own.update(shuffle=bool(r.random() < .5), fletcher=bool(r.random() < .3), zlib=bool(r.random() < .7))
        if differs["fill"] and not packed: own["fill"] = float(r.choice([1e20, -999.0]))
        if differs["packing"] and packed: own["scale"] = float(r.choice([0.01, 0.02]))
        if differs["endian"]: own["endian"] = str(r.choice(["big", "little"]))
        if differs["chunk"]: own["chunk"] = int(r.integers(1, 5))
        if i == bad:
            if wrong == "unit": own["unit"] = "degC"
            if wrong == "height": own["height"] = 10.0
            if wrong == "lat": own["lat"] = np.linspace(-75, 75, LAT) + .01
            if wrong == "calendar": own["calendar"] = "julian" if calendar != "360_day" else "noleap"
            if wrong == "pr": own["names"] = ("tas", "pr")
        mine = own.get("calendar", calendar)
        dates = all_days[at:at + n]
        if mine != calendar: dates = days(mine, dates[0].year, dates[0].month, min(28, dates[0].day), n, hours)
        write(P(f"part{(i * 7) % 11}_{i}.nc"), dates, **{**common, **own}, seed=int(r.integers(1e9)))
        at += n
        if r.random() < .05: at += 3
    return how


def make(name, build, how):
    folder = os.path.join(D, name); os.makedirs(folder, exist_ok=True)
    how = build(lambda file: os.path.join(folder, file)) or how
    how["files"] = sorted(f for f in os.listdir(folder) if f.endswith(".nc"))
    with open(os.path.join(folder, "case.json"), "w") as out: json.dump(how, out)


if sys.argv[2:3] == ["bench"]:
    count, steps, LAT, LON = map(int, sys.argv[3:7])
    os.makedirs(D, exist_ok=True)
    all_days = days("noleap", 2000, 1, 1, count * steps)
    for i in range(count):
        write(os.path.join(D, f"part{i:04d}.nc"), all_days[i * steps:(i + 1) * steps], lon=np.linspace(0, 359, LON), lat=np.linspace(-89, 89, LAT), seed=i)
elif sys.argv[2:3] == ["random"]:
    seed, count = int(sys.argv[3]), int(sys.argv[4])
    for n in range(count):
        r = np.random.default_rng(seed * 100_000 + n)
        make(f"set{n:04d}", lambda P: random_set(P, r), {})
else:
    for name in sys.argv[2:] or CASES:
        build, how = CASES[name]
        make(name, build, how)
