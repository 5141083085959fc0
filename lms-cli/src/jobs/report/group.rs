//! `--group-by NAME`: the number of rows, of people and of people in each state, by a column, the tags or a custom field.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use clap::{Arg, ArgAction, ArgMatches};
use lms_sync::{
    ColumnKind, Value, collections,
    mirror::{MirrorReader, Query},
};

use super::{
    definition::Definition,
    names::{FIELD, find},
    row::NamedRow,
    standing::{People, State, percent_valid},
};
use crate::{args::text, failure::Failure};

/// The origin of a value by which rows are selected or grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Column,
    /// The names of the tags of the learner.
    Tag,
    /// A custom field of the learner.
    Field,
    /// The name of the tenant.
    Tenant,
}

/// The name for the tags of learners, which is that of no column.
const TAG: &str = "tag";
/// The tags of each learner.
pub(super) const TAGS: &str = "SELECT l.id AS learner, t.value FROM learners l, json_each(l.tags) t WHERE t.type = 'text' -- sqlite\n\
    SELECT l.id AS learner, t.value FROM learners l, jsonb_array_elements_text(CASE \
    WHEN jsonb_typeof(CAST(l.tags AS JSONB)) = 'array' THEN CAST(l.tags AS JSONB) END) t -- postgres";
const ROWS: &str = "rows";
const PEOPLE: &str = "people";
/// The share of rows with a valid completion.
const SHARE: &str = "percent_done";

impl By {
    /// # Errors
    ///
    /// The columns, if the name is that of no column of these kinds, and the report is not about learners.
    pub(super) fn of(
        name: &str,
        columns: &[(String, ColumnKind)],
        kinds: &[ColumnKind],
    ) -> Result<Self, String> {
        let column = columns.iter().find(|(known, _)| known == name);
        let has_learners = columns.iter().any(|(known, _)| known == "learner");
        match column {
            Some((_, kind)) if kinds.contains(kind) => Ok(Self::Column),
            None if has_learners && name == TAG => Ok(Self::Tag),
            None if has_learners => Ok(Self::Field),
            _ => {
                let names = columns.iter().filter(|(_, kind)| kinds.contains(kind));
                let names: Vec<&str> = names.map(|(name, _)| &**name).collect();
                Err(names.join(", "))
            }
        }
    }

    /// The collections that the values come from.
    pub(super) fn needs(self) -> &'static [&'static str] {
        match self {
            Self::Column | Self::Tenant => &[],
            Self::Tag => &[collections::LEARNERS],
            Self::Field => &[
                collections::LEARNERS,
                collections::USER_FIELDS,
                collections::RECORDS,
            ],
        }
    }
}

pub(super) fn option() -> Arg {
    text(
        "group-by",
        "NAMES",
        "Count rows and people by a column, `tag`, or a custom field of the learner; a time counts by its month. Needs records for a field",
    )
    .value_delimiter(',')
    .action(ArgAction::Append)
}

/// The names of the option.
pub(super) fn names(matches: &ArgMatches) -> Vec<&str> {
    let names = matches.get_many::<String>("group-by");
    names.into_iter().flatten().map(String::as_str).collect()
}

/// The groups that were asked for.
#[derive(Clone, Debug)]
pub(super) struct GroupBy {
    keys: Vec<(String, By)>,
    /// The columns of the rows that are counted.
    pub(super) columns: Vec<(String, ColumnKind)>,
}

impl GroupBy {
    /// A group for each of several tenants.
    pub(super) fn tenants(report: &Definition) -> Self {
        Self {
            keys: vec![("tenant".to_owned(), By::Tenant)],
            columns: report.columns.clone(),
        }
    }

    /// Groups of the rows of a report, which then needs their collections.
    ///
    /// # Errors
    ///
    /// Usage, if a name is that of no column, and the report is not about learners.
    pub(super) fn new(report: &mut Definition, names: &[&str]) -> Result<Self, Failure> {
        let kinds = [
            ColumnKind::Text,
            ColumnKind::Integer,
            ColumnKind::Boolean,
            ColumnKind::Utc,
        ];
        let mut keys = Vec::new();
        for name in names {
            let by = By::of(name, &report.columns, &kinds).map_err(|known| {
                Failure::usage(format!("--group-by {name}: rows can be grouped by {known}"))
            })?;
            report.also_needs(by.needs());
            keys.push(((*name).to_owned(), by));
        }
        Ok(Self {
            keys,
            columns: report.columns.clone(),
        })
    }

    /// The groups of the option, if it was given. The report then has their columns.
    ///
    /// # Errors
    ///
    /// Those of [`Self::new`].
    pub(super) fn of(
        report: &mut Definition,
        matches: &ArgMatches,
    ) -> Result<Option<Self>, Failure> {
        let mut names = names(matches);
        if names.is_empty() && matches!(matches.try_get_one("summary"), Ok(Some(true))) {
            names = vec!["requirement", "course_name"];
        }
        if names.is_empty() {
            return Ok(None);
        }
        let groups = Self::new(report, &names)?;
        let mut numbers = vec![ROWS];
        let has_learners = report.columns.iter().any(|(name, _)| name == "learner");
        numbers.extend(has_learners.then_some(PEOPLE));
        if report.decides {
            numbers.extend(State::ALL.map(State::word));
            numbers.push(SHARE);
        }
        let texts = names.iter().map(|name| (name, ColumnKind::Text));
        let numbers = numbers.iter().map(|name| (name, ColumnKind::Integer));
        let columns = texts.chain(numbers);
        report.columns = columns
            .map(|(name, kind)| ((*name).to_owned(), kind))
            .collect();
        Ok(Some(groups))
    }

