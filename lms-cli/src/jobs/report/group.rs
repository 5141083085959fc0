//! `--group-by NAME`: the number of rows, of people and of rows in each state, by a column, the tags or a custom field.

use std::collections::{BTreeMap, BTreeSet};

use clap::{Arg, ArgAction, ArgMatches};
use lms_sync::{ColumnKind, Value};

use super::{
    definition::Definition,
    key::{Key, Values},
    parameter::Given,
    row::{NamedRow, Row},
    standing::{Counts, STATES, State, percent_valid},
};
use crate::{args::text, failure::Failure};

pub(super) const ROWS: &str = "rows";
const PEOPLE: &str = "people";
/// The share of rows with a valid completion.
pub(super) const SHARE: &str = "percent_done";

pub(super) fn option() -> Arg {
    text(
        "group-by",
        "NAMES",
        "Count rows and people by a column, `tag`, or a custom field of the learner; a time counts by its month. Needs records for a field",
    )
    .value_delimiter(',')
    .action(ArgAction::Append)
}

/// The names of the option, or those of a summary.
pub(super) fn names(matches: &ArgMatches) -> Vec<&str> {
    match matches.get_many::<String>("group-by") {
        Some(names) => names.map(String::as_str).collect(),
        None if matches!(
            matches.try_get_one("summary"),
            Ok(Some(Given::Value(Value::Boolean(true))))
        ) =>
        {
            vec!["requirement", "course_name"]
        }
        None => Vec::new(),
    }
}

/// Groups of the rows of a report by these names. The report then needs their collections.
///
/// # Errors
///
/// Usage, if a name is that of no column, and the report is not about learners.
pub(super) fn keys(report: &mut Definition, names: &[&str]) -> Result<Vec<Key>, Failure> {
    let kinds = [
        ColumnKind::Text,
        ColumnKind::Integer,
        ColumnKind::Boolean,
        ColumnKind::Utc,
    ];
    let names = names.iter();
    names
        .map(|name| Key::of("--group-by", name, report, &kinds))
        .collect()
}

/// The columns of the groups of a report.
pub(super) fn columns(report: &Definition, keys: &[Key]) -> Vec<(String, ColumnKind)> {
    let mut numbers = vec![ROWS];
    numbers.extend(report.has_learners().then_some(PEOPLE));
    if report.decides() {
        numbers.extend(STATES);
        numbers.push(SHARE);
    }
    let texts = keys.iter().map(|key| (&*key.name, ColumnKind::Text));
    let numbers = numbers.into_iter();
    let columns = texts.chain(numbers.map(|name| (name, ColumnKind::Integer)));
    columns
        .map(|(name, kind)| (name.to_owned(), kind))
        .collect()
}

/// The numbers of one group.
#[derive(Debug, Default)]
pub(super) struct Group {
    rows: i64,
    /// The ids of the learners, each with its tenant.
    learners: BTreeSet<(Option<String>, String)>,
    pub(super) states: Counts,
}

/// The numbers of each group.
pub(super) struct Counted {
    pub(super) keys: Vec<Key>,
    pub(super) groups: BTreeMap<Vec<Option<String>>, Group>,
}

impl Counted {
    /// Nothing counted yet.
    pub(super) fn by(keys: Vec<Key>) -> Self {
        Self {
            keys,
            groups: BTreeMap::new(),
        }
    }

    /// Counts a row of a tenant by the values of the keys, for each of several tags once.
    pub(super) fn add(&mut self, row: &NamedRow<'_>, values: &[Values], tenant: Option<&str>) {
        let mut groups = vec![Vec::new()];
        for values in values {
            let found = values.of_row(row);
            let longer = |before: &Vec<_>| {
                let found = found.iter();
                let longer = found.map(|one| [before, std::slice::from_ref(one)].concat());
                longer.collect::<Vec<_>>()
            };
            groups = groups.iter().flat_map(longer).collect();
        }
        let learner = Some(row.text("learner")).filter(|id| !id.is_empty());
        let state = State::position(&row.text("state"));
        for group in groups {
            let group = self.groups.entry(group).or_default();
            group.rows += 1;
            let learner = learner.clone().map(|id| (tenant.map(str::to_owned), id));
            group.learners.extend(learner);
            if let Some(at) = state {
                group.states[at] += 1;
            }
        }
    }

    /// Passes a row for each group to `take`.
    pub(super) fn rows(&self, columns: &[(String, ColumnKind)], take: &mut dyn FnMut(Row)) {
        for (values, group) in &self.groups {
            let value = |(name, _): &(String, ColumnKind)| {
                if let Some(at) = self.keys.iter().position(|key| key.name == *name) {
                    return values[at].clone().map_or(Value::Null, Value::Text);
                }
                Value::Integer(match &**name {
                    ROWS => group.rows,
                    PEOPLE => i64::try_from(group.learners.len()).unwrap_or(i64::MAX),
                    SHARE => percent_valid(&group.states),
                    state => State::position(state).map_or(0, |at| group.states[at]),
                })
            };
            take(columns.iter().map(value).collect());
        }
    }
}
