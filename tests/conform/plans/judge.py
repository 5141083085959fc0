"""Checks the files of imports: a plan with check-jsonschema, and the rows that failed with frictionless.

Usage: judge.py LMS
"""

import json
import os
import pathlib
import subprocess
import sys

from frictionless import Resource

PEOPLE = """Personnel no;E-mail;First name;Surname;Site
0017;ann.new@example.org;Ann;"Lee; the elder";Kiel
0018;ben.new@example.org;Ben;Groß;
0019;not an address;"Cho ""C"", jr.";Kim;Bonn
"""
MAPPING = """
key = "Personnel no"
[fields]
email = "E-mail"
firstname = "First name"
surname = "Surname"
[[rules]]
when = { Site = "Kiel" }
tags = ["kiel"]
[create]
generate_password = true
send_email = false
"""


def lms(*arguments, code=0):
    run = subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)
    if run.returncode != code:
        sys.exit(f"lms {' '.join(arguments)}: exit code {run.returncode}\n{run.stderr}")
    return run.stdout


def main():
    os.environ["HOME"] = str(pathlib.Path.cwd())
    pathlib.Path("people.csv").write_text(PEOPLE, encoding="utf-8")
    pathlib.Path("mapping.toml").write_text(MAPPING, encoding="utf-8")
    lms("import", "plan", "people.csv", "--map", "mapping.toml", "--to", "plan.json")
    described = json.loads(lms("schema", "import", "plan"))
    schema = described["commands"][0]["output"] | {"$schema": described["$schema"], "$defs": described["$defs"]}
    pathlib.Path("schema.json").write_text(json.dumps(schema), encoding="utf-8")
    judge = [sys.executable, "-m", "check_jsonschema", "--schemafile", "schema.json"]
    subprocess.run([*judge, "plan.json"], check=True)
    # A schema that accepts everything would judge nothing.
    plan = json.loads(pathlib.Path("plan.json").read_text(encoding="utf-8"))
    plan["steps"][0]["action"] = "delete"
    pathlib.Path("wrong.json").write_text(json.dumps(plan), encoding="utf-8")
    if subprocess.run([*judge, "wrong.json"], capture_output=True, check=False).returncode != 1:
        sys.exit("the schema accepts a step that deletes")

    lms("import", "apply", "plan.json", "--yes", code=8)
    report = Resource(path="plan.failed.csv").validate()
    rows = Resource(path="plan.failed.csv").read_rows()
    if not report.valid or [row["First name"] for row in rows] != ['Cho "C", jr.']:
        sys.exit(f"{report.to_summary()}\n{rows}")
    print(f"{len(plan['steps'])} steps are valid, and so is {len(rows)} row that failed")


main()
