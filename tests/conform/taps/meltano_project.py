"""The Meltano project of examples/meltano, run against a sandbox: into files, and into PostgreSQL.

LMS_BASE_URL, LMS_CLIENT_ID and LMS_CLIENT_SECRET are those of the sandbox, LMS_CONTROL_URL is that of its faults, and
LMS_TEST_POSTGRES that of an empty database. The folder is a copy of the project. The tests build on each other.
"""

import datetime
import json
import os
import pathlib
import subprocess

import psycopg
import psycopg.rows
import requests

BASE = os.environ["LMS_BASE_URL"] + "/api/v1"
CONTROL = os.environ["LMS_CONTROL_URL"]
POSTGRES = os.environ["LMS_TEST_POSTGRES"]

# The selected streams. Their lists have the same names.
STREAMS = ["courses", "learners", "enrolments", "course_completions"]
PAGE = 100


def authorization():
    body = {
        "grant_type": "client_credentials",
        "client_id": os.environ["LMS_CLIENT_ID"],
        "client_secret": os.environ["LMS_CLIENT_SECRET"],
    }
    response = requests.post(BASE + "/oauth/token", json=body, timeout=30)
    return {"Authorization": "Bearer " + response.json()["access_token"]}


def tenant_rows(stream):
    """The items of a list by id, read without our code."""
    items, cursor, headers = {}, {}, authorization()
    while True:
        response = requests.get(f"{BASE}/{stream}", params=cursor, headers=headers, timeout=30)
        response.raise_for_status()
        page = response.json()
        items |= {item["id"]: item for item in page["items"]}
        if not page["more"]:
            return items
        cursor = {"cursor": page["next_cursor"]}


def utc(text):
    return datetime.datetime.fromisoformat(text).astimezone(datetime.timezone.utc)


def assert_equal(rows, items):
    """Compares loaded rows, by id, with the items of the tenant."""
    assert rows.keys() == items.keys()
    for key, row in rows.items():
        for name, value in row.items():
            if name.startswith("_"):
                continue
            if name.endswith("_utc"):
                expected = items[key].get(name.removesuffix("_utc"))
                if expected is not None:
                    value = utc(value) if isinstance(value, str) else value.replace(tzinfo=datetime.timezone.utc)
                    expected = utc(expected)
            else:
                expected = items[key].get(name)
                if isinstance(value, int) and isinstance(expected, str):
                    expected = int(expected)
            assert value == expected, (key, name)


def run(loader, *options):
    """Runs the project. Returns the exit code."""
    requests.delete(CONTROL + "/requests", timeout=30).raise_for_status()
    done = subprocess.run(
        ["meltano", "run", "--no-install", *options, "tap-lms", loader],
        env={
            **os.environ,
            "TAP_LMS_PAGE_SIZE": str(PAGE),
            "LMS_WAREHOUSE": POSTGRES.replace("postgres://", "postgresql+psycopg://"),
        },
        capture_output=True,
        text=True,
        timeout=200,
    )
    print(done.stdout, done.stderr)
    assert os.environ["LMS_CLIENT_SECRET"] not in done.stdout + done.stderr
    return done.returncode


def set_faults(*rules):
    requests.put(CONTROL + "/faults", json={"seed": 5, "rules": rules}, timeout=30).raise_for_status()


def pages_of_learners():
    """How many pages the last run asked for, if nothing else has read them since."""
    listed = requests.get(CONTROL + "/requests?operation=listLearners", timeout=30)
    return len(listed.json()["items"])


def table(stream):
    """The rows in PostgreSQL that are not marked as deleted, and the ids of those that are."""
    with psycopg.connect(POSTGRES, row_factory=psycopg.rows.dict_row) as connection:
        rows = connection.execute(f"SELECT * FROM lms.{stream}").fetchall()
    present = {row["id"]: row for row in rows if row["_sdc_deleted_at"] is None}
    return present, {row["id"] for row in rows if row["_sdc_deleted_at"] is not None}


def assert_tables_are_complete():
    for stream in STREAMS:
        assert_equal(table(stream)[0], tenant_rows(stream))


def test_files_have_the_selected_rows_and_fields():
    pathlib.Path("output").mkdir()
    assert run("target-jsonl") == 0
    all_pages = pages_of_learners()
    files = {path.stem: path for path in pathlib.Path("output").iterdir()}
    assert files.keys() == set(STREAMS)
    for stream, path in files.items():
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        assert len({row["id"] for row in rows}) == len(rows)
        assert "phone_number" not in rows[0]
        assert_equal({row["id"]: row for row in rows}, tenant_rows(stream))

    # Meltano merges the states of full refreshes. What is left of a failed one must not be used.
    set_faults("listLearners: after 3: status 403 json")
    assert run("target-jsonl", "--full-refresh") != 0
    set_faults()
    assert run("target-jsonl", "--full-refresh") == 0
    assert run("target-jsonl") == 0
    assert pages_of_learners() == all_pages


def test_tables_equal_the_tenant():
    assert run("target-postgres") == 0
    assert_tables_are_complete()


def test_only_a_complete_run_deletes():
    learners = list(tenant_rows("learners"))
    removed = {learners[0], learners[250], learners[-1]}
    for learner in removed:
        url = f"{BASE}/learners/{learner}"
        requests.delete(url, headers=authorization(), timeout=30).raise_for_status()
    set_faults("listLearners: after 3: status 403 json")
    assert run("target-postgres") != 0
    present, deleted = table("learners")
    assert not deleted and removed <= present.keys()
    set_faults()
    assert run("target-postgres") == 0
    # The whole list, because only that shows what is gone.
    assert pages_of_learners() == len(learners) // PAGE + 1
    # A version is activated after two complete reads, the first of which may have begun before the rows were removed.
    for _ in range(2):
        assert table("learners")[1] <= removed
        assert run("target-postgres") == 0
    assert table("learners")[1] == removed
    assert_tables_are_complete()


def test_faults_that_lose_nothing():
    set_faults(
        "lists: every 3: status 503 html",
        "lists: every 5: drop body",
        "lists: every 7: bad-json cut",
        "lists: every 4: empty-page",
        "lists: nth 8: revoke-tokens",
    )
    assert run("target-postgres") == 0
    set_faults()
    assert_tables_are_complete()


def test_a_fault_that_loses_rows_is_an_error():
    before = {stream: table(stream)[0].keys() for stream in STREAMS}
    set_faults("listLearners,listEnrolments: every 3: shift-page -3")
    assert run("target-postgres") != 0
    set_faults()
    assert {stream: table(stream)[0].keys() for stream in STREAMS} == before
    assert run("target-postgres") == 0
    assert_tables_are_complete()
