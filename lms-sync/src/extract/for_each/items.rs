//! The items of the first list, and the calls for them.
//!
//! If the list returns an item twice, it may have left out another one. A call that finds nothing has no row by which a
//! duplicate could be recognised, so the items themselves are remembered.

use crate::{
    collection::{Collection, ForEach, RawItem, RowReader},
    error::Error,
    extract::{
        evidence::{Evidence, Sign},
        list::twice,
        page::{Fill, values},
        position::Chain,
        seen::SeenKeys,
    },
};

/// The items of the first list so far.
#[derive(Debug)]
pub(super) struct SeenItems {
    reader: RowReader,
    keys: SeenKeys,
    /// The calls so far. Items may ask for the same: two enrolments of a learner in a course.
    called: SeenKeys,
    /// The keys and parameters of all items.
    pub(super) read: Chain,
}

impl SeenItems {
    pub(super) fn new(list: &'static Collection) -> Self {
        Self {
            reader: RowReader::new(list).without_extra(),
            keys: SeenKeys::default(),
            called: SeenKeys::default(),
            read: Chain::default(),
        }
    }

    /// Adds the items of a page. Returns the parameters of the calls for them, with each combination of the others.
    pub(super) fn jobs(
        &mut self,
        of: &Collection,
        each: &ForEach,
        items: &[(RawItem, Fill)],
        others: &[Fill],
        evidence: &mut Evidence,
    ) -> Result<Vec<Fill>, Error> {
        let values = items.iter().map(|(item, _)| values(of, each, item));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let mut jobs = Vec::new();
        for ((item, _), values) in items.iter().zip(values) {
            if self.add(each, item, &values, evidence)? {
                let with = |other: &Fill| [values.as_slice(), other.as_slice()].concat();
                jobs.extend(others.iter().map(with));
            }
        }
        Ok(jobs)
    }

    /// Adds an item, whose parameters are these. Returns whether to call for it.
    pub(super) fn add(
        &mut self,
        each: &ForEach,
        item: &RawItem,
        values: &Fill,
        evidence: &mut Evidence,
    ) -> Result<bool, Error> {
        let row = self.reader.read(item.get());
        match row.and_then(|row| row.key_fingerprint()) {
            None => evidence.note(Sign::NoKey, || {
                format!("an item of {} has no key", each.collection)
            }),
            Some(key) => {
                self.read.add(key.to_be_bytes());
                if !self.keys.insert(key)? {
                    evidence.note(Sign::ItemTwice, || twice(each));
                }
            }
        }
        let mut call = Chain::default();
        for (_, value) in values {
            call.add(value);
            self.read.add(value);
        }
        let (call, _) = call.0.split_at(16);
        let call = call.try_into().map_or(0, u128::from_be_bytes);
        self.called.insert(call)
    }
}
