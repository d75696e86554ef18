"""Which files intake-esm itself finds for searches with require_all_on.

usage: intake_complete.py API QUERIES, where QUERIES is a JSON file: a list of {"query": {column: [values]}, "on": [columns]}.
Prints a JSON list with the files of each, sorted.

intake-esm cannot group by columns of lists: a row with several values of what is grouped by is one for each of them first.
"""

import json
import sys
import warnings

import intake

warnings.simplefilter("ignore")
api, queries = sys.argv[1:]
whole = intake.open_esm_datastore(f"{api}/databrowser/intake-catalogue/cmip6/file?dataset=plain").esmcat
everything = whole.df


def files(query, on):
    grouped = {key: values for key, values in query.items() if key in on}
    others = {key: values for key, values in query.items() if key not in on}
    whole._df = everything
    found = whole.search(query=grouped) if grouped else everything
    for column in on:
        found = found.explode(column)
    whole._df = found.reset_index(drop=True)
    if found.empty:
        return []
    return sorted(set(whole.search(query=others, require_all_on=on)["file"]))


with open(queries) as file:
    print(json.dumps([files(one["query"], one["on"]) for one in json.load(file)]))
