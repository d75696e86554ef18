#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the sample catalogue and the small NetCDF files behind its first documents.

How to run it:

    python3 -m venv venv
    venv/bin/pip install netCDF4 numpy
    venv/bin/python make_sample.py

It writes next to itself:

    catalogue.jsonl   one document a line; first those with a file behind them, each as `climate-nextgen crawl` finds it
    files/            the NetCDF files, at paths as their projects prescribe them

Names (institutes, models, experiments, variables, domains, ...) follow the public
controlled vocabularies of the projects. The numbers in the files are synthetic: smooth
fields made of analytic climates and a few plane waves on the sphere. Nothing depends on
the clock or on chance, so a second run writes the same catalogue and the same data.

The file is laid out as: calendar and periods, documents, vocabularies and the tables of
what is in the catalogue, then grids, fields and the writing of NetCDF.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import uuid
import zlib
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import cftime
import netCDF4
import numpy as np

HERE = Path(__file__).resolve().parent
FILES = "files"
CATALOGUE = "catalogue.jsonl"
CREATED = "2020-08-15T12:00:00Z"
HISTORY = f"{CREATED} ; make_sample.py: wrote a synthetic sample"
SYNTHETIC = (
    "Synthetic values on a coarse grid, made to try software with; not the output of any model"
    " and not an observation."
)
LICENCE = "Apache-2.0 (synthetic sample)"
FILL = np.float32(1.0e20)

# --------------------------------------------------------------------------------------
# Periods
# --------------------------------------------------------------------------------------

SECOND = timedelta(seconds=1)

#: frequency -> (digits of a date in a file name, length of a step below a month)
FREQUENCIES = {
    "fx": (0, None),
    "yr": (4, None),
    "mon": (6, None),
    "day": (8, timedelta(days=1)),
    "6hr": (12, timedelta(hours=6)),
    "6hrPt": (12, timedelta(hours=6)),
    "3hr": (12, timedelta(hours=3)),
    "3hrPt": (12, timedelta(hours=3)),
    "1hr": (12, timedelta(hours=1)),
    "30min": (12, timedelta(minutes=30)),
}
#: The time aggregations whose times are points in time, not the middle of an interval.
POINTS = {"inst"}


@dataclass(frozen=True)
class Period:
    """A stretch of time in one calendar; `end` is the first instant after it."""

    start: cftime.datetime
    end: cftime.datetime

    @classmethod
    def parse(cls, text: str, calendar: str) -> "Period":
        """Read `1850-1899`, `200512-203011` or `20010101-20051231` (whole units)."""
        first, last = text.split("-")
        year, month, day = _date(first)
        start = cftime.datetime(year, month or 1, day or 1, calendar=calendar)
        year, month, day = _date(last)
        if day:
            return cls(start, cftime.datetime(year, month, day, calendar=calendar) + timedelta(days=1))
        return cls(start, _next_month(cftime.datetime(year, month or 12, 1, calendar=calendar)))

    def bounds(self, frequency: str) -> list[tuple[cftime.datetime, cftime.datetime]]:
        """The intervals of the time steps."""
        step = FREQUENCIES[frequency][1]
        edges = [self.start]
        while edges[-1] < self.end:
            edges.append(_next_month(edges[-1]) if step is None else edges[-1] + step)
        return list(zip(edges[:-1], edges[1:]))

    def last(self, frequency: str, aggregation: str) -> cftime.datetime:
        """The last instant data speak of, to the second."""
        step = FREQUENCIES[frequency][1]
        return self.end - (step if aggregation in POINTS else SECOND)

    def stamp(self, frequency: str, aggregation: str) -> str:
        """The dates as they stand at the end of a file name, such as `_198501-198912`."""
        digits, step = FREQUENCIES[frequency]
        start, last = self.start, self.last(frequency, aggregation)
        if digits == 12 and aggregation not in POINTS:  # means are named by the middle of the step
            start, last = self.start + step / 2, self.end - step / 2
        return f"_{_digits(start)[:digits]}-{_digits(last)[:digits]}"

    def solr(self, frequency: str, aggregation: str) -> str:
        """The period as a date range of the index."""
        return f"[{_iso(self.start)} TO {_iso(self.last(frequency, aggregation))}]"


def _date(text: str) -> tuple[int, int, int]:
    return int(text[:4]), int(text[4:6] or 0), int(text[6:8] or 0)


def _next_month(when: cftime.datetime) -> cftime.datetime:
    year, month = (when.year + 1, 1) if when.month == 12 else (when.year, when.month + 1)
    return cftime.datetime(year, month, 1, calendar=when.calendar)


def _digits(when: cftime.datetime) -> str:
    return f"{when.year:04d}{when.month:02d}{when.day:02d}{when.hour:02d}{when.minute:02d}"


def _iso(when: cftime.datetime) -> str:
    return (
        f"{when.year:04d}-{when.month:02d}-{when.day:02d}"
        f"T{when.hour:02d}:{when.minute:02d}:{when.second:02d}Z"
    )


# --------------------------------------------------------------------------------------
# Documents
# --------------------------------------------------------------------------------------

#: The keys of a document in the order they are written.
KEYS = (
    "project product institute model experiment time_frequency realm variable ensemble"
    " time_aggregation fs_type grid_label cmor_table driving_model format grid_id level_type"
    " rcm_name rcm_version dataset time bbox user version file_name file uri size checksum modified tracking_id"
    " standard_name long_name units nominal_resolution license further_info_url retracted"
).split()
LISTS = {
    *"project product institute model experiment time_frequency realm variable ensemble time_aggregation".split(),
    *"grid_label cmor_table driving_model grid_id level_type rcm_name rcm_version".split(),
}

#: project -> (directory, file name) below the root of the project
LAYOUTS = {
    "CMIP6": (
        "{product}/{institute}/{model}/{experiment}/{ensemble}/{cmor_table}/{variable}/{grid_label}/{version}",
        "{variable}_{cmor_table}_{model}_{experiment}_{ensemble}_{grid_label}{stamp}.{format}",
    ),
    "CMIP5": (
        "{product}/{institute}/{model}/{experiment}/{time_frequency}/{realm}/{cmor_table}/{ensemble}"
        "/{version}/{variable}",
        "{variable}_{cmor_table}_{model}_{experiment}_{ensemble}{stamp}.{format}",
    ),
    "CORDEX": (
        "{product}/{institute}/{driving_model}/{experiment}/{ensemble}/{rcm_name}/{rcm_version}"
        "/{time_frequency}/{variable}/{version}",
        "{variable}_{product}_{driving_model}_{experiment}_{ensemble}_{rcm_name}_{rcm_version}"
        "_{time_frequency}{stamp}.{format}",
    ),
    "nextGEMS": (
        "{product}/{institute}/{model}/{experiment}/{realm}/{version}",
        "{experiment}_{realm}_{level_type}_{time_frequency}_{time_aggregation}_{grid_id}{stamp}.{format}",
    ),
    "observations": (
        "{product}/{institute}/{model}/{experiment}/{time_frequency}/{realm}/{cmor_table}/{ensemble}"
        "/{version}/{variable}",
        "{variable}_{cmor_table}_{model}_{experiment}_{ensemble}{stamp}.{format}",
    ),
    "reanalysis": (
        "{product}/{institute}/{model}/{experiment}/{time_frequency}/{realm}/{cmor_table}/{ensemble}"
        "/{version}/{variable}",
        "{variable}_{cmor_table}_{model}_{experiment}_{ensemble}{stamp}.{format}",
    ),
    "user-data": (
        "{product}/{model}/{experiment}/{cmor_table}/{version}",
        "{variable}_{cmor_table}_{model}_{experiment}_{ensemble}{stamp}.{format}",
    ),
}

#: storage -> (root of `file`, root of `uri`, name used in the facet dataset)
STORAGES = {
    "posix": ("/pool/data", "file:///pool/data", "fs"),
    "hsm": ("/arch/climate", "slk:///arch/climate", "hsm"),
    "swift": ("/swift/climate", "https://swift.example.org/v1/climate", "swift"),
    "s3": ("/s3/climate", "s3://climate.s3.example.org", "s3"),
}
#: project -> (its folder below the root of a storage, its folder in the sample)
FOLDERS = {
    "CMIP6": ("CMIP6/data", "CMIP6"),
    "CMIP5": ("CMIP5/cmip5", "cmip5"),
    "CORDEX": ("CORDEX/data/cordex/output", "cordex/output"),
    "nextGEMS": ("nextGEMS", "nextGEMS"),
    "observations": ("OBS/observations", "observations"),
    "reanalysis": ("REANALYSIS", "reanalysis"),
}
GLOBE = "ENVELOPE(-180,180,90,-90)"


def relative_path(facets: dict, period: Period | None) -> str:
    """The path of a file below the folder of its project, made of its facets and its period."""
    words = {key: value if isinstance(value, str) else value[0] for key, value in facets.items() if value}
    words["stamp"] = period.stamp(words["time_frequency"], words["time_aggregation"]) if period else ""
    folder, name = LAYOUTS[words["project"]]
    return f"{folder}/{name}".format(**words)


def document(facets: dict, period: Period | None, file: str, uri: str) -> dict:
    """One document of the index, its keys in order."""
    found = dict(facets, file=file, uri=uri, file_name=file.rsplit("/", 1)[-1])
    found["time"] = period.solr(facets["time_frequency"], facets["time_aggregation"]) if period else "fx"
    return {
        key: [found[key]] if key in LISTS and not isinstance(found[key], list) else found[key]
        for key in KEYS
        if found.get(key)
    }


def stored(facets: dict, storage: str, period: Period | None, path: str | None = None) -> dict:
    """The document of a file of a computing centre, in one of the storages."""
    root, uri_root, name = STORAGES[storage]
    project = facets["project"]
    facets = dict(facets, fs_type=storage, dataset=f"{DATASETS[project]}-{name}")
    path = path or f"{FOLDERS[project][0]}/{relative_path(facets, period)}"
    return document(facets | details(facets, path), period, f"{root}/{path}", f"{uri_root}/{path}")


#: variable -> its CF standard name, its name for people, its units
VARIABLES = {
    "areacello": ("cell_area", "Grid-Cell Area for Ocean Variables", "m2"),
    "chl": ("mass_concentration_of_phytoplankton_expressed_as_chlorophyll_in_sea_water",
            "Mass Concentration of Total Phytoplankton Expressed as Chlorophyll in Sea Water", "kg m-3"),
    "clt": ("cloud_area_fraction", "Total Cloud Cover Percentage", "%"),
    "co2": ("mole_fraction_of_carbon_dioxide_in_air", "Mole Fraction of CO2", "mol mol-1"),
    "gpp": ("gross_primary_productivity_of_biomass_expressed_as_carbon",
            "Carbon Mass Flux out of Atmosphere Due to Gross Primary Production on Land", "kg m-2 s-1"),
    "hfds": ("surface_downward_heat_flux_in_sea_water", "Downward Heat Flux at Sea Water Surface", "W m-2"),
    "hurs": ("relative_humidity", "Near-Surface Relative Humidity", "%"),
    "intpp": ("net_primary_mole_productivity_of_biomass_expressed_as_carbon_by_phytoplankton",
              "Primary Organic Carbon Production by All Types of Phytoplankton", "mol m-2 s-1"),
    "mrso": ("mass_content_of_water_in_soil", "Total Soil Moisture Content", "kg m-2"),
    "mrsos": ("mass_content_of_water_in_soil_layer", "Moisture in Upper Portion of Soil Column", "kg m-2"),
    "o3": ("mole_fraction_of_ozone_in_air", "Mole Fraction of O3", "mol mol-1"),
    "od550aer": ("atmosphere_optical_thickness_due_to_ambient_aerosol_particles",
                 "Ambient Aerosol Optical Thickness at 550nm", "1"),
    "orog": ("surface_altitude", "Surface Altitude", "m"),
    "pr": ("precipitation_flux", "Precipitation", "kg m-2 s-1"),
    "psl": ("air_pressure_at_mean_sea_level", "Sea Level Pressure", "Pa"),
    "rlut": ("toa_outgoing_longwave_flux", "TOA Outgoing Longwave Radiation", "W m-2"),
    "rsdt": ("toa_incoming_shortwave_flux", "TOA Incident Shortwave Radiation", "W m-2"),
    "rsut": ("toa_outgoing_shortwave_flux", "TOA Outgoing Shortwave Radiation", "W m-2"),
    "sftlf": ("land_area_fraction", "Percentage of the Grid Cell Occupied by Land", "%"),
    "sic": ("sea_ice_area_fraction", "Sea-Ice Area Percentage", "%"),
    "siconc": ("sea_ice_area_fraction", "Sea-Ice Area Percentage (Ocean Grid)", "%"),
    "snw": ("surface_snow_amount", "Surface Snow Amount", "kg m-2"),
    "ta": ("air_temperature", "Air Temperature", "K"),
    "tas": ("air_temperature", "Near-Surface Air Temperature", "K"),
    "tasmax": ("air_temperature", "Daily Maximum Near-Surface Air Temperature", "K"),
    "tasmin": ("air_temperature", "Daily Minimum Near-Surface Air Temperature", "K"),
    "thetao": ("sea_water_potential_temperature", "Sea Water Potential Temperature", "degC"),
    "tos": ("sea_surface_temperature", "Sea Surface Temperature", "degC"),
    "ua": ("eastward_wind", "Eastward Wind", "m s-1"),
    "uas": ("eastward_wind", "Eastward Near-Surface Wind", "m s-1"),
    "vas": ("northward_wind", "Northward Near-Surface Wind", "m s-1"),
    "zg": ("geopotential_height", "Geopotential Height", "m"),
}
#: project -> begin of its tracking identifiers, terms of use
PROJECTS = {
    "CMIP6": ("hdl:21.14100/", "CC BY 4.0"),
    "CMIP5": ("", "unrestricted"),
    "CORDEX": ("hdl:21.14103/", "non-commercial research and educational purposes only"),
}
RESOLUTIONS = {"MPI-ESM1-2-HR": "100 km", "MPI-ESM1-2-XR": "50 km", "EC-Earth3P-HR": "50 km", "HadGEM3-GC31-HM": "50 km"}
#: model, experiment and version of what was withdrawn
RETRACTED = {("CanESM5", "historical", "v20190306"), ("GFDL-ESM4", "ssp126", "v20180701")}
SECONDS = {"mon": 2.6e6, "day": 86400, "6hr": 21600, "6hrPt": 21600, "3hr": 10800, "3hrPt": 10800, "1hr": 3600}


