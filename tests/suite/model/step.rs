//! One call, to the sandbox and to the model.

use std::collections::BTreeSet;

use lms_ext::{Error, ErrorKind, Unenrolled, prelude::*};
use proptest::{
    collection::vec,
    option,
    prelude::*,
    sample::{select, subsequence},
};

use super::state::{Course, Learner, Outcome, State, pair};

/// One call. Learners and courses are numbered in the order in which they were added.
#[derive(Clone, Debug)]
pub enum Step {
    AddLearner {
        learner: Learner,
        course: Option<usize>,
    },
    /// A plain `PUT`, which clears the fields that it leaves out.
    ReplaceLearner {
        number: usize,
        with: Learner,
    },
    EditLearner {
        number: usize,
        change: Change,
    },
    GetLearnerByEmail(&'static str),
    DeleteLearner(usize),
    AddCourse(Course),
    EditCourse {
        number: usize,
        change: Change,
    },
    DeleteCourse(usize),
    Enrol {
        learner: usize,
        course: usize,
    },
    EnsureEnrolled {
        learner: usize,
        course: usize,
    },
    Unenrol {
        learner: Option<usize>,
        course: Option<usize>,
    },
    ListLearners {
        tags: BTreeSet<String>,
        email: Option<&'static str>,
        username: Option<&'static str>,
        limit: i64,
        descending: bool,
    },
    ListCourses {
        archived: Option<bool>,
        published: Option<bool>,
        limit: i64,
    },
    ListEnrolments {
        learner: Option<usize>,
        course: Option<usize>,
        limit: i64,
    },
}

/// A change of one field, of a learner or of a course.
#[derive(Clone, Debug)]
pub enum Change {
    None,
    /// The surname, or the name.
    Name(&'static str),
    Email(&'static str),
    Phone(Option<&'static str>),
    Notes(&'static str),
    AddTag(&'static str),
    NoTags,
    Password,
    Archived(bool),
    Published(bool),
}

/// The result of a step.
#[derive(Debug, PartialEq, Eq)]
pub enum Seen {
    Nothing,
    Learner(Learner),
    Course(Course),
    Learners(Vec<Learner>),
    Courses(Vec<Course>),
    Enrolments(Vec<(String, String)>),
    /// `true` if anything changed.
    Done(bool),
}

const EMAILS: [&str; 5] = [
    "a@x.example",
    "b@x.example",
    "c@x.example",
    "A@x.example",
    "B@X.EXAMPLE",
];
const USERNAMES: [&str; 3] = ["ann", "ben", "ANN"];
const NAMES: [&str; 3] = ["Jones", "Ürün", "O'Neil"];
const TAGS: [&str; 3] = ["emea", "new hire", "a&b"];

fn tags() -> impl Strategy<Value = BTreeSet<String>> {
    proptest::collection::btree_set(select(&TAGS[..]).prop_map(String::from), 0..3)
}

fn learner() -> impl Strategy<Value = Learner> {
    (
        select(&NAMES[..]),
        select(&EMAILS[..]),
        option::of(select(&USERNAMES[..])),
        option::of(Just("555")),
        tags(),
    )
        .prop_map(|(surname, email, username, phone, tags)| Learner {
            surname: surname.into(),
            email: email.into(),
            username: username.map(String::from),
            phone_number: phone.map(String::from),
            notes: None,
            tags,
        })
}

fn course() -> impl Strategy<Value = Course> {
    (select(&NAMES[..]), any::<bool>(), any::<bool>()).prop_map(|(name, archived, published)| {
        Course {
            name: name.into(),
            archived,
            published,
        }
    })
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        Just(Change::None),
        select(&NAMES[..]).prop_map(Change::Name),
        select(&EMAILS[..]).prop_map(Change::Email),
        option::of(Just("777")).prop_map(Change::Phone),
        select(&["", "likes ladders"][..]).prop_map(Change::Notes),
        select(&TAGS[..]).prop_map(Change::AddTag),
        Just(Change::NoTags),
        Just(Change::Password),
    ]
}

fn course_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        Just(Change::None),
        select(&NAMES[..]).prop_map(Change::Name),
        any::<bool>().prop_map(Change::Archived),
        any::<bool>().prop_map(Change::Published),
    ]
}

/// Steps that populate a small tenant, or some of them.
fn populated() -> impl Strategy<Value = Vec<Step>> {
    let learners = EMAILS[..3].iter().map(|email| Step::AddLearner {
        learner: Learner {
            surname: "Smith".into(),
            email: (*email).into(),
            tags: [TAGS[0].to_owned()].into(),
            ..Learner::default()
        },
        course: None,
    });
    let courses = NAMES[..2].iter().map(|name| {
        Step::AddCourse(Course {
            name: (*name).into(),
            ..Course::default()
        })
    });
    let enrolments =
        [(0, 0), (1, 0), (2, 1), (1, 1)].map(|(learner, course)| Step::Enrol { learner, course });
    // Fields that only an edit can set, and that a later edit must keep.
    let edits = [
        Change::Notes("likes ladders"),
        Change::Phone(Some("777")),
        Change::AddTag(TAGS[1]),
    ]
    .map(|change| Step::EditLearner { number: 0, change });
    let all: Vec<_> = learners
        .chain(courses)
        .chain(enrolments)
        .chain(edits)
        .collect();
    subsequence(all.clone(), 0..=all.len())
}

/// Random steps, of which more add than remove.
pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let number = || 0..4_usize;
    let limit = || 1..5_i64;
    let step = prop_oneof![
        5 => (learner(), option::weighted(0.3, number())).prop_map(|(learner, course)| Step::AddLearner { learner, course }),
        2 => (number(), learner()).prop_map(|(number, with)| Step::ReplaceLearner { number, with }),
        4 => (number(), change()).prop_map(|(number, change)| Step::EditLearner { number, change }),
        1 => select(&EMAILS[..]).prop_map(Step::GetLearnerByEmail),
        1 => number().prop_map(Step::DeleteLearner),
        4 => course().prop_map(Step::AddCourse),
        2 => (number(), course_change()).prop_map(|(number, change)| Step::EditCourse { number, change }),
        1 => number().prop_map(Step::DeleteCourse),
        5 => (number(), number()).prop_map(|(learner, course)| Step::Enrol { learner, course }),
        2 => (number(), number()).prop_map(|(learner, course)| Step::EnsureEnrolled { learner, course }),
        2 => (number(), option::of(number())).prop_map(|(learner, course)| Step::Unenrol { learner: Some(learner), course }),
        1 => number().prop_map(|course| Step::Unenrol { learner: None, course: Some(course) }),
        3 => (tags(), option::weighted(0.3, select(&EMAILS[..])), option::weighted(0.3, select(&USERNAMES[..])), limit(), any::<bool>())
            .prop_map(|(tags, email, username, limit, descending)| Step::ListLearners { tags, email, username, limit, descending }),
        1 => (option::of(any::<bool>()), option::of(any::<bool>()), limit())
            .prop_map(|(archived, published, limit)| Step::ListCourses { archived, published, limit }),
        3 => (option::of(number()), option::of(number()), limit())
            .prop_map(|(learner, course, limit)| Step::ListEnrolments { learner, course, limit }),
    ];
    (populated(), vec(step, 1..24)).prop_map(|(mut steps, more)| {
        steps.extend(more);
        steps
    })
}

impl Change {
    fn to_learner(&self, learner: &mut Learner) {
        match self {
            Self::Name(name) => learner.surname = (*name).into(),
            Self::Email(email) => learner.email = (*email).into(),
            Self::Phone(phone) => learner.phone_number = phone.map(String::from),
            Self::Notes(notes) => {
                learner.notes = Some((*notes).to_owned()).filter(|notes| !notes.is_empty());
            }
            Self::AddTag(tag) => {
                learner.tags.insert((*tag).into());
            }
            Self::NoTags => learner.tags.clear(),
            Self::None | Self::Password | Self::Archived(_) | Self::Published(_) => {}
        }
    }

