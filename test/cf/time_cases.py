"""Prints times as numbers, and the dates that cftime reads from them, as JSON lines."""

import calendar as gregorian
import json
import random

import cftime

random.seed(11)
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
    day = day_that_exists(date.year, date.month, date.day)
    return f"{date.year:04d}-{date.month:02d}-{day:02d}T{date.hour:02d}:{date.minute:02d}:{date.second:02d}Z"


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
            print(json.dumps({"calendar": calendar, "units": units, "value": value, "date": text(date)}))
