"""Airbyte's standard tests of a source, run on `lms tap airbyte`; what they do not check; and PyAirbyte as a loader.

LMS is the program, LMS_CONFIG a configuration of the tap.
"""

import json
import os
import pathlib
import subprocess
import tempfile

import airbyte
from airbyte_cdk.models import (
    AirbyteCatalog,
    AirbyteConnectionStatus,
    AirbyteMessageSerializer,
    ConfiguredAirbyteCatalogSerializer,
    ConnectorSpecification,
)
from airbyte_cdk.sources import Source
from airbyte_cdk.test.models import ConnectorTestScenario
from airbyte_cdk.test.standard_tests.source_base import SourceTestSuiteBase

LMS = os.environ["LMS"]
CONFIG = json.loads(pathlib.Path(os.environ["LMS_CONFIG"]).read_text())


def run(verb, **files):
    """Runs the source, and returns its messages and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for name, content in files.items():
            path = pathlib.Path(folder, name)
            path.write_text(json.dumps(content))
            arguments += [f"--{name}", str(path)]
        done = subprocess.run(
            [LMS, "tap", "airbyte", verb, *arguments], capture_output=True, text=True, timeout=120
        )
        return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


def only(messages, kind):
    return [message for message in messages if message["type"] == kind]


class LmsSource(Source):
    """The program as a source of the CDK."""

    def spec(self, logger) -> ConnectorSpecification:
        (message,), _ = run("spec")
        return AirbyteMessageSerializer.load(message).spec

    def check(self, logger, config) -> AirbyteConnectionStatus:
        (message,), _ = run("check", config=dict(config))
        return AirbyteMessageSerializer.load(message).connectionStatus

    def discover(self, logger, config) -> AirbyteCatalog:
        (message,), _ = run("discover", config=dict(config))
        return AirbyteMessageSerializer.load(message).catalog

    def read_config(self, config_path):
        return json.loads(pathlib.Path(config_path).read_text())

    def read_catalog(self, catalog_path):
        return ConfiguredAirbyteCatalogSerializer.load(
            json.loads(pathlib.Path(catalog_path).read_text())
        )

    def read_state(self, state_path):
        return []

    def read(self, logger, config, catalog, state=None):
        messages, code = run(
            "read", config=dict(config), catalog=ConfiguredAirbyteCatalogSerializer.dump(catalog)
        )
        for message in messages:
            yield AirbyteMessageSerializer.load(message)
        if code:
            raise RuntimeError(f"the source exited with {code}")


class TestStandard(SourceTestSuiteBase):
    connector = LmsSource

    @classmethod
    def get_connector_root_dir(cls):
        return pathlib.Path(__file__).parent

    @classmethod
    def get_scenarios(cls):
        return [ConnectorTestScenario(config_path=os.environ["LMS_CONFIG"])]


def configured(*names):
    (message,), _ = run("discover", config=CONFIG)
    streams = [stream for stream in message["catalog"]["streams"] if stream["name"] in names]
    assert len(streams) == len(names)
    return {
        "streams": [
            {"stream": stream, "sync_mode": "full_refresh", "destination_sync_mode": "overwrite"}
            for stream in streams
        ]
    }


def test_keys_are_unique():
    messages, code = run("read", config=CONFIG, catalog=configured("learners", "enrolments"))
    assert code == 0
    keys = [(m["record"]["stream"], m["record"]["data"]["id"]) for m in only(messages, "RECORD")]
    assert len(keys) > 1000
    assert len(set(keys)) == len(keys)


def test_wrong_credentials_fail_loudly():
    config = {**CONFIG, "client_secret": "not the secret"}
    messages, code = run("read", config=config, catalog=configured("tags"))
    assert code != 0
    traces = [message["trace"] for message in only(messages, "TRACE")]
    statuses = [trace["stream_status"]["status"] for trace in traces if "stream_status" in trace]
    assert statuses == ["STARTED", "INCOMPLETE"]
    assert "not the secret" not in json.dumps(messages)


def test_pyairbyte_loads_every_row_twice(tmp_path):
    """The second read must not be empty because the state of the first says that it is complete."""
    program = tmp_path / "source-lms"
    program.write_text(f'#!/bin/sh\nexec "{LMS}" tap airbyte "$@"\n')
    program.chmod(0o755)
    names = ["learners", "enrolments", "user_fields"]
    messages, _ = run("read", config=CONFIG, catalog=configured(*names))
    records = [message["record"] for message in only(messages, "RECORD")]
    source = airbyte.get_source(
        "source-lms", local_executable=str(program), config=CONFIG, streams=names
    )
    cache = airbyte.caches.DuckDBCache(db_path=str(tmp_path / "cache.duckdb"))
    for _ in range(2):
        result = source.read(cache=cache)
        assert result.processed_records == len(records)
        for name in names:
            rows = result[name].to_pandas()
            sent = [record["data"] for record in records if record["stream"] == name]
            assert sorted(rows["id"]) == sorted(row["id"] for row in sent)
