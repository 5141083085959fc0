"""Loads the enrolments of a faulty tenant with lms, dlt and Airbyte's declarative CDK, and prints what each reports.

    python3 -m venv peers && peers/bin/pip install --requirement tests/bench/peers/sync/requirements.txt
    cargo build --release -p lms-cli -p lms-sandbox
    peers/bin/python tests/bench/peers/sync/compare.py target/release

Each fault has a sandbox of its own. A loader is right if it either has all rows and reports success, or reports a failure.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

LEARNERS = int(os.environ.get("LEARNERS", "2800"))
FAULTS = {
    "none": [],
    "page cut in the middle": ["listEnrolments: nth 7: bad-json cut"],
    "`more` without a cursor": ["listEnrolments: nth 7: more-without-cursor"],
    "repeated cursor": ["listEnrolments: nth 7: repeat-cursor"],
    "401 in mid-walk": ["listEnrolments: nth 7: refuse-token"],
}
HERE = pathlib.Path(__file__).parent
CREDENTIALS = ("424242", "secret")
TIMEOUT = 600


class Sandbox:
    """A sandbox that ends with the block."""

    def __init__(self, programs, faults):
        command = [programs / "lms-sandbox", "serve", "--listen", "127.0.0.1:0"]
        command += ["--client-id", CREDENTIALS[0], "--client-secret", CREDENTIALS[1]]
        command += ["--learners", str(LEARNERS)]
        for fault in faults:
            command += ["--fault", fault]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.url = line.removeprefix("listening on ").strip()
                return
        raise RuntimeError("the sandbox did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def run(command, url):
    """The output, the exit code and the time of a loader."""
    environment = os.environ | {
        "LMS_BASE_URL": url,
        "LMS_CLIENT_ID": CREDENTIALS[0],
        "LMS_CLIENT_SECRET": CREDENTIALS[1],
        # Nothing leaves this machine.
        "RUNTIME__DLTHUB_TELEMETRY": "false",
        "DO_NOT_TRACK": "1",
        "AIRBYTE_NO_TELEMETRY": "1",
    }
    started = time.monotonic()
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=TIMEOUT
        )
    except subprocess.TimeoutExpired:
        return "", None, TIMEOUT
    return done.stdout, done.returncode, time.monotonic() - started


def lms(programs, folder, url):
    command = [programs / "lms", "export", "enrolments", "--to", folder / "lms", "--output", "ndjson"]
    output, code, took = run(command, url)
    rows = json.loads(output.splitlines()[0])["rows"] if output else 0
    return rows, code, took


def dlt(_, folder, url):
    output, code, took = run([sys.executable, HERE / "dlt_load.py", folder], url)
    return int(output.split()[-1]) if code == 0 else 0, code, took


def airbyte(_, __, url):
    output, code, took = run([sys.executable, HERE / "airbyte_read.py"], url)
    words = output.split()
    complete = words[-1:] == ["COMPLETE"]
    return int(words[-2]) if len(words) > 1 else 0, 0 if code == 0 and complete else 1, took


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    versions = [line.strip() for line in (HERE / "requirements.txt").read_text().splitlines()]
    direct = [line for line in versions if line.startswith(("dlt==", "airbyte-cdk=="))]
    print(f"`lms export` into CSV, dlt into DuckDB, the CDK into nothing ({', '.join(direct)}).\n")
    print("| fault | lms | dlt | Airbyte's CDK |\n|---|---|---|---|")
    expected = None
    for name, faults in FAULTS.items():
        cells = []
        for loader in (lms, dlt, airbyte):
            with Sandbox(programs, faults) as sandbox, tempfile.TemporaryDirectory() as folder:
                rows, code, took = loader(programs, pathlib.Path(folder), sandbox.url)
            expected = expected or rows
            if code == 0:
                verdict = "complete" if rows == expected else f"**success with {rows} of {expected} rows**"
            else:
                verdict = "failure" if code is not None else f"no end within {TIMEOUT} s"
            cells.append(f"{verdict}, {took:.1f} s")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


main()
