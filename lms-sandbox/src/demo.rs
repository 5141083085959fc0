//! What does a small believable tenant look like?
//!
//! A safety-minded company: 12 courses with their topics, 650 learners from four sites who have got as far as people
//! do, custom fields with records, profiles, sign-up pages and tags. Every list has rows, and learners, enrolments,
//! topic progress and completions have several pages of the default size. One seed always gives the same tenant, so
//! a count seen once can be relied on.

mod catalogue;
mod dice;
mod people;
mod population;
mod words;

use rusqlite::Connection;

use self::catalogue::Catalogue;
use self::dice::Dice;
pub use self::population::{FillProgress, Population};
pub(crate) use self::population::{Listener, populate};
use crate::error::SandboxError;
use crate::store::{Count, Store};

const LEARNERS: i64 = 650;
/// 2025-01-06 08:00 UTC: the tenant's first day. Fixed, so that the tenant does not depend on today.
const FIRST_DAY: i64 = 1_736_150_400;
const DAY: i64 = 86_400;

/// Fills a tenant that has no learners and no courses; one that has some is left as it is.
pub(crate) fn fill(store: &Store, seed: u64) -> Result<(), SandboxError> {
    let filled = store.write(|connection| {
        if is_empty(connection)? {
            let catalogue = Catalogue::make(connection, words::COURSES.len())?;
            let mut dice = Dice::new(seed);
            for index in 0..LEARNERS {
                people::add(connection, &mut dice, &catalogue, index)?;
            }
        }
        Ok(())
    });
    Ok(filled?)
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let has_courses: bool =
        connection.query_row("SELECT EXISTS (SELECT 1 FROM courses)", [], |row| {
            row.get(0)
        })?;
    Ok(!has_courses && Count::Learners.all(connection)? == 0)
}
