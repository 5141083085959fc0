//! One task of the load.

use std::{collections::BTreeSet, time::Duration};

use lms_ext::{CourseCopy, EnrolmentScope, ErrorKind, Polling, Unenrolled, prelude::*};

use super::{
    account::Account,
    patience::{Failed, PATIENCE},
};

/// One round in this many copies a course.
const COPIES: usize = 4;
/// At first, one of this many learners and copies is kept; later none, so that the tenant stops growing.
const STAYS: usize = 8;
const AT_FIRST: usize = 512;

pub(super) struct Task {
    pub(super) lms: Lms,
    pub(super) number: usize,
    /// The course that it copies.
    pub(super) course: String,
    /// The tag of its learners.
    pub(super) tag: String,
    /// Ids of the learners who always have that tag and are enrolled in that course.
    pub(super) class: BTreeSet<String>,
    pub(super) account: Account,
}

impl Task {
    async fn learner(&mut self, email: &str) -> Option<types::Learner> {
        self.answer(async |lms| lms.get_learner_by_email().email(email).call().await)
            .await
    }

    /// Adds a learner and returns the id.
    async fn add(&mut self, email: &str) -> String {
        let tag = self.tag.clone();
        let learner = self
            .once(
                async |lms| {
                    let body = types::AddLearner::builder()
                        .firstname("Sam")
                        .surname("New")
                        .email(email)
                        .generate_password(true)
                        .tags(vec![tag.clone()]);
                    lms.add_learner().body(body).call().await
                },
                async |task| task.learner(email).await,
            )
            .await;
        self.account
            .learners
            .insert(email.to_owned(), "New".to_owned());
        learner.id.unwrap()
    }

    /// Replaces a learner by one with another surname and no tags.
    async fn rename(&mut self, id: &str, email: &str, surname: &str) {
        let learner = self
            .answer(async |lms| {
                let body = types::EditLearner::builder()
                    .firstname("Sam")
                    .surname(surname)
                    .email(email);
                lms.edit_learner().id(id).body(body).call().await
            })
            .await
            .expect("the learner is there");
        assert_eq!(learner.surname.as_deref(), Some(surname));
        self.account
            .learners
            .insert(email.to_owned(), surname.to_owned());
    }

    async fn delete(&mut self, id: &str, email: &str) {
        self.once(
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

    /// Checks that the learners with the tag are the class and `others`, each once, even when pages drift.
    async fn check_tag(&mut self, others: &[&str]) {
        let tag = self.tag.clone();
        let rows = self
            .walk(
                |lms| {
                    let list = lms.list_learners().tags(vec![tag.clone()]);
                    list.limit(Int64::new(5)).items().dedup()
                },
                Failed::GoOn,
            )
            .await;
        self.check_class(rows.into_iter().map(|learner| learner.id.unwrap()), others);
    }

    /// Checks that the learners in a course are the class and `others`, each once.
    async fn check_course(&mut self, course: &str, others: &[&str]) {
        let rows = self
            .walk(
                |lms| {
                    let list = lms.list_enrolments().course(course);
                    list.limit(Int64::new(5)).items()
                },
                Failed::TakeUp,
            )
            .await;
        self.check_class(
            rows.into_iter().map(|enrolment| enrolment.user.unwrap()),
            others,
        );
    }

    fn check_class(&self, rows: impl Iterator<Item = String>, others: &[&str]) {
        let mut found = BTreeSet::new();
        for row in rows {
            assert!(found.insert(row.clone()), "{row} twice in a walk");
        }
        let mut expected = self.class.clone();
        expected.extend(others.iter().map(|&id| id.to_owned()));
        assert_eq!(found, expected);
    }

    async fn enrolment(&mut self, user: &str) -> Option<types::Enrolment> {
        let course = self.course.clone();
        let mut rows = self
            .walk(
                |lms| lms.list_enrolments().user(user).course(&course).items(),
                Failed::GoOn,
            )
            .await;
        assert!(rows.len() < 2, "{rows:?}");
        rows.pop()
    }

    async fn enrol(&mut self, user: &str) {
        let course = self.course.clone();
        let enrolment = self
            .once(
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
        let ended = self
            .once(
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
        assert_ne!(ended, Unenrolled::NoneFound);
    }

    /// Returns the ids of all courses with this name.
    async fn courses_named(&mut self, name: &str) -> Vec<String> {
        let courses = self
            .walk(|lms| lms.list_courses().items(), Failed::TakeUp)
            .await;
        courses
            .into_iter()
            .filter(|course| course.name.as_deref() == Some(name))
            .map(|course| course.id.unwrap())
            .collect()
    }

    /// Copies this task's course with its enrolments, and returns the id of the copy.
    async fn copy(&mut self, name: &str) -> String {
        let often =
            Polling::default().interval(Duration::from_millis(5), Duration::from_millis(50));
        for _ in 0..PATIENCE {
            self.account.calls += 1;
            let begun = self
                .lms
                .duplicate_course(&self.course, |copy| copy.name(name).copy_enrolments())
                .await;
            let copy = match begun {
                Ok(copy) => copy.polling(often.clone()),
                Err(error) => {
                    self.next(&error);
                    self.account.doubtful += usize::from(error.is_ambiguous());
                    // A copy in the sandbox advances only when it is polled, and the task of this one is unknown.
                    assert_eq!(self.courses_named(name).await, [""; 0], "{error:#}");
                    continue;
                }
            };
            self.account.begun += 1;
            if let Some(course) = self.finished(&copy).await {
                let id = course.id.unwrap();
                assert_eq!(self.courses_named(name).await, [id.as_str()]);
                self.account.courses.insert(name.to_owned(), id.clone());
                return id;
            }
            self.account.lost += 1;
            assert_eq!(self.courses_named(name).await, [""; 0], "it is lost");
        }
        panic!("{PATIENCE} copies failed");
    }

    /// Waits for a copy; `None` when its task failed.
    async fn finished(&mut self, copy: &CourseCopy) -> Option<types::Course> {
        for _ in 0..PATIENCE {
            self.account.calls += 1;
            match copy.wait().await {
                Ok(course) => return Some(course),
                Err(error) if error.kind() == ErrorKind::TaskFailed => return None,
                Err(error) => {
                    self.next(&error);
                }
            }
        }
        panic!("waiting for a copy failed {PATIENCE} times");
    }

    async fn delete_course(&mut self, id: &str, name: &str) {
        self.once(
            async |lms| lms.delete_course().id(id).call().await,
            async |task| {
                let left = task
                    .answer(async |lms| lms.get_course().id(id).call().await)
                    .await;
                left.is_none().then_some(())
            },
        )
        .await;
        self.account.courses.remove(name);
    }

    pub(super) async fn run(mut self, rounds: usize, tasks: usize) -> Account {
        for (turn, round) in (self.number..rounds).step_by(tasks).enumerate() {
            let stays = round % STAYS == 0 && round < AT_FIRST;
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
            if turn % COPIES == self.number % COPIES {
                let name = format!("Copy {round}");
                let copy = self.copy(&name).await;
                self.check_course(&copy, &[&id]).await;
                if stays {
                    let users = self.class.iter().chain([&id]).cloned();
                    let rows = users.map(|user| (user, copy.clone()));
                    self.account.enrolments.extend(rows);
                } else {
                    self.delete_course(&copy, &name).await;
                }
            }
            self.unenrol(&id).await;
            if !stays {
                self.delete(&id, &email).await;
            }
        }
        self.check_tag(&[]).await;
        self.account
    }
}
