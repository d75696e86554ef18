"""Writes sets of NetCDF files that are to be joined, one folder a set, into the folder given first.

With names of cases, those; with `random SEED COUNT`, that many sets over all that may differ between files. Each folder gets a
`case.json`: whether the files may be joined, and how.
"""
import json, os, shutil, sys
import h5py, netCDF4 as nc, numpy as np
from random_joins import random_set
from write_files import LAT, PACKED, days, with_plain_edges, write

D = sys.argv[1]
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
@case(passed=False)
def last_partial_unfiltered(P):
    three(P, (6, 6, 5), chunk=3)
    for i in range(3): with_plain_edges(P(f"part{i}.nc"), (3, LAT, 8))
@case(passed=False)
def edges_of_the_grid_unfiltered(P):
    three(P)
    for i in range(3): with_plain_edges(P(f"part{i}.nc"), (1, 4, 5))
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
@case(passed=True)
def times_of_other_types_and_units(P): three(P, each=({"time_type": "i4"}, {"time_type": "i8", "units": "hours since 1999-12-31"}, {"time_type": "f8", "units": "minutes since 2000-01-09"}))
@case(False, "no common type holds|cannot be written exactly")
def times_not_exact(P): three(P, each=({"units": "microseconds since 0001-01-01", "time_type": "i8"}, {}, {}))
@case(False, "calendars differ")
def calendars(P): three(P, each=({}, {"calendar": "360_day"}, {}))
@case(passed=True)
def calendar_names(P): three(P, each=({}, {"calendar": "365_day"}, {}))
@case(passed=True)
def calendar_names_of_leap_years(P): three(P, calendar="all_leap", each=({}, {"calendar": "366_day"}, {}))
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
def contiguous(P): three(P, contiguous=True, cells=5000)
@case(passed=False)
def contiguous_small(P): three(P, contiguous=True)
@case(passed=True)
def contiguous_beside_chunks(P): three(P, (6, 6, 6), each=({"chunk": 3, "zlib": False, "shuffle": False}, {"contiguous": True}, {"chunk": 3, "zlib": False, "shuffle": False}))
@case(passed=False)
def contiguous_beside_compressed(P): three(P, (6, 6, 6), each=({"chunk": 3}, {"contiguous": True}, {"chunk": 3}))
@case(passed=False)
def classic_beside_netcdf4(P): three(P, each=({}, {"kind": "NETCDF3_CLASSIC"}, {}))
@case(passed=True)
def levels_of_deflate(P): three(P, each=({"level": 1}, {"level": 9}, {"level": 4}))
@case(passed=False)
def filters(P): three(P, each=({"shuffle": False}, {}, {"fletcher": True}))
@case(passed=False)
def szip(P): three(P, each=({}, {"szip": True}, {}))
@case(passed=False)
def checksums(P): three(P, each=({}, {"fletcher": True}, {}))
@case(passed=False)
def uncompressed_beside(P): three(P, each=({"zlib": False, "shuffle": False}, {}, {}))
@case(passed=False)
def endian(P): three(P, each=({"endian": "big"}, {}, {}))
@case(passed=False)
def fills(P): three(P, each=({"fill": -9999.0}, {}, {"fill": np.nan}))
@case(passed=False)
def fills_of_packed(P): three(P, each=(PACKED, {**PACKED, "fill": -32768}, PACKED))
@case(passed=False)
def missing_values(P): three(P, each=({"missing": -1.0}, {"missing": -2.0}, {"missing": -1.0}))
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
@case(passed=True, notes="valid_range")
def valid_ranges(P): three(P, each=({"valid": (0, 400)}, {"valid": (0, 300)}, {"valid": (0, 400)}))
@case(False, "grids differ")
def grids(P): three(P, each=({}, {"lat": np.linspace(-80, 80, 9)}, {}))
@case(False, "values of lat")
def shifted(P): three(P, each=({}, {"lat": np.linspace(-75, 75, 6) + .1}, {}))
@case(False, "grids differ")
def levels_of_other_number(P): three(P, each=({"levels": 3}, {"levels": 4}, {"levels": 3}))
@case(False, "units of lev differ")
def levels_of_other_units(P): three(P, levels=3, each=({}, {"level_units": "hPa"}, {}))
@case(False, "values of lev_bnds")
def bounds_of_levels(P): three(P, levels=3, each=({}, {"level_bounds": 501}, {}))
@case(passed=True)
def curvilinear(P): three(P, curvilinear=0.0)
@case(False, "values of latitude")
def curvilinear_shifted(P): three(P, each=({"curvilinear": 0.0}, {"curvilinear": 0.1}, {"curvilinear": 0.0}))
@case(passed=True, notes="rounding")
def curvilinear_rounding(P): three(P, each=({"curvilinear": 0.0}, {"curvilinear": 1e-8}, {"curvilinear": 0.0}))
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
@case(False, "The join is strict", strict=True)
def overlap_strict(P): overlap(P)
@case(overlaps=True)
def within(P):
    all_days = days("noleap", 2000, 1, 1, 10)
    write(P("all.nc"), all_days); write(P("part.nc"), all_days[3:6])
