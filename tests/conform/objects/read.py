"""Reads an export from object storage with DuckDB, as an analyst would, and compares it with the tenant.

Usage: read.py create|compare s3://BUCKET/PREFIX
"""

import json
import os
import sys

import duckdb
import fsspec
import requests

LISTS = ["learners", "enrolments", "course_completions", "tags"]


def storage():
    return fsspec.filesystem("s3", use_listings_cache=False, endpoint_url=os.environ["AWS_ENDPOINT_URL"])


def listing(path):
    """All items of a list of the tenant."""
    base = os.environ["LMS_BASE_URL"] + "/api/v1"
    request = {
        "grant_type": "client_credentials",
        "client_id": os.environ["LMS_CLIENT_ID"],
        "client_secret": os.environ["LMS_CLIENT_SECRET"],
    }
    token = requests.post(f"{base}/oauth/token", json=request, timeout=30).json()["access_token"]
    items, query = [], {}
    while True:
        page = requests.get(
            f"{base}/{path}", params=query, headers={"authorization": f"Bearer {token}"}, timeout=30
        )
        page.raise_for_status()
        page = page.json()
        items += page["items"]
        if not page.get("more"):
            return items
        query = {"cursor": page["next_cursor"]}


def text(value):
    """A value of the tenant or of DuckDB in one form: the service writes integers as text."""
    if value is None or value == "":
        return ""
    if isinstance(value, (list, dict)):
        return json.dumps(value, sort_keys=True)
    if isinstance(value, str) and value[:1] in "[{":
        return json.dumps(json.loads(value), sort_keys=True)
    return str(value).lower() if isinstance(value, bool) else str(value)


def rows(database, source):
    """The rows of a source, without the columns that the export derives."""
    read = database.sql(f"SELECT * FROM {source}")
    names = [name for name in read.columns if name not in ("run", "_extra") and not name.endswith("_utc")]
    found = read.select(*names).fetchall()
    return names, sorted(tuple(text(value) for value in row) for row in found)


def compare(prefix):
    files = storage()
    database = duckdb.connect()
    database.execute("SET autoinstall_known_extensions = false")
    database.register_filesystem(files)
    manifest = json.loads(files.cat(f"{prefix}/manifest.json"))
    total = 0
    for name in LISTS:
        entry = manifest["collections"][name]
        assert entry["record"]["complete"], f"{name} is not complete"
        listed = [f"{prefix}/{file['path']}" for file in entry["files"]]
        columns, by_manifest = rows(database, f"read_parquet({listed})")
        pattern = f"'{prefix}/{name}/*/*.parquet', hive_partitioning = true"
        _, by_pattern = rows(database, f"read_parquet({pattern})")
        assert by_manifest == by_pattern, f"{name}: the pattern and the manifest differ"
        runs = database.sql(f"SELECT DISTINCT run FROM read_parquet({pattern})").fetchall()
        assert len(runs) == 1, f"{name}: parts of {runs} are left"
        items = listing(name)
        tenant = sorted(tuple(text(item.get(column)) for column in columns) for item in items)
        assert tenant == by_manifest, f"{name}: {len(tenant)} rows of the tenant, {len(by_manifest)} differ"
        assert len(tenant) == entry["record"]["rows"], f"{name}: the record has another number"
        total += len(tenant)
    left = [path for path in files.find(f"{prefix}/_lms-sync") if not path.endswith("/lock")]
    assert not left, f"{left} is left"
    assert "unfinished" not in manifest, "the manifest has an unfinished run"
    print(f"{total} rows of {len(LISTS)} lists are those of the tenant")


action, prefix = sys.argv[1:]
if action == "create":
    storage().mkdir(prefix.split("/")[2])
else:
    compare(prefix)
