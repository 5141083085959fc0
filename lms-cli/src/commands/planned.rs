//! The step of a call in a plan, with the names of its objects.

use lms_plan::{Action, Step};

use super::references::Known;
use crate::{
    calls::{Call, applied::Applied, label},
    operations::{lookup::named, table::Command},
    resolve::object::Object,
    verbs,
};

/// The step of a call before it is made, with its number and line, and the texts of its row.
pub(super) fn step(
    call: &Call,
    known: &Known,
    (number, line): (u32, u64),
    row: Vec<String>,
) -> Step {
    let (learner, action) = changed(call, None, known);
    let mut step = Step {
        number,
        line,
        learner,
        action,
        row,
        ..Step::default()
    };
    step.name = name(&step, known);
    step
}

/// The learner and the change of a call, after the change with its result.
pub(super) fn changed(
    call: &Call,
    applied: Option<&Applied>,
    known: &Known,
) -> (Option<String>, Action) {
    let (learner, mut action) = verbs::of(call.command).step(call, applied);
    name_objects(&mut action, known);
    (learner, action)
}

/// The kind and the id of the object that a step is about.
pub(super) fn object(step: &Step) -> Option<(&'static str, String)> {
    let (kind, id) = match (&step.learner, &step.action) {
        (Some(learner), _) => ("learners", learner),
        (None, Action::Edit(edit)) => ("courses", edit.course.as_ref()?),
        (None, Action::Command { object, .. }) if !object.is_empty() => {
            (command_of(step)?.resource, object)
        }
        _ => return None,
    };
    Some((kind, id.clone()))
}

/// The command of a step.
pub(super) fn command_of(step: &Step) -> Option<&'static Command> {
    let Action::Command { command, .. } = &step.action else {
        return None;
    };
    named(command)
}

/// Number of characters of a row that name it.
const NAMING: usize = 60;

/// The name of the object of a step, of one that it adds, or else the texts of the row.
fn name(step: &Step, known: &Known) -> String {
    let object = object(step).and_then(|object| known.get(&object));
    if let Some(name) = object.and_then(Object::name) {
        return name.to_owned();
    }
    let changes = step.action.changes();
    let named = |name| changes.iter().find(|change| change.field == name);
    let names = ["firstname", "surname", "name"]
        .into_iter()
        .filter_map(named);
    let names: Vec<_> = names.map(|change| change.to.as_str()).collect();
    if self::object(step).is_none() && !names.is_empty() {
        return names.join(" ");
    }
    let texts = step.row.iter().filter(|text| !text.is_empty());
    let texts: Vec<_> = texts.map(String::as_str).collect();
    let row = texts.join(", ");
    match row.char_indices().nth(NAMING) {
        Some((end, _)) => format!("{}…", &row[..end]),
        None => row,
    }
}

/// Writes the names of objects next to their ids.
fn name_objects(action: &mut Action, known: &Known) {
    let object = |kind, id: &str| known.get(&(kind, id.to_owned()));
    let name = |id: &str| {
        let name = object("courses", id).and_then(|course| course.text("name"));
        name.unwrap_or(id).to_owned()
    };
    let label = |field: &str, ids: &mut String| {
        let kind = match field {
            "course" | "enrol" => "courses",
            "user" => "learners",
            _ => return,
        };
        let labels = ids.split(", ").map(|id| label::of(id, object(kind, id)));
        *ids = labels.collect::<Vec<_>>().join(", ");
    };
    match action {
        Action::Enrol(of) | Action::Unenrol(of) => of.course_name = name(&of.course),
        Action::Edit(edit) => {
            let courses = edit.enrolled.iter_mut();
            courses.for_each(|(course, course_name)| *course_name = name(course));
        }
        Action::Create { fields, .. } => {
            fields.iter_mut().for_each(|(field, to)| label(field, to));
        }
        Action::Command { fields, .. } => {
            let fields = fields.iter_mut();
            fields.for_each(|change| label(&change.field, &mut change.to));
        }
        _ => {}
    }
}
