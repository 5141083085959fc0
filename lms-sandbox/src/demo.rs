//! What does a small believable tenant look like?
//!
//! A safety-minded company: 12 courses with their topics, 650 learners from four sites who have got as far as people
//! do, custom fields with records, profiles, sign-up pages and tags. Every list has rows, and learners, enrolments,
//! topic progress and completions have several pages of the default size. One seed always gives the same tenant, so
//! a count seen once can be relied on.

mod words;

use std::time::Duration;

use rusqlite::Connection;

use self::words::{
    COURSES, DOMAINS, FIELDS, FIRSTNAMES, PAGES, PROFILES, SURNAMES, TAGS, TOPIC_NAMES,
};
use crate::error::SandboxError;
use crate::ids::Kind;
use crate::problem::Problem;
use crate::seed::{
    AUTHOR, FieldPermission, NewAttachment, NewLearner, NewProfile, NewRecord, NewSignupPage,
    NewTopic, NewUserField, Resource,
};
use crate::service::course_document::Content;
use crate::service::{
    courses, enrolments, learners, profiles, progress, records, signup_pages, tags, topics,
    user_fields,
};
use crate::store::{Count, Store};

const LEARNERS: i64 = 650;
/// 2025-01-06 08:00 UTC: the tenant's first day. Fixed, so that the tenant does not depend on today.
const FIRST_DAY: i64 = 1_736_150_400;
const DAY: i64 = 86_400;

/// Fills a tenant that has no learners; one that has is left as it is.
pub(crate) fn fill(store: &Store, seed: u64) -> Result<(), SandboxError> {
    let filled = store.write(|connection| {
        if Count::Learners.all(connection)? == 0 {
            Tenant {
                connection,
                dice: Dice(seed),
            }
            .fill()?;
        }
        Ok(())
    });
    Ok(filled?)
}

struct Tenant<'a> {
    connection: &'a Connection,
    dice: Dice,
}