def details(facets: dict, path: str) -> dict:
    """What else is known of a file of a computing centre: plausible, and the same every time. Of stores nothing is."""
    if facets["format"] == "zarr":
        return {}
    named = VARIABLES.get(facets["variable"]) if isinstance(facets["variable"], str) else None
    about = dict(zip(("standard_name", "long_name", "units"), named or ()))
    mean = 1.5e12 / SECONDS.get(facets["time_frequency"], 3e7) * (8 if facets["level_type"] != "2d" else 1)
    about["size"] = int(mean * (0.5 + zlib.crc32(path.encode()) / 2**32)) + 20_000
    if facets["version"].startswith("v20"):
        year, month, day = facets["version"][1:5], facets["version"][5:7], facets["version"][7:9]
        about["modified"] = f"{year}-{month}-{day}T12:00:00Z"
    if facets["project"] in PROJECTS:
        prefix, about["license"] = PROJECTS[facets["project"]]
        about["tracking_id"] = f"{prefix}{_tracking(path)}"
    if facets["project"] == "CMIP6":
        about["nominal_resolution"] = RESOLUTIONS.get(facets["model"], "250 km")
        about["further_info_url"] = _further_info(facets)
    if tuple(facets[key] for key in ("model", "experiment", "version")) in RETRACTED:
        about["retracted"] = True
    return about


def _tracking(path: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"https://example.org/sample/{path}"))


def _further_info(facets: dict) -> str:
    run = ".".join(facets[key] for key in ("institute", "model", "experiment"))
    return f"https://furtherinfo.es-doc.org/CMIP6.{run}.none.{facets['ensemble']}"


#: project -> begin of the facet dataset
DATASETS = {
    "CMIP6": "cmip6",
    "CMIP5": "cmip5",
    "CORDEX": "cordex",
    "nextGEMS": "nextgems",
    "observations": "obs",
    "reanalysis": "reana",
}


def periods(text: str, frequency: str, calendar: str) -> list[Period | None]:
    """The periods of the slices of a data set; a fixed field has none."""
    return [None] if frequency == "fx" else [Period.parse(each, calendar) for each in text.split()]


# --------------------------------------------------------------------------------------
# Vocabularies: CMIP6
# --------------------------------------------------------------------------------------

#: model -> (grid label, calendar)
CMIP6_MODELS = {
    "ACCESS-CM2": ("gn", "proleptic_gregorian"),
    "AWI-CM-1-1-MR": ("gn", "proleptic_gregorian"),
    "BCC-CSM2-MR": ("gn", "noleap"),
    "CESM2": ("gn", "noleap"),
    "CNRM-CM6-1": ("gr", "standard"),
    "CNRM-CM6-1-HR": ("gr", "standard"),
    "CanESM5": ("gn", "noleap"),
    "EC-Earth3": ("gr", "proleptic_gregorian"),
    "EC-Earth3P-HR": ("gr", "standard"),
    "GFDL-ESM4": ("gr1", "noleap"),
    "HadGEM3-GC31-HM": ("gn", "360_day"),
    "IPSL-CM6A-LR": ("gr", "standard"),
    "MIROC6": ("gn", "standard"),
    "MPI-ESM1-2-HR": ("gn", "proleptic_gregorian"),
    "MPI-ESM1-2-LR": ("gn", "proleptic_gregorian"),
    "MPI-ESM1-2-XR": ("gn", "proleptic_gregorian"),
    "NorESM2-LM": ("gn", "noleap"),
    "UKESM1-0-LL": ("gn", "360_day"),
}
#: table -> (frequency, realm, level type, time aggregation)
CMIP6_TABLES = {
    "Amon": ("mon", "atmos", "2d", "mean"),
    "AERmon": ("mon", "aerosol", "2d", "mean"),
    "Omon": ("mon", "ocean", "2d", "mean"),
    "SImon": ("mon", "seaIce", "2d", "mean"),
    "Lmon": ("mon", "land", "2d", "mean"),
    "LImon": ("mon", "landIce", "2d", "mean"),
    "Oyr": ("yr", "ocnBgchem", "ml", "mean"),
    "day": ("day", "atmos", "2d", "mean"),
    "6hrPlevPt": ("6hrPt", "atmos", "pl", "inst"),
    "3hr": ("3hr", "atmos", "2d", "mean"),
    "fx": ("fx", "atmos", "2d", "mean"),
    "Ofx": ("fx", "ocean", "2d", "mean"),
}
#: table/variable -> what differs from the rest of the table
CMIP6_EXCEPTIONS = {
    "Amon/ta": {"level_type": "pl"},
    "Amon/ua": {"level_type": "pl"},
    "Amon/zg": {"level_type": "pl"},
    "day/zg": {"level_type": "pl"},
    "day/tasmax": {"time_aggregation": "max"},
    "day/tasmin": {"time_aggregation": "min"},
    "3hr/tas": {"time_frequency": "3hrPt", "time_aggregation": "inst"},
    "AERmon/o3": {"realm": "atmosChem", "level_type": "ml"},
    "Omon/thetao": {"level_type": "ml"},
    "Omon/intpp": {"realm": "ocnBgchem"},
    "Omon/hfds": {"grid_label": "gn"},
    "Omon/tos": {"grid_label": "gn"},
    "SImon/siconc": {"grid_label": "gn"},
    "fx/orog": {"realm": "land"},
}

#: activity, institute, model, experiment, member, versions, storage, table/variables, years of the slices
CMIP6_RUNS = [
    ("CMIP", "MPI-M", "MPI-ESM1-2-HR", "historical", "r1i1p1f1", "v20190710", "posix",
     "Amon/tas Amon/pr", "1980-1984 1985-1989 1990-1994 1995-1999"),
    ("CMIP", "MPI-M", "MPI-ESM1-2-HR", "historical", "r1i1p1f1", "v20190710", "posix",
     "Omon/tos Omon/thetao", "1990-1994 1995-1999"),
    ("CMIP", "MPI-M", "MPI-ESM1-2-HR", "historical", "r1i1p1f1", "v20190710", "posix",
     "fx/orog fx/sftlf Ofx/areacello", ""),
    ("CMIP", "MPI-M", "MPI-ESM1-2-HR", "historical", "r1i1p1f1", "v20190710", "hsm",
     "6hrPlevPt/ua 6hrPlevPt/ta", "1990-1990 1991-1991"),
    ("ScenarioMIP", "DKRZ", "MPI-ESM1-2-HR", "ssp126", "r1i1p1f1", "v20190710", "posix", "Amon/tas Amon/pr",
     "2015-2019 2020-2024"),
    ("ScenarioMIP", "DKRZ", "MPI-ESM1-2-HR", "ssp585", "r1i1p1f1", "v20190710", "posix", "Amon/tas Amon/pr",
     "2015-2019 2020-2024"),
    ("DCPP", "MPI-M", "MPI-ESM1-2-HR", "dcppA-hindcast", "s1960-r1i1p1f1", "v20190821", "posix", "Amon/tas",
     "196011-197012"),
    ("CMIP", "MPI-M", "MPI-ESM1-2-LR", "amip", "r2i1p1f1", "v20190815", "hsm", "Amon/ua Amon/ta",
     "1979-1998 1999-2014"),
    ("CMIP", "MPI-M", "MPI-ESM1-2-LR", "abrupt-4xCO2", "r1i1p1f1", "v20190710", "posix", "Amon/tas Amon/rlut",
     "1850-1869"),
    ("CMIP", "MPI-M", "MPI-ESM1-2-LR", "1pctCO2", "r1i1p1f1", "v20190710", "posix", "Amon/tas Omon/intpp",
     "1850-1869"),
    ("PMIP", "MPI-M", "MPI-ESM1-2-LR", "lgm", "r1i1p1f1", "v20190710", "hsm", "Amon/tas", "1850-1869"),
    ("CMIP", "MOHC", "UKESM1-0-LL", "historical", "r1i1p1f2", "v20190406 v20190627", "posix", "Amon/pr",
     "1850-1949 1950-2014"),
    ("CMIP", "MOHC", "UKESM1-0-LL", "historical", "r2i1p1f2", "v20190502", "hsm", "day/tasmax day/tasmin",
     "1950-1999"),
    ("ScenarioMIP", "MOHC", "UKESM1-0-LL", "ssp585", "r1i1p1f2", "v20190507", "posix", "Amon/tas Amon/pr Lmon/mrso",
     "2015-2049 2050-2100"),
    ("ScenarioMIP", "MOHC", "UKESM1-0-LL", "ssp370", "r1i1p1f2", "v20190510", "posix", "Amon/tas AERmon/od550aer",
     "2015-2049"),
    ("CMIP", "EC-Earth-Consortium", "EC-Earth3", "historical", "r1i1p1f1", "v20200310", "posix",
     "Amon/tas", "2009-2009 2010-2010 2011-2011 2012-2012 2013-2013 2014-2014"),
    ("CMIP", "EC-Earth-Consortium", "EC-Earth3", "historical", "r1i1p1f1", "v20200310", "hsm", "day/zg day/pr",
     "2013-2013 2014-2014"),
    ("ScenarioMIP", "EC-Earth-Consortium", "EC-Earth3", "ssp585", "r1i1p1f1", "v20200310", "posix",
     "Amon/tas Amon/pr", "2015-2015 2016-2016"),
    ("CMIP", "IPSL", "IPSL-CM6A-LR", "historical", "r1i1p1f1", "v20180803", "posix",
     "Amon/tas Amon/pr Omon/tos Lmon/gpp", "1850-2014"),
    ("ScenarioMIP", "IPSL", "IPSL-CM6A-LR", "ssp245", "r1i1p1f1", "v20190119", "posix", "Amon/tas Amon/pr",
     "2015-2100"),
    ("ScenarioMIP", "IPSL", "IPSL-CM6A-LR", "ssp585", "r1i1p1f1", "v20190119 v20190903", "posix", "Amon/tas",
     "2015-2100"),
    ("CMIP", "NCAR", "CESM2", "historical", "r1i1p1f1", "v20190308", "posix", "Amon/tas Amon/pr",
     "1850-1899 1900-1949 1950-1999 2000-2014"),
    ("CMIP", "NCAR", "CESM2", "piControl", "r1i1p1f1", "v20190320", "hsm", "Amon/tas", "0001-0099 0100-0199"),
    ("ScenarioMIP", "NCAR", "CESM2", "ssp245", "r4i1p1f1", "v20200528", "swift", "Amon/tas Amon/pr",
     "2015-2064 2065-2100"),
    ("CMIP", "NOAA-GFDL", "GFDL-ESM4", "historical", "r1i1p1f1", "v20190726", "posix", "Amon/tas AERmon/o3",
     "1850-1949 1950-2014"),
    ("CMIP", "NOAA-GFDL", "GFDL-ESM4", "historical", "r1i1p1f1", "v20190726", "posix", "fx/sftlf fx/orog", ""),
    ("ScenarioMIP", "NOAA-GFDL", "GFDL-ESM4", "ssp126", "r1i1p1f1", "v20180701", "posix", "day/tasmax day/pr",
     "2015-2034"),
    ("CMIP", "CCCma", "CanESM5", "historical", "r1i1p1f1", "v20190306 v20190429", "posix", "Amon/tas Amon/pr",
     "1850-2014"),
    ("ScenarioMIP", "CCCma", "CanESM5", "ssp585", "r1i1p1f1", "v20190429", "posix", "Amon/tas SImon/siconc",
     "2015-2100"),
    ("DAMIP", "CCCma", "CanESM5", "hist-GHG", "r1i1p1f1", "v20190429", "posix", "Amon/tas", "1850-2020"),
    ("CMIP", "MIROC", "MIROC6", "historical", "r1i1p1f1", "v20181212", "posix", "Amon/tas Amon/pr Amon/psl",
     "1850-1949 1950-2014"),
    ("ScenarioMIP", "MIROC", "MIROC6", "ssp119", "r1i1p1f1", "v20190627", "posix", "Amon/tas", "2015-2100"),
    ("CMIP", "MIROC", "MIROC6", "historical", "r1i1p1f1", "v20190311", "hsm", "3hr/tas 3hr/pr", "2014-2014"),
    ("CMIP", "CSIRO-ARCCSS", "ACCESS-CM2", "amip", "r1i1p1f1", "v20191108 v20201108", "posix", "Amon/ua",
     "1979-2014"),
    ("CMIP", "CSIRO-ARCCSS", "ACCESS-CM2", "historical", "r1i1p1f1", "v20191108", "posix",
     "Amon/tas Amon/pr Amon/zg", "1850-2014"),
    ("CMIP", "NCC", "NorESM2-LM", "historical", "r1i1p1f1", "v20190815", "posix", "Amon/tas",
     "1950-1959 1960-1969 1970-1979"),
    ("OMIP", "NCC", "NorESM2-LM", "omip1", "r1i1p1f1", "v20190815", "posix", "Omon/hfds Oyr/chl", "1948-1957"),
    ("AerChemMIP", "NCC", "NorESM2-LM", "hist-piAer", "r1i1p1f1", "v20191108", "posix", "AERmon/od550aer",
     "1950-1959"),
    ("CMIP", "AWI", "AWI-CM-1-1-MR", "historical", "r1i1p1f1", "v20181218", "posix", "Omon/tos SImon/siconc",
     "2001-2010 2011-2014"),
    ("CMIP", "BCC", "BCC-CSM2-MR", "historical", "r1i1p1f1", "v20181126", "posix", "Amon/tas Amon/pr LImon/snw",
     "1850-2014"),
    ("CMIP", "CNRM-CERFACS", "CNRM-CM6-1", "historical", "r1i1p1f2", "v20180917", "posix", "Amon/tas Amon/pr",
     "1850-2014"),
    ("HighResMIP", "EC-Earth-Consortium", "EC-Earth3P-HR", "hist-1950", "r1i1p2f1", "v20181212", "hsm",
     "day/pr Amon/tas", "2013-2013 2014-2014"),
    ("HighResMIP", "MOHC", "HadGEM3-GC31-HM", "hist-1950", "r1i1p1f1", "v20180730", "hsm", "Amon/tas day/tasmax",
     "2014-2014"),
    ("HighResMIP", "MOHC", "HadGEM3-GC31-HM", "highresSST-present", "r1i1p1f1", "v20170831", "hsm", "Amon/pr",
     "2014-2014"),
    ("HighResMIP", "MPI-M", "MPI-ESM1-2-XR", "hist-1950", "r1i1p1f1", "v20180606", "posix", "Amon/tas Amon/pr",
     "2013-2013 2014-2014"),
    ("HighResMIP", "MPI-M", "MPI-ESM1-2-XR", "control-1950", "r1i1p1f1", "v20180606", "posix", "6hrPlevPt/ua",
     "1950-1950"),
    ("HighResMIP", "CNRM-CERFACS", "CNRM-CM6-1-HR", "hist-1950", "r1i1p1f2", "v20190221", "posix", "day/tasmin",
     "1950-1969"),
]


