"""Recomputes the reports of `lms` with DuckDB from a Parquet export of the same tenant, and looks at their page in a browser.

Usage: recompute.py LMS
"""

import csv
import datetime
import itertools
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys

import duckdb
import openpyxl
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

LISTS = ["learners", "courses", "topics", "enrolments", "topic_progress", "course_completions", "user_fields", "records"]
AT = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)

# A learner with the course and the completion of each enrolment. Archived learners and courses are left out.
STANDING = """
WITH done AS (SELECT "user", course, max(happened_utc) AS at FROM course_completions GROUP BY ALL),
    state AS (
        SELECT e.created_utc AS enrolled, l, c, done."user" IS NOT NULL AS is_done, done.at AS done,
            CASE WHEN done."user" IS NULL OR c.renewal_type = 'none' THEN NULL
                WHEN c.renewal_days > 0 THEN done.at + to_days(c.renewal_days::INTEGER) ELSE c.renewal_date_utc END AS expires,
            CASE WHEN c.auto_due_type = 'none' THEN NULL
                ELSE coalesce(c.auto_due_date_utc, e.created_utc + to_seconds(nullif(c.auto_due_seconds, 0))) END AS due
        FROM enrolments e
        LEFT JOIN learners l ON l.id = e."user"
        LEFT JOIN courses c ON c.id = e.course
        LEFT JOIN done ON done."user" = e."user" AND done.course = e.course
        WHERE NOT (coalesce(l.archived, false) OR coalesce(l.deleted, false) OR coalesce(c.archived, false))
    )
"""

# Everybody, one course that lasts 200 days; those with a tag, another one within 400 days of the enrolment. Days are those of Berlin.
RULES = """
timezone = "Europe/Berlin"
[[required]]
name = "A"
courses = ["c1"]
valid_for = "200d"
[[required]]
name = "B"
who = { tag = "emea" }
courses = ["c2", "c3"]
within = "400d"
"""

# The last moment of the day after a number of days, and the state that follows from both ends.
REQUIRED = """
WITH people AS (SELECT * FROM learners WHERE NOT (coalesce(archived, false) OR coalesce(deleted, false))),
    asked AS (
        SELECT l, 'A' AS rule, 'c1' AS course FROM people l
        UNION ALL
        SELECT l, 'B', unnest(['c2', 'c3']) FROM people l WHERE list_contains(json_extract_string(l.tags, '$[*]'), 'emea')
    ),
    ends AS (
        SELECT l, rule, asked.course, c.name, e.at IS NOT NULL AS is_enrolled, d.at IS NOT NULL AS is_done, s.n > 0 AS is_begun,
            timezone('Europe/Berlin', date_trunc('day', timezone('Europe/Berlin', d.at)) + INTERVAL 201 DAY) AS expires,
            timezone('Europe/Berlin', date_trunc('day', timezone('Europe/Berlin', e.at)) + INTERVAL 401 DAY) AS due,
            if(c.renewal_type = 'none', NULL, if(c.renewal_days > 0, d.at + to_days(c.renewal_days::INTEGER), c.renewal_date_utc)) AS renewed,
            if(c.auto_due_type = 'none', NULL, coalesce(c.auto_due_date_utc, e.at + to_seconds(nullif(c.auto_due_seconds, 0)))) AS course_due
        FROM asked JOIN courses c ON c.id = asked.course AND NOT coalesce(c.archived, false)
        LEFT JOIN (SELECT "user", course, min(created_utc) AS at FROM enrolments GROUP BY ALL) e ON e."user" = l.id AND e.course = c.id
        LEFT JOIN (SELECT "user", course, max(happened_utc) AS at FROM course_completions GROUP BY ALL) d ON d."user" = l.id AND d.course = c.id
        LEFT JOIN (SELECT "user", course, count(*) AS n FROM topic_progress WHERE completed GROUP BY ALL) s ON s."user" = l.id AND s.course = c.id
    ),
    chosen AS (SELECT *, if(rule = 'A', expires, renewed) AS last, if(rule = 'B', due, course_due) AS latest FROM ends)
SELECT l.id AS learner, course, name AS course_name, rule AS requirement, CASE
    WHEN is_done AND last IS NULL THEN 'done'
    WHEN is_done AND last > $at THEN if(last < timezone('Europe/Berlin', date_trunc('day', timezone('Europe/Berlin', $at)) + INTERVAL 31 DAY), 'expires_soon', 'done')
    WHEN NOT is_enrolled THEN 'not_enrolled'
    WHEN is_done OR latest <= $at THEN 'overdue'
    WHEN is_begun THEN 'in_progress' ELSE 'not_started' END AS state
FROM chosen
"""

