//! Queries of a mirror of 30,000 learners, compared with reading its tables.
//!
//! The mirror is that of the demo tenant, whose learners were copied with all that belongs to them. The ids of the copies are
//! scattered over the tables, as those of a tenant are: rows that belong together are not next to each other.

use std::{collections::BTreeMap, fs, path::Path, time::Instant};

use lms_ext::Lms;
use lms_sync::{Export, collections, sink::sqlite::SqliteSink};
use rusqlite::Connection;
use serde_json::json;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Reads the rows from which the views are made.
const SCAN: &str = "SELECT (SELECT count(created) FROM enrolments NOT INDEXED), (SELECT count(created) FROM topic_progress NOT INDEXED), \
     (SELECT count(created) FROM learners NOT INDEXED), (SELECT count(happened) FROM course_completions NOT INDEXED)";

/// Every view, and the queries of the guide.
const QUERIES: [(&str, &str); 8] = [
    (
        "`SELECT * FROM learner_course_status`",
        "SELECT * FROM learner_course_status",
    ),
    (
        "`SELECT count(*) FROM learner_course_status`",
        "SELECT count(*) FROM learner_course_status",
    ),
    (
        "the courses that each learner has to complete",
        "SELECT surname, email, course_name, status, enrolled_at, completed_at FROM learner_course_status \
         WHERE status <> 'completed' ORDER BY surname, course_name",
    ),
    (
        "what is due in a week",
        "SELECT surname, email, course_name, status, due_at FROM learner_course_status WHERE due_at < datetime('now', '7 days')",
    ),
    (
        "the courses of one learner",
        "SELECT * FROM learner_course_status WHERE learner = (SELECT max(id) FROM learners)",
    ),
    (
        "the learners of one course",
        "SELECT * FROM learner_course_status WHERE course = (SELECT max(id) FROM courses)",
    ),
    (
        "`SELECT * FROM course_status`",
        "SELECT * FROM course_status",
    ),
    (
        "`SELECT * FROM mirror_status`",
        "SELECT * FROM mirror_status",
    ),
];

/// Prints the rows of the tables, and the seconds that each query took in each round. The scan is the first one.
pub(crate) async fn measure(lms: &Lms, folder: &Path, copies: u32, rounds: u32) -> Result<()> {
    let path = folder.join("views.db");
    for ending in ["db", "db-lock", "db-wal", "db-shm"] {
        let _ = fs::remove_file(path.with_extension(ending));
    }
    let lists = collections().iter().filter(|known| !known.is_derived());
    let export = Export::new(lms).collections(lists.map(|list| list.name))?;
    let summary = export.run(SqliteSink::new(&path)).await?;
    if !summary.is_complete() {
        return Err(format!("not complete: {summary:?}").into());
    }
    let rows = grow(&path, copies)?;
    let mut seconds: Vec<Vec<f64>> = vec![Vec::new(); QUERIES.len() + 1];
    let queries = [("reading the rows", SCAN)].into_iter().chain(QUERIES);
    let queries: Vec<(&str, &str)> = queries.collect();
    for _ in 0..rounds {
        for ((_, sql), seconds) in queries.iter().zip(&mut seconds) {
            seconds.push(timed(&path, sql)?);
        }
    }
    let names: Vec<&str> = queries.iter().map(|(name, _)| *name).collect();
    println!(
        "{}",
        json!({ "rows": rows, "queries": names, "seconds": seconds })
    );
    Ok(())
}

/// Copies the learners, and returns the number of rows of each table that has copies.
fn grow(path: &Path, copies: u32) -> Result<BTreeMap<&'static str, i64>> {
    let connection = Connection::open(path)?;
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN")?;
    // Each course has all that the views compute.
    connection.execute_batch(
        "UPDATE courses SET auto_due_type = 'seconds', auto_due_seconds = 2592000, renewal_type = 'completion', renewal_days = 365",
    )?;
    // A number below 2^32, which differs from those of other rows and copies.
    let scattered = |number: &str| {
        format!("printf('%08x', (k.value * 20000 + {number}) * 2654435761 % 4294967296)")
    };
    let mut rows = BTreeMap::new();
    for table in [
        "learners",
        "enrolments",
        "topic_progress",
        "course_completions",
    ] {
        let mut columns =
            connection.prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))?;
        let names: Vec<String> = columns
            .query_map((), |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let values = names.iter().map(|name| match name.as_str() {
            "id" => scattered("\"_row\""),
            // The ids of the demo tenant are those of its rows.
            "user" => scattered("CAST(substr(\"user\", 2) AS INTEGER)"),
            "email" | "username" => format!("k.value || \"{name}\""),
            name => format!("\"{name}\""),
        });
        let values: Vec<String> = values.collect();
        connection.execute_batch(&format!(
            "INSERT INTO {table} SELECT {} FROM {table}, json_each('{}') k",
            values.join(", "),
            json!((1..=copies).collect::<Vec<_>>())
        ))?;
        let count = connection.query_row(&format!("SELECT count(*) FROM {table}"), (), |row| {
            row.get(0)
        })?;
        rows.insert(table, count);
    }
    connection.execute_batch("COMMIT; VACUUM")?;
    Ok(rows)
}

/// The seconds in which a program that opens the file has all values of a query.
fn timed(path: &Path, sql: &str) -> Result<f64> {
    let started = Instant::now();
    let connection = Connection::open(path)?;
    let mut statement = connection.prepare(sql)?;
    let columns = statement.column_count();
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            row.get_ref(column)?;
        }
    }
    Ok(started.elapsed().as_secs_f64())
}
