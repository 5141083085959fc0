"""Loads a tenant with dlt's REST source: dlt_load.py FOLDER INTO COLLECTION... Prints how many rows it loaded.

INTO is `nothing`, a file format, `duckdb` or `postgres`.
"""

import os
import pathlib
import sys

import dlt
from dlt.common.configuration.specs import configspec
from dlt.sources.helpers.rest_client.auth import OAuth2ClientCredentials
from dlt.sources.rest_api import rest_api_source

BASE = os.environ["LMS_BASE_URL"] + "/api/v1"


@configspec
class JsonCredentials(OAuth2ClientCredentials):
    """The service takes the token request as JSON."""

    def build_access_token_request(self):
        return {
            "json": {
                "grant_type": "client_credentials",
                "client_id": self.client_id,
                "client_secret": self.client_secret,
            }
        }


@dlt.destination(batch_size=10_000)
def nothing(items, table):
    """Drops the rows."""


def destination(folder, into):
    """The destination, and the format of its files."""
    if into == "nothing":
        return nothing(), None
    if into == "duckdb":
        return dlt.destinations.duckdb(str(folder / "dlt.duckdb")), None
    if into == "postgres":
        return dlt.destinations.postgres(os.environ["LMS_TEST_POSTGRES"]), None
    return dlt.destinations.filesystem((folder / "files").as_uri()), into


def main():
    folder, into, collections = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    credentials = JsonCredentials(
        access_token_url=f"{BASE}/oauth/token",
        client_id=os.environ["LMS_CLIENT_ID"],
        client_secret=os.environ["LMS_CLIENT_SECRET"],
    )
    source = rest_api_source(
        {
            "client": {
                "base_url": BASE,
                "auth": credentials,
                "paginator": {
                    "type": "cursor",
                    "cursor_path": "next_cursor",
                    "cursor_param": "cursor",
                },
            },
            "resources": [
                {
                    "name": name,
                    "primary_key": "id",
                    "write_disposition": "replace",
                    "endpoint": {"path": name, "data_selector": "items"},
                }
                for name in collections
            ],
        }
    )
    to, file_format = destination(folder, into)
    pipeline = dlt.pipeline(
        "peer", pipelines_dir=str(folder / "pipelines"), destination=to, dataset_name="tenant"
    )
    pipeline.run(source, loader_file_format=file_format).raise_on_failed_jobs()
    counts = pipeline.last_trace.last_normalize_info.row_counts
    print(sum(counts.get(name, 0) for name in collections))


main()