    fn to_edit(&self, edit: &mut types::EditLearner) {
        match self {
            Self::Name(name) => edit.surname = (*name).into(),
            Self::Email(email) => edit.email = (*email).into(),
            Self::Phone(phone) => edit.phone_number = phone.map(String::from),
            Self::Notes(notes) => edit.notes = Some((*notes).into()),
            Self::AddTag(tag) => edit.tags.push((*tag).into()),
            Self::NoTags => edit.tags.clear(),
            Self::Password => edit.password = Some("a new one".into()),
            Self::None | Self::Archived(_) | Self::Published(_) => {}
        }
    }
}

impl Step {
    /// Runs the step in the model.
    #[expect(clippy::too_many_lines, reason = "an arm for each operation")]
    pub fn run_in_model(&self, state: &mut State) -> Outcome<Seen> {
        Ok(match self.clone() {
            Self::AddLearner { learner, course } => {
                Seen::Learner(state.add_learner(learner, course)?)
            }
            Self::ReplaceLearner { number, with } => {
                Seen::Learner(state.put_learner(number, with)?)
            }
            Self::EditLearner { number, change } => {
                let mut learner = state.learner(number)?;
                change.to_learner(&mut learner);
                Seen::Learner(state.put_learner(number, learner)?)
            }
            Self::GetLearnerByEmail(email) => Seen::Learner(state.learner_by_email(email)?),
            Self::DeleteLearner(number) => {
                state.delete_learner(number)?;
                Seen::Nothing
            }
            Self::AddCourse(course) => {
                state.courses.insert(state.course_ids.len(), course.clone());
                Seen::Course(course)
            }
            Self::EditCourse { number, change } => {
                let mut course = state.course(number)?;
                match change {
                    Change::Name(name) => course.name = name.into(),
                    Change::Archived(archived) => course.archived = archived,
                    Change::Published(published) => course.published = published,
                    _ => {}
                }
                Seen::Course(state.put_course(number, course)?)
            }
            Self::DeleteCourse(number) => {
                state.delete_course(number)?;
                Seen::Nothing
            }
            Self::Enrol { learner, course } => {
                state.enrol(learner, course)?;
                Seen::Nothing
            }
            Self::EnsureEnrolled { learner, course } => match state.enrol(learner, course) {
                Ok(()) => Seen::Done(true),
                Err(ErrorKind::Conflict) => Seen::Done(false),
                Err(other) => return Err(other),
            },
            Self::Unenrol { learner, course } => {
                let any = state.unenrol(learner, course);
                // With one filter, the response does not say whether anything was removed.
                Seen::Done(any || learner.is_none() || course.is_none())
            }
            Self::ListLearners {
                tags,
                email,
                username,
                descending,
                ..
            } => {
                let same = |found: Option<&str>, filter: Option<&str>| {
                    filter.is_none_or(|filter| {
                        found.is_some_and(|found| found.eq_ignore_ascii_case(filter))
                    })
                };
                let mut learners: Vec<_> = state
                    .learners
                    .values()
                    .filter(|learner| {
                        tags.is_subset(&learner.tags)
                            && same(Some(&learner.email), email)
                            && same(learner.username.as_deref(), username)
                    })
                    .cloned()
                    .collect();
                if descending {
                    learners.reverse();
                }
                Seen::Learners(learners)
            }
            Self::ListCourses {
                archived,
                published,
                ..
            } => {
                let courses = state.courses.values().filter(|course| {
                    archived.is_none_or(|archived| archived == course.archived)
                        && published.is_none_or(|published| published == course.published)
                });
                Seen::Courses(courses.cloned().collect())
            }
            Self::ListEnrolments {
                learner, course, ..
            } => {
                let enrolments = state.enrolments.iter().filter(|(one, other)| {
                    learner.is_none_or(|learner| learner == *one)
                        && course.is_none_or(|course| course == *other)
                });
                Seen::Enrolments(enrolments.map(|pair| state.pair(*pair)).collect())
            }
        })
    }

