//! Generated data: a small demo tenant, or a population of any size.
//!
//! The demo tenant is a company with 650 learners, 12 courses with topics, custom fields with records, profiles, sign-up
//! pages and tags. Every list has items; learners, enrolments, topic progress and completions have several pages of the
//! default size. The same seed gives the same data in the same version of the crate, so tests can rely on its counts.

mod catalogue;
mod learners;
mod population;
mod words;

use self::catalogue::Catalogue;
pub use self::population::Population;
pub(crate) use self::population::populate;
use crate::error::SandboxError;
use crate::store::Store;

const LEARNERS: i64 = 650;

/// Fills the tenant with the demo data of this seed, if it has no learners and no courses.
pub(crate) fn fill(store: &Store, seed: u64) -> Result<(), SandboxError> {
    let filled = store.write(|db| {
        if let Some(catalogue) = Catalogue::add_to_empty(db, words::WORDS.courses.len())? {
            let mut rng = fastrand::Rng::with_seed(seed);
            for index in 0..LEARNERS {
                learners::add(db, &mut rng, &catalogue, index)?;
            }
        }
        Ok(())
    });
    Ok(filled?)
}
