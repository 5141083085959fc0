//! `--pseudonyms`: what a command prints names no person, so that a reader who must not know people, such as an AI
//! assistant, can work with it.
//!
//! A pseudonym is a keyed hash of the text that it replaces, and thus the same in every run of this user. A private file has
//! the key and the way back, by which arguments with pseudonyms mean the people.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    hash::{BuildHasher as _, RandomState},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use sha2::{Digest as _, Sha256};

use crate::{
    console,
    failure::Failure,
    profile::{config::write_private, state_folder},
};

/// The fields of people, and the words that their pseudonyms begin with. A field whose name ends with one of these counts.
const FIELDS: [(&str, &str); 13] = [
    ("email", "person"),
    ("person", "person"),
    ("firstname", "given"),
    ("surname", "family"),
    ("username", "user"),
    ("phone_number", "phone"),
    ("sso_id", "sso"),
    ("image", "image"),
    ("filename", "file"),
    ("notes", "text"),
    ("reference", "text"),
    ("matched", "text"),
    ("value", "text"),
];

/// Number of characters below which a text is not looked for in messages.
const SHORT: usize = 3;

/// The people of the runs so far, if the option was given.
static KNOWN: OnceLock<Mutex<Known>> = OnceLock::new();

/// The contents of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Known {
    key: String,
    /// The texts by their pseudonyms.
    texts: BTreeMap<String, String>,
    #[serde(skip)]
    path: PathBuf,
}

/// Replaces pseudonyms in the arguments by what they stand for, if the option is among them. Output has pseudonyms from then
/// on.
pub(crate) fn restore(arguments: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    if !arguments.iter().any(|argument| argument == "--pseudonyms") {
        return Ok(arguments);
    }
    let none = || Failure::usage("--pseudonyms needs a folder to keep them");
    let folder = state_folder().ok_or_else(none)?;
    let known = Known::load(&folder.join("pseudonyms.json"))?;
    let real = |text: String| {
        let texts = known.texts.iter();
        texts.fold(text, |text, (pseudonym, real)| {
            text.replace(pseudonym, real)
        })
    };
    let restored = arguments
        .into_iter()
        .map(|argument| match argument.into_string() {
            Ok(text) => real(text).into(),
            Err(other) => other,
        });
    let restored = restored.collect();
    let _ = KNOWN.set(Mutex::new(known));
    console::filter(hidden);
    Ok(restored)
}

/// Calls `work` with the people; `None` if the option was not given.
fn with<T>(work: impl FnOnce(&mut Known) -> T) -> Option<T> {
    let mut known = KNOWN.get()?.lock().unwrap_or_else(PoisonError::into_inner);
    Some(work(&mut known))
}

/// Values in which the fields of people have pseudonyms; `None` if the option was not given.
pub(crate) fn of_values(values: &[&RawValue]) -> Result<Option<Vec<Box<RawValue>>>, Failure> {
    let replaced = with(|known| {
        let before = known.texts.len();
        let replaced = values.iter().map(|value| {
            let mut parsed = serde_json::from_str(value.get())?;
            known.replace(&mut parsed, None);
            to_raw_value(&parsed)
        });
        let replaced = replaced.collect::<Result<_, _>>()?;
        if known.texts.len() > before {
            known.save()?;
        }
        Ok(replaced)
    });
    replaced.transpose()
}

/// Learns a text of a person whom a message may name.
pub(crate) fn learn(field: &str, text: &str) {
    with(|known| known.pseudonym(field, text));
}

/// A message without email addresses and known people.
pub(crate) fn hidden(text: &str) -> String {
    with(|known| known.hidden(text)).unwrap_or_else(|| text.to_owned())
}

