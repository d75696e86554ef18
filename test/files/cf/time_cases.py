"""Prints times as numbers, and the dates that cftime reads from them, as JSON lines: time_cases.py SEED"""

import calendar as gregorian
import json
import random
import sys
import warnings

import cftime

# Years of five digits and before 1 are no dates that CF recommends.
warnings.simplefilter("ignore", cftime.CFWarning)
random.seed(int(sys.argv[1]))
CALENDARS = [
    "standard",
    "gregorian",
    "proleptic_gregorian",
    "julian",
    "noleap",
    "365_day",
    "all_leap",
    "366_day",
    "360_day",
]
UNITS = {
    "seconds": 86400,
    "sec": 86400,
    "minutes": 1440,
    "min": 1440,
    "hours": 24,
    "hr": 24,
    "h": 24,
    "days": 1,
    "day": 1,
    "d": 1,
    "milliseconds": 86400000,
    "Days": 1,
}
REFERENCES = [
    "1850-01-01",
    "1850-1-1",
    "1850-01-01 00:00:00",
    "1850-01-01T00:00:00Z",
    "1850-01-01 00:00:00.0 +01:00",
    "1850-01-01 12:30:15.5",
    "1900-01-01 00:00:0.0",
    "1949-12-01T00:00:00+00:00",
    "1992-10-8 15:15:42.5 -06:00",
    "1992-10-08 15:15:42 -0630",
    "0001-01-01 00:00:00",
    "1-1-1 00:00:00",
    "2000-02-28 23:59:59",
    "1582-10-04",
    "1582-10-15 06:00",
    "1600-2-29",
    "2100-01-01 06:00",
]


def day_that_exists(year, month, day):
    return min(day, gregorian.monthrange(year, month)[1])


def text(date):
    # ISO 8601 counts years with a year 0, historical calendars without.
    iso = date.year + 1 if date.year < 0 and not date.has_year_zero else date.year
    sign = "-" if iso < 0 else "+" if iso > 9999 else ""
    day = day_that_exists(iso, date.month, date.day)
    return f"{sign}{abs(iso):04d}-{date.month:02d}-{day:02d}T{date.hour:02d}:{date.minute:02d}:{date.second:02d}Z"


def some_date(calendar):
    """A date of the calendar, in any of 60,000 years; both ends of February more often than others."""
    while True:
        year = random.choice([random.randint(-30_000, 30_000), random.randint(-5, 5), random.randint(9995, 10_005)])
        month, day = random.choice([(random.randint(1, 12), random.randint(1, 31)), (2, random.randint(28, 30)), (3, 1)])
        clock = (random.randint(0, 23), random.randint(0, 59), random.randint(0, 59))
        try:
            return cftime.datetime(year, month, day, *clock, calendar=calendar)
        except ValueError:
            continue


for calendar in CALENDARS:
    for reference in REFERENCES:
        if reference == "1600-2-29" and calendar in ("noleap", "365_day"):
            continue
        for _ in range(6):
            unit, a_day = random.choice(list(UNITS.items()))
            value = random.choice(
                [
                    random.randint(0, 80_000) * a_day,
                    random.uniform(0, 300_000) * a_day,
                    random.randint(-200, 200) * a_day,
                    0,
                ]
            )
            units = f"{unit} since {reference}"
            date = cftime.num2date(value, units.lower(), calendar)
            if not 1 <= date.year <= 9999:
                continue
            # A moment at the very edge of a second belongs to either.
            if not 1000 < date.microsecond < 999_000:
                value, date = round(value), cftime.num2date(round(value), units.lower(), calendar)
                if not (date.microsecond == 0 or 1000 < date.microsecond < 999_000):
                    continue
            if not 1 <= date.year <= 9999:
                continue
            print(json.dumps({"calendar": calendar, "units": units, "value": value, "date": text(date), "own": date.isoformat()}))

# Between any two dates of the far past and the far future.
for calendar in CALENDARS:
    for _ in range(300):
        reference, date = some_date(calendar), some_date(calendar)
        if reference.has_year_zero != date.has_year_zero:
            continue
        unit = random.choice(["seconds", "minutes", "hours", "days"])
        year = f"{'-' if reference.year < 0 else ''}{abs(reference.year):04d}"
        units = f"{unit} since {year}-{reference.month:02d}-{reference.day:02d} {reference.hour}:00"
        value = float(cftime.date2num(date, units, calendar, has_year_zero=date.has_year_zero))
        if unit != "seconds" and random.random() < 0.5:
            value = round(value)
        read = cftime.num2date(value, units, calendar, has_year_zero=date.has_year_zero)
        if read.microsecond == 0 or 1000 < read.microsecond < 999_000:
            print(json.dumps({"calendar": calendar, "units": units, "value": value, "date": text(read), "own": read.isoformat()}))
