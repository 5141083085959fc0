//! Objects of a tenant by id or name.
//!
//! An id costs one request. Many texts, and names that no filter selects by, cost the list, which is read once.

use std::collections::{BTreeMap, BTreeSet};

use lms_ext::{Error, ErrorKind, Lms, RawRequest};
use serde_json::{Map, Value, value::RawValue};

use super::{
    kind::ObjectKind,
    object::{self, Object, Objects, Unresolved},
};
use crate::operations::{lookup::operation, table::Command};

/// Number of texts from which the list may be cheaper than a request for each.
const MANY: usize = 3;

/// Number of pages that are read only to propose names.
const PAGES_OF_PROPOSALS: usize = 5;

/// Number of texts for which names are proposed.
const PROPOSED_FOR: usize = 20;

/// The object of each text, or why there is none.
pub(crate) type Resolved = BTreeMap<(ObjectKind, String), Found>;

/// Finds the objects that texts name, or those that only their names name.
///
/// # Errors
///
/// The error of a request. A text that names no object is a part of the result.
pub(crate) async fn all(
    lms: &Lms,
    texts: BTreeSet<(ObjectKind, String)>,
    may_be_ids: bool,
    concurrency: usize,
) -> Result<Resolved, Error> {
    let mut resolved = Resolved::new();
    let mut open: BTreeMap<ObjectKind, Vec<String>> = BTreeMap::new();
    // The check of a command says that a text is empty.
    for (kind, text) in texts {
        if !text.trim().is_empty() {
            open.entry(kind).or_default().push(text);
        }
    }
    for (kind, texts) in open {
        let found = Box::pin(of_kind(lms, kind, texts, may_be_ids, concurrency)).await?;
        resolved.extend(found.into_iter().map(|(text, found)| ((kind, text), found)));
    }
    Ok(resolved)
}

type Found = Result<Object, Unresolved>;

async fn of_kind(
    lms: &Lms,
    kind: ObjectKind,
    mut open: Vec<String>,
    may_be_ids: bool,
    concurrency: usize,
) -> Result<BTreeMap<String, Found>, Error> {
    let mut resolved = BTreeMap::new();
    let listed = match kind.get() {
        None => Some(list(lms, kind).await?),
        Some(_) if open.len() >= MANY => {
            let pages = pages(lms, kind, |_, expected| expected <= open.len()).await?;
            Some(pages.0).filter(|_| pages.1)
        }
        Some(_) => None,
    };
    if let Some(objects) = &listed {
        open.retain(|text| {
            let found = find(objects, text).map(|found| resolved.insert(text.clone(), found));
            found.is_none()
        });
    }
    let is_filtered = listed.is_none() && kind.filters().next().is_some();
    let bulk = lms.bulk(open).concurrency(concurrency).idempotent();
    let mut outcomes = bulk.run(move |lms, text: String| async move {
        // An object may not be in the list.
        if may_be_ids
            && may_be_id(kind, &text)
            && let Some(object) = by_id(&lms, kind, &text).await?
        {
            return Ok(Some(Ok(object)));
        }
        match is_filtered {
            true => Ok(find(&filtered(&lms, kind, &text).await?, &text)),
            false => Ok(None),
        }
    });
    let mut open = BTreeSet::new();
    while let Some(outcome) = outcomes.try_next().await? {
        match outcome.result? {
            Some(found) => _ = resolved.insert(outcome.item, found),
            None => _ = open.insert(outcome.item),
        }
    }
    if !open.is_empty() {
        resolved.extend(others(lms, kind, listed, open).await?);
    }
    Ok(resolved)
}

/// Finds the texts that are neither ids nor selected by a filter.
async fn others(
    lms: &Lms,
    kind: ObjectKind,
    listed: Option<Objects>,
    open: BTreeSet<String>,
) -> Result<BTreeMap<String, Found>, Error> {
    let objects = match listed {
        Some(objects) => objects,
        // Only the name of a person is in no filter.
        None if kind.filters().next().is_none() || open.iter().any(|text| has_spaces(text)) => {
            list(lms, kind).await?
        }
        None => {
            pages(lms, kind, |read, _| read < PAGES_OF_PROPOSALS)
                .await?
                .0
        }
    };
    let found = open.into_iter().zip(0..).map(|(text, index)| {
        let found = match index < PROPOSED_FOR {
            true => objects.find_or_propose(&text).cloned(),
            false => objects.find(&text).cloned(),
        };
        (text, found)
    });
    Ok(found.collect())
}

