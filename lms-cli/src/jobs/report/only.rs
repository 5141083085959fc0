//! `--where NAME=VALUE`: only some rows of a report, by one of its columns or by a custom field of the learner.

use clap::{Arg, ArgAction, ArgMatches};
use lms_sync::{ColumnKind, Value, collections, mirror::MirrorReader};

use super::{
    asked::{Asked, Condition},
    definition::{Definition, FIELDS},
    names::{FIELD, find},
};
use crate::{args::text, failure::Failure};

pub(super) fn option() -> Arg {
    text(
        "where",
        "NAME=VALUE",
        "Only rows with this value in a column, or whose learner has it in a custom field; can be repeated. Needs records for a field",
    )
    .action(ArgAction::Append)
}

/// The conditions of the options, and the collections that they need. `columns` are those of the query.
///
/// # Errors
///
/// Usage, if a name is that of no text or integer, and the report is not about learners.
pub(super) fn conditions(
    report: &mut Definition,
    columns: &[(String, ColumnKind)],
    matches: &ArgMatches,
) -> Result<Vec<Condition>, Failure> {
    let mut conditions = Vec::new();
    for entry in matches.get_many::<String>("where").into_iter().flatten() {
        let Some((name, value)) = entry.split_once('=') else {
            return Err(Failure::usage(format!("--where {entry}: write NAME=VALUE")));
        };
        let comparable = [ColumnKind::Text, ColumnKind::Integer];
        let column = columns.iter().find(|(known, _)| known == name);
        let is_field = match column {
            Some((_, kind)) if comparable.contains(kind) => false,
            None if columns.iter().any(|(known, _)| known == "learner") => true,
            _ => {
                let names = columns.iter().filter(|(_, kind)| comparable.contains(kind));
                let names: Vec<&str> = names.map(|(name, _)| &**name).collect();
                return Err(Failure::usage(format!(
                    "--where {name}: rows can be selected by {}",
                    names.join(", ")
                )));
            }
        };
        conditions.push(Condition {
            name: name.to_owned(),
            value: value.to_owned(),
            is_field,
        });
    }
    if conditions.iter().any(|condition| condition.is_field) {
        report.also_needs(&[collections::LEARNERS]);
        report.also_needs(&FIELDS);
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
    for (
        Condition {
            name,
            value,
            is_field,
        },
        number,
    ) in conditions.iter().zip(0..)
    {
        let mut bind = |prefix: &str, text: &str| {
            let parameter = format!("{prefix}_{number}");
            let value = Value::Text(text.to_owned());
            asked
                .values
                .push((parameter.clone(), ColumnKind::Text, value));
            parameter
        };
        let wanted = bind("value", value.trim());
        if !is_field {
            parts.push(format!(
                "lower(trim(CAST(q.\"{name}\" AS TEXT))) = lower(:{wanted})"
            ));
            continue;
        }
        let Some((_, object)) = find(mirror, &FIELD, name)? else {
            continue;
        };
        let field = bind("field", &object.id);
        parts.push(format!(
            "EXISTS (SELECT 1 FROM records f WHERE f.\"user\" = q.learner AND f.user_field = :{field} \
             AND f._deleted_at IS NULL AND lower(trim(f.value)) = lower(:{wanted}))"
        ));
    }
    if !parts.is_empty() {
        let (sql, parts) = (&asked.report.sql, parts.join(" AND "));
        asked.report.sql = format!("SELECT q.* FROM (\n{sql}\n) q WHERE {parts}");
    }
    Ok(())
}
