//! The responses of a tenant, and the conclusions from them alone.
//!
//! This reads the bytes that were sent, and shares no code with the client.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{
    lie::Draft,
    subject::{List, Subject, key_of, part_of},
};

/// The responses about a collection.
#[derive(Clone, Debug)]
pub struct Transcript {
    subject: Subject,
    listings: BTreeMap<List, Listing>,
    /// The last count of the list that is read in parts, where only its count was asked for.
    counted: Option<Count>,
    /// The responses for each object since the list was read.
    calls: BTreeMap<String, Vec<Call>>,
    /// The values that were sent for each key since the read began.
    pub served: BTreeMap<String, BTreeSet<String>>,
    /// The learners that each enrolment was said to be of, in all runs.
    pub users: BTreeMap<String, BTreeSet<String>>,
    /// The responses that said that a list does not exist, in this run.
    gone: BTreeMap<String, BTreeSet<Kind>>,
    /// The objects that were requested in this run.
    pub asked: Vec<Asked>,
    /// The identities that the tenant stated in this run.
    pub tids: Vec<Option<String>>,
}

/// The pages of a list from its start.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    pub pages: Vec<Page>,
}

#[derive(Clone, Debug)]
pub struct Page {
    next: Option<String>,
    more: Option<bool>,
    count: Count,
    pub items: Vec<Value>,
    /// `true` if each field has a type that it is documented to have.
    sound: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Absent,
    Is(usize),
    Unreadable,
}

/// A request for an object.
#[derive(Clone, Debug)]
pub struct Asked {
    key: String,
    /// The status, content type and form of a response that says that there is no such object.
    absent: Option<String>,
    /// The kind of a response that refuses the request.
    refused: Option<Kind>,
    found: bool,
}

impl Asked {
    /// Returns `true` if the tenant never has such a key: its own are short.
    fn is_impossible(&self) -> bool {
        self.key.split('\n').all(|id| id.len() > 8)
    }
}

/// JSON without its values.
fn form(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<&String, String> = members
                .iter()
                .map(|(name, value)| (name, form(value)))
                .collect();
            format!("{members:?}")
        }
        Value::Array(items) => format!("[{}]", items.first().map(form).unwrap_or_default()),
        Value::String(_) => "text".to_owned(),
        Value::Number(_) => "number".to_owned(),
        Value::Bool(_) => "flag".to_owned(),
        Value::Null => "null".to_owned(),
    }
}

/// The server that a refusal is of, as far as its response shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The content type, and the form of the object.
    Json(String),
    /// The same, with the status.
    Other(String),
}