# The people of `REQUIRED` in numbers.
COUNTED = f"""
SELECT requirement, course_name, count(*) AS rows, count(DISTINCT learner) AS people, count(*) FILTER (state = 'overdue') AS overdue,
    100 * count(*) FILTER (state IN ('done', 'expires_soon')) // count(*) AS percent_done
FROM ({REQUIRED}) GROUP BY ALL
"""

# Each learner in each course with an enrolment or a completion, by the dates of the course.
STATUS = """
WITH ends AS (
        SELECT l.id AS learner, l.surname, l.created_utc AS joined, c.id AS course, e.at AS enrolled, d."user" IS NOT NULL AS is_done,
            d.at AS done, coalesce(p.n, 0) AS parts, coalesce(s.n, 0) AS steps, s.began,
            if(c.renewal_type = 'none', NULL, if(c.renewal_days > 0, d.at + to_days(c.renewal_days::INTEGER), c.renewal_date_utc)) AS last,
            if(c.auto_due_type = 'none', NULL, coalesce(c.auto_due_date_utc, e.at + to_seconds(nullif(c.auto_due_seconds, 0)))) AS latest
        FROM (SELECT "user", course FROM enrolments UNION SELECT "user", course FROM course_completions) pairs
        JOIN learners l ON l.id = pairs."user" AND NOT (coalesce(l.archived, false) OR coalesce(l.deleted, false))
        JOIN courses c ON c.id = pairs.course AND NOT coalesce(c.archived, false)
        LEFT JOIN (SELECT "user", course, min(created_utc) AS at FROM enrolments GROUP BY ALL) e ON e."user" = l.id AND e.course = c.id
        LEFT JOIN (SELECT "user", course, max(happened_utc) AS at FROM course_completions GROUP BY ALL) d ON d."user" = l.id AND d.course = c.id
        LEFT JOIN (SELECT course, count(*) AS n FROM topics GROUP BY ALL) p ON p.course = c.id
        LEFT JOIN (SELECT "user", course, count(*) AS n, min(completed_on_utc) AS began FROM topic_progress WHERE completed GROUP BY ALL) s
            ON s."user" = l.id AND s.course = c.id
    )
SELECT learner, surname, course,
    CASE WHEN is_done AND last IS NULL THEN 'done'
        WHEN is_done AND last > $at THEN if(last < date_trunc('day', $at) + INTERVAL 31 DAY, 'expires_soon', 'done')
        WHEN enrolled IS NULL THEN 'not_enrolled'
        WHEN is_done OR latest <= $at THEN 'overdue'
        WHEN steps > 0 THEN 'in_progress' ELSE 'not_started' END AS state,
    if(is_done, last, latest) AS due_at,
    if(is_done, 100, if(parts = 0, if(steps > 0, 100, 0), least(100, steps * 100 // parts))) AS percent,
    CASE state WHEN 'not_enrolled' THEN joined WHEN 'overdue' THEN due_at WHEN 'in_progress' THEN began
        WHEN 'not_started' THEN enrolled ELSE done END AS since
FROM ends
"""

