//! The learners of the demo tenant, with enrolments, progress and records.

use fastrand::Rng;
use rusqlite::Connection;
use serde_json::json;

use super::catalogue::Catalogue;
use super::words::{DAY, FIRST_DAY, WORDS};
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::api::timestamp;
use crate::rng::{chance, pick};
use crate::service::progress::marks::{self, Step};
use crate::service::request::AUTHOR;
use crate::service::{enrolments, learners, records};

/// Adds the learner at `index`, with courses and records.
pub(super) fn add(
    db: &Connection,
    rng: &mut Rng,
    catalogue: &Catalogue,
    index: i64,
) -> Result<(), Problem> {
    let learner = add_learner(db, rng, index, &catalogue.pages, &catalogue.profiles)?;
    take_courses(db, rng, learner, index, &catalogue.courses)?;
    add_records(db, rng, learner, index, &catalogue.fields)
}

fn add_learner(
    db: &Connection,
    rng: &mut Rng,
    index: i64,
    pages: &[String],
    profiles: &[String],
) -> Result<i64, Problem> {
    let (firstname, surname) = (*pick(rng, &WORDS.firstnames), *pick(rng, &WORDS.surnames));
    let handle = format!("{}.{}", ascii(firstname), ascii(surname));
    let mut tags = Vec::new();
    for _ in 0..rng.i64(0..3) {
        tags.push(pick(rng, &WORDS.tags).0.to_owned());
    }
    let created = FIRST_DAY + 14 * DAY + index * DAY / 3;
    let learner = json!({
        "firstname": firstname, "surname": surname,
        "email": format!("{handle}{}@{}", index + 1, pick(rng, &WORDS.domains)),
        "username": chance(rng, 80).then(|| format!("{handle}{}", index + 1)),
        "phone_number": chance(rng, 40).then(|| format!("+44 20 7946 {index:04}")),
        "notes": chance(rng, 15).then_some("Prefers \"paper\" certificates.\nWorks nights."),
        "sso_id": chance(rng, 10).then(|| format!("sso-{:06}", index * 37)),
        "signup_page": chance(rng, 50).then(|| pick(rng, pages)),
        "tags": tags,
        "profiles": Vec::from_iter(chance(rng, 30).then(|| pick(rng, profiles))),
        "archived": chance(rng, 4),
        "is_admin": chance(rng, 2),
        "created": timestamp::format(created),
        "last_logged_in": chance(rng, 70).then(|| timestamp::format(created + rng.i64(0..90) * DAY)),
    });
    learners::insert(db, &learner, created)
}

/// Enrols a learner in a few courses, with some progress in each.
fn take_courses(
    db: &Connection,
    rng: &mut Rng,
    learner: i64,
    index: i64,
    courses: &[(i64, Vec<i64>)],
) -> Result<(), Problem> {
    for step in 0..2 + rng.i64(0..3) {
        let (course, topics) = pick(rng, courses);
        let started = FIRST_DAY + 14 * DAY + index * DAY / 3 + step * DAY;
        if enrolments::insert(db, learner, *course, started)?.is_none() {
            continue;
        }
        let finished = started + DAY + rng.i64(0..30) * DAY;
        if chance(rng, 45) {
            marks::complete(db, learner, *course, finished)?;
        } else {
            let done = rng.i64(0..topics.len() as i64);
            for topic in topics.iter().take(usize::try_from(done).unwrap_or(0)) {
                marks::mark(db, learner, *topic, Step::Completed, finished)?;
            }
        }
        if chance(rng, 10)
            && let Some(topic) = topics.first()
        {
            marks::mark(db, learner, *topic, Step::Confirmed, finished)?;
        }
    }
    Ok(())
}

fn add_records(
    db: &Connection,
    rng: &mut Rng,
    learner: i64,
    index: i64,
    fields: &[String],
) -> Result<(), Problem> {
    let id = Kind::Learner.id(learner);
    for (place, field) in fields.iter().enumerate() {
        if !chance(rng, 30) {
            continue;
        }
        let is_certificate = WORDS
            .fields
            .get(place)
            .is_some_and(|(_, kind, _)| *kind == "certificate");
        let achieved = FIRST_DAY + rng.i64(0..300) * DAY;
        let name = WORDS.fields.get(place).map_or("value", |(name, _, _)| name);
        let mut record = json!({
            "user": id, "user_field": field, "value": format!("{name} {}", 1 + index % 9),
            "created_by": AUTHOR, "modified_by": AUTHOR,
        });
        if is_certificate {
            let file = json!({
                "kind": "file", "filename": format!("certificate-{index}.pdf"), "content_type": "application/pdf",
                "blob_key": format!("blob-{index}-{place}"), "file_size": (20_000 + index * 13).to_string(),
            });
            for name in ["filename", "content_type", "blob_key", "file_size"] {
                record[name] = file[name].clone();
            }
            record["attachments"] = json!([file]);
            record["reference"] = format!("CERT-{index:04}-{place}").into();
            record["cost"] = "120.00".into();
            record["training_provider"] = "Northside Training Ltd".into();
            record["achieved_on"] = timestamp::format(achieved).into();
            record["expires_on"] = timestamp::format(achieved + 365 * DAY).into();
        }
        records::set(db, &record, achieved)?;
    }
    Ok(())
}

/// A name as part of an email address.
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
