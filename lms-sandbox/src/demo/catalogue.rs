//! What the tenant offers: courses with their topics, custom fields, sign-up pages, profiles and tags.

use rusqlite::Connection;

use super::population::{TagSet, tag_sets};
use super::words::{COURSES, FIELDS, PAGES, PROFILES, TAGS, TOPIC_NAMES};
use super::{DAY, FIRST_DAY};
use crate::ids::Kind;
use crate::problem::Problem;
use crate::seed::{
    AUTHOR, FieldPermission, NewProfile, NewSignupPage, NewTopic, NewUserField, Resource,
};
use crate::service::course_document::Content;
use crate::service::{courses, profiles, signup_pages, tags, topics, user_fields};

/// What there is to be had, by row or by id.
#[derive(Debug)]
pub(super) struct Catalogue {
    /// Each course with its topics.
    pub(super) courses: Vec<(i64, Vec<i64>)>,
    pub(super) fields: Vec<String>,
    pub(super) pages: Vec<String>,
    pub(super) profiles: Vec<String>,
    /// The tags that learners have.
    pub(super) tag_sets: Vec<TagSet>,
}

impl Catalogue {
    /// Makes it, with this many courses.
    pub(super) fn make(connection: &Connection, courses: usize) -> Result<Self, Problem> {
        let mut own_tags = Vec::new();
        for (index, (name, color)) in TAGS.iter().enumerate() {
            let day = FIRST_DAY + index as i64;
            own_tags.push(tags::find_or_insert(connection, name, Some(color), day)?);
        }
        let courses = add_courses(connection, courses)?;
        let fields = add_fields(connection)?;
        let pages = add_signup_pages(connection, &courses)?;
        let profiles = add_profiles(connection, &courses, &fields)?;
        Ok(Self {
            courses,
            fields,
            pages,
            profiles,
            tag_sets: tag_sets(&own_tags),
        })
    }
}

/// Name, description and number of topics of the course at `index`: after the last one the first comes again.
fn course(index: usize) -> &'static (&'static str, &'static str, usize) {
    &COURSES[index % COURSES.len()]
}

/// The name of the course at `index`, numbered where it comes again.
fn course_name(index: usize) -> String {
    let (name, _, _) = course(index);
    match index / COURSES.len() {
        0 => (*name).to_owned(),
        round => format!("{name} {}", round + 1),
    }
}

fn add_courses(connection: &Connection, count: usize) -> Result<Vec<(i64, Vec<i64>)>, Problem> {
    let mut all = Vec::new();
    for index in 0..count {
        let (_, description, size) = course(index);
        let day = FIRST_DAY + index as i64 * DAY;
        let name = course_name(index);
        let mut content = Content::named(&name);
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
        let (number, _) = courses::insert(connection, content.with_cover_art(art), AUTHOR, day)?;
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
            own.push(topics::insert(connection, &topic, day + place as i64)?);
        }
        all.push((number, own));
    }
    Ok(all)
}

fn add_fields(connection: &Connection) -> Result<Vec<String>, Problem> {
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
            connection,
            &field,
            FIRST_DAY + index as i64,
        )?));
    }
    Ok(all)
}

fn add_signup_pages(
    connection: &Connection,
    courses: &[(i64, Vec<i64>)],
) -> Result<Vec<String>, Problem> {
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
            connection,
            &page,
            FIRST_DAY + index as i64,
        )?));
    }
    Ok(all)
}

fn add_profiles(
    connection: &Connection,
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
            connection,
            &profile,
            FIRST_DAY + index as i64,
        )?));
    }
    Ok(all)
}

fn course_ids(courses: &[(i64, Vec<i64>)], from: usize, count: usize) -> Vec<String> {
    courses
        .iter()
        .skip(from)
        .take(count)
        .map(|(number, _)| Kind::Course.id(*number))
        .collect()
}
