//! The state of a tenant in maps, and the rules of its changes.

use std::collections::{BTreeMap, BTreeSet};

use lms_ext::{ErrorKind, prelude::*};

/// The fields of a learner that the model has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learner {
    pub surname: String,
    pub email: String,
    pub username: Option<String>,
    pub phone_number: Option<String>,
    pub notes: Option<String>,
    pub tags: BTreeSet<String>,
}

impl From<types::Learner> for Learner {
    fn from(learner: types::Learner) -> Self {
        assert_eq!(learner.firstname.as_deref(), Some("Sam"));
        assert_eq!(learner.password, None);
        let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
        Self {
            surname: learner.surname.unwrap(),
            email: learner.email.unwrap(),
            username: filled(learner.username),
            phone_number: filled(learner.phone_number),
            notes: filled(learner.notes),
            tags: learner.tags.into_iter().collect(),
        }
    }
}

/// The fields of a course that the model has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    pub name: String,
    pub archived: bool,
    pub published: bool,
}

impl From<types::Course> for Course {
    fn from(course: types::Course) -> Self {
        Self {
            name: course.name.unwrap(),
            archived: course.archived.unwrap(),
            published: course.published.unwrap(),
        }
    }
}

/// The items of all lists, in their order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Lists {
    pub learners: Vec<Learner>,
    pub courses: Vec<Course>,
    pub enrolments: Vec<(String, String)>,
    pub tags: BTreeSet<String>,
}

/// A tenant in maps.
///
/// Learners and courses are numbered in the order in which they were added, even after they are deleted, since steps are
/// generated before the ids are known. The ids are added from the responses.
#[derive(Debug, Default)]
pub struct State {
    pub learners: BTreeMap<usize, Learner>,
    pub courses: BTreeMap<usize, Course>,
    /// Learner and course, oldest first.
    pub enrolments: Vec<(usize, usize)>,
    pub tags: BTreeSet<String>,
    pub learner_ids: Vec<String>,
    pub course_ids: Vec<String>,
}

/// The result of a step. An error has changed nothing.
pub type Outcome<T> = Result<T, ErrorKind>;

impl State {
    /// The id of a learner, or an unknown id if there are fewer learners.
    pub fn learner_id(&self, number: usize) -> String {
        self.learner_ids
            .get(number)
            .cloned()
            .unwrap_or_else(|| "l999".into())
    }

    pub fn course_id(&self, number: usize) -> String {
        self.course_ids
            .get(number)
            .cloned()
            .unwrap_or_else(|| "c999".into())
    }

    /// Rejects the email or username of another learner, ignoring case.
    fn check_free(&self, own: Option<usize>, learner: &Learner) -> Outcome<()> {
        let username = |learner: &Learner| {
            learner
                .username
                .as_ref()
                .map(|name| name.to_ascii_lowercase())
        };
        let taken = self.learners.iter().any(|(number, other)| {
            Some(*number) != own
                && (other.email.eq_ignore_ascii_case(&learner.email)
                    || (learner.username.is_some() && username(other) == username(learner)))
        });
        (!taken).then_some(()).ok_or(ErrorKind::Conflict)
    }

    pub fn add_learner(&mut self, learner: Learner, course: Option<usize>) -> Outcome<Learner> {
        self.check_free(None, &learner)?;
        if course.is_some_and(|course| !self.courses.contains_key(&course)) {
            return Err(ErrorKind::Rejected);
        }
        let number = self.learner_ids.len();
        self.tags.extend(learner.tags.iter().cloned());
        self.enrolments
            .extend(course.map(|course| (number, course)));
        self.learners.insert(number, learner.clone());
        Ok(learner)
    }

    pub fn put_learner(&mut self, number: usize, learner: Learner) -> Outcome<Learner> {
        self.learner(number)?;
        self.check_free(Some(number), &learner)?;
        self.tags.extend(learner.tags.iter().cloned());
        self.learners.insert(number, learner.clone());
        Ok(learner)
    }

    pub fn learner(&self, number: usize) -> Outcome<Learner> {
        self.learners
            .get(&number)
            .cloned()
            .ok_or(ErrorKind::NotFound)
    }

    pub fn learner_by_email(&self, email: &str) -> Outcome<Learner> {
        self.learners
            .values()
            .find(|learner| learner.email.eq_ignore_ascii_case(email))
            .cloned()
            .ok_or(ErrorKind::NotFound)
    }

    pub fn delete_learner(&mut self, number: usize) -> Outcome<()> {
        self.learners.remove(&number).ok_or(ErrorKind::NotFound)?;
        self.enrolments.retain(|(learner, _)| *learner != number);
        Ok(())
    }

    pub fn course(&self, number: usize) -> Outcome<Course> {
        self.courses
            .get(&number)
            .cloned()
            .ok_or(ErrorKind::NotFound)
    }

    pub fn put_course(&mut self, number: usize, course: Course) -> Outcome<Course> {
        self.course(number)?;
        self.courses.insert(number, course.clone());
        Ok(course)
    }

    pub fn delete_course(&mut self, number: usize) -> Outcome<()> {
        self.courses.remove(&number).ok_or(ErrorKind::NotFound)?;
        self.enrolments.retain(|(_, course)| *course != number);
        Ok(())
    }

    pub fn enrol(&mut self, learner: usize, course: usize) -> Outcome<()> {
        if !self.learners.contains_key(&learner) || !self.courses.contains_key(&course) {
            return Err(ErrorKind::Rejected);
        }
        if self.enrolments.contains(&(learner, course)) {
            return Err(ErrorKind::Conflict);
        }
        self.enrolments.push((learner, course));
        Ok(())
    }

    /// Removes the matching enrolments, and returns whether there were any.
    pub fn unenrol(&mut self, learner: Option<usize>, course: Option<usize>) -> bool {
        let before = self.enrolments.len();
        self.enrolments.retain(|(one, other)| {
            learner.is_some_and(|learner| learner != *one)
                || course.is_some_and(|course| course != *other)
        });
        self.enrolments.len() < before
    }

    pub fn pair(&self, (learner, course): (usize, usize)) -> (String, String) {
        (self.learner_id(learner), self.course_id(course))
    }

    pub fn lists(&self) -> Lists {
        Lists {
            learners: self.learners.values().cloned().collect(),
            courses: self.courses.values().cloned().collect(),
            enrolments: self
                .enrolments
                .iter()
                .map(|pair| self.pair(*pair))
                .collect(),
            tags: self.tags.clone(),
        }
    }
}

pub fn pair(enrolment: types::Enrolment) -> (String, String) {
    (
        enrolment.user.unwrap().into_string(),
        enrolment.course.unwrap().into_string(),
    )
}

/// Reads all lists of a tenant.
pub async fn lists_of(lms: &Lms) -> Lists {
    let learners = lms.list_learners().limit(3).collect_all().await.unwrap();
    let courses = lms.list_courses().limit(2).collect_all().await.unwrap();
    let enrolments = lms.list_enrolments().limit(3).collect_all().await.unwrap();
    let tags = lms.list_tags().collect_all().await.unwrap();
    Lists {
        learners: learners.into_iter().map(Learner::from).collect(),
        courses: courses.into_iter().map(Course::from).collect(),
        enrolments: enrolments.into_iter().map(pair).collect(),
        tags: tags.into_iter().map(|tag| tag.name).collect(),
    }
}