# The arguments of each report, the columns to compare, and the same question by other means.
REPORTS = [
    (["required", "--rules", "rules.toml"], REQUIRED),
    (
        ["completions"],
        """SELECT d.id AS completion, happened_utc AS completed_at, l.email, d.course, c.name AS course_name
        FROM course_completions d LEFT JOIN learners l ON l.id = d."user" LEFT JOIN courses c ON c.id = d.course""",
    ),
    (
        ["completions", "--tag", "emea", "--since", "2025-06-01"],
        """SELECT d.id AS completion FROM course_completions d SEMI JOIN
        (SELECT id, unnest(json_extract_string(tags, '$[*]')) AS tag FROM learners) t ON t.id = d."user" AND t.tag = 'emea'
        WHERE happened_utc >= TIMESTAMPTZ '2025-06-01 00:00:00+00'""",
    ),
    (["required", "--rules", "rules.toml", "--group-by", "requirement,course_name"], COUNTED),
    (["status"], STATUS),
    (["status", "--state", "overdue"], f"SELECT learner, course FROM ({STATUS}) WHERE state = 'overdue'"),
    (
        ["overdue", "--for", "45d"],
        STANDING
        + """SELECT l.id AS learner, c.name AS course_name, enrolled AS enrolled_at,
            date_sub('day', if(due < $at, due, enrolled + INTERVAL 45 DAY), $at) AS days_overdue
        FROM state WHERE NOT is_done AND (enrolled < $at - INTERVAL 45 DAY OR due < $at)""",
    ),
    (
        ["expiring", "--within", "120d", "--expired"],
        STANDING
        + """SELECT l.id AS learner, c.id AS course, expires AS expires_at, expires < $at AS expired, done AS completed_at
        FROM state WHERE expires < $at + INTERVAL 120 DAY""",
    ),
    (
        ["expiring-records", "--within", "365d", "--expired"],
        """SELECT r."user" AS learner, f.name AS field_name, r.value, r.expires_on_utc AS expires_at FROM records r
        JOIN learners l ON l.id = r."user" JOIN user_fields f ON f.id = r.user_field
        WHERE r.expires_on_utc < $at + INTERVAL 365 DAY AND r.has_value IS NOT false AND r.not_applicable IS NOT true
            AND l.archived IS NOT true AND l.deleted IS NOT true""",
    ),
    (
        ["inactive", "--for", "200d"],
        """SELECT id AS learner, last_logged_in_utc AS last_logged_in_at, date_sub('day', last_logged_in_utc, $at) AS days_inactive
        FROM learners WHERE archived IS NOT true AND deleted IS NOT true
            AND coalesce(last_logged_in_utc, created_utc) < $at - INTERVAL 200 DAY""",
    ),
    (
        ["duplicates"],
        r"""WITH keys AS (
            SELECT 'email' AS reason, lower(email) AS k, id FROM learners WHERE email <> '' UNION ALL
            SELECT 'sso_id', sso_id, id FROM learners WHERE sso_id <> '' UNION ALL
            SELECT 'name and phone', concat_ws('|', lower(trim(firstname)), lower(trim(surname)),
                regexp_replace(regexp_replace(phone_number, '[-\s./()]', '', 'g'), '\+', '00', 'g')), id
            FROM learners WHERE phone_number <> '')
        SELECT reason, id AS learner FROM keys QUALIFY count(*) OVER (PARTITION BY reason, k) > 1""",
    ),
    (
        ["leavers", "--against", "people.csv", "--admins"],
        """SELECT id AS learner, email FROM learners WHERE archived IS NOT true AND deleted IS NOT true
        AND id NOT IN (SELECT id FROM learners ORDER BY id LIMIT 500)""",
    ),
]