    /// Runs the step in the sandbox, and adds new ids to `state`.
    pub async fn run_in_sandbox(&self, lms: &Lms, state: &mut State) -> Outcome<Seen> {
        self.tried(lms, state).await.map_err(|error| {
            assert!(!error.is_ambiguous() && !error.is_retryable(), "{error:#}");
            error.kind()
        })
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each operation")]
    async fn tried(&self, lms: &Lms, state: &mut State) -> Result<Seen, Error> {
        let seen_learner = |learner: types::Learner| Seen::Learner(learner.into());
        Ok(match self.clone() {
            Self::AddLearner { learner, course } => {
                let courses: Vec<_> = course
                    .iter()
                    .map(|&course| state.course_id(course))
                    .collect();
                let added = lms
                    .add_learner("Sam", learner.surname, learner.email)
                    .username(learner.username)
                    .phone_number(learner.phone_number)
                    .tags(learner.tags)
                    .courses(courses)
                    .await?;
                state
                    .learner_ids
                    .push(added.id.clone().unwrap().into_string());
                seen_learner(added)
            }
            Self::ReplaceLearner { number, with } => {
                let body = types::EditLearner::builder("Sam", with.surname, with.email)
                    .username(with.username)
                    .phone_number(with.phone_number)
                    .tags(with.tags);
                let id = state.learner_id(number);
                seen_learner(lms.edit_learner(id, body).call().await?)
            }
            Self::EditLearner { number, change } => {
                let id = state.learner_id(number);
                let edited = lms
                    .update_learner(id, move |edit| change.to_edit(edit))
                    .await?;
                seen_learner(edited.into_inner())
            }
            Self::GetLearnerByEmail(email) => {
                seen_learner(lms.get_learner_by_email(email).call().await?)
            }
            Self::DeleteLearner(number) => {
                let id = state.learner_id(number);
                lms.delete_learner(id).call().await?;
                Seen::Nothing
            }
            Self::AddCourse(course) => {
                let added = lms
                    .add_course(course.name)
                    .archived(course.archived)
                    .published(course.published)
                    .await?;
                state
                    .course_ids
                    .push(added.id.clone().unwrap().into_string());
                Seen::Course(added.into())
            }
            Self::EditCourse { number, change } => {
                let id = state.course_id(number);
                let edited = lms
                    .update_course(id, move |course| match change {
                        Change::Name(name) => course.name = Some(name.into()),
                        Change::Archived(archived) => course.archived = Some(archived),
                        Change::Published(published) => course.published = Some(published),
                        _ => {}
                    })
                    .await?;
                Seen::Course(edited.into_inner().into())
            }
            Self::DeleteCourse(number) => {
                let id = state.course_id(number);
                lms.delete_course(id).call().await?;
                Seen::Nothing
            }
            Self::Enrol { learner, course } => {
                let (user, course) = state.pair((learner, course));
                lms.add_enrolment(course, user).call().await?;
                Seen::Nothing
            }
            Self::EnsureEnrolled { learner, course } => {
                let (user, course) = state.pair((learner, course));
                let wanted = types::AddEnrolment::builder(course, user);
                Seen::Done(lms.ensure_enrolment(wanted).await?.is_new())
            }
            Self::Unenrol { learner, course } => {
                let learner = learner.map(|learner| state.learner_id(learner));
                let course = course.map(|course| state.course_id(course));
                let which = match (learner, course) {
                    (Some(learner), Some(course)) => {
                        EnrolmentScope::learner_in_course(learner, course)
                    }
                    (Some(learner), None) => EnrolmentScope::learner(learner),
                    (None, Some(course)) => EnrolmentScope::course(course),
                    (None, None) => unreachable!("every step has a filter"),
                };
                Seen::Done(lms.unenrol(which).await? == Unenrolled::Removed)
            }
            Self::ListLearners {
                tags,
                email,
                username,
                limit,
                descending,
            } => {
                let mut list = lms.list_learners().limit(limit);
                if !tags.is_empty() {
                    list = list.tags(tags.into_iter().collect::<Vec<_>>());
                }
                if let Some(email) = email {
                    list = list.email(email);
                }
                if let Some(username) = username {
                    list = list.username(username);
                }
                if descending {
                    list = list.order_direction(types::ListLearnersOrderDirection::Desc);
                }
                let learners = list.collect_all().await?;
                Seen::Learners(learners.into_iter().map(Learner::from).collect())
            }
            Self::ListCourses {
                archived,
                published,
                limit,
            } => {
                let mut list = lms.list_courses().limit(limit);
                if let Some(archived) = archived {
                    list = list.archived(archived);
                }
                if let Some(published) = published {
                    list = list.published(published);
                }
                let courses = list.collect_all().await?;
                Seen::Courses(courses.into_iter().map(Course::from).collect())
            }
            Self::ListEnrolments {
                learner,
                course,
                limit,
            } => {
                let mut list = lms.list_enrolments().limit(limit);
                if let Some(learner) = learner {
                    list = list.user(state.learner_id(learner));
                }
                if let Some(course) = course {
                    list = list.course(state.course_id(course));
                }
                let enrolments = list.collect_all().await?;
                Seen::Enrolments(enrolments.into_iter().map(pair).collect())
            }
        })
    }
}
