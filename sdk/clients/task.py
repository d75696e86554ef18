"""What every Python program is told, and what it registers."""

import os

SERVER = os.environ["SDK_SERVER"]
USERNAME = os.environ["SDK_USERNAME"]
PASSWORD = os.environ["SDK_PASSWORD"]
PROJECT = os.environ["SDK_PROJECT"]
KEPT = os.environ["SDK_FILES"] + "/kept.nc"
DELETED = os.environ["SDK_FILES"] + "/deleted.nc"

# Keys that no contract knows.
FREE = {
    "additional_info": 'bias adjusted: "äöü"',
    "modle": "no misspelling here",
    "run": {"seed": 7, "ratio": 0.25, "tags": ["a", "b"], "final": True},
}