def cmip6_facets(activity, institute, model, experiment, member, version, what) -> dict:
    """The facets of a CMIP6 file; `what` is table/variable."""
    table, variable = what.split("/")
    frequency, realm, level, aggregation = CMIP6_TABLES[table]
    facets = dict(
        project="CMIP6", product=activity, institute=institute, model=model, experiment=experiment,
        time_frequency=frequency, realm=realm, variable=variable, ensemble=member,
        time_aggregation=aggregation, fs_type="posix", grid_label=CMIP6_MODELS[model][0], cmor_table=table,
        format="nc", level_type=level, bbox=GLOBE, version=version,
    )
    return facets | CMIP6_EXCEPTIONS.get(what, {})


def cmip6_documents() -> list[dict]:
    """The documents of CMIP6."""
    found = []
    for *run, versions, storage, variables, slices in CMIP6_RUNS:
        for what in variables.split():
            for version in versions.split():
                facets = cmip6_facets(*run, version, what)
                if storage == "swift":
                    facets["format"] = "zarr"
                for period in periods(slices, facets["time_frequency"], CMIP6_MODELS[run[2]][1]):
                    found.append(stored(facets, storage, period))
    return found


# --------------------------------------------------------------------------------------
# Vocabularies: CMIP5
# --------------------------------------------------------------------------------------

#: model -> (institute, calendar)
CMIP5_MODELS = {
    "ACCESS1-0": ("CSIRO-BOM", "proleptic_gregorian"),
    "CCSM4": ("NCAR", "noleap"),
    "CNRM-CM5": ("CNRM-CERFACS", "standard"),
    "CanESM2": ("CCCma", "noleap"),
    "EC-EARTH": ("ICHEC", "standard"),
    "GFDL-ESM2M": ("NOAA-GFDL", "noleap"),
    "HadGEM2-ES": ("MOHC", "360_day"),
    "IPSL-CM5A-LR": ("IPSL", "noleap"),
    "MIROC5": ("MIROC", "noleap"),
    "MPI-ESM-LR": ("MPI-M", "proleptic_gregorian"),
    "NorESM1-M": ("NCC", "noleap"),
    "bcc-csm1-1": ("BCC", "noleap"),
}
#: table -> (frequency, realm, time aggregation)
CMIP5_TABLES = {
    "Amon": ("mon", "atmos", "mean"),
    "Omon": ("mon", "ocean", "mean"),
    "OImon": ("mon", "seaIce", "mean"),
    "Lmon": ("mon", "land", "mean"),
    "day": ("day", "atmos", "mean"),
    "6hrPlev": ("6hr", "atmos", "inst"),
    "fx": ("fx", "atmos", "mean"),
}
CMIP5_EXCEPTIONS = {
    "Amon/ta": {"level_type": "pl"},
    "6hrPlev/ua": {"level_type": "pl"},
    "day/tasmax": {"time_aggregation": "max"},
    "Omon/thetao": {"level_type": "ml"},
}
#: model, experiment, ensemble, versions, storage, table/variables, slices
CMIP5_RUNS = [
    ("MPI-ESM-LR", "historical", "r1i1p1", "v20111006", "posix", "Amon/tas Amon/pr Omon/tos", "1850-2005"),
    ("MPI-ESM-LR", "historical", "r1i1p1", "v20111119", "hsm", "6hrPlev/ua", "200501-200501 200502-200502"),
    ("MPI-ESM-LR", "historical", "r0i0p0", "v20120315", "posix", "fx/orog fx/sftlf", ""),
    ("MPI-ESM-LR", "rcp85", "r1i1p1", "v20111014", "posix", "Amon/tas Amon/pr", "2006-2100"),
    ("MPI-ESM-LR", "rcp26", "r1i1p1", "v20111014", "posix", "day/tasmax", "2006-2009 2010-2019"),
    ("HadGEM2-ES", "historical", "r1i1p1", "v20110418 v20120928", "posix", "Amon/tas", "195912-198411 198412-200511"),
    ("HadGEM2-ES", "rcp45", "r1i1p1", "v20111128", "posix", "Amon/tas Amon/pr", "200512-203011 203012-205511"),
    ("HadGEM2-ES", "rcp85", "r1i1p1", "v20111205", "hsm", "Omon/tos Lmon/mrso", "200512-203011"),
    ("NorESM1-M", "historical", "r1i1p1", "v20110901", "posix", "Amon/tas Amon/ta", "1950-2005"),
    ("NorESM1-M", "rcp26", "r1i1p1", "v20110901", "posix", "Amon/tas", "2006-2100"),
    ("IPSL-CM5A-LR", "historical", "r1i1p1", "v20110406 v20120114", "posix", "Amon/pr", "1850-2005"),
    ("IPSL-CM5A-LR", "rcp85", "r1i1p1", "v20111103", "posix", "Amon/tas OImon/sic", "2006-2100"),
    ("CNRM-CM5", "historical", "r1i1p1", "v20110901", "posix", "Amon/tas", "1950-2005"),
    ("CNRM-CM5", "rcp45", "r1i1p1", "v20121001", "posix", "Amon/tas Amon/pr", "2006-2055 2056-2100"),
    ("EC-EARTH", "rcp85", "r12i1p1", "v20131231", "posix", "day/pr", "2006-2009"),
    ("CanESM2", "rcp26", "r1i1p1", "v20120410", "posix", "Amon/tas Amon/psl", "2006-2100"),
    ("CCSM4", "historical", "r6i1p1", "v20120709", "hsm", "Amon/tas", "1950-2005"),
    ("GFDL-ESM2M", "rcp45", "r1i1p1", "v20110601", "posix", "Amon/pr Omon/thetao", "2006-2010 2011-2015"),
    ("MIROC5", "historical", "r1i1p1", "v20120710", "posix", "Amon/tas", "1950-2012"),
    ("ACCESS1-0", "rcp85", "r1i1p1", "v20120329", "posix", "Amon/tas", "2006-2100"),
    ("bcc-csm1-1", "rcp45", "r1i1p1", "v1", "posix", "Amon/tas", "2006-2099"),
]


def cmip5_facets(model, experiment, ensemble, version, what) -> dict:
    """The facets of a CMIP5 file; `what` is table/variable."""
    table, variable = what.split("/")
    frequency, realm, aggregation = CMIP5_TABLES[table]
    facets = dict(
        project="CMIP5", product="output1", institute=CMIP5_MODELS[model][0], model=model, experiment=experiment,
        time_frequency=frequency, realm=realm, variable=variable, ensemble=ensemble,
        time_aggregation=aggregation, fs_type="posix", grid_label="gn", cmor_table=table, format="nc",
        level_type="2d", bbox=GLOBE, version=version,
    )
    return facets | CMIP5_EXCEPTIONS.get(what, {})


def cmip5_documents() -> list[dict]:
    """The documents of CMIP5."""
    found = []
    for model, experiment, ensemble, versions, storage, variables, slices in CMIP5_RUNS:
        for what in variables.split():
            for version in versions.split():
                facets = cmip5_facets(model, experiment, ensemble, version, what)
                for period in periods(slices, facets["time_frequency"], CMIP5_MODELS[model][1]):
                    found.append(stored(facets, storage, period))
    return found


# --------------------------------------------------------------------------------------
# Vocabularies: CORDEX
# --------------------------------------------------------------------------------------

