"""The clients of ESGF against the STAC API at argv[2], through TLS: argv[1] is intake or esgpull.

Reads searches (facets of CMIP6) as JSON from the standard input, prints for each the ids of the datasets that it finds, and what
it tells of their files: names, addresses, and with esgpull sizes, checksums and counts.
"""

import json
import sys
import warnings

warnings.simplefilter("ignore")


def intake(address, searches):
    import intake_esgf
    from intake_esgf.exceptions import NoSearchResults

    index = address.removeprefix("https://")
    intake_esgf.conf["globus_indices"] = {}
    intake_esgf.conf["solr_indices"] = {}
    intake_esgf.conf["stac_indices"] = {index: True}
    for search in searches:
        catalog = intake_esgf.ESGFCatalog()
        try:
            catalog.search(quiet=True, **search)
        except NoSearchResults:
            yield {"ids": [], "files": []}
            continue
        ids = [one for row in catalog.df["id"] for one in (row if isinstance(row, list) else [row])]
        infos = catalog.indices[0].get_file_info(ids)
        files = [{"url": url} for info in infos for url in info["HTTPServer"]]
        yield {"ids": [one.split("|")[0] for one in ids], "files": files}


def esgpull(address, searches):
    from esgpull.config import Config
    from esgpull.context.stac import StacContext
    from esgpull.models import Options, Query, Selection

    config = Config.default()
    config.api.stac_url = address
    context = StacContext(config=config)
    for search in searches:
        query = Query(selection=Selection(project="CMIP6", **search), options=Options.default())
        datasets = context.datasets(query, max_hits=None, page_limit=20)
        files = context.files(query, max_hits=None)
        (hits,) = context.hits(query, file=False)
        (hints,) = context.hints(query, file=False, facets=["source_id"])
        yield {
            "ids": [one.dataset_id for one in datasets],
            "files": [{"url": one.url, "size": one.size, "checksum": one.checksum} for one in files],
            "hits": hits,
            "models": hints["source_id"],
        }


for found in {"intake": intake, "esgpull": esgpull}[sys.argv[1]](sys.argv[2], json.load(sys.stdin)):
    print("FOUND " + json.dumps(found))
