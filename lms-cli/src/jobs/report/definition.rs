//! A report: a query with a header that describes it.
//!
//! ```sql
//! -- title: Enrolments that are older than a time and not completed
//! -- needs: learners, courses, enrolments, course_completions
//! -- parameter: for ago = 30d: Enrolled for longer than this
//! -- parameter: status in progress | not completed: Only this status
//! -- columns: learner, enrolled_at time
//! -- order: enrolled_at, learner
//! SELECT learner, enrolled_at FROM learner_course_status WHERE enrolled_at < :for AND (:status IS NULL OR status = :status)
//! -- left out: people who are not enrolled
//! SELECT count(*) AS n FROM learners l WHERE l.id NOT IN (SELECT e."user" FROM enrolments e)
//! ```
//!
//! A query below `left out` counts rows that the report does not have in its column `n`, by a column `name` if the sentence has
//! `{names}`; and one below `refused` those that make its question one
//! without an answer.

use lms_sync::{Collection, ColumnKind, collection};

use super::parameter::{Parameter, named};
use crate::failure::Failure;

/// A report.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) title: String,
    /// Notes for people.
    pub(crate) about: String,
    /// The collections that it reads.
    pub(crate) needs: Vec<&'static Collection>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) columns: Vec<(String, ColumnKind)>,
    pub(crate) order: Vec<String>,
    pub(crate) sql: String,
    pub(crate) checks: Vec<Check>,
    /// The columns of the query, if [`standing`](super::standing) decides the state of each row from them.
    pub(super) facts: Vec<(String, ColumnKind)>,
}

/// A query that counts what a report cannot say.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// `true` if the report has no answer when there are such rows.
    pub(crate) refuses: bool,
    pub(crate) sentence: String,
    pub(crate) sql: String,
}

const COLUMN_KINDS: [(&str, ColumnKind); 6] = [
    ("text", ColumnKind::Text),
    ("integer", ColumnKind::Integer),
    ("number", ColumnKind::Float),
    ("boolean", ColumnKind::Boolean),
    ("time", ColumnKind::Utc),
    ("json", ColumnKind::Json),
];

/// The place of the query for what a state is decided from, and that query, on pairs of a learner and a course.
const FACTS: &str = "{facts}";
/// The place of those pairs in a check.
const PAIRS: &str = "{pairs}";
const STANDING: &str = include_str!("sql/facts.sql");

/// The reports of this program.
const REPORTS: [(&str, &str); 9] = [
    ("required", include_str!("sql/required.sql")),
    ("completions", include_str!("sql/completions.sql")),
    ("status", include_str!("sql/status.sql")),
    ("overdue", include_str!("sql/overdue.sql")),
    ("expiring", include_str!("sql/expiring.sql")),
    ("expiring-records", include_str!("sql/expiring-records.sql")),
    ("inactive", include_str!("sql/inactive.sql")),
    ("duplicates", include_str!("sql/duplicates.sql")),
    ("leavers", include_str!("sql/leavers.sql")),
];

/// The reports of this program.
///
/// # Errors
///
/// A fault, if one of them has a mistake.
pub(crate) fn reports() -> Result<Vec<Definition>, Failure> {
    let own = |(name, text): &(&str, &str)| {
        let mistake = |reason| Failure::fault(format!("the report {name}: {reason}"));
        let pairs = text.split_once(FACTS).map_or("", |(before, _)| before);
        let pairs = pairs.find("\nWITH ").map_or("", |start| &pairs[start..]);
        let complete = text.replace(PAIRS, pairs).replace(FACTS, STANDING);
        Definition::parse(name, &complete).map_err(mistake)
    };
    REPORTS.iter().map(own).collect()
}