#: domain -> ENVELOPE(west, east, north, south); AUS-44 crosses the antimeridian
DOMAINS = {
    "AFR-22": "ENVELOPE(-25.09,60.71,42.69,-46.21)",
    "AFR-44": "ENVELOPE(-24.64,60.28,42.24,-45.76)",
    "ANT-44": "ENVELOPE(-180,180,-56.23,-90)",
    "ARC-44": "ENVELOPE(-180,180,90,46.06)",
    "AUS-44": "ENVELOPE(89.25,-153.43,12.21,-52.36)",
    "CAM-44": "ENVELOPE(-124.26,-22.22,34.83,-19.46)",
    "EAS-44": "ENVELOPE(62.5,176.5,54.76,-18.55)",
    "EUR-11": "ENVELOPE(-44.59,64.96,72.58,21.99)",
    "EUR-44": "ENVELOPE(-44.82,65.18,72.8,21.78)",
    "NAM-44": "ENVELOPE(-170.74,-23.26,75.86,12.55)",
    "SAM-44": "ENVELOPE(-105.72,-16.98,18.5,-58.18)",
    "SEA-22": "ENVELOPE(89.26,146.96,27.26,-15.14)",
    "WAS-44": "ENVELOPE(19.88,115.55,45.07,-15.23)",
}
#: driving model -> calendar
DRIVERS = {
    "CCCma-CanESM2": "noleap",
    "CNRM-CERFACS-CNRM-CM5": "standard",
    "CSIRO-BOM-ACCESS1-0": "standard",
    "ECMWF-ERAINT": "standard",
    "ICHEC-EC-EARTH": "standard",
    "IPSL-IPSL-CM5A-MR": "noleap",
    "MOHC-HadGEM2-ES": "360_day",
    "MPI-M-MPI-ESM-LR": "proleptic_gregorian",
    "NCC-NorESM1-M": "noleap",
    "NOAA-GFDL-GFDL-ESM2M": "noleap",
}
CORDEX_AGGREGATION = {"tasmax": "max", "tasmin": "min"}
#: domain, institute, driving model, experiment, ensemble, RCM, its version, versions, storage,
#: frequency/variables, slices
CORDEX_RUNS = [
    ("EUR-11", "CLMcom", "MPI-M-MPI-ESM-LR", "historical", "r1i1p1", "CLMcom-CCLM4-8-17", "v1", "v20140515", "posix",
     "day/tas day/pr", "19910101-19951231 19960101-20001231 20010101-20051231"),
    ("EUR-11", "CLMcom", "MPI-M-MPI-ESM-LR", "rcp85", "r1i1p1", "CLMcom-CCLM4-8-17", "v1", "v20140515", "posix",
     "mon/tas mon/pr", "2011-2020 2021-2030"),
    ("EUR-11", "CLMcom", "MPI-M-MPI-ESM-LR", "historical", "r0i0p0", "CLMcom-CCLM4-8-17", "v1", "v20140515", "posix",
     "fx/orog fx/sftlf", ""),
    ("EUR-11", "CLMcom", "MOHC-HadGEM2-ES", "rcp45", "r1i1p1", "CLMcom-CCLM4-8-17", "v1", "v20150320", "posix",
     "mon/tas", "2011-2020"),
    ("EUR-11", "GERICS", "NCC-NorESM1-M", "rcp85", "r1i1p1", "GERICS-REMO2015", "v1", "v20181212 v20190221",
     "posix", "mon/tas", "2011-2020"),
    ("EUR-11", "GERICS", "NCC-NorESM1-M", "rcp85", "r1i1p1", "GERICS-REMO2015", "v1", "v20181212", "hsm", "3hr/pr",
     "2007-2007"),
    ("EUR-11", "GERICS", "NCC-NorESM1-M", "rcp85", "r1i1p1", "GERICS-REMO2015", "v1", "v20181212", "swift",
     "day/tas", "2006-2010"),
    ("EUR-11", "MPI-CSC", "MPI-M-MPI-ESM-LR", "historical", "r2i1p1", "MPI-CSC-REMO2009", "v1", "v20160525",
     "posix", "day/tasmax day/tasmin", "1996-2000"),
    ("EUR-11", "SMHI", "ICHEC-EC-EARTH", "historical", "r12i1p1", "SMHI-RCA4", "v1", "v20131026", "posix",
     "day/tas mon/pr", "2001-2005"),
    ("EUR-11", "SMHI", "ICHEC-EC-EARTH", "rcp26", "r12i1p1", "SMHI-RCA4", "v1", "v20131026", "posix", "mon/tas",
     "2011-2020"),
    ("EUR-11", "SMHI", "CNRM-CERFACS-CNRM-CM5", "rcp85", "r1i1p1", "SMHI-RCA4", "v1", "v20131026", "posix",
     "mon/tas", "2011-2020"),
    ("EUR-11", "SMHI", "MPI-M-MPI-ESM-LR", "rcp85", "r1i1p1", "SMHI-RCA4", "v1a", "v20160803", "posix", "mon/tas",
     "2011-2020"),
    ("EUR-11", "KNMI", "ICHEC-EC-EARTH", "rcp45", "r1i1p1", "KNMI-RACMO22E", "v1", "v20140313", "posix", "day/pr",
     "2006-2010"),
    ("EUR-11", "KNMI", "CNRM-CERFACS-CNRM-CM5", "historical", "r1i1p1", "KNMI-RACMO22E", "v2", "v20171117", "posix",
     "mon/psl", "2001-2005"),
    ("EUR-11", "DMI", "NCC-NorESM1-M", "rcp45", "r1i1p1", "DMI-HIRHAM5", "v3", "v20190315", "posix", "day/tas",
     "2011-2015"),
    ("EUR-11", "CNRM", "CNRM-CERFACS-CNRM-CM5", "rcp26", "r1i1p1", "CNRM-ALADIN63", "v2", "v20190423", "posix",
     "mon/tas mon/pr", "2011-2020"),
    ("EUR-44", "SMHI", "ECMWF-ERAINT", "evaluation", "r1i1p1", "SMHI-RCA4", "v1", "v20131026", "posix", "mon/tas",
     "1981-1990 1991-2000"),
    ("EUR-44", "CLMcom", "ECMWF-ERAINT", "evaluation", "r1i1p1", "CLMcom-CCLM4-8-17", "v1", "v20130927", "hsm",
     "day/pr", "1989-1990"),
    ("AFR-44", "SMHI", "CCCma-CanESM2", "historical", "r1i1p1", "SMHI-RCA4", "v1", "v20130422", "posix",
     "mon/tas mon/pr", "1991-2000 2001-2005"),
    ("AFR-44", "MPI-CSC", "MPI-M-MPI-ESM-LR", "rcp45", "r1i1p1", "MPI-CSC-REMO2009", "v1", "v20160419", "posix",
     "day/pr", "2006-2010"),
    ("AFR-22", "GERICS", "MPI-M-MPI-ESM-LR", "rcp85", "r1i1p1", "GERICS-REMO2015", "v1", "v20191021", "posix",
     "mon/pr", "2011-2020"),
    ("AUS-44", "UNSW", "CSIRO-BOM-ACCESS1-0", "historical", "r1i1p1", "UNSW-WRF360J", "v1", "v20180612", "posix",
     "mon/tas mon/pr", "1991-2000"),
    ("AUS-44", "CLMcom", "MPI-M-MPI-ESM-LR", "rcp85", "r1i1p1", "CLMcom-CCLM4-8-17-CLM3-5", "v1", "v20170703",
     "posix", "day/tasmax", "2006-2010"),
    ("SAM-44", "MPI-CSC", "MPI-M-MPI-ESM-LR", "rcp85", "r1i1p1", "MPI-CSC-REMO2009", "v1", "v20141223", "posix",
     "mon/tas", "2011-2020"),
    ("WAS-44", "SMHI", "NOAA-GFDL-GFDL-ESM2M", "rcp85", "r1i1p1", "SMHI-RCA4", "v2", "v20140310", "posix", "mon/pr",
     "2011-2020"),
    ("EAS-44", "CLMcom", "MPI-M-MPI-ESM-LR", "rcp45", "r1i1p1", "CLMcom-CCLM5-0-2", "v1", "v20160420", "posix",
     "day/tas", "2006-2010"),
    ("SEA-22", "SMHI", "ICHEC-EC-EARTH", "rcp85", "r12i1p1", "SMHI-RCA4", "v1", "v20171015", "posix", "mon/pr",
     "2011-2020"),
    ("NAM-44", "UQAM", "CCCma-CanESM2", "historical", "r1i1p1", "UQAM-CRCM5", "v1", "v20140123", "posix", "mon/tas",
     "2001-2005"),
    ("CAM-44", "SMHI", "ICHEC-EC-EARTH", "historical", "r12i1p1", "SMHI-RCA4", "v1", "v20141114", "posix", "mon/pr",
     "2001-2005"),
    ("ARC-44", "AWI", "MPI-M-MPI-ESM-LR", "historical", "r1i1p1", "AWI-HIRHAM5", "v1", "v20150121", "hsm",
     "mon/tas", "2001-2005"),
    ("ANT-44", "KNMI", "ECMWF-ERAINT", "evaluation", "r1i1p1", "KNMI-RACMO21P", "v1", "v20160118", "hsm", "mon/tas",
     "2001-2010"),
]


def cordex_facets(domain, institute, driving, experiment, ensemble, rcm, rcm_version, version, what) -> dict:
    """The facets of a CORDEX file; `what` is frequency/variable."""
    frequency, variable = what.split("/")
    return dict(
        project="CORDEX", product=domain, institute=institute, model=f"{driving}-{rcm}-{rcm_version}",
        experiment=experiment, time_frequency=frequency, realm="atmos", variable=variable, ensemble=ensemble,
        time_aggregation=CORDEX_AGGREGATION.get(variable, "mean"), fs_type="posix", grid_label="gn",
        cmor_table=frequency, driving_model=driving, format="nc", level_type="2d", rcm_name=rcm,
        rcm_version=rcm_version, bbox=DOMAINS[domain], version=version,
    )


def cordex_documents() -> list[dict]:
    """The documents of CORDEX."""
    found = []
    for *run, versions, storage, variables, slices in CORDEX_RUNS:
        for what in variables.split():
            for version in versions.split():
                facets = cordex_facets(*run, version, what)
                if storage == "swift":
                    facets["format"] = "zarr"
                for period in periods(slices, facets["time_frequency"], DRIVERS[run[2]]):
                    found.append(stored(facets, storage, period))
    return found


# --------------------------------------------------------------------------------------
# Vocabularies: nextGEMS
# --------------------------------------------------------------------------------------

#: set of variables -> (realm, level type, variables)
NEXTGEMS_SETS = {
    "icon-atm": ("atm", "2d", "clivi cllvi hfls hfss pr pres_msl pres_sfc prw qgvi qrvi qsvi rlds rlus rlut rlutcs"
                 " rsds rsdt rsus rsut rsutcs sfcwind tas tauu tauv ts uas vas"),
    "icon-atm3d": ("atm", "ml", "clw cli hus pfull rho ta ua va wa"),
    "icon-lnd": ("lnd", "2d", "hydro_canopy_cond_limited_box hydro_discharge_ocean_box hydro_runoff_box"
                 " hydro_snow_soil_dens_box hydro_transpiration_box hydro_w_snow_box"),
    "icon-oce": ("oce", "2d", "atmos_fluxes_heatflux_total mlotst10 sea_level_pressure so ssh to u v"),
    "icon-ice": ("ice", "2d", "conc hi hs ice_u ice_v"),
    "ifs-atm": ("atm", "2d", "100u 100v 10u 10v 2d 2t blh cape ci cp hcc lcc lsm lsp mcc msl ro sd sf skt slhf sp"
                " sshf ssr ssrd sst str strd tcc tcwv tp tsr ttr"),
    "ifs-atm3d": ("atm", "pl", "clwc ciwc q r t u v vo w z"),
    "fesom-oce": ("oce", "2d", "a_ice m_ice mld1 ssh sss sst uice vice"),
    "ifs-wave": ("wave", "2d", "cdww dwi mwd mwp pp1d swh wind"),
}
#: product, institute, model, experiment, version, storage, bbox, grid, frequency, aggregation, sets, slices
NEXTGEMS_RUNS = [
    ("nextgems_cycle2", "MPI-M", "ICON", "ngc2009", "v20220601", "posix", GLOBE, "hpz9", "30min", "mean",
     "icon-atm", "202001-202001 202002-202002"),
    ("nextgems_cycle2", "MPI-M", "ICON", "ngc2013", "v20220620", "hsm", GLOBE, "hpz9", "3hr", "mean",
     "icon-atm icon-oce", "202001-202101"),
    ("nextgems_cycle2", "ECMWF-AWI", "IFS-FESOM", "HQYS", "v20220610", "hsm", "", "tco2559", "1hr", "inst",
     "ifs-atm ifs-wave", "2020-2020"),
    ("nextgems_cycle3", "MPI-M", "ICON", "ngc3026", "v20230405", "posix", GLOBE, "hpz7", "day", "mean",
     "icon-atm icon-lnd", "2020-2024"),
    ("nextgems_cycle3", "MPI-M", "ICON", "ngc3028", "v20230405 v20230621", "posix", GLOBE, "hpz7", "day", "mean",
     "icon-oce", "2020-2024"),
    ("nextgems_cycle3", "MPI-M", "ICON", "ngc3028", "v20230621", "s3", GLOBE, "hpz10", "3hr", "inst", "icon-atm3d",
     "2020-2020 2021-2021"),
    ("nextgems_cycle3", "ECMWF-AWI", "IFS-FESOM", "IFS_4.4-FESOM_5-cycle3", "v20230530", "posix", "", "hpz7", "1hr",
     "inst", "ifs-atm", "2020-2024"),
    ("nextgems_cycle3", "ECMWF-AWI", "IFS-FESOM", "IFS_4.4-FESOM_5-cycle3", "v20230530", "swift", "", "hpz7", "day",
     "mean", "fesom-oce", "2020-2024"),
    ("nextgems_prefinal", "MPI-M", "ICON", "ngc4008", "v20240115", "posix", GLOBE, "hpz7", "day", "mean",
     "icon-atm icon-oce icon-ice", "2020-2049"),
    ("nextgems_prefinal", "MPI-M", "ICON", "ngc4008", "v20240115", "s3", GLOBE, "hpz9", "3hr", "mean", "icon-atm",
     "2020-2049"),
    ("nextgems_prefinal", "ECMWF-AWI", "IFS-FESOM", "IFS_9-FESOM_5-production", "v20240304", "posix", "", "hpz7",
     "day", "mean", "ifs-atm ifs-atm3d", "2020-2049"),
]


def nextgems_facets(product, institute, model, experiment, version, bbox, grid, frequency, aggregation,
                    contents) -> dict:
    """The facets of a nextGEMS data set; one file holds many variables."""
    realm, level, variables = NEXTGEMS_SETS[contents]
    return dict(
        project="nextGEMS", product=product, institute=institute, model=model, experiment=experiment,
        time_frequency=frequency, realm=realm, variable=variables.split(), ensemble="r1i1p1f1",
        time_aggregation=aggregation, fs_type="posix", grid_label="gn", cmor_table=f"{frequency}-{aggregation}",
        format="zarr", grid_id=grid, level_type=level, bbox=bbox, version=version,
    )


