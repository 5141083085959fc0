"""Loads a sandbox with lms, dlt and Airbyte's declarative CDK, and prints the results as JSON.

    compare.py faults PROGRAMS FAUCET
        What each, and faucet-cli, reports of a faulty tenant, and of one that lies. FAUCET is the folder of `faucet`.
    compare.py speed PROGRAMS TARGET_POSTGRES LEARNERS ROUNDS ONCE_ABOVE
        How long each takes for so many learners with five enrolments each, beside a PostgreSQL server (.ci/postgres). A loader
        that took more than ONCE_ABOVE seconds is not measured again.

`cargo xtask bench --only loaders --only loader-faults` installs what is needed and runs both. PROGRAMS is the folder of `lms`
and `lms-sandbox`.
"""

import csv
import importlib.metadata
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from lying import LIES, Lying, Tenant, enrolments

HERE = pathlib.Path(__file__).parent
CREDENTIALS = {"client_id": "424242", "client_secret": "secret"}
# Seconds. At full size, the slowest loader takes about six minutes.
TIMEOUT = 1800
# Of the tenant that fails.
FAULTY_LEARNERS = 2800
FAULTS = {
    "none": [],
    "truncated page": ["listEnrolments: nth 7: bad-json cut"],
    "`more` without a cursor": ["listEnrolments: nth 7: more-without-cursor"],
    "repeated cursor": ["listEnrolments: nth 7: repeat-cursor"],
    "401 in the middle of the list": ["listEnrolments: nth 7: refuse-token"],
}
# Counts the records among the messages of either protocol.
COUNT = "grep --count '\"type\":\"RECORD\"'"


class Sandbox:
    """A sandbox that ends with the block."""

    def __init__(self, programs, learners, enrolments_per_learner, faults=()):
        command = [programs / "lms-sandbox", "serve", "--listen", "127.0.0.1:0"]
        command += ["--client-id", CREDENTIALS["client_id"]]
        command += ["--client-secret", CREDENTIALS["client_secret"]]
        command += ["--token-lifetime", "24h", "--learners", str(learners)]
        command += ["--enrolments-per-learner", str(enrolments_per_learner)]
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