/// The object with this id or name, or several; `None` if there is none.
fn find(objects: &Objects, text: &str) -> Option<Found> {
    match objects.find(text) {
        Err(Unresolved::None(_)) => None,
        found => Some(found.cloned()),
    }
}

/// `true` for a text that is worth a request for the object with this id.
pub(crate) fn may_be_id(kind: ObjectKind, text: &str) -> bool {
    let is_address = text.contains('@') && kind.is_named_by("email");
    !text.is_empty() && !has_spaces(text) && !is_address
}

fn has_spaces(text: &str) -> bool {
    text.contains(char::is_whitespace)
}

fn request(lms: &Lms, command: &Command, path: &[&str]) -> Option<RawRequest> {
    lms.raw_operation(operation(command)?, path).ok()
}

/// The object with this id. An id that cannot be asked for is none.
async fn by_id(lms: &Lms, kind: ObjectKind, id: &str) -> Result<Option<Object>, Error> {
    let Some(request) = kind.get().and_then(|get| request(lms, get, &[id])) else {
        return Ok(None);
    };
    match request.call_as::<Map<String, Value>>().await {
        Ok(response) => {
            let object = object::of(&response.value);
            Ok(object.filter(|object| object.id == id))
        }
        // How the service responds to a text that cannot be an id is not documented.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Rejected) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The objects that a filter selects by a text that identifies them. Whether filters compare whole values and case is not
/// documented.
async fn filtered(lms: &Lms, kind: ObjectKind, text: &str) -> Result<Objects, Error> {
    let mut objects = Vec::new();
    let texts: BTreeSet<String> = [text.trim().to_owned(), text.trim().to_lowercase()].into();
    for filter in kind.filters() {
        if filter == "email" && !text.contains('@') {
            continue;
        }
        for text in &texts {
            let list = kind.list().and_then(|list| request(lms, list, &[]));
            let Some(list) = list else { continue };
            let mut items = list.query(filter, text).items();
            while let Some(item) = items.try_next().await? {
                objects.extend(object(&item));
            }
        }
    }
    Ok(objects.into_iter().collect())
}

/// An object of a list that is not deleted.
fn object(item: &RawValue) -> Option<Object> {
    object::of_item(item).filter(|object| !object.deleted)
}

/// All objects.
async fn list(lms: &Lms, kind: ObjectKind) -> Result<Objects, Error> {
    Ok(pages(lms, kind, |_, _| true).await?.0)
}

/// The objects of the pages of the list until `more` is `false` for the number of pages that were read, and of those that the
/// list seems to have; `true` if these are all.
async fn pages(
    lms: &Lms,
    kind: ObjectKind,
    more: impl Fn(usize, usize) -> bool,
) -> Result<(Objects, bool), Error> {
    let mut objects = Vec::new();
    let list = kind.list().and_then(|list| request(lms, list, &[]));
    let Some(list) = list else {
        return Ok((Objects::default(), false));
    };
    let (mut pages, mut read) = (list.pages().without_read_ahead(), 0);
    let is_complete = loop {
        let Some(page) = pages.try_next().await? else {
            break true;
        };
        read += 1;
        objects.extend(page.items.iter().filter_map(|item| object(item)));
        let found = page
            .number_found
            .and_then(|found| usize::try_from(found).ok());
        let expected = found.map_or(usize::MAX, |found| found.div_ceil(page.items.len().max(1)));
        if !more(read, expected) {
            break page.next_cursor.is_none();
        }
    };
    if is_complete {
        // A short list may lack the object, or another one of this name.
        pages.summary().require_whole()?;
    }
    Ok((objects.into_iter().collect(), is_complete))
}
