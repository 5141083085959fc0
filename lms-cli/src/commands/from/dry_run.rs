//! `--from FILE --dry-run`: the effect that each row would have.

use std::collections::{BTreeMap, BTreeSet};

use lms_ext::Lms;
use serde_json::{Map, Value, json};

use super::{
    batch::Batch,
    ending::{FAILED, INVALID},
};
use crate::{
    calls::{
        applied::{Applied, Effect, Problem, Shown},
        plan,
    },
    commands::write::ensured,
    context::Context,
    failure::{Failure, conclude},
    format::Format,
    output::{Printer, TableFields},
    verbs,
    wording::count,
};

/// The effect that a row would have, with its line.
type Plan = (u64, Result<Applied, Failure>);

/// Determines the effect that each valid row would have, in the order of the file.
pub(super) async fn plans(
    lms: &Lms,
    batch: &Batch,
    concurrency: usize,
) -> Result<Vec<Plan>, Failure> {
    let calls = batch.calls().map(|(index, call)| (index, call.clone()));
    let calls: Vec<_> = calls.collect();
    let bulk = lms.bulk(calls).concurrency(concurrency).idempotent();
    let mut outcomes = bulk.run(|lms, (_, call)| async move {
        match verbs::of(call.command).apply(&lms, &call).await {
            Ok(applied) => Ok(Ok(applied)),
            // An error of a call decides whether others are sent. Any other failure is that of the row.
            Err(Problem::Call(error)) => Err(error),
            Err(Problem::Other(failure)) => Ok(Err(failure)),
        }
    });
    let mut plans = Vec::new();
    while let Some(outcome) = outcomes.try_next().await? {
        let (index, call) = outcome.item;
        let result = outcome
            .result
            .map_err(Failure::from)
            .and_then(|result| result);
        plans.push((index, call, result));
    }
    plans.sort_by_key(|(index, ..)| *index);
    let mut added = BTreeSet::new();
    let plans = plans.into_iter().map(|(index, call, mut plan)| {
        // The object that an earlier row would add exists for this one.
        if let Ok(plan) = &mut plan
            && plan.effect == Effect::Added
            && !ensured(&call).is_none_or(|object| added.insert(object))
        {
            plan.effect = Effect::Existed;
        }
        (batch.row(index).line, plan)
    });
    Ok(plans.collect())
}

/// Prints the effect that each row would have.
pub(super) fn show(
    context: &Context,
    printer: Printer,
    batch: &Batch,
    plans: Vec<Plan>,
) -> Result<(), Failure> {
    let for_people =
        (printer.format() == Format::Table || printer.format().has_cells()) && context.jq.is_none();
    let plans = plans.into_iter().map(|(line, plan)| (line, FAILED, plan));
    let invalid = batch.invalid();
    let invalid = invalid.map(|(row, why)| (row.line, INVALID, Err(Failure::usage(why))));
    let mut plans: Vec<_> = plans.chain(invalid).collect();
    plans.sort_by_key(|(line, ..)| *line);
    let mut first = None;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rows = Vec::new();
    for (line, failed, result) in plans {
        let mut row = Map::new();
        row.insert("line".to_owned(), json!(line));
        let ending = result.as_ref().map_or(failed, |plan| plan.effect.name());
        *counts.entry(ending).or_default() += 1;
        let plan = match result {
            Ok(applied) => shown(applied, for_people),
            Err(failure) => {
                let shown = Ok(json!({ "error": failure.message() }));
                first.get_or_insert(failure);
                shown
            }
        };
        if let Ok(Value::Object(plan)) = plan {
            row.extend(plan);
        }
        rows.push(row);
    }
    let fields = TableFields {
        columns: &["line", "id", "url", "exists", "enrolments"],
        below: &["changes", "body", "differs", "add_tags", "enrol", "error"],
    };
    let counted = counts.iter().map(|(name, count)| format!("{name} {count}"));
    let counted = counted.collect::<Vec<_>>().join(", ");
    context.note(&format!("dry run: {counted}"));
    let printed = printer.in_tables(fields).rows_of(&rows);
    let decided = first.map_or(Ok(()), |failure| {
        let failed = [FAILED, INVALID].iter().filter_map(|name| counts.get(name));
        let (failed, rows) = (failed.sum::<usize>(), count(rows.len(), "row"));
        Err(failure.into_partial(&format!("{failed} of {rows} would fail, for example")))
    });
    conclude(decided, printed)
}

/// The fields of a plan.
fn shown(applied: Applied, for_people: bool) -> Result<Value, serde_json::Error> {
    match applied.shown {
        Shown::Plan(plan) => {
            let plan = serde_json::from_str(plan.get());
            plan.map(|mut plan: Value| {
                if let Some(exists) = plan.get_mut("exists") {
                    *exists = json!(applied.effect != Effect::Added);
                }
                plan
            })
        }
        Shown::Changes(changes) if for_people => {
            let changes = match changes.as_slice() {
                [] => json!(["nothing changes"]),
                some => some.iter().map(ToString::to_string).collect(),
            };
            Ok(json!({ "id": applied.id, "changes": changes }))
        }
        Shown::Changes(changes) => {
            let id = applied.id.unwrap_or_default();
            serde_json::to_value(plan::edit(&id, &changes))
        }
        Shown::Nothing | Shown::Object(_) => Ok(Value::Null),
    }
}
