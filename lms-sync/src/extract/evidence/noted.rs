//! The signs that were noted, for a test that each of them is.

use std::{cell::RefCell, collections::BTreeSet};

thread_local! {
    static NOTED: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

pub(super) fn add(sign: &'static str) {
    NOTED.with_borrow_mut(|noted| noted.insert(sign));
}

/// Returns `true` if an extract on this thread has noted the sign.
pub(super) fn contains(sign: &str) -> bool {
    NOTED.with_borrow(|noted| noted.contains(sign))
}
