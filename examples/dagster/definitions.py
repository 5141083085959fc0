"""An asset for each profile of `lms`: the mirror of the tenant, with a check that it is complete.

See README.md for the settings.
"""

import json
import pathlib
import subprocess
import sys

import dagster

MIRROR = pathlib.Path(__file__).with_name("mirror.py")


def profiles() -> list[str]:
    """The names of the profiles. The secrets stay where `lms` reads them."""
    command = ["lms", "profile", "list", "--output", "json"]
    listed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return [profile["name"] for profile in json.loads(listed.stdout)]


# An asset key is the name of a profile, where - is not allowed.
ASSETS = [
    dagster.AssetSpec(["lms", name.replace("-", "_")], metadata={"profile": name}, skippable=True)
    for name in profiles()
]


@dagster.multi_asset(
    specs=ASSETS,
    check_specs=[dagster.AssetCheckSpec("complete", asset=spec.key) for spec in ASSETS],
    can_subset=True,
)
def mirrors(context: dagster.AssetExecutionContext, pipes: dagster.PipesSubprocessClient):
    """Mirrors the selected tenants in one process."""
    selected = [spec for spec in ASSETS if spec.key in context.selected_asset_keys]
    tenants = {spec.metadata["profile"]: spec.key.to_user_string() for spec in selected}
    command = [sys.executable, str(MIRROR)]
    mirrored = pipes.run(command=command, context=context, extras={"tenants": tenants})
    results = mirrored.get_results(implicit_materializations=False)
    yield from results
    checks = [result for result in results if isinstance(result, dagster.AssetCheckResult)]
    error = dagster.AssetCheckSeverity.ERROR
    failed = [check for check in checks if not check.passed and check.severity == error]
    if failed:
        names = ", ".join(check.asset_key.path[-1] for check in failed)
        raise dagster.Failure(f"not mirrored completely: {names}; the log says why")


job = dagster.define_asset_job("mirror_tenants", selection=[mirrors])

defs = dagster.Definitions(
    assets=[mirrors],
    jobs=[job],
    schedules=[dagster.ScheduleDefinition(job=job, cron_schedule="0 2 * * *")],
    resources={"pipes": dagster.PipesSubprocessClient()},
)
