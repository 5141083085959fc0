//! A list for whose items calls are made, and the values that the calls take from its items.
//!
//! If the list returns an item twice, it may have left out another one. A call that finds nothing has no row by which a
//! duplicate could be recognised, so the keys of the items themselves are compared.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Lines, Seek as _, Write as _},
    vec,
};

use lms_ext::Lms;

use crate::{
    collection::{Collection, ForEach, RowReader, fingerprint, known},
    error::Error,
    extract::{
        budget::Budget,
        evidence::Sign,
        list::ListPager,
        page::{Fill, RawPage, Requests, values},
        reading::Reading,
        seen_keys::SeenKeys,
    },
};

/// A list for whose items calls are made.
pub(super) struct ItemList {
    of: &'static Collection,
    each: &'static ForEach,
    list: ListPager,
    reader: RowReader,
    keys: SeenKeys,
    /// The lines of the file. Items may ask for the same call: two enrolments of a learner in a course.
    calls: SeenKeys,
    /// The values of each item on a line, so that memory does not grow with the list.
    file: File,
}

impl ItemList {
    pub(super) fn new(
        lms: &Lms,
        of: &'static Collection,
        each: &'static ForEach,
        reading: &Reading,
    ) -> Result<Self, Error> {
        let list = known(each.collection)?;
        let rules = reading.rules_of_other(list);
        Ok(Self {
            of,
            each,
            list: ListPager::new(lms, list, reading.query(list), None, rules)?,
            reader: RowReader::new(list),
            keys: SeenKeys::default(),
            calls: SeenKeys::default(),
            file: tempfile::tempfile().map_err(unusable)?,
        })
    }

    /// Reads the list to its end, and adds its observations to `to`.
    pub(super) async fn read(&mut self, reading: &Reading, to: &mut RawPage) -> Result<(), Error> {
        let each = self.each;
        while let Some(page) = self.list.next().await? {
            to.evidence.add(page.evidence);
            to.number_found = page.number_found.or(to.number_found);
            let mut lines = String::new();
            for (item, _) in &page.items {
                let row = self.reader.read(item.get());
                match row.and_then(|row| row.key_fingerprint()) {
                    None => to.evidence.note(Sign::NoKey, || {
                        format!("an item of {} has no key", each.collection)
                    }),
                    Some(key) if !self.keys.insert(key)? => {
                        to.evidence.note(Sign::ItemTwice, || {
                            format!("the list of {} has an item twice", each.collection)
                        });
                    }
                    Some(_) => {}
                }
                let values = values(self.of, each, item)?;
                if !reading.selects(&values) {
                    continue;
                }
                let texts: Vec<&str> = values.iter().map(|(_, text)| text.as_str()).collect();
                let line = serde_json::to_string(&texts).map_err(|error| unusable(error.into()))?;
                if let Some(call) = fingerprint(&line)
                    && self.calls.insert(call)?
                {
                    lines.push_str(&line);
                    lines.push('\n');
                }
            }
            self.file.write_all(lines.as_bytes()).map_err(unusable)?;
        }
        Ok(())
    }

    pub(super) fn take_requests(&mut self) -> Requests {
        self.list.take_requests()
    }

    /// The values of the items, in the order of the list.
    pub(super) fn into_values(mut self) -> Result<ItemValues, Error> {
        self.file.rewind().map_err(unusable)?;
        Ok(ItemValues::Listed {
            each: self.each,
            lines: BufReader::new(self.file).lines(),
        })
    }
}

/// The values of the items of a list, without repetitions.
#[derive(Debug)]
pub(super) enum ItemValues {
    Listed {
        each: &'static ForEach,
        lines: Lines<BufReader<File>>,
    },
    Sorted(vec::IntoIter<Fill>),
}

impl ItemValues {
    /// The values in the order in which they are read within a budget.
    pub(super) fn sorted(self, budget: &Budget) -> Result<Self, Error> {
        let mut items: Vec<Fill> = self.collect::<Result<_, _>>()?;
        budget.sort(&mut items);
        Ok(Self::Sorted(items.into_iter()))
    }
}

impl Iterator for ItemValues {
    type Item = Result<Fill, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let (each, lines) = match self {
            Self::Listed { each, lines } => (each, lines),
            Self::Sorted(items) => return items.next().map(Ok),
        };
        let line = lines.next()?;
        let texts = line.and_then(|line| Ok(serde_json::from_str::<Vec<String>>(&line)?));
        let parameters = each.values.iter().map(|(parameter, _)| *parameter);
        Some(match texts {
            Ok(texts) => Ok(parameters.zip(texts).collect()),
            Err(error) => Err(unusable(error)),
        })
    }
}

fn unusable(error: io::Error) -> Error {
    Error::destination("cannot keep the items of a list in a temporary file", error)
}