impl Known {
    fn load(path: &Path) -> Result<Self, Failure> {
        let known = match fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text).map_err(io::Error::from),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let random = || RandomState::new().hash_one(std::process::id());
                let key = format!("{:016x}{:016x}", random(), random());
                Ok(Self {
                    key,
                    ..Self::default()
                })
            }
            Err(error) => Err(error),
        };
        let unreadable =
            |error| Failure::usage(format!("could not read {}: {error}", path.display()));
        let known = Self {
            path: path.to_owned(),
            ..known.map_err(unreadable)?
        };
        known.save()?;
        Ok(known)
    }

    /// Writes the file, with the people whom another run has added.
    fn save(&self) -> Result<(), Failure> {
        let stored = fs::read_to_string(&self.path).unwrap_or_default();
        let mut all: Self = serde_json::from_str(&stored).unwrap_or_default();
        all.key.clone_from(&self.key);
        all.texts.extend(self.texts.clone());
        write_private(&self.path, &serde_json::to_string(&all)?)
    }

    /// Replaces the texts of a value that is in a field of this name.
    fn replace(&mut self, value: &mut Value, field: Option<&str>) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    self.replace(value, Some(name));
                }
            }
            Value::Array(values) => values
                .iter_mut()
                .for_each(|value| self.replace(value, field)),
            Value::String(text) => {
                let field = field.filter(|field| word(field).is_some());
                *text = match field {
                    Some(field) => self.pseudonym(field, text),
                    None => self.without_addresses(text),
                };
            }
            _ => {}
        }
    }

    /// The pseudonym of a text in a field of people; any other text stays.
    fn pseudonym(&mut self, field: &str, text: &str) -> String {
        let Some(word) = word(field).filter(|_| !text.trim().is_empty()) else {
            return text.to_owned();
        };
        // A username that is an address has the pseudonym of the address.
        let (word, end) = match is_address(text) {
            true => ("person", "@pseudonym.invalid"),
            false => (word, ""),
        };
        let hash = Sha256::digest(format!("{}\0{}", self.key, text.to_lowercase()));
        let digits = hash[..5].iter().map(|byte| format!("{byte:02x}"));
        let pseudonym = format!("{word}-{}{end}", digits.collect::<String>());
        self.texts.insert(pseudonym.clone(), text.to_owned());
        pseudonym
    }

    fn without_addresses(&mut self, text: &str) -> String {
        if !text.contains('@') {
            return text.to_owned();
        }
        let in_address = |c: char| c.is_alphanumeric() || "@.!#$%&*+-/=?^_`{|}~".contains(c);
        let parts = text.split_inclusive(|c| !in_address(c)).map(|part| {
            let end = part.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
            match part.split_at(end) {
                (address, rest) if is_address(address) => self.pseudonym("email", address) + rest,
                _ => part.to_owned(),
            }
        });
        parts.collect()
    }

    /// Without addresses and the texts of known people, the longest first.
    fn hidden(&mut self, text: &str) -> String {
        let mut text = self.without_addresses(text);
        let mut known: Vec<_> = self
            .texts
            .iter()
            .filter(|(_, real)| real.len() >= SHORT)
            .collect();
        known.sort_by_key(|(_, real)| std::cmp::Reverse(real.len()));
        for (pseudonym, real) in known {
            text = replace_words(&text, real, pseudonym);
        }
        text
    }
}

/// The word that the pseudonyms of a field begin with; `None` for a field that is not of a person.
fn word(field: &str) -> Option<&'static str> {
    let field = field.to_ascii_lowercase();
    let known = FIELDS.iter().find(|(name, _)| field.ends_with(name));
    known.map(|(_, word)| *word)
}

fn is_address(text: &str) -> bool {
    let parts = text.split_once('@').filter(|(name, _)| !name.is_empty());
    parts.is_some_and(|(_, domain)| domain.contains('.') && domain != "pseudonym.invalid")
}

/// Replaces a text where it is not a part of a longer word.
fn replace_words(text: &str, real: &str, pseudonym: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (mut replaced, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(real) {
        let (before, after) = (&rest[..at], &rest[at + real.len()..]);
        let is_part = is_word(before.chars().next_back()) || is_word(after.chars().next());
        replaced.push_str(before);
        replaced.push_str(if is_part { real } else { pseudonym });
        rest = after;
    }
    replaced + rest
}
