"""Loads a sandbox with lms, dlt and Airbyte's declarative CDK, and prints the results as JSON.

    compare.py PROGRAMS TARGET_POSTGRES LEARNERS ROUNDS ONCE_ABOVE
        How long each takes for so many learners with five enrolments each, next to a PostgreSQL server (.ci/postgres). A loader
        that took more than ONCE_ABOVE seconds is not measured again.

`cargo xtask bench --only exports` installs what is needed and runs it. PROGRAMS is the folder of `lms` and `lms-sandbox`.
"""

import csv
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).parent
CREDENTIALS = {"client_id": "424242", "client_secret": "secret"}
# Seconds. At full size, the slowest loader takes about six minutes.
TIMEOUT = 1800
# Counts the records among the messages of either protocol.
COUNT = "grep --count '\"type\":\"RECORD\"'"


class Sandbox:
    """A sandbox that ends with the block."""

    def __init__(self, programs, learners, enrolments_per_learner):
        command = [programs / "lms-sandbox", "serve", "--listen", "127.0.0.1:0"]
        command += ["--client-id", CREDENTIALS["client_id"]]
        command += ["--client-secret", CREDENTIALS["client_secret"]]
        command += ["--token-lifetime", "24h", "--learners", str(learners)]
        command += ["--enrolments-per-learner", str(enrolments_per_learner)]
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


class Loaders:
    """The loaders, for some collections of one sandbox."""

    def __init__(self, programs, url, collections, target_postgres):
        self.lms = programs / "lms"
        self.url = url
        self.collections = collections
        self.target_postgres = target_postgres
        self.postgres = os.environ.get("LMS_TEST_POSTGRES", "")

    def run(self, command, folder):
        """The output, the exit code, and the cost of a loader and the programs that it ran."""
        environment = os.environ | {
            "LMS_BASE_URL": self.url,
            "LMS_CLIENT_ID": CREDENTIALS["client_id"],
            "LMS_CLIENT_SECRET": CREDENTIALS["client_secret"],
            # Files as large as those of the others.
            "NORMALIZE__DATA_WRITER__DISABLE_COMPRESSION": "true",
            # Nothing leaves this machine.
            "RUNTIME__DLTHUB_TELEMETRY": "false",
            "DO_NOT_TRACK": "1",
            "AIRBYTE_NO_TELEMETRY": "1",
            "AIRBYTE_OFFLINE_MODE": "1",
        }
        self.prepare(folder)
        with open(folder / "log", "w") as log, open(folder / "output", "w+") as output:
            started = time.monotonic()
            process = subprocess.Popen(list(map(str, command)), cwd=folder, env=environment, stdout=output, stderr=log)
            timer = threading.Timer(TIMEOUT, process.kill)
            timer.start()
            _, status, used = os.wait4(process.pid, 0)
            timer.cancel()
            cost = {
                "wall": time.monotonic() - started,
                "processor": used.ru_utime + used.ru_stime,
                # In kibibytes, of the largest of the processes.
                "memory": used.ru_maxrss * 1024,
            }
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            return output.read(), process.returncode, cost

    def prepare(self, folder):
        """Writes what the loaders read."""
        config = {"base_url": self.url, **CREDENTIALS}
        (folder / "config.json").write_text(json.dumps(config))
        tap = [self.lms, "tap"]
        config = ["--config", folder / "config.json"]
        catalog = json.loads(subprocess.check_output([*tap, "singer", "--discover", *config]))
        for entry in catalog["streams"]:
            entry["selected"] = entry["tap_stream_id"] in self.collections
        (folder / "singer.json").write_text(json.dumps(catalog))
        message = json.loads(subprocess.check_output([*tap, "airbyte", "discover", *config]))
        streams = [
            {"stream": entry, "sync_mode": "full_refresh", "destination_sync_mode": "overwrite"}
            for entry in message["catalog"]["streams"]
            if entry["name"] in self.collections
        ]
        (folder / "catalog.json").write_text(json.dumps({"streams": streams}))
        target = {
            "sqlalchemy_url": self.postgres.replace("postgres://", "postgresql+psycopg://"),
            "default_target_schema": "singer",
            "activate_version": True,
        }
        (folder / "target.json").write_text(json.dumps(target))

    def export(self, folder, file_format):
        command = [self.lms, "export", *self.collections, "--to", folder / "files"]
        return self.own([*command, "--format", file_format], folder)

    def mirror(self, folder, database):
        return self.own([self.lms, "mirror", *self.collections, "--to", database], folder)

    def own(self, command, folder):
        output, code, cost = self.run([*command, "--output", "ndjson"], folder)
        return sum(json.loads(line)["rows"] for line in output.splitlines()), code, cost

    def shell(self, script, folder):
        script = f'set -o pipefail; {script.format(lms=self.lms, target=self.target_postgres)}'
        return self.run(["bash", "-c", script], folder)

    def tap(self, folder, protocol):
        arguments = {
            "singer": "singer --config config.json --catalog singer.json",
            "airbyte": "airbyte read --config config.json --catalog catalog.json",
        }
        output, code, cost = self.shell(f"{{lms}} tap {arguments[protocol]} | {COUNT}", folder)
        return int(output), code, cost

    def target(self, folder):
        script = "{lms} tap singer --config config.json --catalog singer.json"
        _, code, cost = self.shell(f"{script} | {{target}} --config target.json >/dev/null", folder)
        return self.rows_in_postgres("singer"), code, cost

    def rows_in_postgres(self, schema):
        import psycopg2

        with psycopg2.connect(self.postgres) as connection, connection.cursor() as cursor:
            rows = 0
            for name in self.collections:
                cursor.execute(f"SELECT count(*) FROM {schema}.{name}")
                rows += cursor.fetchone()[0]
        return rows

    def dlt(self, folder, into):
        command = [sys.executable, HERE / "dlt_load.py", folder, into, *self.collections]
        output, code, cost = self.run(command, folder)
        rows = int(output.split()[-1]) if code == 0 else 0
        if into == "csv" and code == 0:
            # dlt counts something else in its CSV files, which begin with a line of names.
            files = [path for name in self.collections for path in folder.glob(f"files/*/{name}/*.csv")]
            rows = sum(sum(1 for _ in csv.reader(path.open(newline=""))) - 1 for path in files)
        return rows, code, cost

    def cdk_into_nothing(self, folder):
        script = f"{sys.executable} {HERE / 'airbyte_load.py'} {folder} nothing | {COUNT}"
        output, code, cost = self.shell(script, folder)
        return int(output), code, cost

    def pyairbyte(self, folder, into):
        command = [sys.executable, HERE / "airbyte_load.py", folder, into]
        output, code, cost = self.run(command, folder)
        return int(output.split()[-1]) if code == 0 else 0, code, cost


