"""Mirrors every profile of `lms` into PostgreSQL, each in a task of its own.

See README.md for the settings.
"""

import datetime
import json
import os
import subprocess

from airflow.sdk import dag, get_current_context, task

MAX_AGE = os.environ.get("LMS_MAX_AGE", "20h")
RETRY_AFTER = float(os.environ.get("LMS_RETRY_AFTER", "600"))


@dag(
    schedule="0 2 * * *",
    start_date=datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc),
    catchup=False,
    max_active_runs=1,
)
def lms_mirror():
    @task
    def tenants() -> list[str]:
        """The names of the profiles. The secrets stay where `lms` reads them."""
        command = ["lms", "profile", "list", "--output", "json"]
        listed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        return [profile["name"] for profile in json.loads(listed.stdout)]

    @task(
        map_index_template="{{ tenant }}",
        max_active_tis_per_dagrun=8,
        retries=3,
        retry_delay=datetime.timedelta(seconds=RETRY_AFTER),
    )
    def mirror(tenant: str) -> None:
        """Mirrors a tenant. A retry continues after the last checkpoint."""
        get_current_context()["tenant"] = tenant
        command = ["lms", "mirror", "--profiles", tenant, "--to", os.environ["LMS_WAREHOUSE"]]
        subprocess.run([*command, "--max-age", MAX_AGE], check=True)

    mirror.expand(tenant=tenants())


lms_mirror()
