//! Undoing a run: a plan from the old values of the ledger.

use jiff::Timestamp;

use crate::{
    error::Error,
    ledger::{RecordedStep, Status},
    plan::{Action, Course, Edit, Input, Plan, Purpose, Step},
};

/// Makes the plan that undoes what the [steps](crate::Ledger::steps) of a run have done. What cannot come back is in its
/// notes. The tenant is given by its identity and its base URL.
///
/// Apply compares each object with the values that the run left there, so what was changed since is a conflict.
///
/// # Errors
///
/// [`Usage`](crate::ErrorKind::Usage) if the plan cannot be written as JSON.
pub fn plan_undo(
    (tenant, base_url): (&str, &str),
    run: i64,
    steps: &[RecordedStep],
) -> Result<Plan, Error> {
    let input = Input {
        name: format!("run {run}"),
        ..Input::default()
    };
    let mut plan = Plan {
        purpose: Purpose::Undo,
        tenant: tenant.to_owned(),
        base_url: base_url.to_owned(),
        read_at: Timestamp::now().to_string(),
        input,
        ..Plan::default()
    };
    let happened = steps.iter().filter(|RecordedStep { state, .. }| {
        matches!(state.status, Status::Done | Status::Sent | Status::Failed) || state.may_be_done()
    });
    let happened: Vec<_> = happened.collect();
    // The steps of a person in reverse order.
    let people = happened.chunk_by(|one, other| one.step.is_with(&other.step));
    for recorded in people.flat_map(|steps| steps.iter().rev()) {
        let step = &recorded.step;
        let (actions, note) = match recorded.state.status {
            Status::Sent => (Vec::new(), Some(AMBIGUOUS.to_owned())),
            Status::Failed => (
                Vec::new(),
                Some(format!("{FAILED}: {}", recorded.state.reason)),
            ),
            Status::Unneeded => (Vec::new(), None),
            _ => reversed(&step.action, step.learner.as_deref().unwrap_or("ID")),
        };
        let unknown = recorded.state.may_be_done().then(|| UNKNOWN.to_owned());
        let notes = unknown.into_iter().chain(note);
        plan.notes.extend(notes.map(|reason| step.noted(reason)));
        plan.steps.extend(actions.into_iter().map(|action| Step {
            action,
            row: Vec::new(),
            ..step.clone()
        }));
    }
    plan.sealed()
}

const UNKNOWN: &str =
    "an interrupted attempt may have done this; what was there before is not known, so it stays";
const FAILED: &str = "it failed, and what it has changed, if anything, stays; compare the object";
const AMBIGUOUS: &str =
    "whether this was done is not known; apply its plan again before you undo it";

/// The changes that undo another, and what does not come back.
fn reversed(action: &Action, learner: &str) -> (Vec<Action>, Option<String>) {
    let back = match action {
        Action::Edit(edit) => return edited_back(edit),
        Action::Link { .. } => Some(Action::Unlink),
        Action::Enrol(course) => Some(Action::Unenrol(course.clone())),
        Action::Unenrol(course) => Some(Action::Enrol(course.clone())),
        Action::Leave => Some(Action::Return),
        Action::Return => Some(Action::Leave),
        Action::Create { .. } | Action::Unlink | Action::Command { .. } => None,
    };
    let note = match action {
        Action::Create {
            fields, send_email, ..
        } => {
            let courses = fields.get("enrol");
            let courses = courses.map(|courses| format!(", with the enrolments in {courses}"));
            let mail = send_email.then_some(", and the mail to the learner was sent");
            format!(
                "the learner {learner} was added, and undo keeps it{}{}",
                courses.unwrap_or_default(),
                mail.unwrap_or_default()
            )
        }
        // A run of an import has none; the values of the link are not known.
        Action::Unlink => {
            "the link that was removed does not come back; the next import finds the learner"
                .to_owned()
        }
        Action::Enrol(course) => ends(&course.course_name),
        Action::Unenrol(Course { course_name, .. }) => {
            format!("the progress in {course_name} may not come back with the enrolment")
        }
        Action::Command { command, .. } if command.ends_with(" rm") => {
            "what was removed does not come back; the ledger has only its id and name".to_owned()
        }
        Action::Command { .. } => {
            "what the command did stays; `lms history show` has the values that it sent".to_owned()
        }
        _ => return (back.into_iter().collect(), None),
    };
    (back.into_iter().collect(), Some(note))
}

fn edited_back(edit: &Edit) -> (Vec<Action>, Option<String>) {
    let enrolled = edit.enrolled.iter();
    let mut back: Vec<_> = enrolled
        .map(|(course, name)| Action::Unenrol(Course::new(course, name)))
        .collect();
    let fields = edit.reversed();
    back.extend((!fields.is_empty()).then_some(Action::Edit(Box::new(fields))));
    let names: Vec<_> = edit.enrolled.values().map(String::as_str).collect();
    let hidden = edit.hidden.join(", ");
    let note = match (names.is_empty(), hidden.is_empty()) {
        (true, true) => None,
        (false, _) => Some(ends(&names.join(", "))),
        (true, false) => Some(format!("the new {hidden} stays: the old one is not known")),
    };
    (back, note)
}

fn ends(course_name: &str) -> String {
    format!("the progress in {course_name} since then ends with the enrolment")
}