def nextgems_documents() -> list[dict]:
    """The documents of nextGEMS."""
    found = []
    for product, institute, model, experiment, versions, storage, bbox, grid, *rest in NEXTGEMS_RUNS:
        frequency, aggregation, sets, slices = rest
        for contents in sets.split():
            for version in versions.split():
                facets = nextgems_facets(
                    product, institute, model, experiment, version, bbox, grid, frequency, aggregation, contents
                )
                for period in periods(slices, frequency, "proleptic_gregorian"):
                    found.append(stored(facets, storage, period))
    return found


# --------------------------------------------------------------------------------------
# Vocabularies: observations and reanalyses
# --------------------------------------------------------------------------------------

TROPICS = "ENVELOPE(-180,180,60,-60)"
GERMANY = "ENVELOPE(5.8,15.1,55.1,47.2)"
LINDENBERG = "ENVELOPE(14.1,14.1,52.2,52.2)"

#: project, product, institute, model, experiment, frequency, realm, table, aggregation, version(s), storage,
#: format, bbox, variables, slices
GRIDDED = [
    ("observations", "grid", "CPC", "CPC", "cmorph", "30min", "atmos", "30min", "mean", "v20210618", "posix", "nc",
     TROPICS,
     "pr", "20160902-20160902 20160903-20160903 20160904-20160904"),
    ("observations", "grid", "CPC", "CPC", "cmorph", "30min", "atmos", "30min", "mean", "v20210618", "hsm", "nc",
     TROPICS,
     "pr", "20160905-20160905 20160906-20160906"),
    ("observations", "grid", "CPC", "CPC", "cmorph", "30min", "atmos", "30min", "mean", "v20210618", "swift",
     "zarr", TROPICS,
     "pr", "20160902-20160930"),
    ("observations", "grid", "MOHC", "HadCRUT5", "HadCRUT.5.0.1.0", "mon", "atmos", "Amon", "mean", "v20211012",
     "posix", "nc", GLOBE,
     "tas", "1850-2021"),
    ("observations", "grid", "MOHC", "HadISST", "HadISST1", "mon", "ocean", "Omon", "mean", "v20200721 v20230310",
     "posix", "nc", GLOBE,
     "tos sic", "1870-2019"),
    ("observations", "grid", "CRU", "CRU-TS", "CRU-TS4.07", "mon", "atmos", "Amon", "mean", "v20230418", "posix",
     "nc", GLOBE,
     "tas pr", "1991-2000 2001-2010"),
    ("observations", "grid", "DWD", "HYRAS", "HYRAS-v5-0", "day", "atmos", "day", "mean", "v20221122", "posix",
     "nc", GERMANY,
     "pr tas", "2018-2018 2019-2019"),
    ("observations", "grid", "GPCC", "GPCC", "full-data-monthly-v2022", "mon", "atmos", "Amon", "mean", "v20220601",
     "posix", "nc", GLOBE,
     "pr", "1991-2020"),
    ("observations", "satellite", "NASA-GSFC", "GPCP", "GPCP-V2.3", "mon", "atmos", "Amon", "mean", "v20180519",
     "hsm", "nc", GLOBE,
     "pr", "2000-2016"),
    ("observations", "satellite", "ESA-CCI", "SST-CCI", "ESACCI-L4-v2.1", "day", "ocean", "day", "mean",
     "v20190401", "posix", "nc", GLOBE,
     "tos", "2015-2015 2016-2016"),
    ("observations", "satellite", "ESA-CCI", "SOILMOISTURE-CCI", "ESACCI-COMBINED-v07.1", "day", "land", "Lday",
     "mean", "v20220901", "posix", "nc", "",
     "mrsos", "2019-2019 2020-2020"),
    ("observations", "satellite", "NASA-LaRC", "CERES-EBAF", "Ed4.2", "mon", "atmos", "Amon", "mean", "v20230301",
     "posix", "nc", GLOBE,
     "rlut rsut rsdt", "2000-2022"),
    ("observations", "satellite", "EUMETSAT", "CLARA-A3", "CLARA-A3-v003", "mon", "atmos", "Amon", "mean",
     "v20230215", "hsm", "nc", GLOBE,
     "clt", "2010-2020"),
    ("observations", "station", "DWD", "lindenberg", "MOL-RAO", "1hr", "atmos", "1hr", "mean", "v20210110", "posix",
     "nc", LINDENBERG,
     "tas hurs", "2020-2020"),
    ("observations", "station", "NOAA", "GHCN", "GHCNm-v4", "mon", "atmos", "Amon", "mean", "v20230105", "posix",
     "nc", "",
     "tas", "1950-2022"),
    ("observations", "station", "NOAA", "MLO", "MLO-insitu", "mon", "atmos", "Amon", "mean", "v20230405", "posix",
     "nc", "ENVELOPE(-155.58,-155.58,19.54,19.54)",
     "co2", "1958-2022"),
    ("reanalysis", "reanalysis", "JMA", "JRA-55", "JRA-55", "mon", "atmos", "Amon", "mean", "v20150408", "posix",
     "nc", GLOBE,
     "tas pr uas", "1958-2014"),
    ("reanalysis", "reanalysis", "JMA", "JRA-55", "JRA-55", "6hr", "atmos", "6hr", "inst", "v20150408", "hsm",
     "grb", GLOBE,
     "psl", "2014-2014 2015-2015"),
    ("reanalysis", "reanalysis", "NASA-GMAO", "GEOS-5", "MERRA2", "mon", "atmos", "Amon", "mean",
     "v20160513 v20210104", "posix", "nc", GLOBE,
     "tas pr", "1980-2019"),
    ("reanalysis", "reanalysis", "NOAA-NCEP", "CFS", "CFSR", "mon", "atmos", "Amon", "mean", "v20130202", "hsm",
     "nc", GLOBE,
     "tas", "1979-2010"),
    ("reanalysis", "reanalysis", "NOAA-CIRES", "20CRv3", "20CRv3", "day", "atmos", "day", "mean", "v20191015",
     "posix", "nc", GLOBE,
     "psl", "1936-1936 1937-1937"),
    ("reanalysis", "reanalysis", "ECMWF", "IFS", "ERA-Interim", "mon", "atmos", "Amon", "mean", "v20190902",
     "posix", "nc", GLOBE,
     "tas zg", "1979-2018"),
    ("reanalysis", "reanalysis", "NOAA-NODC", "NODC", "OC5", "mon", "ocean", "Omon", "mean", "v20200101", "swift",
     "zarr", "",
     "hc700", "2012-2012 2013-2013"),
    ("reanalysis", "reanalysis", "DWD", "COSMO", "COSMO-REA6", "mon", "atmos", "Amon", "mean", "v20180930", "posix",
     "grb", "ENVELOPE(-44.8,65.3,72.7,21.9)",
     "tas uas vas", "1995-2018"),
]
GRIDDED_LEVELS = {"zg": "pl"}
GRIDDED_GRID = {"IFS": "n128", "HadCRUT5": "r72x36"}

#: ERA5 in GRIB, as its archive lays it out: variable -> (level type, kind, number of its stream, code)
ERA5_CODES = {
    "tas": ("sf", "an", "00", 167),
    "uas": ("sf", "an", "00", 165),
    "vas": ("sf", "an", "00", 166),
    "psl": ("sf", "an", "00", 151),
    "pr": ("sf", "fc", "12", 228),
    "ta": ("pl", "an", "00", 130),
    "zg": ("pl", "an", "00", 129),
}
ERA5_LEVELS = {"sf": "2d", "pl": "pl"}
#: frequency, its name in paths, aggregation, digits of the date in the name, variables, storage, slices
ERA5_RUNS = [
    ("mon", "1M", "mean", 4, "tas pr ta", "posix", "1979-1979 1980-1980"),
    ("day", "1D", "mean", 6, "tas psl zg", "posix", "202001-202001 202002-202002"),
    ("1hr", "1H", "inst", 8, "uas vas", "hsm", "20200101-20200101 20200102-20200102"),
]
ERA5_TABLES = {"mon": "Amon", "day": "day", "1hr": "1hr"}


def gridded_facets(project, product, institute, model, experiment, frequency, realm, table, aggregation, version,
                   form, bbox, variable) -> dict:
    """The facets of an observation or a reanalysis."""
    return dict(
        project=project, product=product, institute=institute, model=model, experiment=experiment,
        time_frequency=frequency, realm=realm, variable=variable, ensemble="r1i1p1", time_aggregation=aggregation,
        fs_type="posix", grid_label="gn", cmor_table=table, format=form, grid_id=GRIDDED_GRID.get(model, ""),
        level_type=GRIDDED_LEVELS.get(variable, "2d"), bbox=bbox, version=version,
    )


def gridded_documents() -> list[dict]:
    """The documents of observations and of reanalyses that are laid out like them."""
    found = []
    for *run, versions, storage, form, bbox, variables, slices in GRIDDED:
        for variable in variables.split():
            for version in versions.split():
                facets = gridded_facets(*run, version, form, bbox, variable)
                for period in periods(slices, facets["time_frequency"], "standard"):
                    found.append(stored(facets, storage, period))
    return found


def era5_documents() -> list[dict]:
    """The documents of ERA5 in GRIB; its archive knows no versions."""
    found = []
    for frequency, short, aggregation, digits, variables, storage, slices in ERA5_RUNS:
        for variable in variables.split():
            level, kind, stream, code = ERA5_CODES[variable]
            facets = gridded_facets(
                "reanalysis", "reanalysis", "ECMWF", "IFS", "ERA5", frequency, "atmos", ERA5_TABLES[frequency],
                aggregation, "", "grb", GLOBE, variable,
            )
            facets |= {"level_type": ERA5_LEVELS[level], "grid_id": "n320"}
            for period in periods(slices, frequency, "standard"):
                date = _iso(period.start)[: {4: 4, 6: 7, 8: 10}[digits]]
                path = f"ERA5/E5/{level}/{kind}/{short}/{code:03d}/E5{level}{stream}_{short}_{date}_{code:03d}.grb"
                found.append(stored(facets, storage, period, path))
    return found


# --------------------------------------------------------------------------------------
# User data
# --------------------------------------------------------------------------------------

USER = "demo"
#: product, institute, model, experiment, frequency, table, variable, version, period, bbox
USER_DATA = [
    ("downscaling", "MPI-M", "MPI-ESM1-2-HR", "ssp585-bc", "day", "day", "tasmax", "v20240112", "2041-2050", GERMANY),
    ("downscaling", "MPI-M", "MPI-ESM1-2-HR", "ssp585-bc", "day", "day", "pr", "v20240112", "2041-2050", GERMANY),
    ("indices", "ECMWF", "IFS", "ERA5-heatwaves", "mon", "Amon", "hwd", "v20240308", "1991-2020",
     "ENVELOPE(-25,45,72,34)"),
    ("thesis", "UNSW", "WRF-UNSW", "pacific-nested", "mon", "Amon", "pr", "v20231120", "2001-2010",
     "ENVELOPE(160,-150,10,-60)"),
]


def user_documents() -> list[dict]:
    """Documents a user registered; only the flavour `user` shows them."""
    found = []
    for product, institute, model, experiment, frequency, table, variable, version, span, bbox in USER_DATA:
        facets = dict(
            project="user-data", product=product, institute=institute, model=model, experiment=experiment,
            time_frequency=frequency, realm="atmos", variable=variable, ensemble="r1i1p1f1",
            time_aggregation="mean", fs_type="posix", grid_label="gn", cmor_table=table, format="nc",
            level_type="2d", dataset="user-data", bbox=bbox, user=USER, version=version,
        )
        period = Period.parse(span, "standard")
        file = f"/home/{USER}/data/{relative_path(facets, period)}"
        found.append(document(facets, period, file, f"file://{file}"))
    return found


# --------------------------------------------------------------------------------------
# The earth, roughly: outlines of land and mountains
# --------------------------------------------------------------------------------------