impl Tenant<'_> {
    fn fill(mut self) -> Result<(), Problem> {
        for (index, (name, color)) in TAGS.iter().enumerate() {
            tags::find_or_insert(self.connection, name, Some(color), FIRST_DAY + index as i64)?;
        }
        let courses = self.add_courses()?;
        let fields = self.add_fields()?;
        let pages = self.add_signup_pages(&courses)?;
        let profiles = self.add_profiles(&courses, &fields)?;
        for index in 0..LEARNERS {
            let learner = self.add_learner(index, &pages, &profiles)?;
            self.take_courses(learner, index, &courses)?;
            self.add_records(learner, index, &fields)?;
        }
        Ok(())
    }

    fn add_courses(&mut self) -> Result<Vec<(i64, Vec<i64>)>, Problem> {
        let mut all = Vec::new();
        for (index, (name, description, size)) in COURSES.iter().enumerate() {
            let day = FIRST_DAY + index as i64 * DAY;
            let mut content = Content::named(name);
            content.set("description", *description);
            content.set("published", index != 10);
            content.set("archived", index == 11);
            content.set("display_priority", index as i64);
            content.set("suggested_duration", format!("{} minutes", 15 * size));
            for flag in ["show_details", "track_progress", "enable_progression"] {
                content.set(flag, true);
            }
            if index % 3 == 0 {
                content.set("is_graded", true);
                content.set("pass_mark_type", "percentage");
                content.set("pass_mark", "80");
            }
            if index == 1 {
                content.set("auto_due_type", "date");
                content.set("auto_due_date", "2025-12-31T23:59:59Z");
            }
            if index == 2 {
                content.set("renewal_type", "days");
                content.set("renewal_days", "365");
                content.set("renewal_repeat", true);
            }
            let art = (index % 2 == 0).then(|| format!("cover-{index}"));
            let (number, _) =
                courses::insert(self.connection, content.with_cover_art(art), AUTHOR, day)?;
            let mut own = Vec::new();
            for (place, topic_name) in TOPIC_NAMES.iter().take(*size).enumerate() {
                let topic = NewTopic {
                    course: Kind::Course.id(number),
                    name: format!("{topic_name}: {name}"),
                    kind: Some(
                        ["content", "video", "quiz", "survey"]
                            .iter()
                            .cycle()
                            .nth(place)
                            .copied()
                            .unwrap_or("content")
                            .into(),
                    ),
                    require_confirmation: place + 1 == *size && index % 4 == 0,
                    ..NewTopic::default()
                };
                own.push(topics::insert(self.connection, &topic, day + place as i64)?);
            }
            all.push((number, own));
        }
        Ok(all)
    }

    fn add_fields(&mut self) -> Result<Vec<String>, Problem> {
        let mut all = Vec::new();
        for (index, (name, kind, description)) in FIELDS.iter().enumerate() {
            let field = NewUserField {
                name: (*name).into(),
                kind: Some((*kind).into()),
                description: Some((*description).into()),
                default: (index == 0).then(|| "unassigned".into()),
                required: index == 0,
                user_editable: index % 3 == 1,
                indexed: index < 4,
                resource: (*kind == "certificate").then(|| Resource {
                    kind: "certificate".into(),
                    name: (*name).into(),
                    resource_id: format!("certificate-{index}"),
                }),
                ..NewUserField::default()
            };
            all.push(Kind::UserField.id(user_fields::insert(
                self.connection,
                &field,
                FIRST_DAY + index as i64,
            )?));
        }
        Ok(all)
    }

    fn add_signup_pages(&mut self, courses: &[(i64, Vec<i64>)]) -> Result<Vec<String>, Problem> {
        let mut all = Vec::new();
        for (index, (name, title, tag)) in PAGES.iter().enumerate() {
            let page = NewSignupPage {
                name: (*name).into(),
                page_title: Some((*title).into()),
                page_description: Some(format!("{title}. Sign up to get your courses.")),
                tags: vec![(*tag).into()],
                courses: course_ids(courses, index, 1),
                ..NewSignupPage::default()
            };
            all.push(Kind::SignupPage.id(signup_pages::insert(
                self.connection,
                &page,
                FIRST_DAY + index as i64,
            )?));
        }
        Ok(all)
    }

    fn add_profiles(
        &mut self,
        courses: &[(i64, Vec<i64>)],
        fields: &[String],
    ) -> Result<Vec<String>, Problem> {
        let mut all = Vec::new();
        for (index, (name, tag)) in PROFILES.iter().enumerate() {
            let profile = NewProfile {
                name: (*name).into(),
                tags: vec![(*tag).into()],
                courses: course_ids(courses, index * 2, 2),
                permissions: fields
                    .iter()
                    .skip(index)
                    .step_by(4)
                    .map(|field| FieldPermission {
                        user_field: field.clone(),
                        not_applicable: false,
                        user_visible: true,
                        user_editable: index % 2 == 0,
                    })
                    .collect(),
            };
            all.push(Kind::Profile.id(profiles::insert(
                self.connection,
                &profile,
                FIRST_DAY + index as i64,
            )?));
        }
        Ok(all)
    }

    fn add_learner(
        &mut self,
        index: i64,
        pages: &[String],
        profiles: &[String],
    ) -> Result<i64, Problem> {
        let (firstname, surname) = (*self.dice.pick(FIRSTNAMES), *self.dice.pick(SURNAMES));
        let handle = format!("{}.{}", ascii(firstname), ascii(surname));
        let mut own_tags = Vec::new();
        for _ in 0..self.dice.below(3) {
            own_tags.push(self.dice.pick(TAGS).0.to_owned());
        }
        let created = FIRST_DAY + 14 * DAY + index * DAY / 3;
        let learner = NewLearner {
            firstname: firstname.into(),
            surname: surname.into(),
            email: format!("{handle}{}@{}", index + 1, self.dice.pick(DOMAINS)),
            username: self
                .dice
                .chance(80)
                .then(|| format!("{handle}{}", index + 1)),
            phone_number: self
                .dice
                .chance(40)
                .then(|| format!("+44 20 7946 {:04}", index)),
            notes: self
                .dice
                .chance(15)
                .then(|| "Prefers \"paper\" certificates.\nWorks nights.".into()),
            sso_id: self
                .dice
                .chance(10)
                .then(|| format!("sso-{:06}", index * 37)),
            signup_page: self.dice.chance(50).then(|| self.dice.pick(pages).clone()),
            tags: own_tags,
            profiles: if self.dice.chance(30) {
                vec![self.dice.pick(profiles).clone()]
            } else {
                Vec::new()
            },
            archived: self.dice.chance(4),
            is_admin: self.dice.chance(2),
            has_password: true,
            created: at(created),
            last_logged_in: if self.dice.chance(70) {
                at(created + self.dice.below(90) * DAY)
            } else {
                None
            },
            ..NewLearner::default()
        };
        learners::insert(self.connection, &learner, created)
    }

    /// Everyone takes a few courses, and gets somewhere in each.
    fn take_courses(
        &mut self,
        learner: i64,
        index: i64,
        courses: &[(i64, Vec<i64>)],
    ) -> Result<(), Problem> {
        for step in 0..2 + self.dice.below(3) {
            let (course, topics) = self.dice.pick(courses);
            let started = FIRST_DAY + 14 * DAY + index * DAY / 3 + step * DAY;
            if enrolments::insert(self.connection, learner, *course, started)?.is_none() {
                continue;
            }
            let finished = started + DAY + self.dice.below(30) * DAY;
            if self.dice.chance(45) {
                progress::complete(self.connection, learner, *course, finished)?;
            } else {
                let done = self.dice.below(topics.len() as i64);
                for topic in topics.iter().take(usize::try_from(done).unwrap_or(0)) {
                    progress::mark(
                        self.connection,
                        learner,
                        *topic,
                        progress::Step::Completed,
                        finished,
                    )?;
                }
            }
            if self.dice.chance(10)
                && let Some(topic) = topics.first()
            {
                progress::mark(
                    self.connection,
                    learner,
                    *topic,
                    progress::Step::Confirmed,
                    finished,
                )?;
            }
        }
        Ok(())
    }

    fn add_records(&mut self, learner: i64, index: i64, fields: &[String]) -> Result<(), Problem> {
        let id = Kind::Learner.id(learner);
        for (place, field) in fields.iter().enumerate() {
            if !self.dice.chance(30) {
                continue;
            }
            let is_certificate = FIELDS
                .get(place)
                .is_some_and(|(_, kind, _)| *kind == "certificate");
            let achieved = FIRST_DAY + self.dice.below(300) * DAY;
            let mut record = NewRecord {
                learner: id.clone(),
                user_field: field.clone(),
                value: format!(
                    "{} {}",
                    FIELDS.get(place).map_or("value", |(name, _, _)| name),
                    1 + index % 9
                ),
                created_by: Some(AUTHOR.into()),
                ..NewRecord::default()
            };
            if is_certificate {
                record.reference = Some(format!("CERT-{index:04}-{place}"));
                record.cost = Some("120.00".into());
                record.training_provider = Some("Northside Training Ltd".into());
                record.achieved_on = at(achieved);
                record.expires_on = at(achieved + 365 * DAY);
                record.attachments.push(NewAttachment {
                    kind: "file".into(),
                    filename: format!("certificate-{index}.pdf"),
                    content_type: "application/pdf".into(),
                    blob_key: format!("blob-{index}-{place}"),
                    file_size: 20_000 + index * 13,
                });
            }
            records::set(self.connection, &record, achieved)?;
        }
        Ok(())
    }
}

