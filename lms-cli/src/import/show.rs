//! A plan for people: numbers first, then only what changes, a line for each field.

use std::fmt::Write as _;

use indicatif::HumanCount;
use lms_plan::{
    Action, FieldChange, Group, Note, Plan, RecordedStep, Situation, Status, Step, group_of,
};
use serde::Serialize;
use serde_json::json;

use crate::{context::Context, failure::Failure, format::Format, output::Printer};

/// Number of people whose changes are shown without `--all`.
const SHOWN: usize = 40;

/// A change as a row.
#[derive(Serialize)]
struct ChangeRow<'a> {
    key: &'a str,
    line: u64,
    name: &'a str,
    learner: Option<&'a str>,
    situation: Situation,
    action: &'a str,
    #[serde(flatten)]
    change: FieldChange,
}

/// The changes of a step, a row for each.
fn rows(step: &Step) -> impl Iterator<Item = ChangeRow<'_>> {
    let mut changes = step.action.changes();
    if changes.is_empty() {
        changes.push(FieldChange::new("", String::new(), String::new()));
    }
    changes.into_iter().map(|change| ChangeRow {
        key: &step.key,
        line: step.line,
        name: &step.name,
        learner: step.learner.as_deref(),
        situation: step.situation,
        action: step.action.name(),
        change,
    })
}

/// A change that a run has made, or tried to make, as a row.
#[derive(Serialize)]
pub(super) struct RecordedRow<'a> {
    run: i64,
    number: u32,
    object: &'a str,
    #[serde(flatten)]
    row: ChangeRow<'a>,
    status: Status,
    reason: &'a str,
    at: Option<&'a str>,
}

/// The changes of the steps of runs, a row for each.
pub(super) fn recorded(steps: &[RecordedStep]) -> Vec<RecordedRow<'_>> {
    let mut all = Vec::new();
    for recorded in steps {
        all.extend(rows(&recorded.step).map(|row| RecordedRow {
            run: recorded.run,
            number: recorded.step.number,
            object: object(&recorded.step.action),
            row,
            status: recorded.state.status,
            reason: &recorded.state.reason,
            at: recorded.at.as_deref(),
        }));
    }
    all
}

/// The object of a change that is not about a learner; empty for others.
fn object(action: &Action) -> &str {
    match action {
        Action::Command { object, .. } => object,
        Action::Edit(edit) => edit.course.as_deref().unwrap_or_default(),
        _ => "",
    }
}

/// The numbers of a plan: `+ 4 new, ~ 12 changed, 3 leave, 2 disputed, 9813 unchanged`.
pub(super) fn summary(plan: &Plan) -> String {
    let mut parts = vec![
        format!("+ {} new", plan.count(Group::Create)),
        format!("~ {} changed", plan.count(Group::Change)),
        format!("{} leave", plan.count(Group::Leave)),
    ];
    for (situation, words) in [
        (Situation::Disputed, "disputed"),
        (Situation::Invalid, "invalid"),
        (Situation::Away, "away"),
        (Situation::Waiting, "waiting"),
        (Situation::OutOfScope, "out of scope"),
    ] {
        if let Some(number) = plan.situations.get(&situation) {
            parts.push(format!("{} {words}", HumanCount(*number as u64)));
        }
    }
    parts.push(format!("{} unchanged", HumanCount(plan.unchanged() as u64)));
    parts.join(", ")
}

