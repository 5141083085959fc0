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
//! ```

use lms_sync::{Collection, ColumnKind, collection};

use super::names::{NAMED, Named};
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
}

/// A value that the query is given.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) kind: ParameterKind,
    pub(crate) default: Option<String>,
    pub(crate) help: String,
}

/// The type of a parameter, as people write it.
#[derive(Clone, Debug)]
pub(crate) enum ParameterKind {
    Text,
    Integer,
    /// A point in time or a day.
    Time,
    /// A duration, which stands for the time before now by it.
    Ago,
    /// A duration, which stands for the time after now by it.
    Ahead,
    /// True or false.
    Flag,
    /// A file of people, which stands for a JSON array of them.
    People,
    /// One of these texts.
    Choice(Vec<String>),
    /// The name of an object in the mirror.
    Name(&'static Named),
}

const PARAMETER_KINDS: [(&str, ParameterKind); 7] = [
    ("text", ParameterKind::Text),
    ("integer", ParameterKind::Integer),
    ("time", ParameterKind::Time),
    ("ago", ParameterKind::Ago),
    ("ahead", ParameterKind::Ahead),
    ("flag", ParameterKind::Flag),
    ("people", ParameterKind::People),
];

const COLUMN_KINDS: [(&str, ColumnKind); 6] = [
    ("text", ColumnKind::Text),
    ("integer", ColumnKind::Integer),
    ("number", ColumnKind::Float),
    ("boolean", ColumnKind::Boolean),
    ("time", ColumnKind::Utc),
    ("json", ColumnKind::Json),
];

/// The reports of this program.
const REPORTS: [(&str, &str); 8] = [
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
    REPORTS.iter().map(|(name, text)| own(name, text)).collect()
}

/// A report of this program.
pub(super) fn own(name: &str, text: &str) -> Result<Definition, Failure> {
    Definition::parse(name, text)
        .map_err(|reason| Failure::fault(format!("the report {name}: {reason}")))
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
        let sql: Vec<&str> = text.lines().skip(header.count()).collect();
        report.sql = sql.join("\n").trim().trim_end_matches(';').to_owned();
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
        for Parameter { name, kind, .. } in &report.parameters {
            if let ParameterKind::Name(Named { collection, .. }) = kind
                && !report.needs.iter().any(|known| known.name == *collection)
            {
                return Err(format!(
                    "the parameter {name} needs the collection {collection}"
                ));
            }
        }
        Ok(report)
    }

    /// The names of the collections that it reads.
    pub(super) fn needed(&self) -> Vec<&'static str> {
        self.needs.iter().map(|known| known.name).collect()
    }

    /// Reads a line of the header.
    fn read(&mut self, entry: &str) -> Result<(), String> {
        let (key, value) = entry.split_once(": ").unwrap_or((entry, ""));
        let list = value
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty());
        match key {
            "" => {}
            "title" => value.clone_into(&mut self.title),
            "about" => self.about += &format!("{value} "),
            "needs" => {
                for name in list {
                    let known = collection(name);
                    self.needs
                        .push(known.ok_or_else(|| format!("there is no collection {name}"))?);
                }
            }
            "parameter" => self.parameters.push(Parameter::parse(value)?),
            "columns" => {
                for column in list {
                    let (name, kind) = column.split_once(' ').unwrap_or((column, "text"));
                    self.columns
                        .push((name.to_owned(), named(&COLUMN_KINDS, kind)?));
                }
            }
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

impl Parameter {
    /// Reads `NAME TYPE = DEFAULT: HELP`.
    fn parse(text: &str) -> Result<Self, String> {
        let (declared, help) = text.split_once(": ").unwrap_or((text, ""));
        let (declared, default) = match declared.split_once('=') {
            Some((declared, default)) => (declared.trim(), Some(default.trim().to_owned())),
            None => (declared, None),
        };
        let (name, kind) = declared.split_once(' ').unwrap_or((declared, "text"));
        let kind = match NAMED.iter().find(|named| named.word == kind) {
            Some(named) => ParameterKind::Name(named),
            None if kind.contains('|') => {
                ParameterKind::Choice(kind.split('|').map(|one| one.trim().to_owned()).collect())
            }
            None => named(&PARAMETER_KINDS, kind).map_err(|reason| {
                let names: Vec<&str> = NAMED.iter().map(|named| named.word).collect();
                format!("{reason}, {}", names.join(", "))
            })?,
        };
        Ok(Self {
            name: name.to_owned(),
            kind,
            default,
            help: help.to_owned(),
        })
    }
}

fn named<T: Clone>(known: &[(&str, T)], name: &str) -> Result<T, String> {
    let found = known.iter().find(|(known, _)| *known == name.trim());
    found.map(|(_, kind)| kind.clone()).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        format!("there is no type {name}; there are {}", names.join(", "))
    })
}
