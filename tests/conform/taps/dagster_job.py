"""The job of examples/dagster, executed once with two sandboxes as its tenants, one of which fails at first.

LMS_TENANTS is a file with both, LMS_CONTROL_URL the control API of one, and LMS_TEST_POSTGRES an empty database. The folder is
a copy of the project of examples/meltano, and JOBS the file of the job.
"""

import json
import os
import pathlib
import subprocess

import psycopg
import requests

TENANTS = json.loads(pathlib.Path(os.environ["LMS_TENANTS"]).read_text())
POSTGRES = os.environ["LMS_TEST_POSTGRES"]


def learners(tenant):
    """The ids of a tenant's learners, read without our code."""
    base = tenant["base_url"] + "/api/v1"
    body = {"grant_type": "client_credentials"} | {
        name: tenant[name] for name in ["client_id", "client_secret"]
    }
    token = requests.post(base + "/oauth/token", json=body, timeout=30).json()["access_token"]
    headers = {"Authorization": "Bearer " + token}
    # The tenants differ, so that it shows whose rows are where.
    removed = "l1" if tenant["name"] == "acme" else "l2"
    requests.delete(f"{base}/learners/{removed}", headers=headers, timeout=30).raise_for_status()
    ids, cursor = set(), {}
    while True:
        response = requests.get(base + "/learners", params=cursor, headers=headers, timeout=30)
        page = response.json()
        ids |= {item["id"] for item in page["items"]}
        if not page["more"]:
            return ids
        cursor = {"cursor": page["next_cursor"]}


def test_every_tenant_is_loaded_into_its_schema(tmp_path):
    expected = {tenant["name"]: learners(tenant) for tenant in TENANTS}
    plan = {"rules": ["listLearners: nth 2: status 403 json"]}
    url = os.environ["LMS_CONTROL_URL"] + "/faults"
    requests.put(url, json=plan, timeout=30).raise_for_status()
    done = subprocess.run(
        ["dagster", "job", "execute", "-f", os.environ["JOBS"], "-j", "load_tenants"],
        env={
            **os.environ,
            "DAGSTER_HOME": str(tmp_path),
            "DAGSTER_DISABLE_TELEMETRY": "yes",
            "LMS_MELTANO_PROJECT": os.getcwd(),
            "LMS_RUNS": str(tmp_path / "runs"),
            "LMS_RETRY_AFTER": "0.1",
            "LMS_WAREHOUSE": POSTGRES.replace("postgres://", "postgresql+psycopg://"),
            "TAP_LMS_PAGE_SIZE": "100",
            "TAP_LMS__SELECT": '["learners.*"]',
        },
        capture_output=True,
        text=True,
        timeout=500,
    )
    output = done.stdout + done.stderr
    print(output)
    assert done.returncode == 0
    # Dagster may lose the last line of a process, which says that there will be a retry.
    assert "STEP_RESTARTED" in output
    for tenant in TENANTS:
        assert tenant["client_secret"] not in output
        with psycopg.connect(POSTGRES) as connection:
            rows = connection.execute(f"SELECT id FROM lms_{tenant['name']}.learners").fetchall()
        assert {id for (id,) in rows} == expected[tenant["name"]]