@case(False, "have the same times, and .* has no")
def other_variables_at_the_same_times(P):
    grouped(P, ("pr", "tas"), {"pr": {"names": ("pr",)}})
@case(False, "has no tas", missing=True)
def other_variables_at_some_times(P):
    all_days = days("noleap", 2000, 1, 1, 10)
    write(P("pr.nc"), all_days, names=("pr",)); write(P("tas.nc"), all_days[6:])
@case(False, "has time twice among the dimensions of cov")
def time_twice(P): three(P); changed(P, lambda d, i: d.createVariable("cov", "f4", ("time", "time")))
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
@case(False, "The join is strict", strict=True)
def gap_strict(P): gap(P)
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
def unstructured(P): three(P, cells=20)
@case(False, "values of latitude")
def unstructured_shifted(P): three(P, each=({"cells": 20}, {"cells": 20, "curvilinear": 1.0}, {"cells": 20}))
@case(passed=True)
def attributes_of_files(P): three(P, each=({"attributes": {"history": "one"}}, {"attributes": {"history": "two"}}, {}))
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

def changed(P, change, files=(0, 1, 2)):
    """Changes files that have been written. @param change gets the file, open for writing, and its number"""
    for i in files:
        d = nc.Dataset(P(f"part{i}.nc"), "a"); d.set_auto_maskandscale(False); change(d, i); d.close()
@case()
def time_not_first(P):
    def add(d, i):
        n = len(d["time"]); numbers = np.arange(2 * n).reshape(2, n) + 100.0 * i
        d.createVariable("series", "f8", ("bnds", "time"))[:] = numbers
        d.createVariable("section", "f4", ("lat", "time", "lon"), zlib=True)[:] = np.arange(LAT * n * 8).reshape(LAT, n, 8) + 1000.0 * i
    three(P, (4, 3, 5)); changed(P, add)
@case()
def bounds_before_time(P):
    def turn(d, i):
        d["time"].bounds = "turned_bnds"; d.createVariable("turned_bnds", "f8", ("bnds", "time"))[:] = d["time_bnds"][:].T
    three(P, (4, 3, 5), each=({}, {"units": "hours since 1999-12-01"}, {})); changed(P, turn)
@case()
def time_not_first_in_one_piece(P):
    lat, lon = np.linspace(-89, 89, 400), np.linspace(0, 359, 400)
    for i in range(2):
        write(P(f"part{i}.nc"), days("noleap", 2000, 1, 1 + 3 * i, 3), lat=lat, lon=lon, contiguous=True, names=())
        d = nc.Dataset(P(f"part{i}.nc"), "a"); d.createVariable("section", "f8", ("lat", "time", "lon"), contiguous=True)[:] = np.arange(480_000).reshape(400, 3, 400) * (i + 1); d.close()