def processor():
    """The CPU time of the programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Loaders:
    """The loaders, for some collections of one sandbox."""

    def __init__(self, programs, url, collections, target_postgres=None, faucet=None):
        self.lms = programs / "lms"
        self.url = url
        self.collections = collections
        self.target_postgres = target_postgres
        self.faucet = faucet
        self.postgres = os.environ.get("LMS_TEST_POSTGRES", "")

    def run(self, command, folder):
        """The output, the exit code, and the time of a loader: elapsed and of the CPU."""
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
        with open(folder / "log", "w") as log:
            used, started = processor(), time.monotonic()
            try:
                done = subprocess.run(
                    list(map(str, command)),
                    cwd=folder,
                    env=environment,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    timeout=TIMEOUT,
                )
            except subprocess.TimeoutExpired:
                return "", None, (TIMEOUT, processor() - used)
            took = (time.monotonic() - started, processor() - used)
            return done.stdout, done.returncode, took

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
        if self.target_postgres:
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
        output, code, took = self.run([*command, "--output", "ndjson"], folder)
        return sum(json.loads(line)["rows"] for line in output.splitlines()), code, took

    def shell(self, script, folder):
        script = f'set -o pipefail; {script.format(lms=self.lms, target=self.target_postgres)}'
        return self.run(["bash", "-c", script], folder)

    def tap(self, folder, protocol):
        arguments = {
            "singer": "singer --config config.json --catalog singer.json",
            "airbyte": "airbyte read --config config.json --catalog catalog.json",
        }
        output, code, took = self.shell(f"{{lms}} tap {arguments[protocol]} | {COUNT}", folder)
        return int(output), code, took

    def target(self, folder):
        script = "{lms} tap singer --config config.json --catalog singer.json"
        _, code, took = self.shell(f"{script} | {{target}} --config target.json >/dev/null", folder)
        return self.rows_in_postgres("singer"), code, took

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
        output, code, took = self.run(command, folder)
        rows = int(output.split()[-1]) if code == 0 else 0
        if into == "csv" and code == 0:
            # dlt counts something else in its CSV files, which begin with a line of names.
            files = [path for name in self.collections for path in folder.glob(f"files/*/{name}/*.csv")]
            rows = sum(sum(1 for _ in csv.reader(path.open(newline=""))) - 1 for path in files)
        return rows, code, took

    def cdk(self, folder):
        """The CDK as a program. The last status of a stream says whether it is complete."""
        command = [sys.executable, HERE / "airbyte_load.py", folder, "nothing"]
        output, code, took = self.run(command, folder)
        records, status = [], None
        for message in map(json.loads, output.splitlines()):
            if message["type"] == "RECORD":
                records.append(json.dumps(message["record"]["data"]))
            trace = message.get("trace") or {}
            if trace.get("type") == "STREAM_STATUS":
                status = trace["stream_status"]["status"]
        (folder / "cdk.ndjson").write_text("\n".join(records))
        return len(records), code if status == "COMPLETE" else code or 1, took

    def cdk_into_nothing(self, folder):
        script = f"{sys.executable} {HERE / 'airbyte_load.py'} {folder} nothing | {COUNT}"
        output, code, took = self.shell(script, folder)
        return int(output), code, took

    def pyairbyte(self, folder, into):
        command = [sys.executable, HERE / "airbyte_load.py", folder, into]
        output, code, took = self.run(command, folder)
        return int(output.split()[-1]) if code == 0 else 0, code, took


    def faucet_cli(self, folder):
        (folder / "faucet.yaml").write_text(json.dumps(faucet_pipeline(self.url, self.collections[0])))
        _, code, took = self.run([self.faucet / "faucet", "run", "faucet.yaml"], folder)
        rows = folder / "faucet.jsonl"
        return len(rows.read_text().splitlines()) if rows.exists() else 0, code, took


def faucet_pipeline(url, collection):
    """A pipeline of faucet-cli into a file, as JSON, which is YAML."""
    base = f"{url}/api/v1"
    token = {
        "url": f"{base}/oauth/token",
        "method": "POST",
        "body": {"grant_type": "client_credentials", **CREDENTIALS},
        "token_path": "$.access_token",
        "expiry_path": "$.expires_in",
        "expiry_ratio": 0.9,
    }
    source = {
        "base_url": base,
        "path": f"/{collection}",
        "method": "GET",
        "auth": {"type": "token_endpoint", "config": token},
        "pagination": {"type": "Cursor", "next_token_path": "$.next_cursor", "param_name": "cursor"},
        "records_path": "$.items[*]",
        "primary_keys": ["id"],
        # The defaults, which have to be written.
        "query_params": {},
        "max_retries": 3,
        "retry_backoff": 1,
        "tolerated_http_errors": [],
        "replication_method": {"type": "FullTable"},
        "schema_sample_size": 100,
        "partitions": [],
    }
    return {
        "version": 1,
        "name": "peer",
        "pipeline": {
            "source": {"type": "rest", "config": source},
            "sink": {"type": "jsonl", "config": {"path": "faucet.jsonl"}},
        },
    }


def json_ids(lines):
    return {json.loads(line).get("id") for line in lines}


def dlt_ids(folder):
    import duckdb

    with duckdb.connect(str(folder / "dlt.duckdb")) as database:
        return {row[0] for row in database.sql("SELECT id FROM tenant.enrolments").fetchall()}


# Each with a function that reads the ids of the rows that it has loaded.
LOADERS = {
    "lms": (
        lambda loaders, folder: loaders.export(folder, "ndjson"),
        lambda folder: json_ids((folder / "files/enrolments.ndjson").open()),
    ),
    "dlt": (lambda loaders, folder: loaders.dlt(folder, "duckdb"), dlt_ids),
    "Airbyte's CDK": (Loaders.cdk, lambda folder: json_ids((folder / "cdk.ndjson").open())),
    "faucet-cli": (Loaders.faucet_cli, lambda folder: json_ids((folder / "faucet.jsonl").open())),
}


def versions(*packages):
    return {package: importlib.metadata.version(package) for package in packages}


def load(name, programs, faucet, tenant, log_failure):
    """What a loader loads from a server: rows, ids, and how it ended."""
    loader, ids = LOADERS[name]
    with tenant as server, tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        loaders = Loaders(programs, server.url, ["enrolments"], faucet=faucet)
        rows, code, _ = loader(loaders, folder)
        if code != 0 and log_failure:
            print((folder / "log").read_text()[-4000:], file=sys.stderr)
            raise RuntimeError(f"{name} fails without a fault")
        found = ids(folder) if code == 0 else set()
    return rows, found, {"success": code == 0, "ended": code is not None}


def faults(programs, faucet):
    faucet = pathlib.Path(faucet).resolve()
    truth, table = None, []
    for fault, rules in FAULTS.items():
        results = []
        for name in LOADERS:
            sandbox = Sandbox(programs, FAULTY_LEARNERS, 2, rules)
            rows, found, ended = load(name, programs, faucet, sandbox, not rules)
            truth = truth or found
            results.append({"rows": rows, "missing": len(truth - found), **ended})
        table.append({"fault": fault, "results": results})
        print(fault, results, file=sys.stderr)
    for lie, kind in LIES.items():
        results = []
        for name in LOADERS:
            tenant = kind(enrolments(len(truth)))
            rows, found, ended = load(name, programs, faucet, Lying(tenant), kind is Tenant)
            results.append({"rows": rows, "missing": len(tenant.there - found), **ended})
        table.append({"fault": lie, "results": results})
        print(lie, results, file=sys.stderr)
    found = subprocess.check_output([faucet / "faucet", "--version"], text=True)
    return {
        "rows": len(truth),
        "versions": versions("dlt", "airbyte-cdk") | {"faucet-cli": found.split()[-1]},
        "faults": table,
    }


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
                if runs and runs[0][0] > float(once_above):
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    folder = pathlib.Path(folder)
                    rows, code, took = load(folder)
                    expected = expected or rows
                    if code != 0 or rows != expected:
                        print((folder / "log").read_text()[-4000:], file=sys.stderr)
                        raise RuntimeError(f"{name} into {into}: exit code {code}, {rows} of {expected} rows")
                elapsed, used = took
                print(f"{name} into {into}: {elapsed:.2f} s, CPU {used:.2f} s", file=sys.stderr, flush=True)
                runs.append(took)
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


def main():
    what, programs, *rest = sys.argv[1:]
    modes = {"faults": faults, "speed": speed}
    print(json.dumps(modes[what](pathlib.Path(programs).resolve(), *rest)))


main()
