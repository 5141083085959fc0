//! One task of the load.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use lms_ext::{CourseCopy, EnrolmentScope, ErrorKind, Polling, Unenrolled, prelude::*};

use super::{
    account::Account,
    retry::{MAX_ATTEMPTS, Resume},
};

/// One round in this many copies a course.
const COPY_ONE_IN: usize = 4;
/// One of this many learners and copies is kept until this round; later none, so that the tenant stops growing.
const KEPT_ONE_IN: usize = 8;
const KEPT_UNTIL: usize = 512;

pub(super) struct Task {
    pub(super) lms: Lms,
    pub(super) number: usize,
    /// The course that it copies and enrols in.
    pub(super) course: String,
    /// The tag of its learners.
    pub(super) tag: String,
    /// Ids of the learners who always have that tag and are enrolled in that course.
    pub(super) class: BTreeSet<String>,
    pub(super) account: Account,
}

impl Task {
    async fn learner(&mut self, email: &str) -> Option<types::Learner> {
        self.response(async |lms| lms.get_learner_by_email().email(email).call().await)
            .await
    }

    /// Adds a learner and returns the id.
    async fn add(&mut self, email: &str) -> String {
        let tag = self.tag.clone();
        let learner = self
            .apply_once(
                async |lms| {
                    let body = types::AddLearner::builder()
                        .firstname("Sam")
                        .surname("New")
                        .email(email)
                        .generate_password(true)
                        .tags(&tag);
                    lms.add_learner().body(body).call().await
                },
                async |task| task.learner(email).await,
            )
            .await;
        self.account
            .learners
            .insert(email.to_owned(), "New".to_owned());
        learner.id.unwrap().into_string()
    }

    /// Replaces a learner by one with another surname and no tags.
    async fn rename(&mut self, id: &str, email: &str, surname: &str) {
        let learner = self
            .response(async |lms| {
                let body = types::EditLearner::builder()
                    .firstname("Sam")
                    .surname(surname)
                    .email(email);
                lms.edit_learner().id(id).body(body).call().await
            })
            .await
            .expect("the learner exists");
        assert_eq!(learner.surname.as_deref(), Some(surname));
        self.account
            .learners
            .insert(email.to_owned(), surname.to_owned());
    }

    async fn delete(&mut self, id: &str, email: &str) {
        self.apply_once(
            async |lms| lms.delete_learner().id(id).call().await,
            async |task| task.learner(email).await.is_none().then_some(()),
        )
        .await;
        self.account.learners.remove(email);
        assert_eq!(
            self.learner(email).await.and_then(|learner| learner.id),
            None
        );
    }

    /// Checks that the learners with the tag are exactly the class and `others`, even when items move between pages.
    async fn check_tag(&mut self, others: &[&str]) {
        let tag = self.tag.clone();
        let items = self
            .walk(
                |lms| {
                    let list = lms.list_learners().tags(&tag);
                    list.limit(Int64::new(5)).items().dedup()
                },
                Resume::SameWalk,
            )
            .await;
        let found = items.into_iter().map(|learner| learner.id.unwrap());
        self.check_learners(found.map(String::from), others);
    }

    /// Checks that the learners in a course are exactly the class and `others`.
    async fn check_course(&mut self, course: &str, others: &[&str]) {
        let items = self
            .walk(
                |lms| {
                    let list = lms.list_enrolments().course(course);
                    list.limit(Int64::new(5)).items()
                },
                Resume::Checkpoint,
            )
            .await;
        let found = items.into_iter().map(|enrolment| enrolment.user.unwrap());
        self.check_learners(found.map(String::from), others);
    }

    fn check_learners(&self, items: impl Iterator<Item = String>, others: &[&str]) {
        let mut found = BTreeSet::new();
        for id in items {
            assert!(found.insert(id.clone()), "{id} is listed twice");
        }
        let mut expected = self.class.clone();
        expected.extend(others.iter().map(|&id| id.to_owned()));
        assert_eq!(found, expected);
    }

    async fn enrolment(&mut self, user: &str) -> Option<types::Enrolment> {
        let course = self.course.clone();
        let mut items = self
            .walk(
                |lms| lms.list_enrolments().user(user).course(&course).items(),
                Resume::SameWalk,
            )
            .await;
        assert!(items.len() < 2, "{items:?}");
        items.pop()
    }

    async fn enrol(&mut self, user: &str) {
        let course = self.course.clone();
        let enrolment = self
            .apply_once(
                async |lms| {
                    let body = types::AddEnrolment::builder().user(user).course(&course);
                    lms.add_enrolment().body(body).call().await
                },
                async |task| task.enrolment(user).await,
            )
            .await;
        assert_eq!(enrolment.user.as_deref(), Some(user));
    }

