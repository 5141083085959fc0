//! Who is in the tenant, what they take and how far they have got.

use std::time::Duration;

use rusqlite::Connection;

use super::catalogue::Catalogue;
use super::dice::Dice;
use super::words::{DOMAINS, FIELDS, FIRSTNAMES, SURNAMES, TAGS};
use super::{DAY, FIRST_DAY};
use crate::ids::Kind;
use crate::problem::Problem;
use crate::seed::{AUTHOR, NewAttachment, NewLearner, NewRecord};
use crate::service::{enrolments, learners, marks, records};

/// Adds the learner at `index`, with courses and records.
pub(super) fn add(
    connection: &Connection,
    dice: &mut Dice,
    catalogue: &Catalogue,
    index: i64,
) -> Result<(), Problem> {
    let learner = add_learner(
        connection,
        dice,
        index,
        &catalogue.pages,
        &catalogue.profiles,
    )?;
    take_courses(connection, dice, learner, index, &catalogue.courses)?;
    add_records(connection, dice, learner, index, &catalogue.fields)
}

fn add_learner(
    connection: &Connection,
    dice: &mut Dice,
    index: i64,
    pages: &[String],
    profiles: &[String],
) -> Result<i64, Problem> {
    let (firstname, surname) = (*dice.pick(FIRSTNAMES), *dice.pick(SURNAMES));
    let handle = format!("{}.{}", ascii(firstname), ascii(surname));
    let mut own_tags = Vec::new();
    for _ in 0..dice.below(3) {
        own_tags.push(dice.pick(TAGS).0.to_owned());
    }
    let created = FIRST_DAY + 14 * DAY + index * DAY / 3;
    let learner = NewLearner {
        firstname: firstname.into(),
        surname: surname.into(),
        email: format!("{handle}{}@{}", index + 1, dice.pick(DOMAINS)),
        username: dice.chance(80).then(|| format!("{handle}{}", index + 1)),
        phone_number: dice.chance(40).then(|| format!("+44 20 7946 {index:04}")),
        notes: dice
            .chance(15)
            .then(|| "Prefers \"paper\" certificates.\nWorks nights.".into()),
        sso_id: dice.chance(10).then(|| format!("sso-{:06}", index * 37)),
        signup_page: dice.chance(50).then(|| dice.pick(pages).clone()),
        tags: own_tags,
        profiles: if dice.chance(30) {
            vec![dice.pick(profiles).clone()]
        } else {
            Vec::new()
        },
        archived: dice.chance(4),
        is_admin: dice.chance(2),
        has_password: true,
        created: at(created),
        last_logged_in: if dice.chance(70) {
            at(created + dice.below(90) * DAY)
        } else {
            None
        },
        ..NewLearner::default()
    };
    learners::insert(connection, &learner, created)
}

/// Everyone takes a few courses, and gets somewhere in each.
fn take_courses(
    connection: &Connection,
    dice: &mut Dice,
    learner: i64,
    index: i64,
    courses: &[(i64, Vec<i64>)],
) -> Result<(), Problem> {
    for step in 0..2 + dice.below(3) {
        let (course, topics) = dice.pick(courses);
        let started = FIRST_DAY + 14 * DAY + index * DAY / 3 + step * DAY;
        if enrolments::insert(connection, learner, *course, started)?.is_none() {
            continue;
        }
        let finished = started + DAY + dice.below(30) * DAY;
        if dice.chance(45) {
            marks::complete(connection, learner, *course, finished)?;
        } else {
            let done = dice.below(topics.len() as i64);
            for topic in topics.iter().take(usize::try_from(done).unwrap_or(0)) {
                marks::mark(
                    connection,
                    learner,
                    *topic,
                    marks::Step::Completed,
                    finished,
                )?;
            }
        }
        if dice.chance(10)
            && let Some(topic) = topics.first()
        {
            marks::mark(
                connection,
                learner,
                *topic,
                marks::Step::Confirmed,
                finished,
            )?;
        }
    }
    Ok(())
}

fn add_records(
    connection: &Connection,
    dice: &mut Dice,
    learner: i64,
    index: i64,
    fields: &[String],
) -> Result<(), Problem> {
    let id = Kind::Learner.id(learner);
    for (place, field) in fields.iter().enumerate() {
        if !dice.chance(30) {
            continue;
        }
        let is_certificate = FIELDS
            .get(place)
            .is_some_and(|(_, kind, _)| *kind == "certificate");
        let achieved = FIRST_DAY + dice.below(300) * DAY;
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
        records::set(connection, &record, achieved)?;
    }
    Ok(())
}
fn at(seconds: i64) -> Option<Duration> {
    u64::try_from(seconds).ok().map(Duration::from_secs)
}

/// A name as part of an address.
pub(super) fn ascii(name: &str) -> String {
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
