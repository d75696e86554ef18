import json

from climate_client import ApiClient, Configuration
from climate_client.api import AuthApi, CataloguesApi, SearchApi, UserDataApi
from climate_client.exceptions import UnprocessableEntityException
from climate_client.models import Problem, UniqKey, UserDataRequest, UserMetadataEntry
from task import DELETED, FREE, KEPT, PASSWORD, PROJECT, SERVER, USERNAME

anybody = ApiClient(Configuration(host=SERVER))
search = SearchApi(anybody)
query = {
    "flavour": "cmip6",
    "uniq_key": UniqKey.FILE,
    "experiment_id": ["historical"],
    "variable_id": ["tas", "pr"],
    "standard_name": ["air_temperature", "precipitation_flux"],
}

overview = search.get_overview()
files = search.search_data(**query).splitlines()
counts = search.search_metadata(**query)
archive = CataloguesApi(anybody).create_stac_catalogue(**query)
with open("stac.zip", "wb") as out:
    out.write(archive)

auth = AuthApi(anybody)
first = auth.issue_token(username=USERNAME, password=PASSWORD)
token = auth.issue_token(refresh_token=first.refresh_token)
signed_in = ApiClient(Configuration(host=SERVER, access_token=token.access_token))
status = AuthApi(signed_in).token_status()

user_data = UserDataApi(signed_in)
entry = {
    "variable": ["tas", "pr"],
    "time": "1985 to 1989",
    "time_frequency": "mon",
    "bbox": "-10,30,35,70",
    "project": [PROJECT],
    "model": ["my-model"],
    "extra": FREE,
}
added = user_data.add_user_data(
    UserDataRequest(
        user_metadata=[
            UserMetadataEntry(file=KEPT, **entry),
            UserMetadataEntry(file=DELETED, **entry),
        ],
        facets={"product": "output"},
    )
)


def mine():
    found = search.search_data(
        "user", UniqKey.FILE, project=[PROJECT], model=["my-model"]
    )
    return found.splitlines()


found = mine()
deleted = user_data.delete_user_data({"file": DELETED})
left = mine()

try:
    search.search_data(**query, time=["tomorrow"])
    raise AssertionError("it was not refused")
except UnprocessableEntityException as error:
    problem = error.data if isinstance(error.data, Problem) else None

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
            "problem": problem
            and {
                "type": problem.type,
                "status": problem.status,
                "detail": problem.detail,
                "errors": [
                    {"name": each.name, "location": each.location, "reason": each.reason}
                    for each in problem.errors or []
                ],
            },
        }
    )
)
