"""Runs the DAG of examples/airflow once with two sandboxes as its tenants, one of which fails at first."""

import os
import pathlib
import shutil
import subprocess
import sys

import tenants

HOME = pathlib.Path(os.environ["HOME"], "airflow")
BIN = pathlib.Path(sys.executable).parent
ENVIRONMENT = {
    **os.environ,
    "AIRFLOW_HOME": str(HOME),
    "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
    "AIRFLOW__CORE__DAGS_FOLDER": str(HOME / "dags"),
    "LMS_WAREHOUSE": tenants.WAREHOUSE,
    "LMS_RETRY_AFTER": "0.1",
}


def airflow(*arguments: str) -> str:
    done = subprocess.run(
        [BIN / "airflow", *arguments],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=500,
    )
    print(done.stdout)
    assert done.returncode == 0, done.returncode
    return done.stdout


(HOME / "dags").mkdir(parents=True)
shutil.copy(pathlib.Path(tenants.EXAMPLE, "lms_mirror.py"), HOME / "dags")
airflow("db", "migrate")
tenants.fail("listLearners: nth 2: status 403 json")
output = airflow("dags", "test", "lms_mirror")
assert "state=success" in output or "state:success" in output, "the run did not end well"
assert "up_for_retry" in output.lower(), "the tenant that failed was not retried"
tenants.assert_mirrored()
print("2 tenants were mirrored, one of them by a retry")