    async fn unenrol(&mut self, user: &str) {
        let course = self.course.clone();
        let unenrolled = self
            .apply_once(
                async |lms| {
                    lms.unenrol(EnrolmentScope::learner_in_course(user, &course))
                        .await
                },
                async |task| {
                    let left = task.enrolment(user).await;
                    left.is_none().then_some(Unenrolled::Removed)
                },
            )
            .await;
        assert_ne!(unenrolled, Unenrolled::NoneFound);
    }

    /// Returns the ids of all courses with this name.
    async fn courses_named(&mut self, name: &str) -> Vec<String> {
        let courses = self
            .walk(|lms| lms.list_courses().items(), Resume::Checkpoint)
            .await;
        courses
            .into_iter()
            .filter(|course| course.name.as_deref() == Some(name))
            .map(|course| course.id.unwrap().into_string())
            .collect()
    }

    /// Copies this task's course with its enrolments, and returns the id and the name of the copy.
    async fn copy(&mut self, name: &str) -> (String, String) {
        let polling =
            Polling::default().interval(Duration::from_millis(5), Duration::from_millis(50));
        for attempt in 0..MAX_ATTEMPTS {
            // Its own, because an ambiguous copy may appear later.
            let name = &format!("{name}, attempt {attempt}");
            self.account.calls += 1;
            let result = self
                .lms
                .duplicate_course(&self.course, |copy| copy.name(name).copy_enrolments())
                .await;
            let copy = match result {
                Ok(copy) => copy.polling(polling.clone()),
                Err(error) => {
                    self.next(&error);
                    if error.is_ambiguous() {
                        self.account.ambiguous.insert(name.clone());
                    }
                    continue;
                }
            };
            self.account.started += 1;
            if let Some(course) = self.finished(&copy).await {
                let id = course.id.unwrap().into_string();
                assert_eq!(self.courses_named(name).await, [id.as_str()]);
                self.account.courses.insert(name.to_owned(), id.clone());
                return (id, name.clone());
            }
            self.account.lost += 1;
            assert_eq!(
                self.courses_named(name).await,
                [""; 0],
                "a failed copy exists"
            );
        }
        panic!("{MAX_ATTEMPTS} copies failed");
    }

    /// Waits for a copy; `None` when its task failed.
    async fn finished(&mut self, copy: &CourseCopy) -> Option<types::Course> {
        for _ in 0..MAX_ATTEMPTS {
            self.account.calls += 1;
            match copy.wait().await {
                Ok(course) => return Some(course),
                Err(error) if error.kind() == ErrorKind::TaskFailed => return None,
                Err(error) => {
                    self.next(&error);
                }
            }
        }
        panic!("waiting for a copy failed {MAX_ATTEMPTS} times");
    }

    async fn delete_course(&mut self, id: &str, name: &str) {
        self.apply_once(
            async |lms| lms.delete_course().id(id).call().await,
            async |task| {
                let left = task
                    .response(async |lms| lms.get_course().id(id).call().await)
                    .await;
                left.is_none().then_some(())
            },
        )
        .await;
        self.account.courses.remove(name);
    }

    /// Runs every round of this task, and counts them in `finished`.
    pub(super) async fn run(
        mut self,
        rounds: usize,
        tasks: usize,
        finished: &AtomicUsize,
    ) -> Account {
        for (index, round) in (self.number..rounds).step_by(tasks).enumerate() {
            let kept = round % KEPT_ONE_IN == 0 && round < KEPT_UNTIL;
            let email = format!("soak-{round}@acme.example");
            let id = self.add(&email).await;
            self.check_tag(&[&id]).await;
            self.rename(&id, &email, &format!("First {round}")).await;
            self.enrol(&id).await;
            self.check_course(&self.course.clone(), &[&id]).await;
            self.rename(&id, &email, &format!("Second {round}")).await;
            let found = self.learner(&email).await.unwrap();
            assert_eq!(found.id.as_deref(), Some(id.as_str()));
            assert_eq!(found.surname, Some(format!("Second {round}")));
            if index % COPY_ONE_IN == self.number % COPY_ONE_IN {
                let name = format!("Copy {round}");
                let (copy, name) = self.copy(&name).await;
                self.check_course(&copy, &[&id]).await;
                if kept {
                    let users = self.class.iter().chain([&id]).cloned();
                    let items = users.map(|user| (user, copy.clone()));
                    self.account.enrolments.extend(items);
                } else {
                    self.delete_course(&copy, &name).await;
                }
            }
            self.unenrol(&id).await;
            if !kept {
                self.delete(&id, &email).await;
            }
            finished.fetch_add(1, Ordering::Relaxed);
        }
        self.check_tag(&[]).await;
        self.account
    }
}
