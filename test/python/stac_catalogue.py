"""Reads a static STAC catalogue from a zip archive and validates all of it, without a network.

usage: stac_catalogue.py ARCHIVE ITEMS; prints what a test holds against its documents, as JSON.
"""

import json
import socket
import sys
import tempfile
import zipfile

import pystac


def refuse(*_):
    raise RuntimeError("this catalogue needs the network")


socket.socket.connect = refuse

archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
names = archive.namelist()
assert len(names) == len(set(names)) == int(sys.argv[2]) + 2, len(names)
assert not any(name.startswith("/") or ".." in name or "\\" in name for name in names)

with tempfile.TemporaryDirectory() as folder:
    archive.extractall(folder)
    catalog = pystac.Catalog.from_file(f"{folder}/catalog.json")
    catalog.validate()
    (collection,) = catalog.get_children()
    collection.validate()
    items = list(catalog.get_items(recursive=True))
    for item in items:
        item.validate()
    assert len({item.id for item in items}) == len(items) == int(sys.argv[2])
    files = {name: json.load(archive.open(name)) for name in names if "/items/" in name}
    starts = [item["properties"]["start_datetime"] for item in files.values()]
    ends = [item["properties"]["end_datetime"] for item in files.values()]
    summary = json.load(archive.open("collection/collection.json"))
    assert summary["extent"]["temporal"]["interval"] == [[min(starts), max(ends)]]
    for key, values in summary["summaries"].items():
        found = set()
        for item in files.values():
            value = item["properties"].get(key, [])
            found.update(value if isinstance(value, list) else [value])
        assert found == set(values), key
    print(json.dumps({"collection": summary, "items": list(files.values())}))
