//! The mapping: which column of a file is which field, and what follows from it.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde::{Deserialize, Deserializer, de::DeserializeOwned};

use crate::{
    error::Error,
    hash::sha256,
    who::{Condition, texts},
};

/// The fields that a file can set and that are compared, and whether an edit can change them.
pub(crate) const FIELDS: [(&str, bool); 6] = [
    ("email", true),
    ("firstname", true),
    ("surname", true),
    ("username", true),
    ("phone_number", true),
    ("sso_id", false),
];

/// The fields that identify a learner who is not linked, in the order in which they are tried.
pub(crate) const IDENTIFIERS: [&str; 3] = ["sso_id", "username", "email"];

/// The fields without which no learner can be added.
pub(crate) const REQUIRED: [&str; 3] = ["firstname", "surname", "email"];

/// The columns of a file, and the fields, tags and courses that follow from them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Mapping {
    /// The column whose value identifies a person, and never changes.
    pub key: String,
    /// The column of each field.
    pub fields: BTreeMap<String, String>,
    /// Fields that are set when a learner is added, and never changed after that.
    #[serde(default, deserialize_with = "texts")]
    pub only_new: Vec<String>,
    /// Fields that the file decides even if a person has changed them in the tenant. Also accepts `tags` and `courses`.
    #[serde(default, deserialize_with = "texts")]
    pub wins: Vec<String>,
    /// Keys of people whose linked learner was deleted: they are found or added again.
    #[serde(default)]
    pub relink: Vec<String>,
    /// People for whom this does not hold are left alone.
    #[serde(default)]
    pub scope: Option<Condition>,
    /// People for whom this holds are on leave: nothing about them is changed.
    #[serde(default)]
    pub away: Option<Condition>,
    /// Tags and courses that follow from columns.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// Settings of new learners. Without it, none is added.
    #[serde(default)]
    pub create: Option<Create>,
    /// Treatment of linked learners who are missing from the file. Without it, they stay as they are.
    #[serde(default)]
    pub leavers: Option<Leavers>,
    /// The limits of a plan that is applied without approval.
    #[serde(default)]
    pub guards: Guards,
    /// The SHA-256 of the text.
    #[serde(skip)]
    pub(crate) sha256: String,
}

/// Tags and courses for the people for whom a condition holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Rule {
    /// The condition. An empty one holds for all people.
    #[serde(default)]
    pub when: Condition,
    /// The tags.
    #[serde(default, deserialize_with = "texts")]
    pub tags: Vec<String>,
    /// The courses, by name or id.
    #[serde(default, deserialize_with = "texts")]
    pub courses: Vec<String>,
}

/// Settings of new learners. Neither has a default, so that a forgotten one sends no mail.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Create {
    /// Must be true: a file for an import has no passwords.
    pub generate_password: bool,
    /// `true` if the service mails each new learner.
    pub send_email: bool,
}

/// Treatment of leavers: their enrolments end, and they are never deleted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Leavers {
    /// Time after which a person who is not in the file has left.
    #[serde(deserialize_with = "duration")]
    pub gone_after: Duration,
    /// The tag that they get.
    #[serde(default)]
    pub tag: Option<String>,
}

/// The limits of a plan that is applied without approval.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Guards {
    /// Learners to add.
    pub create: Guard,
    /// Learners to change.
    pub change: Guard,
    /// Learners who leave, of those who are linked.
    pub leave: Guard,
    /// People whose learner is linked to another key, of those in the file.
    pub keys: Guard,
    /// Rows that the file has fewer than the last one.
    pub shrink: Guard,
    /// Rows that are not valid, or whose learner is disputed.
    pub undecided: Guard,
    /// People whose learner has the values of two fields the other way around, of those who have a learner.
    pub exchange: Guard,
    /// Linked people with a tag whose rules no row meets any more, of those who are linked.
    pub rules: Guard,
}