impl Kind {
    fn of(draft: &Draft) -> Self {
        let body = serde_json::from_str::<Value>(&draft.text()).ok();
        let text = format!("{} {:?}", draft.content_type, body.as_ref().map(form));
        let is_object = body.is_some_and(|body| body.is_object());
        if is_object && draft.content_type.contains("json") {
            Self::Json(text)
        } else {
            Self::Other(format!("{} {text}", draft.status))
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Call {
    /// The object that was asked for.
    Found,
    /// The tenant said that there is no such object.
    NotFound(Kind),
    /// Anything else.
    Unsound,
}

/// A value of a row as text. A null is as good as an absent one.
pub fn version_text(version: Option<&Value>) -> String {
    version
        .filter(|value| !value.is_null())
        .map(Value::to_string)
        .unwrap_or_default()
}

impl Listing {
    /// The position of the page that this cursor asks for.
    pub fn index(&self, cursor: Option<&str>) -> usize {
        let Some(cursor) = cursor else { return 0 };
        let named = |page: &Page| page.next.as_deref() == Some(cursor);
        self.pages
            .iter()
            .rposition(named)
            .map_or(0, |before| before + 1)
    }

    /// Returns `true` if an honest tenant that did not change could have sent these pages, and no others after them.
    fn is_quiet(&self, list: List, count_needed: bool) -> bool {
        let Some((last, before)) = self.pages.split_last() else {
            return false;
        };
        let ends = last.more == Some(false) || (last.more.is_none() && last.next.is_none());
        let items = || self.pages.iter().flat_map(|page| &page.items);
        let keys: Option<BTreeSet<String>> = items().map(|item| key_of(list.key(), item)).collect();
        let total = items().count();
        let counted = |page: &Page| match page.count {
            Count::Absent => !count_needed,
            Count::Is(count) => count == total,
            Count::Unreadable => false,
        };
        let all_or_none = self
            .pages
            .iter()
            .all(|page| page.count == self.pages[0].count);
        ends && before.iter().all(|page| page.more == Some(true))
            && self.pages.iter().all(|page| page.sound)
            && keys.is_some_and(|keys| keys.len() == total)
            && (!list.is_counted() || (all_or_none && self.pages.iter().all(counted)))
    }

    fn items(&self) -> impl Iterator<Item = &Value> {
        self.pages.iter().flat_map(|page| &page.items)
    }

    fn has_count(&self) -> bool {
        self.pages
            .iter()
            .any(|page| matches!(page.count, Count::Is(_)))
    }
}

impl Transcript {
    pub fn new(subject: Subject) -> Self {
        Self {
            subject,
            listings: BTreeMap::new(),
            counted: None,
            calls: BTreeMap::new(),
            served: BTreeMap::new(),
            users: BTreeMap::new(),
            gone: BTreeMap::new(),
            asked: Vec::new(),
            tids: Vec::new(),
        }
    }

    pub fn listing(&self, list: List) -> Option<&Listing> {
        self.listings.get(&list)
    }

    /// A list was requested, and this was sent.
    pub fn list(&mut self, list: List, cursor: Option<&str>, draft: &Draft) {
        if cursor.is_none() {
            self.listings.remove(&list);
            if list == self.subject.first() {
                self.calls.clear();
                self.counted = None;
                self.listings
                    .retain(|list, _| !matches!(list, List::Permissions(_) | List::Part(_)));
            }
        }
        let listing = self.listings.entry(list).or_default();
        let index = listing.index(cursor);
        listing.pages.truncate(index);
        if draft.status == 404 && cursor.is_none() {
            return;
        }
        let Some(page) = Page::read(list, draft) else {
            return;
        };
        let is_rows = !self.subject.is_object()
            && (self.subject != Subject::Permissions || matches!(list, List::Permissions(_)));
        if is_rows {
            for item in &page.items {
                if let Some(key) = key_of(list.key(), item) {
                    if let Some(user) = item.get("user").and_then(Value::as_str) {
                        let users = self.users.entry(key.clone()).or_default();
                        users.insert(user.to_owned());
                    }
                    self.served
                        .entry(key)
                        .or_default()
                        .insert(version_text(item.get("v")));
                }
            }
        }
        listing.pages.push(page);
    }

    /// The count of a list was requested, and this was sent.
    pub fn count(&mut self, list: List, draft: &Draft) {
        if list == List::Whole {
            self.counted = Page::read(list, draft).map(|page| page.count);
        }
    }

    /// An object was requested, and this was sent.
    pub fn object(&mut self, key: &str, draft: &Draft) {
        let body = serde_json::from_str(&draft.text());
        let call = match (draft.status, body) {
            (404 | 410, _) => Call::NotFound(Kind::of(draft)),
            (200..=299, Ok(object)) if is_object_of(self.subject, key, &object) => {
                let served = self.served.entry(key.to_owned()).or_default();
                served.insert(version_text(object.get("v")));
                Call::Found
            }
            _ => Call::Unsound,
        };
        self.calls.entry(key.to_owned()).or_default().push(call);
    }

    /// An object was requested by its key, and this was sent.
    pub fn by_id(&mut self, key: &str, draft: &Draft) {
        let body = serde_json::from_str::<Value>(&draft.text()).ok();
        let absent = matches!(draft.status, 404 | 410).then(|| {
            let body = body.as_ref().map(form);
            format!("{} {} {body:?}", draft.status, draft.content_type)
        });
        let found = (200..=299).contains(&draft.status)
            && body.is_some_and(|body| {
                is_object_of(self.subject, key, &body) && body["deleted"] != true
            });
        self.asked.push(Asked {
            key: key.to_owned(),
            absent,
            refused: (400..=499).contains(&draft.status).then(|| Kind::of(draft)),
            found,
        });
    }

    /// A run begins.
    pub fn begin(&mut self) {
        self.gone.clear();
        self.asked.clear();
        self.tids.clear();
    }

    /// A list of an object was said not to exist.
    pub fn list_gone(&mut self, user: &str, draft: &Draft) {
        let kinds = self.gone.entry(user.to_owned()).or_default();
        kinds.insert(Kind::of(draft));
    }

    /// Returns `true` if a response that says that there is no such object is of the tenant, as far as anyone can know: it
    /// refuses an object that cannot exist in the same way, and this is JSON unless objects are found.
    fn is_own(&self, kind: &Kind) -> bool {
        let mut impossible = self.asked.iter().filter(|asked| asked.is_impossible());
        let found = || {
            let mut lists = self.listings.iter();
            self.calls
                .values()
                .flatten()
                .any(|call| *call == Call::Found)
                || lists.any(|(list, _)| matches!(list, List::Permissions(_)))
        };
        impossible.any(|asked| asked.refused.as_ref() == Some(kind))
            && (matches!(kind, Kind::Json(_)) || found())
    }

    /// Returns `true` if the tenant said that an object is gone, as it says it of one that cannot exist, and found another one,
    /// before and after.
    pub fn is_gone(&self, key: &str) -> bool {
        let asked = self.asked.iter().enumerate();
        let mut asked = asked.filter(|(_, asked)| asked.key == key && asked.absent.is_some());
        asked.any(|(at, asked)| {
            let control = |others: &[Asked]| {
                let mut impossible = others.iter().filter(|other| other.is_impossible());
                impossible.any(|other| other.absent == asked.absent)
                    && others.iter().any(|other| other.found)
            };
            control(&self.asked[..at]) && control(&self.asked[at + 1..])
        })
    }

    /// The objects that [are gone](Self::is_gone).
    pub fn gone_objects(&self) -> impl Iterator<Item = &String> {
        let keys = self.asked.iter().map(|asked| &asked.key);
        keys.filter(|key| self.is_gone(key))
    }

    /// Returns `true` if a list of this run stated a count.
    pub fn has_count(&self) -> bool {
        // That of the learners is another collection.
        let mut of_rows = self.listings.iter().filter(|(list, _)| {
            self.subject != Subject::Children || **list == self.subject.first()
        });
        of_rows.any(|(_, listing)| listing.has_count())
    }

    /// Returns `true` if an honest tenant that did not change, and that does not have this row, could have sent all of
    /// this. Then no client can know better.
    pub fn hides(&self, key: &str, count_needed: bool) -> bool {
        let quiet = |list: List| {
            let listing = self.listings.get(&list)?;
            listing
                .is_quiet(list, count_needed && list.is_counted())
                .then_some(listing)
        };
        let lacks = |list: List, has: &dyn Fn(&Value) -> bool| {
            quiet(list).is_some_and(|listing| !listing.items().any(has))
        };
        let first = self.subject.first();
        let mut parts = key.split('\n');
        let (one, two) = (
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
        );
        let refused = || {
            let mut calls = self.calls.get(key).into_iter().flatten();
            calls.any(|call| matches!(call, Call::NotFound(kind) if self.is_own(kind)))
        };
        match self.subject {
            Subject::CourseProgress => {
                lacks(first, &|item| item["course"] == one && item["user"] == two) || refused()
            }
            Subject::Permissions => {
                let number = two.trim_start_matches('u').parse().unwrap_or_default();
                lacks(first, &|item| item["id"] == two)
                    || self
                        .gone
                        .get(two)
                        .is_some_and(|kinds| kinds.iter().any(|kind| self.is_own(kind)))
                    || lacks(List::Permissions(number), &|item| item["user_field"] == one)
            }
            Subject::Records => {
                lacks(first, &|item| item["id"] == one)
                    || lacks(List::UserFields, &|item| item["id"] == two)
                    || refused()
            }
            Subject::Parts => {
                let number = one.trim_start_matches('e').parse().unwrap_or_default();
                let course = part_of(number);
                let parts = self
                    .listings
                    .iter()
                    .filter(|(list, _)| matches!(list, List::Part(_)));
                let rows = parts.map(|(_, listing)| listing.items().count()).sum();
                let (id, of) = (format!("c{course}"), List::Part(course));
                lacks(first, &|item| item["id"] == one)
                    || (self.counted == Some(Count::Is(rows))
                        && (lacks(List::Courses, &|item| item["id"] == id)
                            || lacks(of, &|item| item["id"] == one)))
            }
            _ => lacks(first, &|item| item["id"] == one),
        }
    }
}

fn is_object_of(subject: Subject, key: &str, object: &Value) -> bool {
    let mut fields = subject.key().iter().zip(key.split('\n'));
    let is_stated = |field: &&str| object.get(field).is_some_and(Value::is_string);
    object.is_object()
        && fields.all(|(field, asked)| is_asked(object.get(field), asked))
        && subject.key().iter().any(is_stated)
}

/// Returns `true` if a field of the key does not contradict the request: it may be left out.
fn is_asked(field: Option<&Value>, asked: &str) -> bool {
    match field {
        Some(Value::String(text)) => text == asked,
        Some(Value::Number(_)) => false,
        _ => true,
    }
}

impl Page {
    /// Reads a response; `None` if it is no page.
    fn read(list: List, draft: &Draft) -> Option<Self> {
        if !(200..=299).contains(&draft.status) {
            return None;
        }
        let body: Value = serde_json::from_str(&draft.text()).ok()?;
        let mut items = body.get("items")?.as_array()?.clone();
        let field = |name: &str| body.get(name).filter(|value| !value.is_null());
        let mut sound = draft.status == 200 && draft.content_type == "application/json";
        let (mut more, mut next) = (None, None);
        if list.is_paged() {
            more = field("more").and_then(Value::as_bool);
            sound &= field("more").is_none_or(Value::is_boolean);
            next = field("next_cursor")
                .and_then(Value::as_str)
                .filter(|next| !next.is_empty());
            sound &= field("next_cursor").is_none_or(Value::is_string);
        }
        if let List::Permissions(user) = list {
            let asked = format!("u{user}");
            for item in items.iter_mut().filter_map(Value::as_object_mut) {
                if is_asked(item.get("user"), &asked) {
                    item.insert("user".into(), asked.clone().into());
                } else {
                    sound = false;
                }
            }
        }
        // The tenant echoes the filter.
        let echo = match list {
            List::Part(course) => format!("c{course}"),
            _ => String::new(),
        };
        sound &= is_asked(field("course"), &echo);
        if !echo.is_empty() {
            sound &= items.iter().all(|item| is_asked(item.get("course"), &echo));
        }
        // A cursor means that there are more, unless the page says otherwise.
        sound &= more.is_some() || next.is_none();
        Some(Self {
            next: next.map(ToOwned::to_owned),
            more,
            count: field("number_found").map_or(Count::Absent, Count::read),
            items,
            sound,
        })
    }
}

impl Count {
    fn read(value: &Value) -> Self {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return Self::Unreadable,
        };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|_| digits)
            .map_or(Self::Unreadable, Self::Is)
    }
}
