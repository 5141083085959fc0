"""What the tests of all schedulers need: two tenants, of which one can fail, and what their mirrors have."""

import json
import os
import subprocess
import urllib.request

# An empty database. Each tenant has a schema of its own there.
WAREHOUSE = os.environ["LMS_TEST_POSTGRES"] + "?schema=lms"
EXAMPLE = os.environ["EXAMPLE"]


def fail(*rules: str) -> None:
    """Makes one of the tenants fail."""
    request = urllib.request.Request(
        os.environ["LMS_CONTROL_URL"] + "/faults",
        data=json.dumps({"rules": rules}).encode(),
        headers={"Content-Type": "application/json"},
        method="PUT",
    )
    urllib.request.urlopen(request, timeout=30).read()


def status() -> dict[str, dict]:
    """What the mirror of each tenant has."""
    command = ["lms", "status", "--mirror", WAREHOUSE, "--all-profiles", "--output", "json"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return {tenant["tenant"]: tenant for tenant in json.loads(listed.stdout)}


def assert_mirrored() -> None:
    tenants = status()
    assert sorted(tenants) == ["acme", "globex"], tenants
    for tenant in tenants.values():
        assert tenant["complete"] and tenant["rows"] > 1000, tenant
