//! Undoing a run: a plan from the old values of the ledger.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::{
    error::Error,
    ledger::{Ledger, RecordedStep, Status},
    plan::{Action, FieldChange, Input, Note, Plan, Purpose, Situation, Step},
};

/// Makes the plan that undoes what a run has done. What cannot come back is in its notes. Apply compares each object with
/// the values that the run left there, so what was changed since is a conflict.
///
/// # Errors
///
/// [`NotFound`](crate::ErrorKind::NotFound) if there is no such run, and [`Ledger`](crate::ErrorKind::Ledger) if the ledger
/// cannot be read.
pub fn plan_undo(ledger: &Ledger, run: i64, base_url: &str) -> Result<Plan, Error> {
    let recorded = ledger.steps(Some(run), None)?;
    let input = Input {
        name: format!("run {run}"),
        ..Input::default()
    };
    let tenant = ledger.tenant()?;
    let mut plan = Plan::new(
        Purpose::Undo,
        &tenant,
        base_url,
        Timestamp::now().to_string(),
        input,
    );
    let mut people: Vec<Vec<RecordedStep>> = Vec::new();
    let happened =
        |recorded: &RecordedStep| matches!(recorded.state.status, Status::Done | Status::Sent);
    for step in recorded.into_iter().filter(happened) {
        match people.last_mut() {
            Some(steps) if steps[0].step.is_with(&step.step) => steps.push(step),
            _ => people.push(vec![step]),
        }
    }
    for steps in people {
        for recorded in steps.into_iter().rev() {
            let (action, note) = match recorded.state.status {
                Status::Sent => (None, Some(IN_DOUBT.to_owned())),
                _ => reversed(&recorded.step.action),
            };
            let mut step = recorded.step;
            step.name = named(&step);
            plan.notes.extend(note.map(|reason| Note {
                key: step.key.clone(),
                line: step.line,
                name: step.name.clone(),
                situation: step.situation,
                reason,
            }));
            plan.steps.extend(action.map(|action| Step {
                action,
                row: Vec::new(),
                ..step
            }));
        }
    }
    plan.sealed()
}

/// Number of characters of a row that name it.
const NAMING: usize = 60;

/// The name of a step. A row of a command has that of its object, with the texts of the row.
fn named(step: &Step) -> String {
    if step.situation != Situation::Named || step.row.is_empty() {
        return step.name.clone();
    }
    let object = match (&step.learner, &step.action) {
        (Some(learner), _) => format!("learner {learner}"),
        (None, Action::Command { object, .. }) => format!("{} {object}", step.name),
        (None, _) => step.name.clone(),
    };
    let texts = step.row.iter().filter(|text| !text.is_empty());
    let texts: Vec<_> = texts.map(String::as_str).collect();
    let row = texts.join(", ");
    match row.char_indices().nth(NAMING) {
        Some((end, _)) => format!("{object}: {}…", &row[..end]),
        None => format!("{object}: {row}"),
    }
}

const IN_DOUBT: &str =
    "whether this was done is not known; apply its plan again before you undo it";

/// The step that undoes another, and what does not come back.
fn reversed(action: &Action) -> (Option<Action>, Option<String>) {
    match action {
        Action::Create { send_email, .. } => {
            let mail = if *send_email {
                ", and the mail was sent"
            } else {
                ""
            };
            let note = format!(
                "the learner was added and stays, with tags and enrolments{mail}: undo deletes nobody; `lms learners rm` does"
            );
            (None, Some(note))
        }
        Action::Link { .. } => (Some(Action::Unlink), None),
        // A run of an import has none; the values of the link are not known.
        Action::Unlink => (
            None,
            Some(
                "the link that was removed does not come back; the next import finds the learner"
                    .to_owned(),
            ),
        ),
        Action::Edit {
            fields,
            add_tags,
            remove_tags,
            ..
        } => (Some(edited_back(fields, add_tags, remove_tags)), None),
        Action::Enrol {
            course,
            course_name,
        } => {
            let back = Action::Unenrol {
                course: course.clone(),
                course_name: course_name.clone(),
            };
            let note = format!("the progress in {course_name} since then ends with the enrolment");
            (Some(back), Some(note))
        }
        Action::Unenrol {
            course,
            course_name,
        } => {
            let back = Action::Enrol {
                course: course.clone(),
                course_name: course_name.clone(),
            };
            let note =
                format!("the progress in {course_name} may not come back with the enrolment");
            (Some(back), Some(note))
        }
        Action::Command { .. } => (
            None,
            Some("what the command changed stays; `lms history show` has the values".to_owned()),
        ),
        Action::Leave => (Some(Action::Return), None),
        Action::Return => (Some(Action::Leave), None),
    }
}

fn edited_back(fields: &[FieldChange], add_tags: &[String], remove_tags: &[String]) -> Action {
    let back = fields
        .iter()
        .map(|change| FieldChange::new(&change.field, change.to.clone(), change.from.clone()));
    Action::Edit {
        fields: back.collect(),
        add_tags: remove_tags.to_vec(),
        remove_tags: add_tags.to_vec(),
        seen: BTreeMap::new(),
    }
}
