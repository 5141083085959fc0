//! The catalogue of the demo tenant: courses with their topics, custom fields, sign-up pages, profiles and tags.

use rusqlite::Connection;
use serde_json::json;

use super::words::{DAY, FIRST_DAY, WORDS};
use crate::api::id::Kind;
use crate::api::json;
use crate::api::problem::Problem;
use crate::service::{assignments, courses, tags, topics, user_fields};

/// The catalogue, by row or by id.
#[derive(Debug)]
pub(super) struct Catalogue {
    /// The courses, each with its topics.
    pub(super) courses: Vec<(i64, Vec<i64>)>,
    pub(super) fields: Vec<String>,
    pub(super) pages: Vec<String>,
    pub(super) profiles: Vec<String>,
    /// The combinations of tags that learners have.
    pub(super) tag_sets: Vec<TagSet>,
}

impl Catalogue {
    /// Adds a catalogue with this number of courses to a tenant that has no learners and no courses; `None` if it has
    /// some.
    pub(super) fn add_to_empty(db: &Connection, courses: usize) -> Result<Option<Self>, Problem> {
        let sql = "SELECT EXISTS (SELECT 1 FROM courses UNION ALL SELECT 1 FROM learners)";
        let is_filled: bool = db.query_row(sql, [], |row| row.get(0))?;
        if is_filled {
            return Ok(None);
        }
        let mut tag_numbers = Vec::new();
        for (index, (name, color)) in WORDS.tags.iter().enumerate() {
            let day = FIRST_DAY + index as i64;
            tag_numbers.push(tags::find_or_insert(db, name, Some(color), day)?);
        }
        let courses = add_courses(db, courses)?;
        let fields = add_fields(db)?;
        let pages = add_signup_pages(db, &courses)?;
        let profiles = add_profiles(db, &courses, &fields)?;
        Ok(Some(Self {
            courses,
            fields,
            pages,
            profiles,
            tag_sets: tag_sets(&tag_numbers),
        }))
    }
}

/// Name, description and number of topics of the course at `index`; after the last course, the first is repeated.
fn course(index: usize) -> &'static (&'static str, &'static str, usize) {
    &WORDS.courses[index % WORDS.courses.len()]
}

/// The name of the course at `index`, numbered if it is repeated.
fn course_name(index: usize) -> String {
    let (name, _, _) = course(index);
    match index / WORDS.courses.len() {
        0 => (*name).to_owned(),
        round => format!("{name} {}", round + 1),
    }
}

fn add_courses(db: &Connection, count: usize) -> Result<Vec<(i64, Vec<i64>)>, Problem> {
    let mut all = Vec::new();
    for index in 0..count {
        let (_, description, size) = course(index);
        let day = FIRST_DAY + index as i64 * DAY;
        let name = course_name(index);
        let course = json!({
            "name": name, "description": description, "published": index != 10, "archived": index == 11,
            "display_priority": index, "suggested_duration": format!("{} minutes", 15 * size),
            "show_details": true, "track_progress": true, "enable_progression": true,
            "is_graded": index % 3 == 0,
            "pass_mark_type": (index % 3 == 0).then_some("percentage"),
            "pass_mark": (index % 3 == 0).then_some("80"),
            "auto_due_type": (index == 1).then_some("date"),
            "auto_due_date": (index == 1).then_some("2025-12-31T23:59:59Z"),
            "renewal_type": (index == 2).then_some("days"),
            "renewal_days": (index == 2).then_some("365"),
            "renewal_repeat": index == 2,
            "cover_art": (index % 2 == 0).then(|| format!("cover-{index}")),
        });
        let number = courses::insert(db, &course, day)?;
        let mut topic_numbers = Vec::new();
        for (place, topic_name) in WORDS.topics.iter().take(*size).enumerate() {
            let kind = ["content", "video", "quiz", "survey"][place % 4];
            let topic = json!({
                "course": Kind::Course.id(number), "name": format!("{topic_name}: {name}"),
                "kind": kind,
                "require_confirmation": place + 1 == *size && index % 4 == 0,
            });
            topic_numbers.push(topics::insert(db, &topic, day + place as i64)?);
        }
        all.push((number, topic_numbers));
    }
    Ok(all)
}

fn add_fields(db: &Connection) -> Result<Vec<String>, Problem> {
    let fields = WORDS.fields.iter().zip(0..);
    let added = fields.map(|((name, kind, description), index)| {
        let field = json!({
            "name": name, "kind": kind, "description": description, "required": index == 0,
            "default": (index == 0).then_some("unassigned"),
            "user_editable": index % 3 == 1, "indexed": index < 4,
            "resource": (*kind == "certificate").then(|| json!({
                "kind": "certificate", "name": name, "resource_id": format!("certificate-{index}"),
            })),
        });
        Ok(Kind::UserField.id(user_fields::insert(db, &field, FIRST_DAY + index)?))
    });
    added.collect()
}

fn add_signup_pages(db: &Connection, courses: &[(i64, Vec<i64>)]) -> Result<Vec<String>, Problem> {
    let pages = WORDS.signup_pages.iter().enumerate();
    let added = pages.map(|(index, (name, title, tag))| {
        let page = json!({
            "name": name, "page_title": title, "tags": [tag], "courses": course_ids(courses, index, 1),
            "page_description": format!("{title}. Sign up to get your courses."),
        });
        let day = FIRST_DAY + index as i64;
        Ok(Kind::SignupPage.id(assignments::insert_signup_page(db, &page, day)?))
    });
    added.collect()
}

fn add_profiles(
    db: &Connection,
    courses: &[(i64, Vec<i64>)],
    fields: &[String],
) -> Result<Vec<String>, Problem> {
    let profiles = WORDS.profiles.iter().enumerate();
    let added = profiles.map(|(index, (name, tag))| {
        let permissions = fields.iter().skip(index).step_by(4).map(|field| {
            json!({
                "user_field": field, "not_applicable": false, "user_visible": true, "user_editable": index % 2 == 0,
            })
        });
        let profile = json!({
            "name": name, "tags": [tag], "courses": course_ids(courses, index * 2, 2),
            "permissions": permissions.collect::<Vec<_>>(),
        });
        let day = FIRST_DAY + index as i64;
        Ok(Kind::Profile.id(assignments::insert_profile(db, &profile, day)?))
    });
    added.collect()
}

fn course_ids(courses: &[(i64, Vec<i64>)], from: usize, count: usize) -> Vec<String> {
    courses
        .iter()
        .skip(from)
        .take(count)
        .map(|(number, _)| Kind::Course.id(*number))
        .collect()
}

/// The tags of a learner: their numbers, and the JSON that a learner's row has.
#[derive(Debug)]
pub(super) struct TagSet {
    pub(super) numbers: Vec<i64>,
    pub(super) text: String,
}

/// No tags, each tag alone, and each with the next one.
fn tag_sets(numbers: &[i64]) -> Vec<TagSet> {
    let named: Vec<_> = numbers.iter().zip(&WORDS.tags).collect();
    let set = |tags: &[(&i64, &(&str, &str))]| TagSet {
        numbers: tags.iter().map(|(number, _)| **number).collect(),
        text: json::to_string(&tags.iter().map(|(_, (name, _))| *name).collect::<Vec<_>>()),
    };
    std::iter::once(set(&[]))
        .chain(named.chunks(1).map(set))
        .chain(named.windows(2).map(set))
        .collect()
}