    /// Nothing counted yet.
    pub(super) fn counted(&self) -> Counted<'_> {
        Counted {
            by: self,
            tenant: None,
            values: Vec::new(),
            groups: BTreeMap::new(),
        }
    }
}

/// Values by learner.
pub(super) type Values = HashMap<String, Vec<String>>;

/// The values of a custom field by learner.
pub(super) fn field(mirror: &mut MirrorReader<'_>, name: &str) -> Result<Values, Failure> {
    let found = find(mirror, &FIELD, name)?;
    let id = found.map_or(Value::Null, |(_, of)| Value::Text(of.id));
    let parameters = [("field".to_owned(), ColumnKind::Text, id)];
    let sql = "SELECT f.\"user\" AS learner, f.value FROM records f WHERE f.user_field = :field AND f._deleted_at IS NULL \
               AND coalesce(f.has_value, TRUE) AND NOT coalesce(f.not_applicable, FALSE)";
    by_learner(mirror, sql, &parameters)
}

fn by_learner(
    mirror: &mut MirrorReader<'_>,
    sql: &str,
    parameters: &[(String, ColumnKind, Value)],
) -> Result<Values, Failure> {
    let columns = ["learner", "value"].map(|name| (name.to_owned(), ColumnKind::Text));
    let query = Query {
        sql,
        parameters,
        columns: &columns,
        order: &[],
    };
    let mut values = Values::new();
    mirror.query(&query, &mut |row| {
        if let Ok([Value::Text(learner), Value::Text(value)]) = <[Value; 2]>::try_from(row) {
            values
                .entry(learner)
                .or_default()
                .push(value.trim().to_owned());
        }
    })?;
    Ok(values)
}

/// The numbers of one group.
#[derive(Debug, Default)]
pub(super) struct Group {
    rows: i64,
    /// The ids of the learners, each with its tenant.
    learners: BTreeSet<(Option<String>, String)>,
    pub(super) states: People,
}

impl Group {
    pub(super) fn people(&self) -> i64 {
        i64::try_from(self.learners.len()).unwrap_or(i64::MAX)
    }
}

/// The numbers of each group.
pub(super) struct Counted<'a> {
    by: &'a GroupBy,
    /// The tenant whose rows are added, if there are several.
    tenant: Option<String>,
    /// For each key that is no column, its values.
    values: Vec<Values>,
    pub(super) groups: BTreeMap<Vec<Option<String>>, Group>,
}

impl Counted<'_> {
    pub(super) fn names(&self) -> Vec<&str> {
        self.by.keys.iter().map(|(name, _)| &**name).collect()
    }

    /// Reads the values of tags and custom fields for the rows of a mirror.
    ///
    /// # Errors
    ///
    /// Not found or usage, if a name is neither that of a column nor that of one custom field.
    pub(super) fn begin(
        &mut self,
        mirror: &mut MirrorReader<'_>,
        tenant: Option<&str>,
    ) -> Result<(), Failure> {
        self.tenant = tenant.map(str::to_owned);
        self.values.clear();
        for (name, by) in &self.by.keys {
            self.values.push(match by {
                By::Column | By::Tenant => Values::new(),
                By::Tag => by_learner(mirror, TAGS, &[])?,
                By::Field => field(mirror, name)?,
            });
        }
        Ok(())
    }

    /// Counts a row, for each of several tags once.
    pub(super) fn add(&mut self, row: &NamedRow<'_>) {
        let learner = shown(row.value("learner"));
        let mut groups = vec![Vec::new()];
        for ((name, by), values) in self.by.keys.iter().zip(&self.values) {
            let of_learner = learner.as_ref().and_then(|id| values.get(id));
            let found = match (by, of_learner) {
                (By::Column, _) => vec![shown(row.value(name))],
                (By::Tenant, _) => vec![self.tenant.clone()],
                (_, Some(values)) => values.iter().cloned().map(Some).collect(),
                (_, None) => vec![None],
            };
            groups = groups
                .iter()
                .flat_map(|before: &Vec<_>| {
                    found
                        .iter()
                        .map(|one| [before, std::slice::from_ref(one)].concat())
                })
                .collect();
        }
        let state = shown(row.value("state")).and_then(|word| State::position(&word));
        for group in groups {
            let group = self.groups.entry(group).or_default();
            group.rows += 1;
            let learner = learner.clone().map(|id| (self.tenant.clone(), id));
            group.learners.extend(learner);
            if let Some(at) = state {
                group.states[at] += 1;
            }
        }
    }

    /// Passes a row for each group to `take`.
    pub(super) fn rows(&self, columns: &[(String, ColumnKind)], take: &mut dyn FnMut(Vec<Value>)) {
        for (values, group) in &self.groups {
            let value = |(name, _): &(String, ColumnKind)| {
                if let Some(at) = self.by.keys.iter().position(|(key, _)| key == name) {
                    return values[at].clone().map_or(Value::Null, Value::Text);
                }
                Value::Integer(match &**name {
                    ROWS => group.rows,
                    PEOPLE => group.people(),
                    SHARE => percent_valid(&group.states),
                    state => State::position(state).map_or(0, |at| group.states[at]),
                })
            };
            take(columns.iter().map(value).collect());
        }
    }
}

/// A value as the name of a group: the month of a time.
fn shown(value: &Value) -> Option<String> {
    let text = match value {
        Value::Text(text) => text.trim().to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(boolean) => boolean.to_string(),
        time => time.utc_text()?.get(..7)?.to_owned(),
    };
    Some(text).filter(|text| !text.is_empty())
}