#: Outlines of land as lon,lat pairs.
OUTLINES = {
    "North America": "-168,66 -155,71 -128,70 -95,72 -82,68 -94,60 -92,57 -82,55 -79,52 -77,57 -78,62 -65,59 -56,52"
    " -66,45 -70,42 -76,35 -81,31 -80,25 -84,30 -97,27 -97,21 -94,18 -88,21 -88,16 -83,15 -83,9 -78,8 -85,11 -92,14"
    " -105,20 -112,29 -117,33 -124,40 -124,48 -135,58 -150,60 -165,55 -160,59 -165,62",
    "Greenland": "-73,78 -60,82 -30,83 -18,78 -22,70 -40,65 -44,60 -52,65 -55,70 -60,76",
    "South America": "-78,8 -72,12 -62,10 -50,0 -35,-6 -39,-15 -41,-22 -48,-27 -54,-34 -58,-38 -65,-42 -68,-50 -69,-55"
    " -75,-50 -73,-38 -70,-20 -76,-14 -81,-5 -80,1",
    "Africa": "-6,36 10,37 11,33 20,31 32,31 35,25 38,18 43,11 51,12 47,4 40,-4 40,-15 35,-22 32,-29 26,-34 18,-34"
    " 12,-18 13,-8 9,0 9,4 4,6 -8,4 -13,9 -17,15 -16,22 -10,30",
    "Eurasia": "-9,37 -9,43 -1,44 -4,48 3,51 8,54 9,57 13,55 20,55 24,59 29,60 23,61 25,65 21,64 17,60 16,56 12,57 6,59"
    " 6,62 15,68 27,71 41,67 45,68 68,69 73,72 90,75 105,78 113,74 140,73 160,70 180,69 180,65 170,60 163,58 157,51"
    " 156,58 150,59 136,54 140,50 135,43 128,40 129,35 126,35 125,39 121,40 118,38 122,36 121,31 119,25 110,21 106,20"
    " 109,12 105,9 100,13 103,2 98,8 97,16 92,22 87,21 80,15 80,10 77,8 73,17 70,22 66,25 57,26 50,30 48,29 52,24 58,23"
    " 55,17 45,13 43,13 35,28 34,31 36,36 28,37 27,40 30,41 41,41 38,45 32,46 28,43 23,40 22,37 19,42 13,45 18,40 16,38"
    " 10,44 3,43 -1,38",
    "Australia": "114,-22 122,-18 130,-12 136,-12 140,-17 142,-11 146,-19 153,-26 150,-37 144,-39 138,-34 131,-32 118,-35"
    " 115,-33",
    "Antarctica": "-180,-78 -150,-76 -100,-73 -75,-72 -62,-64 -60,-75 -35,-78 -15,-72 15,-69 50,-67 90,-66 140,-66 165,-71"
    " 180,-78 180,-91 -180,-91",
    "Britain": "-5,50 1,51 0,54 -3,58 -6,57 -4,53",
    "Iceland": "-24,65 -20,63 -14,65 -16,66",
    "Japan": "130,32 136,34 141,36 142,44 137,37",
    "Madagascar": "44,-25 47,-25 50,-15 44,-17",
    "Borneo": "109,1 117,7 118,1 115,-4 110,-3",
    "Sumatra and Java": "95,5 100,3 106,-5 114,-7 106,-7 100,-1",
    "New Guinea": "131,-1 141,-3 150,-10 138,-8",
    "New Zealand": "167,-46 174,-41 178,-38 172,-35 171,-43",
}
#: Mountains: lon, lat, height in m, width in longitude and in latitude in degrees.
MOUNTAINS = [
    (88, 34, 4900, 14, 5), (100, 50, 1200, 18, 6), (-110, 42, 2200, 7, 11), (-70, -22, 3600, 4, 10), (-72, -40,
     1300, 3, 8),
    (38, 8, 1800, 6, 8), (25, -28, 1200, 7, 6), (10, 46, 1700, 5, 2.5), (-40, 73, 2700, 12, 8), (45, 37, 1500, 10, 4),
    (0, -84, 2900, 400, 9), (100, -78, 3200, 45, 9), (15, 64, 800, 7, 4), (-5, 32, 1200, 6, 2.5), (141, -5, 1500, 5,
     2.5),
]


def _inside(lon: np.ndarray, lat: np.ndarray) -> np.ndarray:
    """Whether points lie on land (even-odd rule for every outline)."""
    lon = (np.asarray(lon) + 180.0) % 360.0 - 180.0
    land = np.zeros(lon.shape, bool)
    for text in OUTLINES.values():
        corners = np.array([pair.split(",") for pair in text.split()], float)
        within = np.zeros(lon.shape, bool)
        for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0)):
            if y0 == y1:
                continue
            crosses = (lat > min(y0, y1)) & (lat <= max(y0, y1))
            within ^= crosses & (lon < x0 + (lat - y0) * (x1 - x0) / (y1 - y0))
        land |= within
    return land


def land_fraction(lon: np.ndarray, lat: np.ndarray, width: float) -> np.ndarray:
    """The part of land in cells of `width` degrees around the points, 0 to 1."""
    steps = (np.arange(5) - 2) * width / 5
    hits = [_inside(lon + dx, np.clip(lat + dy, -90, 90)) for dx in steps for dy in steps]
    return np.mean(hits, axis=0)


def orography(lon: np.ndarray, lat: np.ndarray, land: np.ndarray) -> np.ndarray:
    """The height of the surface in m."""
    height = np.full(lon.shape, 180.0)
    for x, y, top, wide, high in MOUNTAINS:
        dx = (lon - x + 180.0) % 360.0 - 180.0
        height += top * np.exp(-((dx / wide) ** 2) - ((lat - y) / high) ** 2)
    return height * land


# --------------------------------------------------------------------------------------
# Grids
# --------------------------------------------------------------------------------------


@dataclass
class Grid:
    """Where the values are: dimensions, coordinates in 1-D, the places of all points."""

    dims: tuple[str, ...]
    lon: np.ndarray
    lat: np.ndarray
    #: name -> (dimensions, values, attributes, bounds or None)
    coordinates: dict = field(default_factory=dict)
    #: name and attributes of the grid mapping
    mapping: tuple[str, dict] | None = None
    #: names of the two-dimensional coordinates, for the attribute `coordinates`
    auxiliary: str = ""
    width: float = 7.5

    def __post_init__(self):
        self.land = land_fraction(self.lon, self.lat, self.width)
        self.height = orography(self.lon, self.lat, self.land)


LON = dict(units="degrees_east", standard_name="longitude", long_name="Longitude")
LAT = dict(units="degrees_north", standard_name="latitude", long_name="Latitude")


def _edges(values: np.ndarray) -> np.ndarray:
    half = abs(values[1] - values[0]) / 2
    sign = np.sign(values[1] - values[0])
    return np.stack([values - sign * half, values + sign * half], axis=1)


def lonlat_grid(columns: int, rows: int, west: float = 0.0, north_first: bool = False) -> Grid:
    """A regular grid of the whole globe."""
    lon = west + (np.arange(columns) + 0.5) * 360.0 / columns
    lat = -90.0 + (np.arange(rows) + 0.5) * 180.0 / rows
    if north_first:
        lat = lat[::-1].copy()
    places = np.meshgrid(lon, lat)
    return Grid(
        ("lat", "lon"), *places, width=360.0 / columns,
        coordinates={
            "lat": (("lat",), lat, LAT | {"axis": "Y"}, np.clip(_edges(lat), -90, 90)),
            "lon": (("lon",), lon, LON | {"axis": "X"}, _edges(lon)),
        },
    )


def unrotate(rlon: np.ndarray, rlat: np.ndarray, pole_lon: float, pole_lat: float) -> tuple[np.ndarray, np.ndarray]:
    """Longitude and latitude of points given on a grid whose north pole lies elsewhere."""
    x, y = np.deg2rad(rlon), np.deg2rad(rlat)
    east, up = np.deg2rad(pole_lon), np.deg2rad(pole_lat)
    along = -np.sin(up) * np.cos(x) * np.cos(y) + np.cos(up) * np.sin(y)
    across = np.sin(x) * np.cos(y)
    lon = np.arctan2(
        np.sin(east) * along - np.cos(east) * across, np.cos(east) * along + np.sin(east) * across
    )
    lat = np.arcsin(np.clip(np.sin(up) * np.sin(y) + np.cos(up) * np.cos(y) * np.cos(x), -1, 1))
    return np.rad2deg(lon), np.rad2deg(lat)


def rotated_grid() -> Grid:
    """The European CORDEX domain, every third point of EUR-44."""
    pole = dict(
        grid_mapping_name="rotated_latitude_longitude", grid_north_pole_latitude=39.25,
            grid_north_pole_longitude=-162.0
    )
    rlon, rlat = -27.77 + 1.32 * np.arange(35), -22.77 + 1.32 * np.arange(34)
    lon, lat = (v.round(5) for v in unrotate(*np.meshgrid(rlon, rlat), -162.0, 39.25))
    dims = ("rlat", "rlon")
    return Grid(
        dims, lon, lat, mapping=("rotated_pole", pole), auxiliary="lat lon", width=1.3,
        coordinates={
            "rlon": (("rlon",), rlon.round(2), dict(
                units="degrees", standard_name="grid_longitude", long_name="longitude in rotated pole grid",
                    axis="X"), None),
            "rlat": (("rlat",), rlat.round(2), dict(
                units="degrees", standard_name="grid_latitude", long_name="latitude in rotated pole grid",
                    axis="Y"), None),
            "lon": (dims, lon.astype("f4"), LON, None),
            "lat": (dims, lat.astype("f4"), LAT, None),
        },
    )


def curvilinear_grid() -> Grid:
    """An ocean grid with its poles over Greenland and Antarctica."""
    columns, rows = 48, 32
    x = (np.arange(columns) + 0.5) * 360.0 / columns
    y = -88.0 + 176.0 * np.arange(rows) / (rows - 1)
    lon, lat = (v.round(4) for v in unrotate(*np.meshgrid(x, y), -40.0, 75.0))
    index = dict(units="1", axis="X", long_name="cell index along first dimension")
    return Grid(
        ("j", "i"), lon % 360.0, lat, auxiliary="latitude longitude", width=5.0,
        coordinates={
            "i": (("i",), np.arange(columns, dtype="i4"), index, None),
            "j": (("j",), np.arange(rows, dtype="i4"), index | {
                "axis": "Y", "long_name": "cell index along second dimension"}, None),
            "latitude": (("j", "i"), lat.astype("f4"), LAT, None),
            "longitude": (("j", "i"), (lon % 360.0).astype("f4"), LON, None),
        },
    )