@case(passed=False)
def contiguous_beside_smaller_chunks(P):
    three(P, (6, 6, 6), names=(), contiguous=True)
    def add(d, i):
        how = dict(contiguous=True) if i == 1 else dict(chunksizes=(3, LAT, 4))
        d.createVariable("tas", "f4", ("time", "lat", "lon"), **how)[:] = np.arange(6 * LAT * 8).reshape(6, LAT, 8) + 1000.0 * i
    changed(P, add)
@case(passed=False)
def other_chunks_of_the_last_file(P):
    three(P, names=(), bounds=False)
    def add(d, i):
        v = d.createVariable("tas", "f4", ("time", "lat", "lon"), zlib=True, chunksizes=(1, LAT, 4) if i == 2 else (1, 3, 8))
        v[:] = np.arange(4 * LAT * 8).reshape(4, LAT, 8) + 1000.0 * i
    changed(P, add)
@case(passed=False)
def fill_in_some_files(P): three(P, each=({"fill": None}, {}, {"fill": None, "missing": -1.0}))
@case(passed=True)
def float_times(P): three(P, each=({"time_type": "f4"}, {}, {"time_type": "f4", "units": "hours since 2000-01-01"}))
@case(passed=True)
def calendars_that_count_from_the_year_1(P): three(P, calendar="standard", each=({"units": "days since 0001-01-01"}, {"units": "days since 0001-01-01", "calendar": "proleptic_gregorian"}, {}))
@case(passed=True)
def before_1582(P): three(P, calendar="standard", year=1500, units="days since 1490-03-01")
@case(passed=True)
def months_of_30_days(P): three(P, calendar="360_day", each=({}, {"units": "months since 2000-01-01"}, {}))
@case(False, "unknown calendar")
def leap_seconds(P): three(P, calendar="standard", bounds=False); changed(P, lambda d, i: d["time"].setncattr("calendar", "utc"), [1])
@case(passed=True)
def fills_of_bounds(P): three(P); changed(P, lambda d, i: d["time_bnds"].setncattr("missing_value", 1e20), [1])
@case(passed=True)
def fills_of_fields(P): three(P); changed(P, lambda d, i: d["orog"].setncattr("missing_value", np.float32(1e20)), [1])
@case(False, "fill values of orog differ")
def fills_of_fields_that_are_used(P): three(P); changed(P, lambda d, i: d["orog"].setncattr("missing_value", np.float32(3)), [1])
@case(False, "scale_factor of orog differ")
def fields_packed_differently(P): three(P); changed(P, lambda d, i: d["orog"].setncattr("scale_factor", 2.0), [1])
@case(passed=True)
def descending(P): three(P, lat=np.linspace(75, -75, LAT))
@case(passed=True)
def names_of_stations(P): three(P); changed(P, lambda d, i: stations(d, "land", "ocean"))
@case(False, "values of basin differ")
def other_names_of_stations(P): three(P); changed(P, lambda d, i: stations(d, "land", "ocean" if i < 2 else "ice"))
def stations(d, *names):
    d.createDimension("basin", len(names)); v = d.createVariable("basin", str, ("basin",))
    for i, name in enumerate(names): v[i] = name
@case(overlaps=True)
def several_overlaps(P):
    all_days = days("noleap", 2000, 1, 1, 22)
    for i, (a, b) in enumerate(((0, 9), (4, 13), (7, 18), (16, 22))): write(P(f"part{i}.nc"), all_days[a:b], seed=i)
@case(False, "different datasets: variant_label")
def files_of_two_members(P): three(P, each=({"attributes": {"variant_label": "r1i1p1f1"}}, {}, {"attributes": {"variant_label": "r2i1p1f1"}}))

# Files of several groups: the name up to the first underscore.
def grouped(P, names, each=None, lengths=(4, 4), **common):
    all_days = days("noleap", 2000, 1, 1, sum(lengths)); at = 0
    for i, n in enumerate(lengths):
        for name in names: write(P(f"{name}_{i}.nc"), all_days[at:at + n], **{**common, **(each or {}).get(name, {})})
        at += n
