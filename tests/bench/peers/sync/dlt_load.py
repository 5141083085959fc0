"""Loads the enrolments of a tenant with dlt's REST source into files: dlt_load.py FOLDER. Prints how many rows it loaded."""

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


folder = pathlib.Path(sys.argv[1])
source = rest_api_source(
    {
        "client": {
            "base_url": BASE,
            "auth": JsonCredentials(
                access_token_url=f"{BASE}/oauth/token",
                client_id=os.environ["LMS_CLIENT_ID"],
                client_secret=os.environ["LMS_CLIENT_SECRET"],
            ),
            "paginator": {
                "type": "cursor",
                "cursor_path": "next_cursor",
                "cursor_param": "cursor",
            },
        },
        "resources": [
            {
                "name": "enrolments",
                "primary_key": "id",
                "write_disposition": "replace",
                "endpoint": {"path": "enrolments", "data_selector": "items"},
            }
        ],
    }
)
pipeline = dlt.pipeline(
    "peer",
    pipelines_dir=str(folder / "pipelines"),
    destination=dlt.destinations.duckdb(str(folder / "dlt.duckdb")),
    dataset_name="tenant",
)
pipeline.run(source)
with pipeline.sql_client() as client:
    print(client.execute_sql("SELECT count(*) FROM enrolments")[0][0])
