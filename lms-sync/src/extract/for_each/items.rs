//! A list for whose items calls are made, and the values that the calls take from its items.
//!
//! If the list returns an item twice, it may have left out another one. A call that finds nothing has no row by which a
//! duplicate could be recognised, so the keys of the items themselves are compared.

use std::io::{self, BufRead as _, BufReader, Seek as _, Write as _};

use lms_ext::Lms;

use crate::{
    collection::{Collection, ForEach, RowReader, fingerprint, known},
    error::Error,
    extract::{
        evidence::{ListRules, Sign},
        list::ListPager,
        page::{Fill, RawPage, request, values},
        reading::Reading,
        seen_keys::SeenKeys,
    },
};

/// The values of the items of a list, in its order and without repetitions.
pub(super) type ItemValues = Box<dyn Iterator<Item = Result<Fill, Error>> + Send + Sync>;

/// Reads a list to its end, and adds its observations to `to`. The values of its items are kept in a file, so that memory does
/// not grow with the list.
pub(super) async fn read_items(
    lms: &Lms,
    of: &Collection,
    each: &'static ForEach,
    reading: &Reading,
    to: &mut RawPage,
) -> Result<ItemValues, Error> {
    let listed = known(each.collection)?;
    let pages = request(lms, listed.operation, &[], &reading.query(listed))?.pages();
    let rules = ListRules::of(listed, reading.ignore_count);
    let mut pager = ListPager::new(pages, rules, &reading.requests);
    let reader = RowReader::new(listed, None);
    // Items may ask for the same call: two enrolments of a learner in a course.
    let (mut keys, mut calls) = (SeenKeys::default(), SeenKeys::default());
    let mut file = tempfile::tempfile().map_err(unusable)?;
    while let Some(page) = pager.next().await? {
        to.evidence.add(page.evidence);
        to.number_found = page.number_found.or(to.number_found);
        let mut lines = String::new();
        for (item, _) in &page.items {
            let row = reader.read(item.get(), &[]);
            match row.and_then(|(row, _)| row.key_fingerprint()) {
                None => to.evidence.note(Sign::NoKey, || {
                    format!("an item of {} has no key", each.collection)
                }),
                Some(key) if !keys.insert(key)? => to.evidence.note(Sign::ItemTwice, || {
                    format!("the list of {} has an item twice", each.collection)
                }),
                Some(_) => {}
            }
            let values = values(of, each, item)?;
            if !reading.selects(&values) {
                continue;
            }
            let texts: Vec<&str> = values.iter().map(|(_, text)| text.as_str()).collect();
            let line = serde_json::to_string(&texts).map_err(|error| unusable(error.into()))?;
            if let Some(call) = fingerprint(&line)
                && calls.insert(call)?
            {
                lines.push_str(&line);
                lines.push('\n');
            }
        }
        file.write_all(lines.as_bytes()).map_err(unusable)?;
    }
    file.rewind().map_err(unusable)?;
    let values = BufReader::new(file).lines().map(|line| {
        let texts: Vec<String> = serde_json::from_str(&line?)?;
        let parameters = each.values.iter().map(|(parameter, _)| *parameter);
        Ok(parameters.zip(texts).collect())
    });
    Ok(Box::new(values.map(|values| values.map_err(unusable))))
}

fn unusable(error: io::Error) -> Error {
    Error::destination("cannot keep the items of a list in a temporary file", error)
}
