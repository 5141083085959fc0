"""Reads a tenant with Airbyte's declarative CDK: airbyte_load.py FOLDER INTO

If INTO is `nothing`, this is the source as a program, which writes messages to stdout. `duckdb` and `postgres` are caches of
PyAirbyte, which prints how many rows it loaded. FOLDER/catalog.json is a configured catalog with the schemas of the collections.
"""

import json
import os
import pathlib
import sys
from urllib.parse import urlsplit

BASE = os.environ["LMS_BASE_URL"] + "/api/v1"

AUTHENTICATOR = {
    "type": "SessionTokenAuthenticator",
    "login_requester": {
        "type": "HttpRequester",
        "url_base": BASE,
        "path": "/oauth/token",
        "http_method": "POST",
        "request_body_json": {
            "grant_type": "client_credentials",
            "client_id": "{{ config['client_id'] }}",
            "client_secret": "{{ config['client_secret'] }}",
        },
    },
    "session_token_path": ["access_token"],
    "expiration_duration": "PT1H",
    "request_authentication": {"type": "Bearer"},
}

PAGINATOR = {
    "type": "DefaultPaginator",
    "page_token_option": {
        "type": "RequestOption",
        "inject_into": "request_parameter",
        "field_name": "cursor",
    },
    "pagination_strategy": {
        "type": "CursorPagination",
        "cursor_value": "{{ response.get('next_cursor') }}",
        "stop_condition": "{{ not response.get('more') }}",
    },
}


def stream(name, schema):
    return {
        "type": "DeclarativeStream",
        "name": name,
        "primary_key": ["id"],
        "schema_loader": {"type": "InlineSchemaLoader", "schema": schema},
        "retriever": {
            "type": "SimpleRetriever",
            "requester": {
                "type": "HttpRequester",
                "url_base": BASE,
                "path": f"/{name}",
                "http_method": "GET",
                "authenticator": AUTHENTICATOR,
            },
            "record_selector": {
                "type": "RecordSelector",
                "extractor": {"type": "DpathExtractor", "field_path": ["items"]},
            },
            "paginator": PAGINATOR,
        },
    }


def manifest(catalog):
    streams = [entry["stream"] for entry in catalog["streams"]]
    return {
        "version": "7.0.0",
        "type": "DeclarativeSource",
        "check": {"type": "CheckStream", "stream_names": [streams[0]["name"]]},
        "streams": [stream(each["name"], each["json_schema"]) for each in streams],
        "spec": {
            "type": "Spec",
            "connection_specification": {
                "type": "object",
                "properties": {
                    "client_id": {"type": "string"},
                    "client_secret": {"type": "string", "airbyte_secret": True},
                },
            },
        },
    }


def write_messages(folder, catalog, config):
    from airbyte_cdk.entrypoint import launch
    from airbyte_cdk.models import ConfiguredAirbyteCatalogSerializer
    from airbyte_cdk.sources.declarative.concurrent_declarative_source import ConcurrentDeclarativeSource

    path = folder / "credentials.json"
    path.write_text(json.dumps(config))
    source = ConcurrentDeclarativeSource(
        catalog=ConfiguredAirbyteCatalogSerializer.load(catalog),
        config=config,
        state=None,
        source_config=manifest(catalog),
    )
    launch(source, ["read", "--config", str(path), "--catalog", str(folder / "catalog.json")])


def load(folder, into, catalog, config):
    import airbyte
    from airbyte.caches import DuckDBCache, PostgresCache

    source = airbyte.get_source(
        "source-lms",
        source_manifest=manifest(catalog),
        config=config,
        streams=[entry["stream"]["name"] for entry in catalog["streams"]],
    )
    if into == "duckdb":
        cache = DuckDBCache(db_path=str(folder / "airbyte.duckdb"))
    else:
        address = urlsplit(os.environ["LMS_TEST_POSTGRES"])
        cache = PostgresCache(
            host=address.hostname,
            port=address.port,
            username=address.username,
            password=address.password,
            database=address.path.removeprefix("/"),
            schema_name="airbyte",
        )
    print(source.read(cache=cache, force_full_refresh=True).processed_records)


def main():
    folder, into = pathlib.Path(sys.argv[1]), sys.argv[2]
    config = {name: os.environ[f"LMS_{name.upper()}"] for name in ("client_id", "client_secret")}
    catalog = json.loads((folder / "catalog.json").read_text())
    if into == "nothing":
        write_messages(folder, catalog, config)
    else:
        load(folder, into, catalog, config)


main()
