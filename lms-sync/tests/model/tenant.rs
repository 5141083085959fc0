//! The true data of a tenant, and its honest responses.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use serde_json::{Map, Value, json};

use super::subject::{List, Subject, part_of};

/// The kind of cursors of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paging {
    /// The cursor is a number of items: an insertion or a deletion before it moves all others.
    Offset,
    /// The cursor is a place in the order of the list.
    Keyset,
}

/// A change of the tenant, at a position among the items that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub part: Part,
    pub what: What,
    pub index: u8,
}

/// A source that a collection is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The first list.
    First,
    /// The second list, or the list for each item of the first one.
    Second,
    /// The object for each row, or each part of a list.
    Object,
    /// An object that was requested by its id.
    ById,
    /// `GET /oauth/me`.
    Me,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Delete,
    /// Inserts a new item before the one at the position.
    Insert,
    MoveToStart,
    MoveToEnd,
    Edit,
}

#[derive(Clone, Debug)]
struct Item {
    number: u16,
    version: u32,
    /// Its place in the order of the list.
    rank: i64,
}

/// The data of a tenant.
#[derive(Clone, Debug)]
pub struct Tenant {
    subject: Subject,
    paging: Paging,
    page: usize,
    lists: BTreeMap<List, Vec<Item>>,
    /// The versions of objects that were edited.
    objects: BTreeMap<String, u32>,
    absent: BTreeSet<String>,
    next_number: u16,
    pub tid: u32,
}

const GAP: i64 = 1 << 20;

impl Tenant {
    pub fn new(subject: Subject, paging: Paging, page: usize, rows: u16, seconds: u16) -> Self {
        let items = |count: u16| -> Vec<Item> {
            let item = |number| Item {
                number,
                version: 1,
                rank: i64::from(number) * GAP,
            };
            (1..=count).map(item).collect()
        };
        let mut lists = BTreeMap::from([(subject.first(), items(rows))]);
        match subject {
            Subject::Permissions => {
                lists.extend((1..=rows).map(|user| (List::Permissions(user), items(seconds))));
            }
            Subject::Records => {
                lists.insert(List::UserFields, items(seconds));
            }
            Subject::Children => {
                lists.insert(List::Learners, items(rows));
            }
            // A course too few sometimes.
            Subject::Parts => {
                lists.insert(List::Courses, items(seconds + 2));
            }
            _ => {}
        }
        Self {
            subject,
            paging,
            page,
            lists,
            objects: BTreeMap::new(),
            absent: BTreeSet::new(),
            next_number: rows.max(seconds) + 1,
            tid: 1,
        }
    }

    /// Makes the object of each position whose bit is set one that was never there.
    pub fn without_objects(mut self, bits: u8) -> Self {
        let keys: Vec<String> = self.rows().into_keys().collect();
        if self.subject.is_object() {
            let absent = keys
                .into_iter()
                .zip(0..8)
                .filter(|(_, bit)| bits >> bit & 1 == 1);
            self.absent = absent.map(|(key, _)| key).collect();
        }
        self
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each change")]
    pub fn apply(&mut self, change: Change) {
        let index = usize::from(change.index);
        if change.part == Part::Object && self.subject.is_object() {
            return self.change_object(change.what, index);
        }
        let lists: Vec<List> = self.lists.keys().copied().collect();
        let (first, others): (Vec<List>, Vec<List>) = lists
            .into_iter()
            .partition(|list| *list == self.subject.first());
        let list = match (change.part, others.is_empty()) {
            (Part::Second, false) => others[index % others.len()],
            _ => first[0],
        };
        let Some(items) = self.lists.get_mut(&list) else {
            return;
        };
        let (at, len) = (index % items.len().max(1), items.len());
        let start = items.first().map_or(0, |item| item.rank - GAP);
        let end = items.last().map_or(0, |item| item.rank + GAP);
        match change.what {
            What::Insert => {
                let before = at.checked_sub(1).map_or(start, |before| items[before].rank);
                let after = items.get(at).map_or(end, |item| item.rank);
                let rank = before + (after - before) / 2;
                let number = self.next_number;
                self.next_number += 1;
                items.insert(
                    at,
                    Item {
                        number,
                        version: 1,
                        rank,
                    },
                );
                if list == List::Learners && self.subject == Subject::Permissions {
                    let one = Item {
                        number: 1,
                        version: 1,
                        rank: 0,
                    };
                    self.lists.insert(List::Permissions(number), vec![one]);
                }
            }
            _ if len == 0 => {}
            What::Delete => {
                let gone = items.remove(at);
                if list == List::Learners {
                    self.lists.remove(&List::Permissions(gone.number));
                }
            }
            What::MoveToStart => {
                let mut item = items.remove(at);
                item.rank = start;
                items.insert(0, item);
            }
            What::MoveToEnd => {
                let mut item = items.remove(at);
                item.rank = end;
                items.push(item);
            }
            What::Edit => items[at].version += 1,
        }
    }

    fn change_object(&mut self, what: What, index: usize) {
        let keys: Vec<String> = self.all_pairs().into_iter().collect();
        let Some(key) = keys.get(index % keys.len().max(1)).cloned() else {
            return;
        };
        match what {
            What::Delete => self.absent.insert(key),
            What::Insert => self.absent.remove(&key),
            _ => {
                *self.objects.entry(key).or_insert(1) += 1;
                true
            }
        };
    }

    fn numbers(&self, list: List) -> impl Iterator<Item = &Item> {
        self.lists.get(&list).into_iter().flatten()
    }

    /// The keys of all objects that can exist.
    fn all_pairs(&self) -> BTreeSet<String> {
        let pairs: Box<dyn Iterator<Item = String>> = match self.subject {
            Subject::CourseProgress => Box::new(
                self.numbers(List::Enrolments)
                    .map(|item| format!("c{0}\nu{0}", item.number)),
            ),
            Subject::Records => Box::new(self.numbers(List::Learners).flat_map(|user| {
                let fields = self.numbers(List::UserFields);
                fields.map(|field| format!("u{}\nf{}", user.number, field.number))
            })),
            _ => Box::new(std::iter::empty()),
        };
        pairs.collect()
    }

    /// The rows that the collection truly has: keys, and the versions of their values.
    pub fn rows(&self) -> BTreeMap<String, u64> {
        if self.subject.is_object() {
            let there = self
                .all_pairs()
                .into_iter()
                .filter(|key| !self.absent.contains(key));
            return there
                .map(|key| (key.clone(), self.version(&key).into()))
                .collect();
        }
        let lists = self.lists.iter().filter(|(list, _)| match self.subject {
            Subject::Permissions => matches!(list, List::Permissions(_)),
            Subject::Parts => **list == List::Whole,
            Subject::Children => **list == List::Enrolments,
            _ => true,
        });
        let items = lists.flat_map(|(list, items)| items.iter().map(|item| (*list, item)));
        items
            .map(|(list, item)| {
                let value = list.item(item.number, item.version);
                let key = super::subject::key_of(list.key(), &value).unwrap();
                (key, item.version.into())
            })
            .collect()
    }

    fn version(&self, key: &str) -> u32 {
        self.objects.get(key).copied().unwrap_or(1)
    }

    /// The items of a list; `None` if the tenant does not have it.
    fn items(&self, list: List) -> Option<Cow<'_, [Item]>> {
        let List::Part(course) = list else {
            return Some(self.lists.get(&list)?.into());
        };
        let known = self
            .numbers(List::Courses)
            .any(|item| item.number == course);
        let enrolments = self.numbers(List::Whole).cloned();
        let items: Vec<Item> = enrolments
            .filter(|item| part_of(item.number) == course)
            .collect();
        known.then_some(items.into())
    }