fn at(seconds: i64) -> Option<Duration> {
    u64::try_from(seconds).ok().map(Duration::from_secs)
}

fn course_ids(courses: &[(i64, Vec<i64>)], from: usize, count: usize) -> Vec<String> {
    courses
        .iter()
        .skip(from)
        .take(count)
        .map(|(number, _)| Kind::Course.id(*number))
        .collect()
}

/// A name as part of an address.
fn ascii(name: &str) -> String {
    let plain = |c: char| match c {
        'é' | 'è' | 'ë' => 'e',
        'í' | 'î' => 'i',
        'ó' | 'ö' | 'ø' => 'o',
        'ü' | 'ú' => 'u',
        'ł' => 'l',
        'ñ' => 'n',
        'ç' => 'c',
        'á' | 'ã' | 'å' | 'ą' => 'a',
        other => other,
    };
    name.to_lowercase()
        .chars()
        .map(plain)
        .filter(char::is_ascii_alphabetic)
        .collect()
}

/// Numbers that look random and are always the same (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0, below `end`.
    fn below(&mut self, end: i64) -> i64 {
        let end = u64::try_from(end).unwrap_or(1).max(1);
        i64::try_from(self.roll() % end).unwrap_or(0)
    }

    /// True in this many of a hundred cases.
    fn chance(&mut self, percent: i64) -> bool {
        self.below(100) < percent
    }

    /// One of them.
    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        let index = self.roll() % from.len().max(1) as u64;
        &from[usize::try_from(index).unwrap_or(0)]
    }
}