impl Default for Guards {
    fn default() -> Self {
        let [none, rules, leave, shrink, others] =
            [None, Some(0.0), Some(5.0), Some(10.0), Some(20.0)].map(|share| Guard {
                share,
                ..Guard::default()
            });
        Self {
            create: none,
            change: none,
            leave,
            keys: others,
            shrink,
            undecided: others,
            exchange: others,
            rules,
        }
    }
}

/// A limit: a number, a share in percent such as `"5%"`, or both.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Guard {
    /// The largest number.
    pub max: Option<usize>,
    /// The largest share, in percent.
    #[serde(deserialize_with = "percent")]
    pub share: Option<f64>,
    /// Number of people from which the share applies. Default: 4, because one of ten people is already 10 %.
    pub share_from: usize,
}

impl Default for Guard {
    fn default() -> Self {
        Self {
            max: None,
            share: None,
            share_from: 4,
        }
    }
}

impl Guard {
    /// The limit that a number is beyond; `None` if it is within.
    pub(crate) fn broken(&self, number: usize, of: usize) -> Option<String> {
        #[expect(clippy::cast_precision_loss, reason = "numbers of people")]
        let percent = 100.0 * number as f64 / (of.max(1)) as f64;
        match self {
            Self { max: Some(max), .. } if number > *max => Some(max.to_string()),
            Self {
                share: Some(share),
                share_from,
                ..
            } if number >= (*share_from).max(1) && percent > *share => Some(format!("{share} %")),
            _ => None,
        }
    }
}

impl Mapping {
    /// Reads a mapping in TOML.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage), with the line, if it is not valid.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut mapping: Self = read_toml(text)
            .map_err(|error| Error::usage(format!("the mapping is not valid: {error}")))?;
        mapping.sha256 = sha256(text.as_bytes());
        mapping.check()?;
        Ok(mapping)
    }

    fn check(&self) -> Result<(), Error> {
        let known = FIELDS.map(|(name, _)| name);
        let winning = [known.as_slice(), &["tags", "courses"]].concat();
        let named = self.fields.keys().chain(&self.only_new);
        let named = named.map(|field| (field, known.as_slice()));
        let wins = self.wins.iter().map(|field| (field, winning.as_slice()));
        let mut unknown = named
            .chain(wins)
            .filter(|(field, known)| !known.contains(&field.as_str()));
        if let Some((field, known)) = unknown.next() {
            return Err(Error::usage(format!(
                "the mapping names the field {field}; the fields are {}",
                known.join(", ")
            )));
        }
        let has = |field: &&str| self.fields.contains_key(*field);
        if !IDENTIFIERS.iter().any(&has) {
            return Err(Error::usage(format!(
                "the mapping needs the column of one of {} in [fields], by which learners are found",
                IDENTIFIERS.join(", ")
            )));
        }
        let Some(create) = self.create else {
            return Ok(());
        };
        if !create.generate_password {
            return Err(Error::usage(
                "[create] generate_password must be true: a learner needs a password, and an import has none",
            ));
        }
        match REQUIRED.iter().find(|field| !has(field)) {
            Some(field) => Err(Error::usage(format!(
                "[create] needs the column of {field}, without which no learner can be added"
            ))),
            None => Ok(()),
        }
    }

    /// Returns `true` if the field of a learner who exists may be changed.
    pub(crate) fn changes(&self, field: &str) -> bool {
        FIELDS.contains(&(field, true)) && !self.only_new.iter().any(|name| name == field)
    }

    /// Returns `true` if the file decides a field that a person has changed in the tenant.
    pub(crate) fn wins(&self, field: &str) -> bool {
        self.wins.iter().any(|name| name == field)
    }

    /// The columns by which a person is found: that of the key, and those of identifiers.
    pub fn identifying(&self) -> impl Iterator<Item = &String> {
        let fields = IDENTIFIERS.iter();
        let fields = fields.filter_map(|field| self.fields.get(*field));
        // An address can also be the key and the username.
        let columns: BTreeSet<&String> = fields.chain([&self.key]).collect();
        columns.into_iter()
    }

    /// All columns that the mapping names.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let conditions = self.scope.iter().chain(&self.away);
        let conditions = conditions.chain(self.rules.iter().map(|rule| &rule.when));
        let own = [&self.key].into_iter().chain(self.fields.values());
        own.map(String::as_str)
            .chain(conditions.flat_map(Condition::columns))
    }
}