# Chunks of 3 GB, none of which is stored: no program reads them, so they are made only if they are named.
@case(named=True)
def very_large_chunks(P):
    def add(d, i):
        for name in ("y", "x"): d.createDimension(name, 7000)
        d.createVariable("large", "f4", ("time", "y", "x"), chunksizes=(16, 7000, 7000), fill_value=1e20)
    three(P, (17, 17, 17)); changed(P, add)
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
@case(passed=True, kind="variables")
def variables_of_other_time_units(P): grouped(P, ("pr", "tas"), {"pr": {"names": ("pr",), "units": "hours since 1999-03-01", "time_type": "i4"}})
@case(passed=True, kind="member")
def members_of_other_time_units(P): grouped(P, ("r1", "r2"), {"r2": {"units": "minutes since 1850-01-01"}})
@case(False, "tas is in several", kind="variables")
def variables_twice(P): grouped(P, ("tas", "tas2"))
@case(False, "values of lat", kind="variables")
def variables_of_other_grids(P): grouped(P, ("pr", "tas"), {"pr": {"names": ("pr",), "lat": np.linspace(-70, 70, 6)}})


def make(name, build, how):
    folder = os.path.join(D, name); os.makedirs(folder, exist_ok=True)
    how = build(lambda file: os.path.join(folder, file)) or how
    how["files"] = sorted(f for f in os.listdir(folder) if f.endswith(".nc"))
    with open(os.path.join(folder, "case.json"), "w") as out: json.dump(how, out)


if sys.argv[2:3] == ["bench"]:
    count, steps, rows, columns, chunk = map(int, [*sys.argv[3:7], *(sys.argv[7:] or [1])])
    os.makedirs(D, exist_ok=True)
    all_days = days("noleap", 2000, 1, 1, count * steps)
    for i in range(count):
        write(os.path.join(D, f"part{i:04d}.nc"), all_days[i * steps:(i + 1) * steps], lon=np.linspace(0, 359, columns), lat=np.linspace(-89, 89, rows), seed=i, chunk=chunk)
elif sys.argv[2:3] == ["many"]:
    # Small files with many chunks: copies of one, with other times. With a word more, the chunks are not written.
    count, steps, levels = map(int, sys.argv[3:6])
    os.makedirs(D, exist_ok=True)
    path = os.path.join(D, "part00000.nc")
    d = nc.Dataset(path, "w"); d.createDimension("time", steps); d.createDimension("lev", levels); d.createDimension("lat", 2)
    t = d.createVariable("time", "f8", ("time",)); t.units = "days since 2000-01-01"; t.calendar = "noleap"; t[:] = np.arange(steps)
    for name in ("lev", "lat"): d.createVariable(name, "f8", (name,))[:] = np.arange(len(d.dimensions[name]))
    v = d.createVariable("tas", "f4", ("time", "lev", "lat"), zlib=True, chunksizes=(1, 1, 2)); v.units = "K"
    if not sys.argv[6:]: v[:] = np.arange(steps * levels * 2).reshape(steps, levels, 2)
    d.close()
    with h5py.File(path) as file: at = file["time"].id.get_offset()
    with open(path, "rb") as file: data = bytearray(file.read())
    for i in range(1, count):
        data[at:at + 8 * steps] = (np.arange(steps, dtype="f8") + i * steps).tobytes()
        with open(os.path.join(D, f"part{i:05d}.nc"), "wb") as out: out.write(data)
elif sys.argv[2:3] == ["random"]:
    seed, count = int(sys.argv[3]), int(sys.argv[4])
    for n in range(count):
        r = np.random.default_rng(seed * 100_000 + n)
        make(f"set{n:04d}", lambda P: random_set(P, r), {})
else:
    for name in sys.argv[2:] or [name for name, (_, how) in CASES.items() if not how.get("named")]:
        build, how = CASES[name]
        make(name, build, how)
