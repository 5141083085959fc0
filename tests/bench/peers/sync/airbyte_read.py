"""Reads the enrolments of a tenant with Airbyte's declarative CDK. Prints how many records it emitted.

Ends with the CDK's own exit code; the last status of the stream is the second word.
"""

import json
import os
import pathlib
import sys
import tempfile

from airbyte_cdk.entrypoint import AirbyteEntrypoint
from airbyte_cdk.models import ConfiguredAirbyteCatalogSerializer
from airbyte_cdk.sources.declarative.concurrent_declarative_source import ConcurrentDeclarativeSource

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

MANIFEST = {
    "version": "7.0.0",
    "type": "DeclarativeSource",
    "check": {"type": "CheckStream", "stream_names": ["enrolments"]},
    "streams": [
        {
            "type": "DeclarativeStream",
            "name": "enrolments",
            "primary_key": ["id"],
            "schema_loader": {
                "type": "InlineSchemaLoader",
                "schema": {"type": "object", "properties": {"id": {"type": "string"}}},
            },
            "retriever": {
                "type": "SimpleRetriever",
                "requester": {
                    "type": "HttpRequester",
                    "url_base": BASE,
                    "path": "/enrolments",
                    "http_method": "GET",
                    "authenticator": AUTHENTICATOR,
                },
                "record_selector": {
                    "type": "RecordSelector",
                    "extractor": {"type": "DpathExtractor", "field_path": ["items"]},
                },
                "paginator": {
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
                },
            },
        }
    ],
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

CATALOG = {
    "streams": [
        {
            "stream": {
                "name": "enrolments",
                "json_schema": {},
                "supported_sync_modes": ["full_refresh"],
            },
            "sync_mode": "full_refresh",
            "destination_sync_mode": "overwrite",
        }
    ]
}


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    config = {name: os.environ[f"LMS_{name.upper()}"] for name in ("client_id", "client_secret")}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "catalog.json").write_text(json.dumps(CATALOG))
    source = ConcurrentDeclarativeSource(
        catalog=ConfiguredAirbyteCatalogSerializer.load(CATALOG),
        config=config,
        state=None,
        source_config=MANIFEST,
    )
    arguments = ["read", "--config", str(folder / "config.json"), "--catalog", str(folder / "catalog.json")]
    entrypoint = AirbyteEntrypoint(source)
    rows, status, failed = 0, "none", False
    try:
        for line in entrypoint.run(entrypoint.parse_args(arguments)):
            for message in map(json.loads, line.splitlines()):
                if message["type"] == "RECORD":
                    rows += 1
                trace = message.get("trace") or {}
                if trace.get("type") == "STREAM_STATUS":
                    status = trace["stream_status"]["status"]
    except Exception as error:  # As the CDK's own program: a failure is its exit code.
        print(error, file=sys.stderr)
        failed = True
    print(rows, status)
    sys.exit(1 if failed else 0)


main()
