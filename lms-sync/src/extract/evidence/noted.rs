//! Which signs were noted, for a test that each of them is.

use std::{cell::RefCell, collections::BTreeSet};

use super::Sign;

thread_local! {
    static NOTED: RefCell<BTreeSet<Sign>> = const { RefCell::new(BTreeSet::new()) };
}

pub(super) fn add(sign: Sign) {
    NOTED.with_borrow_mut(|noted| noted.insert(sign));
}

/// All signs by name, and whether an extract on this thread has noted them.
pub fn signs() -> Vec<(String, bool)> {
    let signs = Sign::ALL.iter();
    NOTED.with_borrow(|noted| {
        signs
            .map(|sign| (format!("{sign:?}"), noted.contains(sign)))
            .collect()
    })
}
