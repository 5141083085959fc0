//! `learners add`: with `--if-not-exists`, adds a learner once, with tags and enrolments.

use std::collections::BTreeMap;

use lms_ext::{Ensured, Lms, types};
use lms_plan::{Action, Edit};

use super::{
    ensure, plain,
    verb::{Doing, Verb},
};
use crate::{
    calls::{
        Call,
        applied::{Applied, Effect},
        input::{ENROL, Place},
        invalid::Invalid,
    },
    failure::Failure,
    operations::{
        lookup::body_fields,
        table::{Command, Field},
    },
};

pub(super) struct AddLearner;

impl Verb for AddLearner {
    fn operations(&self) -> &'static [&'static str] {
        &["add_learner"]
    }

    fn if_not_exists(&self) -> Option<&'static str> {
        Some("If there is a learner with this email address, print that one and add nothing")
    }

    fn steps(&self, command: &'static Command) -> Vec<(Place, &'static Field)> {
        let tags = body_fields(command).find(|field| field.name == "tags");
        let tags = tags.map(|tags| (Place::Add, tags));
        tags.into_iter().chain([(Place::Enrol, &ENROL)]).collect()
    }

    fn check(&self, call: &Call) -> Result<(), Invalid> {
        ensure::check(call)
    }

    fn target(&self, call: &Call) -> Option<Vec<String>> {
        ensure::texts(call, &["email"])
    }

    fn apply<'a>(&self, lms: &'a Lms, call: &'a Call) -> Doing<'a, Applied> {
        if !call.if_not_exists {
            return Box::pin(plain::send(lms, call));
        }
        Box::pin(async move {
            let learner = lms.ensure_learner(ensure::body::<types::AddLearner>(call)?);
            let learner = learner.run(call.mode).await?;
            enrol_and_tag(lms, call, learner).await
        })
    }

    fn step(&self, call: &Call, applied: Option<&Applied>) -> (Option<String>, Action) {
        let (learner, planned) = plain::step(call, applied);
        let Some(applied) = applied.filter(|applied| applied.effect == Effect::Added) else {
            return (learner, planned);
        };
        let fields = plain::texts(call).map(|(name, text)| (name.to_owned(), text));
        let mut fields: BTreeMap<_, _> = fields.collect();
        let send_email = fields.remove("send_email").as_deref() == Some("true");
        fields.remove("tags");
        let tags = call.input.body.get("tags");
        let tags = tags.and_then(|tags| serde_json::from_str(tags.get()).ok());
        let mut tags: Vec<String> = tags.unwrap_or_default();
        let added = applied.edit.iter().flat_map(|edit| &edit.add_tags);
        tags.extend(added.cloned());
        let create = Action::Create {
            fields,
            tags,
            send_email,
        };
        (learner, create)
    }
}

/// Gives a learner the tags and the enrolments that the learner lacks.
async fn enrol_and_tag(
    lms: &Lms,
    call: &Call,
    learner: Ensured<types::Learner>,
) -> Result<Applied, Failure> {
    let courses = call.input.texts(Place::Enrol, ENROL.name);
    let enrolled = courses
        .iter()
        .map(|course| (course.clone(), course.clone()));
    let mut edit = Edit {
        add_tags: call.input.texts(Place::Add, "tags").to_vec(),
        enrolled: enrolled.collect(),
        ..Edit::default()
    };
    let old = &learner.value().tags;
    edit.add_tags.retain(|tag| !old.contains(tag));
    // In a dry run, a new learner has no id.
    if let Some(id) = &learner.value().id {
        if !edit.add_tags.is_empty() {
            let tags = edit.add_tags.clone();
            let tagged = lms.update_learner(id.clone(), move |draft| draft.tags.extend(tags));
            tagged.run(call.mode).await?;
        }
        for course in courses {
            let enrolment = types::AddEnrolment::builder(course, id.clone());
            if !lms
                .ensure_enrolment(enrolment)
                .run(call.mode)
                .await?
                .is_new()
            {
                edit.enrolled.remove(course);
            }
        }
    }
    ensure::applied(call, &learner, edit)
}