impl Definition {
    /// Reads a report from its text.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut report = Self {
            name: name.to_owned(),
            ..Self::default()
        };
        let header = text.lines().take_while(|line| line.starts_with("--"));
        for (line, number) in header.clone().zip(1..) {
            let entry = line.trim_start_matches('-').trim();
            report
                .read(entry)
                .map_err(|reason| format!("line {number}: {reason}"))?;
        }
        report.read_queries(text.lines().skip(header.count()))?;
        for (entry, is_missing) in [
            ("title", report.title.is_empty()),
            ("needs", report.needs.is_empty()),
            ("columns", report.columns.is_empty()),
        ] {
            if is_missing {
                return Err(format!("the header has no line `-- {entry}: …`"));
            }
        }
        if report.sql.is_empty() {
            return Err("there is no query below the header".to_owned());
        }
        for Parameter { name, of, .. } in &report.parameters {
            if let Some(named) = of.named
                && !report.needed().contains(&named.collection)
            {
                let collection = named.collection;
                return Err(format!(
                    "the parameter {name} needs the collection {collection}"
                ));
            }
        }
        Ok(report)
    }

    /// `true` if it has a parameter with rules.
    pub(super) fn has_rules(&self) -> bool {
        self.parameters.iter().any(Parameter::is_rules)
    }

    /// `true` if its rows have the id of a learner.
    pub(super) fn has_learners(&self) -> bool {
        self.columns.iter().any(|(name, _)| name == "learner")
    }

    /// `true` for a column of text.
    pub(super) fn is_text(&self, name: &str) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|(known, kind)| known == name && *kind == ColumnKind::Text)
    }

    /// `true` if its rows have a state.
    pub(super) fn decides(&self) -> bool {
        !self.facts.is_empty()
    }

    /// The names of the collections that it reads.
    pub(super) fn needed(&self) -> Vec<&'static str> {
        self.needs.iter().map(|known| known.name).collect()
    }

    /// Adds collections to those that the report reads.
    pub(super) fn also_needs(&mut self, names: &[&str]) {
        for needed in names.iter().filter_map(|name| collection(name)) {
            if !self.needs.iter().any(|known| known.name == needed.name) {
                self.needs.push(needed);
            }
        }
    }

    /// Reads the query of the report, and those of its checks.
    fn read_queries<'a>(&mut self, lines: impl Iterator<Item = &'a str>) -> Result<(), String> {
        for line in lines {
            let entry = line.strip_prefix("-- ");
            match entry.and_then(|entry| entry.split_once(": ")) {
                Some((kind @ ("left out" | "refused"), sentence)) => self.checks.push(Check {
                    refuses: kind == "refused",
                    sentence: sentence.to_owned(),
                    sql: String::new(),
                }),
                Some(("facts", columns)) => self.facts.extend(read_columns(columns)?),
                _ => {
                    let check = self.checks.last_mut().map(|check| &mut check.sql);
                    *check.unwrap_or(&mut self.sql) += &format!("{line}\n");
                }
            }
        }
        let checks = self.checks.iter_mut().map(|check| &mut check.sql);
        for sql in checks.chain([&mut self.sql]) {
            *sql = sql.trim().trim_end_matches(';').to_owned();
        }
        Ok(())
    }

    /// Reads a line of the header.
    fn read(&mut self, entry: &str) -> Result<(), String> {
        let (key, value) = entry.split_once(": ").unwrap_or((entry, ""));
        let list = list(value);
        match key {
            "" => {}
            "title" => value.clone_into(&mut self.title),
            "about" => self.about += &format!("{value} "),
            "needs" => {
                for name in list {
                    let none = || format!("there is no collection {name}");
                    self.needs.push(collection(name).ok_or_else(none)?);
                }
            }
            "parameter" => {
                let parameter = Parameter::parse(value)?;
                let mut known = self.parameters.iter().map(|known| &*known.name);
                if parameter.name == "at" || known.any(|name| name == parameter.name) {
                    return Err(format!("there is another parameter {}", parameter.name));
                }
                self.parameters.push(parameter);
            }
            "columns" => self.columns.extend(read_columns(value)?),
            "order" => self.order = list.map(str::to_owned).collect(),
            _ => {
                return Err(format!(
                    "there is no entry {key:?} in the header of a report"
                ));
            }
        }
        Ok(())
    }
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(',').map(str::trim);
    parts.filter(|part| !part.is_empty())
}

/// Reads columns such as `email, since time`.
fn read_columns(text: &str) -> Result<Vec<(String, ColumnKind)>, String> {
    let column = |text| {
        let (name, kind) = str::split_once(text, ' ').unwrap_or((text, "text"));
        Ok((name.to_owned(), named(COLUMN_KINDS.into_iter(), kind)?))
    };
    list(text).map(column).collect()
}
