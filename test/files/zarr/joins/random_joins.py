"""Sets of files over all rows of the table of cases: some things differ that may differ, and sometimes one that may not."""
import shutil
import numpy as np
from write_files import LAT, PACKED, days, write

# Names of calendars that are the same; the last ones from 1582-10-15 on.
EQUAL = {"noleap": ["noleap", "365_day"], "360_day": ["360_day"], "all_leap": ["all_leap", "366_day"],
         "standard": ["standard", "gregorian"], "mixed": ["standard", "gregorian", "proleptic_gregorian"]}
WRONG = ["unit", "height", "lat", "calendar", "pr", "orog", "pole", "lev", "interleaved", "twice", "integers", "curvilinear"]
DIFFERS = ["units", "bounds_units", "calendar", "level", "filters", "fill", "missing", "packing", "endian", "time_type", "chunk", "rounding", "valid",
           "contiguous", "beside", "attributes"]


def random_set(P, r):
    def maybe(part): return bool(r.random() < part)
    def one(*values): return values[int(r.integers(len(values)))]
    kind = one("dataset", "dataset", "dataset", "dataset", "member", "variables")
    names = EQUAL[one(*EQUAL)]; calendar = names[0]
    files = int(r.integers(2, 6)); hours = one(6, 24, 24, 720)
    lengths = [int(r.integers(1, 12)) for _ in range(files)] if maybe(.5) else [int(r.integers(2, 7)) * 2] * files
    netcdf3 = maybe(.15); packed = maybe(.25); grid = one("", "", "", "curvilinear", "cells", "lev", "pole")
    wrong = one(*WRONG) if maybe(.35) else ""
    common = dict(chunk=one(1, 1, 1, 2, 3, 5), kind="NETCDF3_CLASSIC" if netcdf3 else "NETCDF4", climatology=maybe(.1), text=maybe(.1) and kind != "variables")
    if packed: common.update(PACKED)
    elif maybe(.2): common.update(dtype="f8")
    if grid == "curvilinear" or wrong == "curvilinear": common["curvilinear"] = 0.0
    elif grid == "cells" and wrong != "lat": common["cells"] = 20
    if grid == "lev" or wrong == "lev": common["levels"] = 2
    if grid == "pole" or wrong == "pole": common["pole"] = 39.25
    if wrong == "interleaved": lengths = [max(2, n) for n in lengths]
    if wrong == "integers": common.update(dtype="i4", fill=-1, scale=None); packed = False
    differs = {name: maybe(.25) for name in DIFFERS}
    fills_missing = kind == "dataset" and wrong == "" and maybe(.2)
    all_days = days(calendar, int(r.integers(1600, 2300)), 1, 1, sum(lengths) + 30, hours)
    bad = int(r.integers(1, files))
    groups = {"dataset": [""], "member": ["r1_", "r2_", "r10_"][:int(r.integers(2, 4))], "variables": ["pr_", "tas_"]}[kind]
    at = 0
    for i, n in enumerate(lengths):
        if wrong == "twice" and i == bad: at -= 0 if lengths[i - 1] < 2 or n < 2 else 1
        dates = all_days[at:at + n]
        if wrong == "interleaved" and i == bad: dates = [x + (all_days[1] - all_days[0]) / 2 for x in all_days[at - 2:at + n - 2]]
        for g, group in enumerate(groups):
            own = changes(r, one, maybe, differs, packed, common, names, i)
            if kind == "variables": own["names"] = (group[:-1],)
            if fills_missing and maybe(.5) or fills_missing and i == 0: own["names"] = ("tas", "pr")
            if i == bad and g == len(groups) - 1: dates_ = spoil(own, wrong, calendar, dates, hours, common)
            else: dates_ = dates
            write(P(f"{group}part{(i * 7) % 11}_{i}.nc"), dates_, **{"calendar": calendar, **common, **own}, seed=int(r.integers(1e9)))
        at += n
        if wrong == "" and maybe(.05): at += 3
    how = dict(joins=wrong in ("", "twice"), says="", missing=fills_missing)
    if kind != "dataset": how["kind"] = kind
    elif wrong == "" and maybe(.1): shutil.copy(P("part0_0.nc"), P("copy_of_part0_0.nc"))
    return how


def changes(r, one, maybe, differs, packed, common, names, i):
    """What may differ in the file."""
    own = {}; netcdf3 = common["kind"] == "NETCDF3_CLASSIC"
    def unit(): return f"{one('days', 'hours', 'minutes')} since {r.integers(1600, 2000)}-0{r.integers(1, 9)}-1{r.integers(0, 9)}"
    if differs["units"]: own["units"] = unit()
    if differs["bounds_units"] and not common["climatology"]: own["bounds_units"] = unit()
    if differs["calendar"]: own["calendar"] = one(*names)
    if differs["level"]: own["level"] = int(r.integers(1, 9))
    if differs["filters"]: own.update(shuffle=maybe(.5), fletcher=maybe(.3), zlib=maybe(.7), szip=maybe(.1) and not netcdf3)
    if differs["fill"] and common.get("dtype") != "i4": own["fill"] = one(-32767, -32768) if packed else one(1e20, -999.0)
    if differs["missing"]: own["missing"] = one(-1, -2)
    if differs["packing"] and packed: own["scale"] = one(0.01, 0.02)
    if differs["endian"]: own["endian"] = one("big", "little")
    if differs["time_type"]: own.update(time_type=one("i4", "f8") if netcdf3 else one("i4", "i8", "f8"), units=unit().replace("days", "hours"))
    if differs["chunk"]: own["chunk"] = int(r.integers(1, 5))
    if differs["valid"]: own["valid"] = (0, one(300, 400))
    if differs["rounding"] and "cells" not in common: own["lat"] = np.linspace(-75, 75, LAT) + one(0, 1e-7)
    if differs["contiguous"] and not netcdf3: own["contiguous"] = maybe(.5)
    if differs["beside"] and packed and maybe(.4): own.update(dtype="f4", scale=None, offset=None, fill=1e20)
    if differs["attributes"]: own["attributes"] = {"history": f"file {i}"}
    return own


def spoil(own, wrong, calendar, dates, hours, common):
    """What must not differ in the file. Gives its dates."""
    if wrong == "unit": own["unit"] = "degC"
    if wrong == "height": own["height"] = 10.0
    if wrong == "lat": own["lat"] = np.linspace(-75, 75, LAT) + .01
    if wrong == "pr": own["names"] = ("tas", "pr", "huss")
    if wrong == "orog": own["fixed"] = 1.0
    if wrong == "pole": own["pole"] = 32.5
    if wrong == "lev": own["level_bounds"] = 501
    if wrong == "curvilinear": own["curvilinear"] = 0.1
    if wrong == "integers": own.update(dtype="i2", fill=-1)
    if wrong != "calendar": return dates
    own["calendar"] = "julian" if calendar != "360_day" else "noleap"
    return days(own["calendar"], dates[0].year, dates[0].month, min(28, dates[0].day), len(dates), hours)