def healpix_grid(zoom: int = 3) -> Grid:
    """The HEALPix mesh of 12 * 4**zoom cells in nested order."""
    nside = 2**zoom
    cell = np.arange(12 * nside**2)
    face, rest = cell // nside**2, cell % nside**2
    x = sum(((rest >> (2 * bit)) & 1) << bit for bit in range(zoom))
    y = sum(((rest >> (2 * bit + 1)) & 1) << bit for bit in range(zoom))
    ring = (2 + face // 4) * nside - x - y - 1  # counted from the north pole, from 1
    in_ring = np.minimum(np.minimum(ring, 4 * nside - ring), nside)
    cap = in_ring**2 / (3.0 * nside**2)
    z = np.where(ring < nside, 1 - cap, np.where(ring > 3 * nside, cap - 1, (2 * nside - ring) * 2 / (3.0 * nside)))
    # the middles of the faces stand at these eighths of a turn
    eighth = np.where(face // 4 == 1, 2 * (face % 4), 2 * (face % 4) + 1)
    lon = (eighth * 45.0 + (x - y) * 45.0 / in_ring) % 360.0
    lat = np.rad2deg(np.arcsin(z))
    return Grid(
        ("cell",), lon, lat, auxiliary="lat lon", width=7.3,
        mapping=("crs", dict(grid_mapping_name="healpix", healpix_nside=np.int32(nside), healpix_order="nest")),
        coordinates={
            "cell": (("cell",), cell.astype("i4"), dict(units="1", long_name="HEALPix cell in nested order"), None),
            "lat": (("cell",), lat.astype("f4"), LAT, None),
            "lon": (("cell",), lon.astype("f4"), LON, None),
        },
    )


GRIDS = {
    "global": lambda: lonlat_grid(40, 20),
    "global coarse": lambda: lonlat_grid(36, 18),
    "global north first": lambda: lonlat_grid(48, 24, north_first=True),
    "global from west": lambda: lonlat_grid(72, 36, west=-180.0),
    "rotated": rotated_grid,
    "curvilinear": curvilinear_grid,
    "healpix": healpix_grid,
}

# --------------------------------------------------------------------------------------
# Fields
# --------------------------------------------------------------------------------------


#: How fast the waves wander, in radians a year: in monthly means, and from day to day.
SLOW, FAST = 6.0, 80.0


def waves(grid: Grid, years: np.ndarray, seed: str, number: int = 10, longest: float = 3.0) -> np.ndarray:
    """Plane waves through the sphere that wander with time; about -1 to 1. Smooth at poles and over time."""
    rate = FAST if len(years) > 1 and years[1] - years[0] < 0.02 else SLOW
    lon, lat = np.deg2rad(grid.lon), np.deg2rad(grid.lat)
    place = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)
    random = np.random.default_rng(zlib.crc32(seed.encode()))
    total = np.zeros((len(years),) + lon.shape)
    for each in range(number):
        direction = random.normal(size=3)
        direction *= longest * (1 + each / 2) / np.linalg.norm(direction)
        phase, speed = random.uniform(0, 2 * np.pi), random.normal() * rate
        total += np.sin((place @ direction)[None] + _column(phase + speed * years, grid)) / (1 + each / 3)
    return total / 2.5


def _season(grid: Grid, years: np.ndarray) -> np.ndarray:
    """+1 in late July, -1 in late January."""
    return np.cos(2 * np.pi * (_column(years, grid) - 0.56))


def _column(years: np.ndarray, grid: Grid) -> np.ndarray:
    """Times, shaped to go with the points of the grid."""
    return years.reshape(-1, *[1] * grid.lat.ndim)


def air_temperature(grid: Grid, years: np.ndarray, seed: str) -> np.ndarray:
    """Temperature near the surface in K."""
    sine = np.sin(np.deg2rad(grid.lat))
    mean = 300.5 - 40.0 * np.abs(sine) ** 2.4 - 0.006 * grid.height - 4.0 * grid.land * np.abs(sine)
    season = _season(grid, years) * sine * (4.0 + 15.0 * grid.land)
    warming = 0.02 * (_column(years, grid) - 1990.0) * (0.7 + sine**2)
    return mean + season + warming + 1.6 * waves(grid, years, seed)


def precipitation(grid: Grid, years: np.ndarray, seed: str) -> np.ndarray:
    """Precipitation flux in kg m-2 s-1."""
    lat = grid.lat[None]
    belt = np.exp(-(((lat - 3.0 - 8.0 * _season(grid, years)) / 9.0) ** 2))
    storms = np.exp(-(((np.abs(lat) - 45.0) / 15.0) ** 2))
    daily = (7.5 * belt + 3.0 * storms * (1 - 0.3 * grid.land) + 0.3) * (1 + 0.75 * waves(grid, years, seed))
    return np.maximum(daily, 0.0) / 86400.0


def pressure(grid: Grid, years: np.ndarray, seed: str) -> np.ndarray:
    """Pressure at sea level in Pa."""
    lat = grid.lat[None]
    ridges = 900.0 * np.exp(-(((np.abs(lat) - 30.0) / 12.0) ** 2))
    troughs = 1500.0 * np.exp(-(((np.abs(lat) - 63.0) / 12.0) ** 2)) * (1.0 + 0.4 * (lat < 0))
    heat = -500.0 * _season(grid, years) * grid.land * np.sin(np.deg2rad(2 * lat))
    return 101200.0 + ridges - troughs + heat + 700.0 * waves(grid, years, seed)


def sea_temperature(grid: Grid, years: np.ndarray, seed: str) -> np.ndarray:
    """Temperature of the sea surface in degrees Celsius, missing on land."""
    sine = np.sin(np.deg2rad(grid.lat))
    value = 29.0 - 33.0 * np.abs(sine) ** 2.2 + 3.0 * _season(grid, years) * sine
    value = np.maximum(value + 1.0 * waves(grid, years, seed), -1.8)
    return np.where(grid.land[None] >= 0.5, np.nan, value)


def temperature_anomaly(grid: Grid, years: np.ndarray, seed: str) -> np.ndarray:
    """Anomalies of temperature, missing where few have measured."""
    sine = np.sin(np.deg2rad(grid.lat))
    value = 0.025 * (_column(years, grid) - 1990.0) * (0.6 + sine**2) + 1.2 * waves(grid, years, seed)
    seen = waves(grid, years[:1], seed + " coverage") - 1.2 * np.abs(sine) ** 6 + 0.9 * grid.land > -0.55
    return np.where(np.broadcast_to(seen & (np.abs(grid.lat) < 82), value.shape), value, np.nan)


LEVELS = np.array([100000.0, 85000.0, 50000.0, 25000.0, 10000.0])


def level_temperature(grid: Grid, years: np.ndarray, seed: str) -> np.ndarray:
    """Temperature on levels of pressure in K; missing below the surface."""
    surface = air_temperature(grid, years, seed) + 0.006 * grid.height
    heights = -7.4 * np.log(LEVELS / 101325.0)
    ground = 101325.0 * np.exp(-grid.height / 7400.0)
    layers = [np.where(level > ground, np.nan, np.maximum(surface - 6.2 * h, 200.0 + 0.1 * np.abs(grid.lat)))
              for level, h in zip(LEVELS, heights)]
    return np.stack(layers, axis=1)


def surface_height(grid: Grid, years: np.ndarray, seed: str) -> np.ndarray:
    """Height of the surface in m."""
    return grid.height


def land_percent(grid: Grid, years: np.ndarray, seed: str) -> np.ndarray:
    """Percentage of land."""
    return 100.0 * grid.land


@dataclass(frozen=True)
class Variable:
    """How a variable is made and described."""

    make: object
    units: str
    standard_name: str
    long_name: str
    cell_methods: str
    #: the finest step kept, so that files are small
    precision: float
    #: height above the ground in m, for the scalar coordinate
    height: float = 0.0


MEANS = "area: time: mean"
FIELDS = {
    "tas": Variable(air_temperature, "K", "air_temperature", "Near-Surface Air Temperature", MEANS, 0.125, 2.0),
    "tasmax": Variable(lambda *a: air_temperature(*a) + 4.0, "K", "air_temperature",
                       "Daily Maximum Near-Surface Air Temperature", "area: mean time: maximum", 0.125, 2.0),
    "pr": Variable(precipitation, "kg m-2 s-1", "precipitation_flux", "Precipitation", MEANS, 2.0**-21),
    "psl": Variable(pressure, "Pa", "air_pressure_at_mean_sea_level", "Sea Level Pressure", MEANS, 4.0),
    "tos": Variable(sea_temperature, "degC", "sea_surface_temperature", "Sea Surface Temperature",
                    "area: mean where sea time: mean", 0.03125),
    "ta": Variable(level_temperature, "K", "air_temperature", "Air Temperature", "time: mean", 0.125),
    "tas anomaly": Variable(temperature_anomaly, "K", "air_temperature_anomaly",
                            "Near-Surface Air Temperature Anomaly to 1961-1990", MEANS, 0.03125),
    "orog": Variable(surface_height, "m", "surface_altitude", "Surface Altitude", "area: mean", 0.25),
    "sftlf": Variable(land_percent, "%", "land_area_fraction", "Percentage of the Grid Cell Occupied by Land",
                      "area: mean", 0.25),
}

# --------------------------------------------------------------------------------------
# The files
# --------------------------------------------------------------------------------------

KINDS = {"netcdf4": "NETCDF4", "classic": "NETCDF3_CLASSIC", "64bit": "NETCDF3_64BIT_OFFSET"}


@dataclass(frozen=True)
class Sample:
    """A file to be written: its facets, its periods and how it is stored."""

    facets: dict
    slices: str
    grid: str
    calendar: str
    kind: str = "netcdf4"
    #: NetCDF variable -> entry of FIELDS
    fields: dict = field(default_factory=dict)
    #: scale and offset of values packed into 16 bits
    packed: tuple[float, float] | None = None


def _cmip6(experiment_row: tuple, version: str, what: str, slices: str, grid: str, **more) -> Sample:
    facets = cmip6_facets(*experiment_row, version, what)
    return Sample(facets, slices, grid, CMIP6_MODELS[facets["model"]][1], **more)


def _cmip5(row: tuple, version: str, what: str, slices: str, grid: str, **more) -> Sample:
    facets = cmip5_facets(*row, version, what)
    return Sample(facets, slices, grid, CMIP5_MODELS[facets["model"]][1], **more)


def _cordex(row: tuple, version: str, what: str, slices: str, **more) -> Sample:
    facets = cordex_facets(*row, version, what)
    return Sample(facets, slices, "rotated", DRIVERS[row[2]], **more)


def _gridded(row: tuple, variable: str, slices: str, grid: str, **more) -> Sample:
    return Sample(gridded_facets(*row, variable), slices, grid, "standard", **more)


MPI_HISTORICAL = ("CMIP", "MPI-M", "MPI-ESM1-2-LR", "historical", "r1i1p1f1")
MPI_SSP245 = ("ScenarioMIP", "MPI-M", "MPI-ESM1-2-LR", "ssp245", "r1i1p1f1")
UKESM_SSP126 = ("ScenarioMIP", "MOHC", "UKESM1-0-LL", "ssp126", "r1i1p1f2")
NORESM_SSP585 = ("ScenarioMIP", "NCC", "NorESM2-LM", "ssp585", "r1i1p1f1")
CCLM = ("EUR-44", "CLMcom", "MPI-M-MPI-ESM-LR", "historical", "r1i1p1", "CLMcom-CCLM4-8-17", "v1")

SAMPLES = [
    # one data set of two variables in three slices
    _cmip6(MPI_HISTORICAL, "v20190710", "Amon/tas", "1985-1989 1990-1994 1995-1999", "global"),
    _cmip6(MPI_HISTORICAL, "v20190710", "Amon/pr", "1985-1989 1990-1994 1995-1999", "global"),
    _cmip6(MPI_HISTORICAL, "v20190710", "Amon/ta", "1985-1985", "global coarse"),
    _cmip6(MPI_HISTORICAL, "v20190710", "Omon/tos", "1985-1985", "curvilinear"),
    _cmip6(MPI_HISTORICAL, "v20190710", "fx/orog", "", "global"),
    _cmip6(MPI_HISTORICAL, "v20190710", "fx/sftlf", "", "global"),
    # two versions of one data set
    _cmip6(MPI_SSP245, "v20190710", "Amon/tas", "2015-2015", "global"),
    _cmip6(MPI_SSP245, "v20200815", "Amon/tas", "2015-2015", "global"),
    # a calendar of 360 days, in three slices; one without leap years
    _cmip6(UKESM_SSP126, "v20190503", "Amon/tas", "2015-2015 2016-2016 2017-2017", "global coarse"),
    _cmip6(NORESM_SSP585, "v20191108", "day/tasmax", "20160216-20160315", "global coarse"),
    # NetCDF-3, both forms
    _cmip5(("MPI-ESM-LR", "rcp45", "r1i1p1"), "v20120625", "Amon/tas", "2006-2006", "global", kind="classic"),
    _cmip5(("NorESM1-M", "rcp85", "r1i1p1"), "v20110901", "Amon/pr", "2006-2006", "global", kind="64bit"),
    # a rotated grid
    _cordex(CCLM, "v20140515", "mon/tas", "2001-2001 2002-2002"),
    _cordex(CCLM, "v20140515", "day/pr", "20010101-20010115"),
    # values packed into 16 bits, in NetCDF-4 and in NetCDF-3
    _gridded(("reanalysis", "reanalysis", "ECMWF", "IFS", "ERA5", "6hr", "atmos", "6hr", "inst", "v20200815", "nc",
        GLOBE),
             "psl", "20200101-20200107", "global north first", packed=(0.25, 101325.0)),
    _gridded(("reanalysis", "reanalysis", "JMA", "JRA-3Q", "JRA-3Q", "day", "atmos", "day", "mean", "v20200815",
        "nc", GLOBE),
             "tas", "20200101-20200120", "global north first", kind="classic", packed=(0.005, 260.0)),
    _gridded(("observations", "satellite", "ESA-CCI", "SST-CCI", "ESACCI-L4-v3.0", "mon", "ocean", "Omon", "mean",
        "v20200815", "nc", GLOBE),
             "tos", "2016-2016", "global from west", packed=(0.01, 0.0)),
    _gridded(("observations", "grid", "MOHC", "HadCRUT4", "HadCRUT.4.6.0.0", "mon", "atmos", "Amon", "mean",
        "v20200815", "nc", GLOBE),
             "tas", "2010-2010", "global from west", fields={"tas": "tas anomaly"}),
    # many variables of one file on a HEALPix mesh
    Sample(
        nextgems_facets("nextgems_cycle3", "MPI-M", "ICON", "ngc3028", "v20230405", GLOBE, "hpz3", "day", "mean",
            "icon-atm")
        | {"format": "nc", "variable": ["pr", "tas"]},
        "20200101-20200115", "healpix", "proleptic_gregorian",
    ),
]

#: The facet dataset of the files of the sample.
SAMPLE_DATASET = "sample"

INSTITUTIONS = {
    "MPI-M": "Max Planck Institute for Meteorology, Hamburg 20146, Germany",
    "MOHC": "Met Office Hadley Centre, Fitzroy Road, Exeter, Devon, EX1 3PB, UK",
    "NCC": "NorESM Climate modeling Consortium, Oslo 0349, Norway",
    "CLMcom": "Climate Limited-area Modelling Community (CLM-Community)",
    "ECMWF": "European Centre for Medium-Range Weather Forecasts",
    "JMA": "Japan Meteorological Agency",
    "ESA-CCI": "ESA Climate Change Initiative",
}
EXPERIMENTS = {
    "historical": "all-forcing simulation of the recent past",
    "ssp126": "update of RCP2.6 based on SSP1",
    "ssp245": "update of RCP4.5 based on SSP2",
    "ssp585": "update of RCP8.5 based on SSP5",
    "rcp45": "RCP4.5",
    "rcp85": "RCP8.5",
}
SOURCE_TYPES = {"MPI-ESM1-2-LR": "AOGCM", "UKESM1-0-LL": "AOGCM AER BGC CHEM", "NorESM2-LM": "AOGCM AER"}


def _common(facets: dict) -> dict:
    institute = facets["institute"]
    return {
        "institution": INSTITUTIONS[institute],
        "title": f"{facets['model']} {facets['experiment']} (synthetic sample)",
        "creation_date": CREATED,
        "history": HISTORY,
        "comment": SYNTHETIC,
        "license": LICENCE,
    }


def _cmip6_attributes(facets: dict, path: str) -> dict:
    member = facets["ensemble"]
    numbers = member.replace("i", " ").replace("p", " ").replace("f", " ").lstrip("r").split()
    indices = ("realization_index", "initialization_index", "physics_index", "forcing_index")
    return {
        "Conventions": "CF-1.7 CMIP-6.2",
        "mip_era": "CMIP6",
        "activity_id": facets["product"],
        "institution_id": facets["institute"],
        "source_id": facets["model"],
        "source": f"{facets['model']} (synthetic sample)",
        "source_type": SOURCE_TYPES[facets["model"]],
        "experiment_id": facets["experiment"],
        "experiment": EXPERIMENTS[facets["experiment"]],
        "sub_experiment_id": "none",
        "sub_experiment": "none",
        "variant_label": member,
        **{name: np.int32(number) for name, number in zip(indices, numbers)},
        "table_id": facets["cmor_table"],
        "grid_label": facets["grid_label"],
        "grid": "coarse sample grid",
        "variable_id": facets["variable"],
        "frequency": facets["time_frequency"],
        "realm": facets["realm"],
        "nominal_resolution": "1000 km",
        "product": "model-output",
        "data_specs_version": "01.00.30",
        "further_info_url": _further_info(facets),
        "external_variables": "areacello" if facets["realm"] == "ocean" else "areacella",
        "tracking_id": f"hdl:21.14100/{_tracking(path)}",
    }


def _cmip5_attributes(facets: dict, path: str) -> dict:
    realization, initialization, physics = facets["ensemble"].lstrip("r").replace("i", " ").replace("p", " ").split()
    return {
        "Conventions": "CF-1.4",
        "project_id": "CMIP5",
        "institute_id": facets["institute"],
        "model_id": facets["model"],
        "experiment_id": facets["experiment"],
        "experiment": EXPERIMENTS[facets["experiment"]],
        "frequency": facets["time_frequency"],
        "modeling_realm": facets["realm"],
        "table_id": f"Table {facets['cmor_table']}",
        "product": "output",
        "realization": np.int32(realization),
        "initialization_method": np.int32(initialization),
        "physics_version": np.int32(physics),
        "tracking_id": _tracking(path),
    }


def _cordex_attributes(facets: dict, path: str) -> dict:
    return {
        "Conventions": "CF-1.4",
        "project_id": "CORDEX",
        "CORDEX_domain": facets["product"],
        "institute_id": facets["institute"],
        "model_id": facets["rcm_name"],
        "rcm_version_id": facets["rcm_version"],
        "driving_model_id": facets["driving_model"],
        "driving_experiment_name": facets["experiment"],
        "driving_model_ensemble_member": facets["ensemble"],
        "driving_experiment": f"{facets['driving_model']}, {facets['experiment']}, {facets['ensemble']}",
        "experiment_id": facets["experiment"],
        "experiment": EXPERIMENTS[facets["experiment"]],
        "frequency": facets["time_frequency"],
        "product": "output",
        "tracking_id": _tracking(path),
    }


def _plain_attributes(facets: dict, path: str) -> dict:
    return {
        "Conventions": "CF-1.7",
        "project_id": facets["project"],
        "institute_id": facets["institute"],
        "source": f"{facets['model']} {facets['experiment']}",
        "experiment_id": facets["experiment"],
        "frequency": facets["time_frequency"],
        "realm": facets["realm"],
        "product": facets["product"],
        "tracking_id": _tracking(path),
    }


ATTRIBUTES = {
    "CMIP6": _cmip6_attributes,
    "CMIP5": _cmip5_attributes,
    "CORDEX": _cordex_attributes,
}
#: project -> units of time
TIME_UNITS = {
    "CMIP6": "days since 1850-01-01 00:00:00",
    "CMIP5": "days since 1850-01-01 00:00:00",
    "CORDEX": "days since 1949-12-01 00:00:00",
    "nextGEMS": "minutes since 2020-01-01 00:00:00",
    "observations": "days since 1850-01-01 00:00:00",
    "reanalysis": "hours since 1900-01-01 00:00:00",
}
CELL_METHODS = {"inst": "time: point"}
AREAS = {"ocean": "area: areacello"}


def write_time(data: netCDF4.Dataset, sample: Sample, period: Period) -> np.ndarray:
    """Write the unlimited time axis with its bounds; return the times in years."""
    facets = sample.facets
    units = TIME_UNITS[facets["project"]]
    edges = period.bounds(facets["time_frequency"])
    bounds = np.array([[cftime.date2num(each, units, sample.calendar) for each in pair] for pair in edges], float)
    points = facets["time_aggregation"] in POINTS
    values = bounds[:, 0] if points else bounds.mean(axis=1)
    data.createDimension("time", None)
    time = data.createVariable("time", "f8", ("time",), **storage_of(sample, (len(values),)))
    time.setncatts(dict(standard_name="time", long_name="time", axis="T", units=units, calendar=sample.calendar))
    if not points:
        time.bounds = "time_bnds"
        if "bnds" not in data.dimensions:
            data.createDimension("bnds", 2)
        data.createVariable("time_bnds", "f8", ("time", "bnds"), **storage_of(sample, bounds.shape))[:] = bounds
    time[:] = values
    days = {"360_day": 360.0, "noleap": 365.0}.get(sample.calendar, 365.2425)
    since = [cftime.num2date(v, units, sample.calendar) for v in values]
    return np.array([d.year + (d.dayofyr - 1 + d.hour / 24.0) / days for d in since])


def storage_of(sample: Sample, shape: tuple[int, ...]) -> dict:
    """Arguments of createVariable: NetCDF-4 is chunked, shuffled and deflated."""
    if sample.kind != "netcdf4":
        return {}
    return dict(zlib=True, complevel=9, shuffle=True, chunksizes=tuple(min(n, CHUNK) for n in shape))


#: The longest side of a chunk.
CHUNK = 24


def write_coordinates(data: netCDF4.Dataset, sample: Sample, grid: Grid) -> None:
    """Write the coordinates in space and the grid mapping."""
    for dimension, size in zip(grid.dims, grid.lon.shape):
        data.createDimension(dimension, size)
    data.createDimension("bnds", 2)
    for name, (dims, values, attributes, bounds) in grid.coordinates.items():
        kept = storage_of(sample, values.shape) if values.size > 100 else {}
        coordinate = data.createVariable(name, values.dtype, dims, **kept)
        coordinate.setncatts(attributes)
        if bounds is not None:
            coordinate.bounds = f"{name}_bnds"
            data.createVariable(f"{name}_bnds", "f8", dims + ("bnds",))[:] = bounds
        coordinate[:] = values
    if grid.mapping:
        data.createVariable(grid.mapping[0], "i4").setncatts(grid.mapping[1])


def write_variable(data: netCDF4.Dataset, name: str, sample: Sample, grid: Grid, years: np.ndarray,
                   seed: str) -> None:
    """Write one variable with its scalar height or its levels where it has them."""
    about = FIELDS[sample.fields.get(name, name)]
    values = about.make(grid, years, seed)
    values = np.round(values / about.precision) * about.precision
    extra = grid.auxiliary
    dims = (("time",) if len(years) else ()) + grid.dims
    if len(years) and values.ndim > len(dims):
        dims = ("time", "plev") + grid.dims
        data.createDimension("plev", len(LEVELS))
        levels = data.createVariable("plev", "f8", ("plev",))
        levels.setncatts(dict(units="Pa", axis="Z", positive="down", standard_name="air_pressure",
            long_name="pressure"))
        levels[:] = LEVELS
    if about.height:
        if "height" not in data.variables:
            height = data.createVariable("height", "f8")
            height.setncatts(dict(units="m", axis="Z", positive="up", standard_name="height", long_name="height"))
            height[...] = about.height
        extra = f"{extra} height".strip()
    aggregation = sample.facets["time_aggregation"]
    attributes = dict(
        standard_name=about.standard_name, long_name=about.long_name, units=about.units,
        cell_methods=CELL_METHODS.get(aggregation, about.cell_methods),
    )
    if sample.facets["project"] == "CMIP6":
        attributes["cell_measures"] = AREAS.get(sample.facets["realm"], "area: areacella")
    if extra:
        attributes["coordinates"] = extra
    if grid.mapping:
        attributes["grid_mapping"] = grid.mapping[0]
    kept = storage_of(sample, values.shape)
    if sample.packed:
        scale, offset = sample.packed
        variable = data.createVariable(name, "i2", dims, fill_value=np.int16(-32767), **kept)
        attributes |= dict(scale_factor=scale, add_offset=offset, missing_value=np.int16(-32767))
    else:
        variable = data.createVariable(name, "f4", dims, fill_value=FILL, **kept)
        attributes["missing_value"] = FILL
    variable.setncatts(attributes)
    missing = np.isnan(values)
    variable[:] = np.ma.array(np.where(missing, 0.0, values), mask=missing)


def write(sample: Sample, period: Period | None, path: str, grid: Grid) -> None:
    """Write one file of a sample."""
    facets = sample.facets
    target = HERE / path
    target.parent.mkdir(parents=True, exist_ok=True)
    variables = facets["variable"] if isinstance(facets["variable"], list) else [facets["variable"]]
    # every run has weather of its own, the same one in all its slices, and every version of it a little other
    words = ("project", "model", "experiment", "ensemble", "version")
    with netCDF4.Dataset(target, "w", format=KINDS[sample.kind]) as data:
        attributes = ATTRIBUTES.get(facets["project"], _plain_attributes)(facets, path)
        data.setncatts(dict(sorted((attributes | _common(facets)).items())))
        write_coordinates(data, sample, grid)
        years = write_time(data, sample, period) if period else np.array([])
        for name in variables:
            write_variable(data, name, sample, grid, years, " ".join([*(facets[w] for w in words), name]))


#: What is the default of the index where neither a path nor a header of the project says it.
UNSAID = {"grid_label": {"CMIP5", "CORDEX", "nextGEMS", "observations", "reanalysis"}}


def told(sample: Sample, path: str, grid: Grid) -> dict:
    """The facets and details that a file tells by its path, its header and its bytes."""
    content = (HERE / path).read_bytes()
    facets = dict(sample.facets, dataset=SAMPLE_DATASET)
    # That of a HEALPix mesh is in the name of its file.
    if sample.grid != "healpix":
        facets.pop("grid_id", None)
    if facets["project"] in UNSAID["grid_label"]:
        del facets["grid_label"]
    if sample.facets["time_frequency"] == "fx":
        del facets["time_aggregation"]
    if grid.mapping and sample.grid == "rotated":
        lon, lat = (grid.coordinates[name][1].astype(float) for name in ("lon", "lat"))
        west, east, north, south = (round(each, 4) for each in (lon.min(), lon.max(), lat.max(), lat.min()))
        facets["bbox"] = f"ENVELOPE({west},{east},{north},{south})"
    names = facets["variable"] if isinstance(facets["variable"], list) else [facets["variable"]]
    with netCDF4.Dataset(HERE / path) as data:
        about = {key: [getattr(data[name], key) for name in names] for key in ("standard_name", "long_name", "units")}
        globals_ = ("tracking_id", "nominal_resolution", "license", "further_info_url")
        found = {key: getattr(data, key) for key in globals_ if key in data.ncattrs()}
    return facets | found | {
        **{key: values if len(values) > 1 else values[0] for key, values in about.items()},
        "size": len(content),
        "checksum": f"sha256:{hashlib.sha256(content).hexdigest()}",
    }


def sample_documents() -> list[dict]:
    """Write all files; return their documents."""
    shutil.rmtree(HERE / FILES, ignore_errors=True)
    grids = {name: make() for name, make in GRIDS.items()}
    found = []
    for sample in SAMPLES:
        facets = sample.facets
        for period in periods(sample.slices, facets["time_frequency"], sample.calendar):
            path = f"{FILES}/{FOLDERS[facets['project']][1]}/{relative_path(facets, period)}"
            write(sample, period, path, grids[sample.grid])
            known = told(sample, path, grids[sample.grid])
            found.append(document(known, period, path, path))
    return found


def main() -> None:
    """Write the files and the catalogue."""
    documents = [
        *sample_documents(),
        *cmip6_documents(),
        *cmip5_documents(),
        *cordex_documents(),
        *nextgems_documents(),
        *gridded_documents(),
        *era5_documents(),
        *user_documents(),
    ]
    files = [each["file"] for each in documents]
    repeated = sorted({file for file in files if files.count(file) > 1})
    if repeated:
        raise SystemExit("listed twice: " + ", ".join(repeated))
    lines = (json.dumps(each, ensure_ascii=False) for each in documents)
    (HERE / CATALOGUE).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    print(f"{len(documents)} documents, {sum(not f.startswith('/') for f in files)} of them with a file")


if __name__ == "__main__":
    main()