def versions(*packages):
    return {package: importlib.metadata.version(package) for package in packages}


def speed(programs, target_postgres, learners, rounds, once_above):
    target_postgres = pathlib.Path(target_postgres).resolve()
    with Sandbox(programs, learners, 5) as sandbox:
        loaders = Loaders(programs, sandbox.url, ["learners", "enrolments"], target_postgres)
        # The first one of each destination is what the others are compared with.
        ways = [
            ("nothing", "`lms tap singer`", lambda folder: loaders.tap(folder, "singer")),
            ("nothing", "`lms tap airbyte`", lambda folder: loaders.tap(folder, "airbyte")),
            ("nothing", "the declarative CDK", loaders.cdk_into_nothing),
            ("nothing", "dlt", lambda folder: loaders.dlt(folder, "nothing")),
            ("CSV", "`lms export`", lambda folder: loaders.export(folder, "csv")),
            ("CSV", "dlt", lambda folder: loaders.dlt(folder, "csv")),
            ("NDJSON", "`lms export`", lambda folder: loaders.export(folder, "ndjson")),
            ("NDJSON", "dlt", lambda folder: loaders.dlt(folder, "jsonl")),
            ("Parquet", "`lms export`", lambda folder: loaders.export(folder, "parquet")),
            ("Parquet", "dlt", lambda folder: loaders.dlt(folder, "parquet")),
            (
                "SQLite or DuckDB",
                "`lms mirror` into SQLite",
                lambda folder: loaders.mirror(folder, f"sqlite:{folder / 'mirror.db'}"),
            ),
            ("SQLite or DuckDB", "the declarative CDK into DuckDB", lambda folder: loaders.pyairbyte(folder, "duckdb")),
            ("SQLite or DuckDB", "dlt into DuckDB", lambda folder: loaders.dlt(folder, "duckdb")),
            (
                "PostgreSQL",
                "`lms mirror`",
                lambda folder: loaders.mirror(folder, f"{loaders.postgres}?schema=lms"),
            ),
            ("PostgreSQL", "`lms tap singer` and target-postgres", loaders.target),
            ("PostgreSQL", "the declarative CDK", lambda folder: loaders.pyairbyte(folder, "postgres")),
            ("PostgreSQL", "dlt", lambda folder: loaders.dlt(folder, "postgres")),
        ]
        expected = None
        measured = [[] for _ in ways]
        for _ in range(int(rounds)):
            drop_schemas(loaders.postgres)
            for (into, name, load), runs in zip(ways, measured):
                if runs and runs[0]["wall"] > float(once_above):
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    folder = pathlib.Path(folder)
                    rows, code, cost = load(folder)
                    expected = expected or rows
                    if code != 0 or rows != expected:
                        print((folder / "log").read_text()[-4000:], file=sys.stderr)
                        raise RuntimeError(f"{name} into {into}: exit code {code}, {rows} of {expected} rows")
                print(f"{name} into {into}: {cost}", file=sys.stderr, flush=True)
                runs.append(cost)
    return {
        "rows": expected,
        "versions": versions("dlt", "airbyte-cdk", "airbyte", "duckdb") | servers(loaders),
        "ways": [
            {"into": into, "loader": name, "runs": runs}
            for (into, name, _), runs in zip(ways, measured)
        ],
    }


def drop_schemas(postgres):
    import psycopg2

    with psycopg2.connect(postgres) as connection, connection.cursor() as cursor:
        for schema in ("lms", "singer", "airbyte", "tenant", "tenant_staging"):
            cursor.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")


def servers(loaders):
    import psycopg2

    output = subprocess.check_output([loaders.target_postgres, "--version"], text=True)
    with psycopg2.connect(loaders.postgres) as connection:
        postgres = connection.info.server_version // 10_000
    return {"target-postgres": output.split()[1].strip("v,"), "PostgreSQL": str(postgres)}


programs, *rest = sys.argv[1:]
print(json.dumps(speed(pathlib.Path(programs).resolve(), *rest)))
