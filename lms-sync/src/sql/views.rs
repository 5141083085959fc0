//! Views for people, and the indexes that they need.
//!
//! A view is created as soon as all tables that it needs exist. A value that needs another table is null until that is
//! mirrored, and the column `incomplete_because` says so.

use super::Dialect;

/// A view.
#[derive(Debug)]
pub(crate) struct View {
    /// The name.
    pub(crate) name: &'static str,
    /// The collections whose tables must exist.
    pub(crate) needs: &'static [&'static str],
    /// The text of the query. Names in braces are replaced.
    query: &'static str,
}

const NEEDED: [&str; 4] = ["courses", "learners", "enrolments", "course_completions"];

/// All views, in the order in which they are created.
pub(crate) const VIEWS: [View; 4] = [
    View {
        name: "learner_course_status",
        needs: &NEEDED,
        query: r#"
SELECT
    s.learner, s.firstname, s.surname, s.email, s.learner_archived, s.course, s.course_name, s.course_archived,
    s.enrolled_at, s.topics, s.topics_completed, s.completed_at, s.due_at,
    CASE
        WHEN s.is_completed THEN FALSE
        WHEN s.is_overdue IS NOT NULL THEN s.is_overdue
        WHEN s.due_at IS NOT NULL THEN s.due_at < {now}
        WHEN NOT s.has_due_time THEN FALSE
    END AS overdue,
    s.renewal_type, s.expires_at, s.expires_at < {now} AS expired,
    CASE
        WHEN s.is_completed THEN 'completed'
        WHEN s.topics_completed > 0 THEN 'in progress'
        ELSE 'not completed'
    END AS status,
    nullif({not_mirrored} || CASE WHEN s.has_no_zone
        THEN 'times have no time zone; ' ELSE '' END, '') AS incomplete_because
FROM (SELECT
    q.*,
    CASE WHEN q.renewal_type = 'none' THEN NULL
        ELSE coalesce({renewal}, CASE WHEN q.is_completed THEN q.renewal_date_utc END)
    END AS expires_at
FROM (SELECT
    e."user" AS learner, l.firstname, l.surname, l.email,
    coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE) AS learner_archived,
    e.course, c.name AS course_name, coalesce(c.archived, FALSE) AS course_archived,
    e.created_utc AS enrolled_at,
    {topics} AS topics,
    {topics_completed} AS topics_completed,
    {is_overdue} AS is_overdue,
    EXISTS (SELECT 1 {completions}) AS is_completed,
    (SELECT max(d.happened_utc) {completions}) AS completed_at,
    CASE WHEN c.auto_due_type = 'none' THEN NULL ELSE coalesce(c.auto_due_date_utc, {due}) END AS due_at,
    coalesce(c.auto_due_type <> 'none', TRUE)
        AND (c.auto_due_date IS NOT NULL OR coalesce(c.auto_due_seconds, 0) > 0) AS has_due_time,
    (e.created IS NOT NULL AND e.created_utc IS NULL)
        OR EXISTS (SELECT 1 {completions} AND d.happened IS NOT NULL AND d.happened_utc IS NULL) AS has_no_zone,
    c.renewal_type, c.renewal_days, c.renewal_date_utc
FROM enrolments e
LEFT JOIN learners l ON l.id = e."user" AND l._deleted_at IS NULL
LEFT JOIN courses c ON c.id = e.course AND c._deleted_at IS NULL
WHERE e._deleted_at IS NULL) q) s"#,
    },
    View {
        name: "course_status",
        needs: &NEEDED,
        query: r"
SELECT
    course, course_name, course_archived,
    sum(CASE WHEN learner_archived THEN 0 ELSE 1 END) AS enrolled,
    sum(CASE WHEN NOT learner_archived AND status = 'completed' THEN 1 ELSE 0 END) AS completed,
    sum(CASE WHEN NOT learner_archived AND status = 'in progress' THEN 1 ELSE 0 END) AS in_progress,
    sum(CASE WHEN NOT learner_archived AND status = 'not completed' THEN 1 ELSE 0 END) AS not_completed,
    sum(CASE WHEN NOT learner_archived AND overdue THEN 1 ELSE 0 END) AS overdue,
    sum(CASE WHEN NOT learner_archived AND expired THEN 1 ELSE 0 END) AS expired,
    sum(CASE WHEN learner_archived THEN 1 ELSE 0 END) AS archived_learners,
    max(incomplete_because) AS incomplete_because
FROM learner_course_status
GROUP BY course, course_name, course_archived",
    },
    View {
        name: "learner_fields",
        needs: &["learners", "user_fields", "records"],
        query: r#"
SELECT
    l.id AS learner, l.firstname, l.surname, l.email,
    coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE) AS learner_archived,
    (SELECT {object}(CASE WHEN EXISTS (SELECT 1 FROM user_fields o WHERE o.name = f.name AND o.id <> f.id AND o._deleted_at IS NULL)
        THEN f.name || ' (' || f.id || ')' ELSE f.name END, r.value) FROM records r JOIN user_fields f ON f.id = r.user_field AND f._deleted_at IS NULL
        WHERE r."user" = l.id AND r._deleted_at IS NULL AND r.value IS NOT NULL AND f.name IS NOT NULL
            AND coalesce(r.has_value, TRUE) AND NOT coalesce(r.not_applicable, FALSE)) AS fields