def lms(program, *arguments):
    return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def text(value):
    """A value of `lms` or of DuckDB in one form."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).replace(tzinfo=None).isoformat() + "Z"
    return json.dumps(value)


def rows(names, found):
    return sorted(tuple(text(value).strip('"') for value in row) for row in found)


def compare(program, database, arguments, sql):
    at = ["--at", AT.isoformat()]
    query = database.execute(sql, {"at": AT} if "$at" in sql else None)
    names = [column[0] for column in query.description]
    expected = rows(names, query.fetchall())
    command = ["report", *arguments, "--mirror", "sqlite:t.db", *at, "--columns", ",".join(names)]
    lines = lms(program, *command, "-o", "ndjson", "-q").splitlines()
    found = rows(names, [[json.loads(line)[name] for name in names] for line in lines])
    assert expected, f"{arguments}: the tenant has no such row"
    different = set(found) ^ set(expected)
    assert found == expected, f"{arguments}: {len(found)} rows, DuckDB has {len(expected)}: {sorted(different)[:6]}"
    return len(found)


def compare_files(program):
    """A workbook and a Parquet file have the rows of the output."""
    report = ["report", "status", "--mirror", "sqlite:t.db", "--at", AT.isoformat()]
    names = ["learner", "course", "state", "percent", "since"]
    lines = [json.loads(line) for line in lms(program, *report, "-o", "ndjson", "-q").splitlines()]
    expected = rows(names, [[line[name] for name in names] for line in lines])
    for file in ["status.xlsx", "status.parquet"]:
        lms(program, *report, "--to", file, "-q")
    parquet = duckdb.sql(f"SELECT {', '.join(names)} FROM 'status.parquet'").fetchall()
    assert rows(names, parquet) == expected, "status.parquet differs"
    workbook = openpyxl.load_workbook("status.xlsx", read_only=True)
    header, *cells = workbook.worksheets[0].iter_rows(values_only=True)
    positions = [header.index(name) for name in names]
    utc = lambda value: value.replace(tzinfo=datetime.timezone.utc) if isinstance(value, datetime.datetime) else value
    found = [[utc(row[position]) for position in positions] for row in cells]
    assert rows(names, found) == expected, "status.xlsx differs"
    assert "every collection is complete" in workbook["About"]["A1"].value


def look_at_page(program):
    """A browser shows the page in light and dark, at three widths: accessible, without a request or a script of the tenant."""
    with sqlite3.connect("t.db") as mirror:
        mirror.execute("UPDATE courses SET name = '<script>document.title = 1</script>' WHERE id = 'c1'")
    page = ["report", "page", "--rules", "rules.toml", "--mirror", "sqlite:t.db", "--group-by", "tag", "--to", "page.html"]
    lms(program, *page, "--at", AT.isoformat(), "-q")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for scheme, width in itertools.product(["light", "dark"], [360, 900, 1400]):
            tab = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            requests, errors = [], []
            tab.on("request", lambda request: requests.append(request.url))
            tab.on("console", lambda message: errors.append(message.text))
            tab.goto(pathlib.Path("page.html").absolute().as_uri())
            found = Axe().run(tab)
            assert found.violations_count == 0, found.generate_report()
            assert len(requests) == 1 and not errors and tab.title() == "Required training", (requests, errors)
            column = "th:has-text('people') button >> nth=0"
            people = "section >> nth=0 >> tbody tr td:nth-child(3)"
            orders = []
            for _ in range(2):
                tab.click(column)
                orders.append([int(text) for text in tab.locator(people).all_inner_texts()])
            assert orders[0] == sorted(orders[0]) == orders[1][::-1] and len(orders[0]) == 3, orders
            tab.screenshot(path=f"page-{scheme}-{width}.png", full_page=True)
            tab.close()
        browser.close()


def add_duplicates(program):
    """The demo tenant has no learner twice."""
    with open("twice.csv", "w", newline="") as file:
        people = csv.writer(file)
        people.writerow(["firstname", "surname", "email", "phone_number", "sso_id", "generate_password"])
        people.writerow(["Ada", "Wong", "ada@acme.example", "+49 30 123-4", "s-1", "true"])
        people.writerow(["ADA", " Wong", "ada.wong@acme.example", "0049 (30) 1234", "s-2", "true"])
        people.writerow(["Bo", "Berg", "bo@acme.example", "1", "s-2", "true"])
    lms(program, "learners", "add", "--from", "twice.csv")


def main(program):
    add_duplicates(program)
    lms(program, "export", ",".join(LISTS), "--to", "out", "--format", "parquet")
    lms(program, "mirror", ",".join(LISTS), "--to", "sqlite:t.db")
    database = duckdb.connect()
    database.execute("SET autoinstall_known_extensions = false")
    database.execute("SET TimeZone = 'UTC'")
    for name in LISTS:
        database.execute(f"CREATE VIEW {name} AS SELECT * FROM 'out/{name}.parquet'")
    with open("people.csv", "w", newline="") as file:
        people = csv.writer(file)
        people.writerow(["Name", "E-Mail"])
        people.writerows(database.sql("SELECT surname, upper(email) FROM learners ORDER BY id LIMIT 500").fetchall())
    pathlib.Path("rules.toml").write_text(RULES)
    counts = [compare(program, database, arguments, sql) for arguments, sql in REPORTS]
    compare_files(program)
    look_at_page(program)
    print(f"{sum(counts)} rows of {len(counts)} reports are those of DuckDB, and a browser shows the page")


main(sys.argv[1])
