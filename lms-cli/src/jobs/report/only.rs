//! `--where NAME=VALUE`: only some rows of a report, by one of its columns or by a custom field of the learner.

use clap::{Arg, ArgAction, ArgMatches};
use lms_sync::{ColumnKind, Value, mirror::MirrorReader};

use super::{
    asked::{Asked, Condition},
    definition::Definition,
    group::{By, TAGS},
    names::{FIELD, TAG, find, take},
    required,
};
use crate::{args::text, failure::Failure};

pub(super) fn option() -> Arg {
    text(
        "where",
        "NAME=VALUE",
        "Only rows with this value in a column, or whose learner has it as `tag` or in a custom field; can be repeated. Needs records for a field",
    )
    .action(ArgAction::Append)
}

/// The conditions of the options. The report then needs their collections.
///
/// # Errors
///
/// Usage, if a name is that of no text or integer, and the report is not about learners.
pub(super) fn conditions(
    report: &mut Definition,
    matches: &ArgMatches,
) -> Result<Vec<Condition>, Failure> {
    let mut conditions = Vec::new();
    for entry in matches.get_many::<String>("where").into_iter().flatten() {
        let Some((name, value)) = entry.split_once('=') else {
            return Err(Failure::usage(format!("--where {entry}: write NAME=VALUE")));
        };
        let comparable = [ColumnKind::Text, ColumnKind::Integer];
        let by = By::of(name, &report.columns, &comparable).map_err(|known| {
            Failure::usage(format!("--where {name}: rows can be selected by {known}"))
        })?;
        report.also_needs(by.needs());
        conditions.push(Condition {
            name: name.to_owned(),
            value: value.to_owned(),
            by,
        });
    }
    Ok(conditions)
}

/// Adds the conditions to the query of a report. Upper and lower case, and spaces around a value, do not matter.
///
/// # Errors
///
/// Not found or usage, if a name is neither that of a column nor that of one custom field.
pub(super) fn apply(asked: &mut Asked, mirror: &mut MirrorReader<'_>) -> Result<(), Failure> {
    let mut parts = Vec::new();
    let conditions = std::mem::take(&mut asked.only);
    for (condition, number) in conditions.into_iter().zip(0..) {
        let Condition { name, value, by } = &condition;
        if *by == By::Column && required::is_decided(&asked.report, name) {
            asked.only.push(condition);
            continue;
        }
        let mut bind = |prefix: &str, text: &str| {
            let parameter = format!("{prefix}_{number}");
            let value = Value::Text(text.to_owned());
            asked
                .values
                .push((parameter.clone(), ColumnKind::Text, value));
            parameter
        };
        let wanted = bind("value", value.trim());
        parts.push(match by {
            By::Column | By::Tenant => format!("lower(trim(CAST(q.\"{name}\" AS TEXT))) = lower(:{wanted})"),
            By::Tag => {
                let Some(taken) = take(mirror, &TAG, value)? else {
                    continue;
                };
                let tag = bind("tag", &taken.value);
                format!("q.learner IN (SELECT t.learner FROM (\n{TAGS}\n) t WHERE t.value = :{tag})")
            }
            By::Field => {
                let Some((_, object)) = find(mirror, &FIELD, name)? else {
                    continue;
                };
                let field = bind("field", &object.id);
                format!(
                    "EXISTS (SELECT 1 FROM records f WHERE f.\"user\" = q.learner AND f.user_field = :{field} \
                     AND f._deleted_at IS NULL AND lower(trim(f.value)) = lower(:{wanted}))"
                )
            }
        });
    }
    if !parts.is_empty() {
        let (sql, parts) = (&asked.report.sql, parts.join("\nAND "));
        asked.report.sql = format!("SELECT q.* FROM (\n{sql}\n) q WHERE\n{parts}");
    }
    Ok(())
}
