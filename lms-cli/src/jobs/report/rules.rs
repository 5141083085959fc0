//! Rules: who has to take which courses, until when, and for how long a completion is valid.

use std::{collections::BTreeSet, fs, time::Duration};

use jiff::tz::TimeZone;
use lms_plan::{folded, read_toml, texts};
use lms_sync::mirror::MirrorReader;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use super::names::{self, COURSE, FIELD, FIELDS, SIGNUP_PAGE, TAG, take};
use crate::{args::duration, failure::Failure, resolve::object::Unresolved};

/// The rules of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Rules {
    /// The time zone in which days are counted, by its IANA name; if it is given, also that of times without one.
    #[serde(deserialize_with = "zone")]
    pub(super) timezone: Option<TimeZone>,
    /// Number of days before its end from which a completion expires soon.
    pub(super) expires_soon: Days,
    pub(super) required: Vec<Requirement>,
}

/// A number of days, such as `30d`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(try_from = "toml::Value")]
pub(crate) struct Days(pub(super) i32);

/// Courses that some people have to take. The query reads it as JSON.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Requirement {
    pub(super) name: String,
    #[serde(default)]
    who: Who,
    /// The courses, by name or id; by id once they are resolved.
    #[serde(deserialize_with = "texts")]
    courses: Vec<String>,
    /// Number of days after the enrolment. Without it, the due date of the course counts.
    pub(super) within: Option<Days>,
    /// The event from which the days of `within` are counted.
    #[serde(default)]
    pub(super) after: After,
    /// Number of days after a completion. Without it, the renewal of the course counts.
    pub(super) valid_for: Option<Days>,
    /// A custom field whose records say when a completion expires.
    certificate: Option<String>,
}

/// The start of the time within which a course has to be completed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum After {
    #[default]
    Enrolment,
    /// The account was created.
    Joining,
}

/// Conditions that all have to hold; without one, everybody.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(
    deny_unknown_fields,
    expecting = "conditions in braces, such as who = { tag = \"remote\" }"
)]
struct Who {
    tag: Option<String>,
    signup_page: Option<String>,
    /// An address, in which `*` stands for any text; a pattern of `LIKE` once it is resolved.
    email: Option<String>,
    field: Option<String>,
    value: Option<String>,
    /// The texts in the mirror that are the value.
    #[serde(skip_deserializing)]
    texts: BTreeSet<String>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            timezone: None,
            expires_soon: Days(30),
            required: Vec::new(),
        }
    }
}

impl Rules {
    /// Reads a file.
    pub(crate) fn read(file: &str) -> Result<Self, String> {
        let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
        let rules: Self = read_toml(&text)?;
        rules.check()?;
        Ok(rules)
    }

    fn check(&self) -> Result<(), String> {
        if self.required.is_empty() {
            return Err("the rules require nothing; add [[required]]".to_owned());
        }
        for Requirement {
            name,
            who,
            courses,
            within,
            after,
            ..
        } in &self.required
        {
            let mut names = self.required.iter().map(|other| &other.name);
            let problem = if courses.is_empty() {
                "it has no courses"
            } else if names.by_ref().filter(|other| *other == name).count() > 1 {
                "another requirement has this name"
            } else if *after == After::Joining && within.is_none() {
                "`after` needs the number of days: within = \"30d\""
            } else if who.field.is_some() != who.value.is_some() {
                "a custom field needs its value, and a value its field: who = { field = \"Department\", value = \"Warehouse\" }"
            } else {
                continue;
            };
            return Err(format!("{name}: {problem}"));
        }
        Ok(())
    }

    /// The zone in which days end.
    pub(super) fn zone(&self) -> TimeZone {
        self.timezone.clone().unwrap_or(TimeZone::UTC)
    }

    /// The rule of a report without a file: everybody in every course.
    pub(super) fn of_courses() -> Self {
        Self {
            required: vec![Requirement::default()],
            ..Self::default()
        }
    }

    /// The collections that they need, besides those of the report.
    pub(super) fn needs(&self) -> Vec<&'static str> {
        let mut needs = Vec::new();
        for Requirement {
            who, certificate, ..
        } in &self.required
        {
            if who.field.is_some() || certificate.is_some() {
                needs.extend(FIELDS);
            }
            needs.extend(who.signup_page.as_ref().map(|_| SIGNUP_PAGE.collection));
        }
        needs
    }

    /// The rules with ids in place of names.
    ///
    /// # Errors
    ///
    /// Not found or usage, if a name is that of no object or of several.
    pub(super) fn resolved(
        mut self,
        mirror: &mut MirrorReader<'_>,
        shown: &mut Vec<String>,
    ) -> Result<Self, Failure> {
        for Requirement {
            name: requirement,
            who,
            courses,
            certificate,
            ..
        } in &mut self.required
        {
            let fields = who.field.iter_mut().chain(certificate);
            let objects = fields.map(|name| (&FIELD, name));
            let objects = objects.chain(who.tag.iter_mut().map(|name| (&TAG, name)));
            let pages = who.signup_page.iter_mut().map(|name| (&SIGNUP_PAGE, name));
            let objects = objects.chain(courses.iter_mut().map(|name| (&COURSE, name)));
            for (named, name) in objects.chain(pages) {
                if let Some(taken) = take(mirror, named, name, "")? {
                    shown.extend(taken.line.filter(|line| !shown.contains(line)));
                    *name = taken.value;
                }
            }
            // Two names of a course require it once.
            courses.sort();
            courses.dedup();
            who.email = who.email.as_deref().map(like);
            if let (Some(field), Some(value)) = (&who.field, &who.value) {
                let known = names::of_field(mirror, field)?;
                let mut known: BTreeSet<String> = known.into_iter().map(|(_, text)| text).collect();
                let texts = names::texts(known.iter().map(|text| text.trim()));
                if let Err(none @ Unresolved::None(_)) = texts.find_or_propose(value) {
                    shown.push(format!("{requirement}: {}", none.message("value", value)));
                }
                known.retain(|text| folded(text) == folded(value));
                who.texts = known;
            }
        }
        Ok(self)
    }
}

/// The pattern of `LIKE` for a text with `*`.
fn like(text: &str) -> String {
    let text = text.trim().to_lowercase();
    let escaped = text
        .replace('!', "!!")
        .replace('%', "!%")
        .replace('_', "!_");
    escaped.replace('*', "%")
}

fn zone<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<TimeZone>, D::Error> {
    let name = String::deserialize(deserializer)?;
    TimeZone::get(&name).map(Some).map_err(|_| {
        D::Error::custom(format!(
            "{name:?} is not the name of a time zone; write timezone = \"Europe/Berlin\""
        ))
    })
}

impl TryFrom<toml::Value> for Days {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            other => other.type_str().to_owned(),
        };
        number_of_days(&text).map(Self)
    }
}

/// Reads a number of days, such as `30d` or `14days`.
pub(super) fn number_of_days(text: &str) -> Result<i32, String> {
    let time = duration(text).ok();
    let days = time.and_then(|time| i32::try_from(time.as_secs() / 86_400).ok());
    let is_whole = |days: &i32| {
        let whole = u64::try_from(*days).map(|days| Duration::from_secs(days * 86_400));
        *days <= 36_500 && whole.ok() == time
    };
    days.filter(is_whole)
        .ok_or_else(|| format!("{text:?} is not a number of days; write \"30d\" or \"4weeks\""))
}