/// Reads TOML.
///
/// # Errors
///
/// The message, with the line. For one table in place of several, it says what to write.
pub fn read_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let header = error.span().and_then(|span| text.get(span));
        let header = header.filter(|header| header.starts_with('['));
        match header {
            Some(header) if error.message().ends_with("expected a sequence") => {
                format!("{error}write [{header}], which can be repeated")
            }
            _ => error.to_string(),
        }
    })
}

fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    humantime::parse_duration(&text).map_err(|error| {
        serde::de::Error::custom(format!(
            "{text:?}: {error}; write a duration such as \"14d\""
        ))
    })
}

fn percent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let number = text
        .strip_suffix('%')
        .and_then(|number| number.trim().parse::<f64>().ok());
    match number.filter(|share| (0.0..=100.0).contains(share)) {
        Some(share) => Ok(Some(share)),
        None => Err(serde::de::Error::custom(format!(
            "{text:?} is not a share; write \"5%\""
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIMAL: &str =
        "key = \"no\"\n[fields]\nemail = \"mail\"\nfirstname = \"f\"\nsurname = \"s\"\n";

    #[test]
    fn a_mapping_that_could_surprise_is_refused() {
        assert!(Mapping::parse(MINIMAL).is_ok());
        for (more, sentence) in [
            (
                "[create]\ngenerate_password = true",
                "missing field `send_email`",
            ),
            (
                "[create]\nsend_email = false",
                "missing field `generate_password`",
            ),
            (
                "[create]\ngenerate_password = false\nsend_email = false",
                "must be true",
            ),
            ("password = \"p\"", "names the field password"),
            (
                "[leavers]\ngone_after = \"soon\"",
                "write a duration such as",
            ),
            ("[leaver]\ngone_after = \"1d\"", "unknown field `leaver`"),
            ("[guards.leave]\nshare = \"half\"", "is not a share"),
            ("[rules]\ntags = [\"x\"]", "write [[rules]]"),
        ] {
            let refused = Mapping::parse(&format!("{MINIMAL}{more}\n")).unwrap_err();
            assert!(refused.to_string().contains(sentence), "{refused}");
        }
        assert!(Mapping::parse("key = \"no\"\n[fields]\nsurname = \"s\"\n").is_err());
        let immediate =
            Mapping::parse(&format!("{MINIMAL}[leavers]\ngone_after = \"0d\"\n")).unwrap();
        assert_eq!(immediate.leavers.unwrap().gone_after, Duration::ZERO);
    }

    #[test]
    fn a_guard_is_a_number_a_share_or_both() {
        let guard = |max, share| Guard {
            max,
            share,
            share_from: 4,
        };
        let of_all = Guard {
            share_from: 0,
            ..guard(None, Some(5.0))
        };
        for (guard, number, of, expected) in [
            (guard(None, None), 100, 100, false),
            (guard(None, Some(5.0)), 3, 10, false),
            (guard(None, Some(5.0)), 4, 10, true),
            (of_all, 1, 10, true),
            (of_all, 0, 0, false),
            (guard(Some(3), None), 3, 4, false),
            (guard(Some(3), None), 4, 400, true),
            (guard(None, Some(5.0)), 5, 100, false),
            (guard(None, Some(5.0)), 6, 100, true),
            (guard(None, Some(5.0)), 4, 0, true),
            (guard(Some(3), Some(5.0)), 4, 1000, true),
        ] {
            assert_eq!(
                guard.broken(number, of).is_some(),
                expected,
                "{guard:?} {number} of {of}"
            );
        }
    }
}
