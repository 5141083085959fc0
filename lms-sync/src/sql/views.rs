//! Views for people.
//!
//! A view is created as soon as all tables that it needs exist. Columns from other tables are null as long as those are not
//! mirrored.

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

/// All views, in the order in which they are created.
pub(crate) const VIEWS: [View; 3] = [
    View {
        name: "learner_course_status",
        needs: &["courses", "learners", "enrolments", "course_completions"],
        query: r#"
SELECT
    e."user" AS learner,
    l.firstname, l.surname, l.email,
    e.course,
    c.name AS course_name,
    e.created_utc AS enrolled_at,
    {topics_total} AS topics,
    {topics_completed} AS topics_completed,
    d.completed_at,
    c.auto_due_date_utc AS due_at,
    {overdue} AS overdue,
    CASE
        WHEN d.course IS NOT NULL THEN 'completed'
        WHEN {topics_completed} > 0 THEN 'in progress'
        ELSE 'not completed'
    END AS status
FROM enrolments e
LEFT JOIN learners l ON l.id = e."user" AND l._deleted_at IS NULL
LEFT JOIN courses c ON c.id = e.course AND c._deleted_at IS NULL
LEFT JOIN (
    SELECT "user", course, max(happened_utc) AS completed_at FROM course_completions
    WHERE _deleted_at IS NULL GROUP BY "user", course
) d ON d."user" = e."user" AND d.course = e.course
WHERE e._deleted_at IS NULL"#,
    },
    View {
        name: "course_status",
        needs: &["courses", "learners", "enrolments", "course_completions"],
        query: r"
SELECT
    course, course_name,
    count(*) AS enrolled,
    sum(CASE WHEN status = 'completed' THEN 1 ELSE 0 END) AS completed,
    sum(CASE WHEN status = 'in progress' THEN 1 ELSE 0 END) AS in_progress,
    sum(CASE WHEN status = 'not completed' THEN 1 ELSE 0 END) AS not_completed
FROM learner_course_status
GROUP BY course, course_name",
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

/// The number of topics of a course.
const TOPICS: &str =
    "(SELECT count(*) FROM topics t WHERE t.course = e.course AND t._deleted_at IS NULL)";
/// The number of topics that a learner has completed in a course.
const TOPICS_COMPLETED: &str = r#"(SELECT count(*) FROM topic_progress p
        WHERE p."user" = e."user" AND p.course = e.course AND p.completed AND p._deleted_at IS NULL)"#;
/// Whether the service says that a learner is overdue.
const OVERDUE: &str = r#"(SELECT p.overdue FROM course_progress p
        WHERE p."user" = e."user" AND p.course = e.course AND p._deleted_at IS NULL)"#;

impl View {
    /// Whether all tables that the view needs exist.
    pub(crate) fn is_possible(&self, tables: &[String]) -> bool {
        self.needs.iter().all(|name| has(tables, name))
    }

    /// The query, with what the existing tables have. A column without its table is null and keeps its type.
    pub(crate) fn query(&self, dialect: &Dialect, tables: &[String]) -> String {
        let Dialect {
            integer, boolean, ..
        } = dialect;
        let parts = [
            ("{topics_total}", TOPICS, "topics", integer),
            (
                "{topics_completed}",
                TOPICS_COMPLETED,
                "topic_progress",
                integer,
            ),
            ("{overdue}", OVERDUE, "course_progress", boolean),
        ];
        let mut query = self.query.to_owned();
        for (place, part, table, kind) in parts {
            let null = format!("CAST(NULL AS {kind})");
            query = query.replace(place, if has(tables, table) { part } else { &null });
        }
        query
    }
}

fn has(tables: &[String], name: &str) -> bool {
    tables.iter().any(|table| table == name)
}