FROM learners l
WHERE l._deleted_at IS NULL"#,
    },
    View {
        name: "mirror_status",
        needs: &[],
        query: r"
SELECT
    k.name AS collection,
    k.row_count,
    k.missing_count,
    r.began AS committed_run_began,
    r.ended AS committed_run_ended,
    c.record AS committed_record
FROM _lms_collections k
LEFT JOIN _lms_runs r ON r.run = k.committed_run
LEFT JOIN _lms_records c ON c.run = k.committed_run AND c.collection = k.name",
    },
];

/// The indexes from which the views and the reports of `lms` are answered without reading the rows of these tables: the collection, the name of the
/// index after it, and its columns.
///
/// SQLite reads enrolments in the order of the first or the second one, by learner. The lookups in the other tables are then
/// next to each other, in pages that are in memory already. In the order of the ids of enrolments, they take twice as long.
pub(crate) const INDEXES: [(&str, &str, &str); 5] = [
    (
        "enrolments",
        "by_course",
        r#""course", "user", "_deleted_at", "created_utc", "created""#,
    ),
    (
        "enrolments",
        "by_user",
        r#""user", "course", "_deleted_at", "created_utc", "created""#,
    ),
    ("topics", "by_course", r#""course", "_deleted_at""#),
    (
        "topic_progress",
        "by_user",
        r#""user", "course", "completed", "_deleted_at", "completed_on_utc""#,
    ),
    (
        "course_completions",
        "by_user",
        r#""user", "course", "_deleted_at", "happened_utc", "happened""#,
    ),
];

/// The completions of a learner in a course.
const COMPLETIONS: &str = r#"FROM course_completions d
        WHERE d."user" = e."user" AND d.course = e.course AND d._deleted_at IS NULL"#;

/// The type of a column in a dialect.
type TypeOf = fn(&Dialect) -> &'static str;

/// Expressions on a table that may not be mirrored: the place in the query, the table, the expression, and its type.
const OPTIONAL: [(&str, &str, &str, TypeOf); 3] = [
    (
        "{topics}",
        "topics",
        "(SELECT count(*) FROM topics t WHERE t.course = e.course AND t._deleted_at IS NULL)",
        |dialect| dialect.integer,
    ),
    (
        "{topics_completed}",
        "topic_progress",
        r#"(SELECT count(*) FROM topic_progress p
        WHERE p."user" = e."user" AND p.course = e.course AND p.completed AND p._deleted_at IS NULL)"#,
        |dialect| dialect.integer,
    ),
    (
        "{is_overdue}",
        "course_progress",
        r#"(SELECT p.overdue FROM course_progress p
        WHERE p."user" = e."user" AND p.course = e.course AND p._deleted_at IS NULL)"#,
        |dialect| dialect.boolean,
    ),
];

/// Note on a table that is not mirrored. Without course progress, `overdue` follows from `due_at`.
const NOT_MIRRORED: [(&str, &str); 2] = [
    ("topics", "topics is not mirrored; "),
    (
        "topic_progress",
        "topic_progress is not mirrored, so no status is in progress; ",
    ),
];

/// Durations of at most 3,000 years: a database may refuse to add longer ones, and the whole view would fail.
const DUE_SECONDS: &str =
    "CASE WHEN c.auto_due_seconds BETWEEN 1 AND 94608000000 THEN c.auto_due_seconds END";
const RENEWAL_SECONDS: &str =
    "CASE WHEN q.renewal_days BETWEEN 1 AND 1095000 THEN q.renewal_days END * 86400";

impl View {
    /// Returns `true` if all tables that the view needs exist.
    pub(crate) fn is_possible(&self, tables: &[String]) -> bool {
        self.needs.iter().all(|name| has(tables, name))
    }

    /// The query, with the columns of the existing tables. A column without its table is null and keeps its type.
    pub(crate) fn query(&self, dialect: &Dialect, tables: &[String]) -> String {
        let mut query = self.query.to_owned();
        for (place, table, expression, kind) in OPTIONAL {
            let null = format!("CAST(NULL AS {})", kind(dialect));
            query = query.replace(
                place,
                if has(tables, table) {
                    expression
                } else {
                    &null
                },
            );
        }
        let missing = NOT_MIRRORED.iter().filter(|(table, _)| !has(tables, table));
        let missing: String = missing.map(|(_, text)| *text).collect();
        let due = (dialect.add_seconds)("e.created_utc", DUE_SECONDS);
        let renewal = (dialect.add_seconds)("q.completed_at", RENEWAL_SECONDS);
        query
            .replace("{completions}", COMPLETIONS)
            .replace("{not_mirrored}", &format!("'{missing}'"))
            .replace("{object}", dialect.json_object_aggregate)
            .replace("{due}", &due)
            .replace("{renewal}", &renewal)
            .replace("{now}", dialect.now)
    }
}

fn has(tables: &[String], name: &str) -> bool {
    tables.iter().any(|table| table == name)
}