    /// A page of a list, as an honest tenant sends it; `None` for a cursor that it never gave, and a list that it does not have.
    pub fn page(&self, list: List, cursor: Option<&str>) -> Option<Map<String, Value>> {
        let items = self.items(list)?;
        let start = match (self.paging, cursor) {
            (_, None) => 0,
            (Paging::Offset, Some(cursor)) => cursor.strip_prefix('o')?.parse().ok()?,
            (Paging::Keyset, Some(cursor)) => {
                let rank: i64 = cursor.strip_prefix('k')?.parse().ok()?;
                items.iter().filter(|item| item.rank <= rank).count()
            }
        };
        let start = start.min(items.len());
        let size = if list.is_paged() {
            self.page
        } else {
            items.len()
        };
        let end = (start + size).min(items.len());
        let page = items[start..end]
            .iter()
            .map(|item| list.item(item.number, item.version));
        let mut body = Map::new();
        body.insert("items".into(), page.collect());
        if let List::Part(course) = list {
            body.insert("course".into(), format!("c{course}").into());
        }
        if !list.is_paged() {
            return Some(body);
        }
        let more = end < items.len();
        if list.is_counted() {
            body.insert("number_found".into(), items.len().to_string().into());
            body.insert("cursor".into(), cursor.into());
            body.insert("limit".into(), size.to_string().into());
        }
        let next = more.then(|| match self.paging {
            Paging::Offset => format!("o{end}"),
            Paging::Keyset => format!("k{}", items[end - 1].rank),
        });
        body.insert("next_cursor".into(), next.into());
        body.insert("more".into(), more.into());
        Some(body)
    }

    /// The first page of the list for another object or filter than this one.
    pub fn other_page(&self, list: List) -> Option<Map<String, Value>> {
        let others = self.lists.keys().copied();
        let parts = (1..=3).map(List::Part);
        let mut others: Vec<List> = match list {
            List::Permissions(_) => others.collect(),
            List::Part(_) | List::Whole => parts.collect(),
            _ => return None,
        };
        others.retain(|other| {
            *other != list && matches!(other, List::Permissions(_) | List::Part(_))
        });
        others.into_iter().find_map(|other| self.page(other, None))
    }

    /// The object with this key of the collection.
    pub fn object(&self, key: &str) -> Option<Value> {
        if !self.all_pairs().contains(key) || self.absent.contains(key) {
            return None;
        }
        let values = self.subject.key().iter().zip(key.split('\n'));
        let mut object: Map<String, Value> = values
            .map(|(field, value)| ((*field).to_owned(), value.into()))
            .collect();
        object.insert("v".into(), self.version(key).into());
        Some(object.into())
    }

    /// The learner with this id.
    pub fn by_id(&self, id: &str) -> Option<Value> {
        let list = List::Learners;
        let items = self
            .numbers(list)
            .map(|item| list.item(item.number, item.version));
        items.into_iter().find(|item| item["id"] == id)
    }

    pub fn me(&self) -> Value {
        json!({"tid": format!("tenant-{}", self.tid), "domain": "tenant.example", "aud": "lms", "name": "Tenant"})
    }
}
