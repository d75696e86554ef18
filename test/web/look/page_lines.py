"""Runs the lines of Python that a page shows, as they are."""

import importlib.util
import os
import re

os.environ["MPLBACKEND"] = "Agg"
PLOTS = importlib.util.find_spec("matplotlib") is not None


def field_of(code):
    """The variable `field` that the lines leave behind. Where matplotlib is not there, they run without their plot."""
    if not PLOTS:
        lines = code.split("\n")
        end = next(i for i, line in enumerate(lines) if re.match(r"field\.plot|points =", line))
        code = "\n".join(line for line in lines[:end] if "matplotlib" not in line)
    names = {}
    exec(compile(code, "page", "exec"), names)
    return names["field"]