/// The plan as text: the first changes and notes, if `more` says how to see the others.
fn text(plan: &Plan, summary: &str, more: Option<&str>) -> String {
    let mut text = summary.to_owned();
    // Writing into a text does not fail.
    for held in &plan.held {
        let _ = write!(text, "\nheld: {held}");
    }
    let limit = more.map_or(usize::MAX, |_| SHOWN);
    let left = |text: &mut String, number: usize, noun: &str| {
        if let (Some(number @ 1..), Some(more)) = (number.checked_sub(limit), more) {
            let _ = write!(text, "\n… and {number} more {noun}; {more}");
        }
    };
    for steps in plan.people().take(limit) {
        let first = &steps[0];
        let mark = match group_of(steps) {
            Group::Create => '+',
            Group::Leave => '-',
            _ => '~',
        };
        let about = match first.key.as_str() {
            "" => {
                let learner = first.learner.as_deref();
                let object = learner.unwrap_or_else(|| object(&first.action));
                [line_of(first.line), object.to_owned()]
            }
            key => [key.to_owned(), String::new()],
        };
        let _ = write!(text, "\n{mark} {}", in_brackets(&first.name, about));
        for change in steps.iter().flat_map(|step| step.action.changes()) {
            let FieldChange {
                field, from, to, ..
            } = &change;
            let _ = match (from.as_str(), to.as_str()) {
                ("", "") => write!(text, "\n    {field}"),
                ("", to) => write!(text, "\n    {field}  {to}"),
                (from, "") => write!(text, "\n    {field}  {from} → nothing"),
                (from, to) => write!(text, "\n    {field}  {from} → {to}"),
            };
        }
    }
    left(&mut text, plan.people().count(), "with changes");
    for note in plan.notes.iter().take(limit) {
        let _ = write!(text, "\n? {}", noted(note));
    }
    left(&mut text, plan.notes.len(), "notes");
    text
}

/// Prints a plan: as text for people, as a row for each change, or as JSON.
pub(crate) fn print(
    context: &Context,
    printer: Printer,
    plan: &Plan,
    summary: &str,
    more: Option<&str>,
    json: impl FnOnce(Printer) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let format = printer.format();
    if format == Format::Table && context.jq.is_none() {
        return printer.text(&text(plan, summary, more));
    }
    context.note(summary);
    match format.has_cells() {
        true => printer.rows_of(&plan.steps.iter().flat_map(rows).collect::<Vec<_>>()),
        false => json(printer),
    }
}

/// A note with the person, the line and the situation. A row of a command has no situation.
fn noted(note: &Note) -> String {
    let situation = match note.situation {
        Situation::Named => String::new(),
        situation => json!(situation)
            .as_str()
            .unwrap_or_default()
            .replace('_', " "),
    };
    let about = in_brackets(&note.name, [line_of(note.line), situation]);
    let text = format!("{about}: {}", note.reason);
    text.trim_start_matches([':', ' ']).to_owned()
}

fn line_of(line: u64) -> String {
    match line {
        0 => String::new(),
        line => format!("line {line}"),
    }
}

/// A name with other texts in brackets, without those that are empty.
fn in_brackets(name: &str, texts: [String; 2]) -> String {
    let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    match (name, texts.join(", ").as_str()) {
        (name, "") => name.to_owned(),
        ("", texts) => texts.to_owned(),
        (name, texts) => format!("{name} ({texts})"),
    }
}

/// The plan as Markdown.
pub(super) fn markdown(plan: &Plan) -> String {
    let cell = |text: &str| {
        text.replace('\\', "\\\\")
            .replace('|', "\\|")
            .replace(['\r', '\n'], " ")
            .replace('<', "&lt;")
    };
    let mut text = format!("**{}**\n", summary(plan));
    for held in &plan.held {
        let _ = writeln!(text, "\n> held: {}", cell(held));
    }
    if !plan.steps.is_empty() {
        text.push_str("\n| person | action | field | old | new |\n|---|---|---|---|---|\n");
    }
    for row in plan.steps.iter().flat_map(rows) {
        let FieldChange {
            field, from, to, ..
        } = &row.change;
        let cells = [row.name, row.action, field, from, to].map(cell);
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    for note in &plan.notes {
        let _ = writeln!(text, "\n- {}", cell(&noted(note)));
    }
    let _ = write!(text, "\nHash: `{}`", plan.hash);
    text
}
