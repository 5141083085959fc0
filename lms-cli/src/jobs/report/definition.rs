//! A report: a query with a header that describes it.
//!
//! ```sql
//! -- title: Enrolments that are older than a time and not completed
//! -- needs: learners, courses, enrolments, course_completions
//! -- parameter: for ago = 30d: Enrolled for longer than this
//! -- parameter: course text: Only this course
//! -- column: learner text
//! -- column: enrolled_at time
//! -- order: enrolled_at, learner
//! SELECT learner, enrolled_at FROM learner_course_status WHERE enrolled_at < :for AND (:course IS NULL OR course = :course)
//! ```

use lms_sync::{Collection, ColumnKind, collection};

use super::names::Named;
use crate::failure::Failure;

/// A report.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) title: String,
    /// Notes for people, a line each.
    pub(crate) about: Vec<String>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The name of an object in the mirror.
    Name(Named),
}

const PARAMETER_KINDS: [(&str, ParameterKind); 11] = [
    ("text", ParameterKind::Text),
    ("integer", ParameterKind::Integer),
    ("time", ParameterKind::Time),
    ("ago", ParameterKind::Ago),
    ("ahead", ParameterKind::Ahead),
    ("flag", ParameterKind::Flag),
    ("people", ParameterKind::People),
    ("course", ParameterKind::Name(Named::Course)),
    ("learner", ParameterKind::Name(Named::Learner)),
    ("tag", ParameterKind::Name(Named::Tag)),
    ("field", ParameterKind::Name(Named::Field)),
];

pub(crate) const COLUMN_KINDS: [(&str, ColumnKind); 6] = [
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
    let parse = |(name, text): &(&str, &str)| {
        Definition::parse(name, text)
            .map_err(|reason| Failure::fault(format!("the report {name}: {reason}")))
    };
    REPORTS.iter().map(parse).collect()
}

impl Definition {
    /// Reads a report from its text.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut report = Self {
            name: name.to_owned(),
            title: String::new(),
            about: Vec::new(),
            needs: Vec::new(),
            parameters: Vec::new(),
            columns: Vec::new(),
            order: Vec::new(),
            sql: String::new(),
        };
        let mut lines = text.lines().zip(1..).peekable();
        while let Some((line, number)) = lines.next_if(|(line, _)| line.starts_with("--")) {
            let entry = line.trim_start_matches('-').trim();
            if !entry.is_empty() {
                report
                    .read(entry)
                    .map_err(|reason| format!("line {number}: {reason}"))?;
            }
        }
        let sql: Vec<&str> = lines.map(|(line, _)| line).collect();
        report.sql = sql.join("\n").trim().trim_end_matches(';').to_owned();
        let missing = [
            ("title", report.title.is_empty()),
            ("needs", report.needs.is_empty()),
            ("column", report.columns.is_empty()),
        ];
        if let Some((entry, _)) = missing.iter().find(|(_, missing)| *missing) {
            return Err(format!("the header has no line `-- {entry}: …`"));
        }
        if report.sql.is_empty() {
            return Err("there is no query below the header".to_owned());
        }
        for Parameter { name, kind, .. } in &report.parameters {
            if let ParameterKind::Name(named) = kind
                && let collection = named.collection()
                && !report.needs.iter().any(|known| known.name == collection)
            {
                return Err(format!(
                    "the parameter {name} needs the collection {collection}"
                ));
            }
        }
        Ok(report)
    }

    /// Keeps these columns, in this order.
    pub(super) fn choose(&mut self, names: Option<&[String]>) -> Result<(), Failure> {
        let Some(names) = names else { return Ok(()) };
        let chosen = names.iter().map(|name| {
            let found = self.columns.iter().find(|(known, _)| known == name);
            found.cloned().ok_or_else(|| {
                let known: Vec<&str> = self.columns.iter().map(|(name, _)| &**name).collect();
                Failure::usage(format!("--columns: there is no field {name}"))
                    .advice(format!("the fields are {}", known.join(", ")))
            })
        });
        self.columns = chosen.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Reads a line of the header.
    fn read(&mut self, entry: &str) -> Result<(), String> {
        let (key, value) = entry.split_once(": ").unwrap_or((entry, ""));
        let names = || {
            value
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty())
        };
        match key {
            "title" => value.clone_into(&mut self.title),
            "about" => self.about.push(value.to_owned()),
            "needs" => {
                for name in names() {
                    let known = collection(name);
                    self.needs
                        .push(known.ok_or_else(|| format!("there is no collection {name}"))?);
                }
            }
            "parameter" => self.parameters.push(Parameter::parse(value)?),
            "column" => {
                let (name, kind) = value.split_once(' ').unwrap_or((value, "text"));
                self.columns
                    .push((name.to_owned(), named(&COLUMN_KINDS, kind)?));
            }
            "order" => self.order = names().map(str::to_owned).collect(),
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
        Ok(Self {
            name: name.to_owned(),
            kind: named(&PARAMETER_KINDS, kind)?,
            default,
            help: help.to_owned(),
        })
    }
}

fn named<T: Copy>(known: &[(&str, T)], name: &str) -> Result<T, String> {
    let found = known.iter().find(|(known, _)| *known == name.trim());
    found.map(|(_, kind)| *kind).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        format!("there is no type {name:?}; there are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_report_is_valid_and_says_what_it_is() {
        for report in reports().unwrap() {
            assert!(!report.title.ends_with('.'), "{}", report.name);
            for parameter in &report.parameters {
                assert!(
                    !parameter.help.is_empty(),
                    "{} {}",
                    report.name,
                    parameter.name
                );
            }
            for name in &report.order {
                let mut columns = report.columns.iter();
                assert!(
                    columns.any(|(known, _)| known == name),
                    "{} {name}",
                    report.name
                );
            }
        }
    }

    #[test]
    fn a_mistake_in_a_header_is_named_with_its_line() {
        let valid = "-- title: T\n-- needs: tags\n-- column: id text\nSELECT id FROM tags;\n";
        let report = Definition::parse("x", valid).unwrap();
        assert_eq!(report.sql, "SELECT id FROM tags");
        for (from, to, expected) in [
            ("tags", "tgs", "line 2: there is no collection tgs"),
            ("title", "titles", "line 1: there is no entry \"titles\""),
            (
                "id text",
                "id string",
                "line 3: there is no type \"string\"",
            ),
            ("-- column: id text\n", "", "has no line `-- column: …`"),
            ("SELECT id FROM tags;\n", "", "no query"),
            (
                "-- column",
                "-- parameter: c course\n-- column",
                "the parameter c needs the collection courses",
            ),
        ] {
            let error = Definition::parse("x", &valid.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
