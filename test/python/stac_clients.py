"""pystac-client and pystac against the STAC API at an address: argv is what to do, then the address.

search: reads searches (keywords of Client.search) as JSON from the standard input, prints the datasets found by each.
items: validates every item and collection, and the two extensions that items declare; prints their number.
all: validates all that the catalogue leads to, as pystac does it (validate_all); prints the same.
"""

import json
import re
import sys

from pystac.validation import RegisteredValidator
from pystac_client import Client

FILE = "https://stac-extensions.github.io/file/v2.1.0/schema.json"
ALTERNATE = "https://stac-extensions.github.io/alternate-assets/v1.2.0/schema.json"


def check_file(part):
    """What file 2.1.0 demands of an asset."""
    fields = {name: value for name, value in part.items() if name.startswith("file:")}
    known = {"file:size", "file:checksum", "file:local_path"}
    assert set(fields) <= known, fields
    size, checksum = fields.get("file:size", 0), fields.get("file:checksum", "12")
    assert isinstance(size, int) and size >= 0, size
    assert re.fullmatch("[a-f0-9]+", checksum), checksum
    path = fields.get("file:local_path", "a")
    assert re.fullmatch("[^\r\n\t\\\\:'\"/]+(/[^\r\n\t\\\\:'\"/]+)*/?", path), path


def check_extensions(item):
    """Declared if and only if they are used, and as their schemas demand."""
    parts = list(item["assets"].values())
    text = json.dumps(parts)
    assert (FILE in item["stac_extensions"]) == ('"file:' in text), item["id"]
    assert (ALTERNATE in item["stac_extensions"]) == ('"alternate' in text), item["id"]
    for part in parts:
        check_file(part)
        assert part.get("alternate:name", "x") != ""
        if "alternate" in part:
            assert len(part["alternate"]) > 0
            for other in part["alternate"].values():
                assert other["href"] != "" and "alternate:name" in other
                check_file(other)


def main():
    task, address = sys.argv[1:3]
    client = Client.open(address)
    if task == "search":
        for search in json.load(sys.stdin):
            found = client.search(**search)
            names = [item["properties"]["dataset_id"] for item in found.items_as_dicts()]
            print(json.dumps({"names": names, "matched": found.matched()}))
        return
    collections = list(client.get_collections())
    if task == "all":
        # The schemas of these are not in pystac, and are checked by the task "items".
        validator = RegisteredValidator.get_validator()
        for extension in [FILE, ALTERNATE]:
            draft = "http://json-schema.org/draft-07/schema#"
            validator.schema_cache[extension] = {"$id": extension, "$schema": draft}
        items = client.validate_all()
        print(json.dumps({"items": items, "collections": len(collections)}))
        return
    for collection in collections:
        collection.stac_extensions = []
        collection.validate()
    count = 0
    for item in client.search(limit=250).items():
        check_extensions(item.to_dict(include_self_link=False))
        # Of the extensions pystac has no schemas: they are checked above.
        item.stac_extensions = []
        item.validate()
        count += 1
    assert client.search(limit=1).matched() == count
    print(json.dumps({"items": count, "collections": len(collections)}))


main()
