"""Loads every tenant with the Meltano project of ../meltano, each in a task of its own.

See README.md for the settings.
"""

import json
import os
import pathlib
import subprocess

import dagster

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = pathlib.Path(os.environ.get("LMS_MELTANO_PROJECT", HERE.parent / "meltano"))
TENANTS = pathlib.Path(os.environ.get("LMS_TENANTS", HERE / "tenants.json"))
# What Meltano keeps for each tenant: its state, and the files of its runs.
RUNS = pathlib.Path(os.environ.get("LMS_RUNS", HERE / "runs"))

MAX_CONCURRENT = int(os.environ.get("LMS_MAX_CONCURRENT", "8"))
RETRY_AFTER = float(os.environ.get("LMS_RETRY_AFTER", "600"))


def tenants_by_name() -> dict[str, dict]:
    return {tenant["name"]: tenant for tenant in json.loads(TENANTS.read_text())}


def run_folder(name: str) -> pathlib.Path:
    """The folder of a tenant.

    Meltano keeps the state that it passes to a tap in one file of this folder, so tenants that are loaded at the same time
    must not share it. The loaders are installed once, in the project.
    """
    folder = RUNS / name
    folder.mkdir(parents=True, exist_ok=True)
    loaders = folder / "loaders"
    if not loaders.is_symlink():
        installed = os.environ.get("MELTANO_SYS_DIR_ROOT", PROJECT / ".meltano")
        loaders.symlink_to(pathlib.Path(installed, "loaders"))
    return folder


@dagster.op(out=dagster.DynamicOut(str))
def tenants():
    """The name of each tenant. Dagster stores the outputs of tasks, so the secrets stay in the file."""
    for name in tenants_by_name():
        yield dagster.DynamicOutput(name, mapping_key=name)


@dagster.op(
    retry_policy=dagster.RetryPolicy(
        max_retries=3,
        delay=RETRY_AFTER,
        backoff=dagster.Backoff.EXPONENTIAL,
        jitter=dagster.Jitter.PLUS_MINUS,
    )
)
def load(context: dagster.OpExecutionContext, name: str) -> None:
    """Loads a tenant into its schema. A retry continues after the last page."""
    tenant = tenants_by_name()[name]
    done = subprocess.run(
        ["meltano", "run", "--no-install", "tap-lms", "target-postgres"],
        cwd=PROJECT,
        env={
            **os.environ,
            "MELTANO_SYS_DIR_ROOT": str(run_folder(name)),
            "MELTANO_DATABASE_URI": f"sqlite:///{run_folder(name)}/meltano.db",
            "LMS_BASE_URL": tenant["base_url"],
            "LMS_CLIENT_ID": str(tenant["client_id"]),
            "LMS_CLIENT_SECRET": tenant["client_secret"],
            "TARGET_POSTGRES_DEFAULT_TARGET_SCHEMA": f"lms_{name}",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    context.log.info(done.stdout)
    if done.returncode != 0:
        raise dagster.Failure(f"{name} was not loaded completely; the log says why")


@dagster.job(
    executor_def=dagster.multiprocess_executor.configured({"max_concurrent": MAX_CONCURRENT})
)
def load_tenants():
    tenants().map(load)


defs = dagster.Definitions(
    jobs=[load_tenants],
    schedules=[dagster.ScheduleDefinition(job=load_tenants, cron_schedule="0 2 * * *")],
)
