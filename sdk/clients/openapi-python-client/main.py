import json
import re
from importlib import import_module

from climate_client import AuthenticatedClient, Client
from climate_client.api.auth import issue_token, token_status
from climate_client.api.catalogues import create_stac_catalogue
from climate_client.api.search import get_overview, search_data, search_metadata
from climate_client.api.user_data import add_user_data, delete_user_data
from climate_client.models import (
    Problem,
    TokenRequest,
    UniqKey,
    UserDataRequest,
    UserDataSelection,
    UserMetadataEntry,
)
from task import DELETED, FREE, KEPT, PASSWORD, PROJECT, SERVER, USERNAME

client = Client(base_url=SERVER)
query = {"experiment_id": ["historical"], "variable_id": ["tas", "pr"]}

overview = get_overview.sync(client=client)
files = search_data.sync("cmip6", UniqKey.FILE, client=client, **query).splitlines()
counts = search_metadata.sync("cmip6", UniqKey.FILE, client=client, **query)
archive = create_stac_catalogue.sync("cmip6", UniqKey.FILE, client=client, **query)
archive = archive.payload.read()
with open("stac.zip", "wb") as out:
    out.write(archive)

credentials = TokenRequest(username=USERNAME, password=PASSWORD)
first = issue_token.sync(client=client, body=credentials)
token = issue_token.sync(client=client, body=TokenRequest(refresh_token=first.refresh_token))
signed_in = AuthenticatedClient(base_url=SERVER, token=token.access_token)
status = token_status.sync(client=signed_in)

# Every operation that searches: what it answers its example.
answers = {}
with open("calls.json") as calls:
    for call in json.load(calls):
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", call["id"]).lower()
        module = import_module(f"climate_client.api.{call['tag'].replace(' ', '_')}.{name}")
        path = {**call["path"]}
        if "uniq_key" in path:
            path["uniq_key"] = UniqKey(path["uniq_key"])
        answer = module.sync_detailed(**path, client=signed_in, **call["query"])
        # Types that the generator does not know, such as Metalink, are not parsed.
        assert answer.status_code == 200 and not isinstance(answer.parsed, Problem)
        kind = answer.headers["content-type"]
        is_text = "json" in kind or "text" in kind
        answers[call["id"]] = answer.content.decode() if is_text else len(answer.content)


def entry(file):
    return UserMetadataEntry.from_dict(
        {
            "file": file,
            "variable": ["tas", "pr"],
            "time": "1985 to 1989",
            "time_frequency": "mon",
            "bbox": "-10,30,35,70",
            "project": [PROJECT],
            "model": ["my-model"],
            "extra": FREE,
        }
    )


body = UserDataRequest.from_dict({"user_metadata": [], "facets": {"product": "output"}})
body.user_metadata = [entry(KEPT), entry(DELETED)]
added = add_user_data.sync(client=signed_in, body=body)


def mine():
    found = search_data.sync(
        "user", UniqKey.FILE, client=client, project=[PROJECT], model=["my-model"]
    )
    return found.splitlines()


found = mine()
selection = UserDataSelection()
selection["file"] = DELETED
deleted = delete_user_data.sync(client=signed_in, body=selection)
left = mine()

refused = search_data.sync(
    "cmip6", UniqKey.FILE, client=client, time=["tomorrow"], **query
)
problem = refused if isinstance(refused, Problem) else None

print(
    json.dumps(
        {
            "flavours": overview.flavours,
            "facets_of_cmip6": overview.attributes["cmip6"],
            "files": files,
            "total": counts.total_count,
            "variables": counts.facets["variable_id"],
            "archive": len(archive),
            "email": status.email,
            "renewed": token.refresh_token != first.refresh_token,
            "added": added.status,
            "found": found,
            "deleted": deleted.status,
            "left": left,
            "answers": answers,
            "problem": problem
            and {
                "type": problem.type_,
                "status": problem.status,
                "detail": problem.detail,
                "errors": [
                    {"name": each.name, "location": each.location.value, "reason": each.reason}
                    for each in problem.errors
                ],
            },
        }
    )
)
