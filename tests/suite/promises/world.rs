//! A tenant, its content, and the difference from its previous content.

use std::collections::{BTreeMap, BTreeSet};

use lms_ext::prelude::*;
use lms_sandbox::{FaultPlan, json};
use serde_json::{Map, Value};

use super::bridge::Bridge;

pub const LEARNERS: usize = 7;
pub const COURSES: usize = 3;

/// The ids of the existing objects. All learners but the first are enrolled in all courses but the first.
#[derive(Debug)]
pub struct World {
    pub learners: Vec<String>,
    pub courses: Vec<String>,
    pub topics: Vec<String>,
    pub tags: Vec<String>,
    pub user_field: String,
    /// The address of a learner.
    pub email: String,
    /// Ids that only reads need, by their paths; see `reads::other_ids`.
    pub other_ids: BTreeMap<&'static str, String>,
    pub bridge: Bridge,
    /// A client that no fault has affected.
    pub direct: Lms,
}

pub fn email(learner: usize) -> String {
    format!("l{learner}@x.example")
}

impl World {
    pub async fn create(bridge: &Bridge, direct: Lms) -> Self {
        let seed = bridge.sandbox().seed();
        let learner = |number: usize| {
            json!({
                "firstname": "Sam", "surname": "Old", "email": email(number), "tags": ["a"], "phone_number": "1",
                "sso_id": format!("s{number}"),
            })
        };
        let tags = ["a", "b", "c"].map(str::to_owned).to_vec();
        for tag in &tags {
            seed.add_tag(tag, None).unwrap();
        }
        let courses: Vec<_> = (0..COURSES)
            .map(|number| seed.add_course(&format!("C{number}")).unwrap())
            .collect();
        let learners: Vec<_> = (0..LEARNERS)
            .map(|number| seed.add_learner(&learner(number)).unwrap())
            .collect();
        let topic = |course: &String| json!({ "course": course, "name": "T" });
        let topics = courses
            .iter()
            .map(|course| seed.add_topic(&topic(course)).unwrap())
            .collect();
        let user_field = seed.add_user_field(&json!({ "name": "Site" })).unwrap();
        for course in &courses[1..] {
            for learner in &learners[1..] {
                seed.enrol(learner, course).unwrap();
            }
        }
        Self {
            learners,
            courses,
            topics,
            tags,
            user_field,
            email: email(2),
            other_ids: BTreeMap::new(),
            bridge: bridge.clone(),
            direct,
        }
    }

    /// Removes all faults, and returns a client that no fault has affected.
    pub fn undisturbed(&self) -> &Lms {
        self.bridge.disturb(FaultPlan::default());
        &self.direct
    }

    /// The name of an enrolment in a [`State`].
    pub fn enrolment(&self, learner: usize, course: usize) -> String {
        format!(
            "enrolment {} {}",
            self.learners[learner], self.courses[course]
        )
    }

    /// The enrolments of a course, as they are listed.
    pub fn users_of(&self, course: usize) -> &[String] {
        match course {
            0 => &[],
            _ => &self.learners[1..],
        }
    }
}

/// All objects by kind and name, with their fields; several with one name are duplicates.
#[derive(Debug)]
pub struct State(BTreeMap<String, Vec<Map<String, Value>>>);

/// Fields that the service maintains. Fields that it added to a response begin with `x_`, and an edit sends them back.
const MAINTAINED: [&str; 4] = ["updated", "modified", "user_version", "last_logged_in"];

impl State {
    pub async fn read(lms: &Lms) -> Self {
        let mut state = Self(BTreeMap::new());
        let learners = lms.list_learners().items_as().collect_all().await;
        state.add("learner", &["email"], learners.unwrap());
        let courses = lms.list_courses().items_as().collect_all().await;
        state.add("course", &["name"], courses.unwrap());
        let enrolments = lms.list_enrolments().items_as().collect_all().await;
        state.add("enrolment", &["user", "course"], enrolments.unwrap());
        state
    }

    fn add(&mut self, kind: &str, key: &[&str], objects: Vec<Map<String, Value>>) {
        for object in objects {
            let parts = key.iter().map(|name| object[*name].as_str().unwrap());
            let name = [kind]
                .into_iter()
                .chain(parts)
                .collect::<Vec<_>>()
                .join(" ");
            self.0.entry(name).or_default().push(object);
        }
    }

    /// The differences of the later state: `+course C9`, `-course C9`, `course C9: name`.
    pub fn changes(&self, later: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        for name in self.0.keys().chain(later.0.keys()).collect::<BTreeSet<_>>() {
            let of = |state: &Self| state.0.get(name).cloned().unwrap_or_default();
            let (before, after) = (of(self), of(later));
            let (less, more) = (before.len(), after.len());
            changes.extend((less..more).map(|_| format!("+{name}")));
            changes.extend((more..less).map(|_| format!("-{name}")));
            for (before, after) in before.iter().zip(&after) {
                let fields: BTreeSet<_> = before.keys().chain(after.keys()).collect();
                let changed = fields.into_iter().filter(|field| {
                    !MAINTAINED.contains(&field.as_str())
                        && !field.starts_with("x_")
                        && before.get(*field) != after.get(*field)
                });
                changes.extend(changed.map(|field| format!("{name}: {field}")));
            }
        }
        changes
    }
}
