"""Runs `lms mirror` for the tenants that Dagster selected, and reports each of them by Dagster Pipes."""

import json
import os
import pathlib
import subprocess
import tempfile

from dagster_pipes import open_dagster_pipes


def main() -> None:
    with open_dagster_pipes() as pipes, tempfile.TemporaryDirectory() as folder:
        assets = pipes.get_extra("tenants")
        outcomes = pathlib.Path(folder, "outcomes.json")
        command = ["lms", "mirror", "--profiles", ",".join(assets), "--to", os.environ["LMS_WAREHOUSE"]]
        command += ["--at-once", os.environ.get("LMS_AT_ONCE", "16"), "--outcomes", str(outcomes)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL)
        if not outcomes.exists():
            raise SystemExit(f"lms ended with {done.returncode} before it began; its output says why")
        for tenant in json.loads(outcomes.read_text()):
            if tenant["complete"] is None:
                continue  # Another process mirrors it.
            asset = assets[tenant["tenant"]]
            metadata = {name: tenant[name] for name in ["rows", "changes", "skipped", "error", "seconds"]}
            metadata = {name: value for name, value in metadata.items() if value is not None}
            if tenant["complete"]:
                pipes.report_asset_materialization(metadata, asset_key=asset)
            pipes.report_asset_check(
                "complete", tenant["complete"], severity="ERROR", metadata=metadata, asset_key=asset
            )


if __name__ == "__main__":
    main()
