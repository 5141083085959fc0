//! Where changes are kept, and how far they have been delivered.

use std::fmt;

use super::change::{Change, DeadLetter};
use crate::error::Error;

/// The feed in a database. All calls block.
pub(crate) trait ChangeStore: fmt::Debug + Send + Sync + 'static {
    /// An id that no other mirror has.
    fn mirror_id(&self) -> Result<String, Error>;

    /// The changes after a sequence number, in order.
    fn since(&self, sequence: u64, limit: u32) -> Result<Vec<Change>, Error>;

    /// The last change that an endpoint has got, or that was given up for it; `None` before the first.
    fn position(&self, endpoint: &str) -> Result<Option<u64>, Error>;

    /// Moves the position of an endpoint, and in the same transaction keeps a change that was given up.
    fn advance(
        &self,
        endpoint: &str,
        sequence: u64,
        given_up: Option<&DeadLetter>,
    ) -> Result<(), Error>;

    /// The changes that were given up for an endpoint, in order.
    fn dead_letters(&self, endpoint: &str) -> Result<Vec<DeadLetter>, Error>;

    /// Removes a change from those that were given up.
    fn remove_dead_letter(&self, endpoint: &str, sequence: u64) -> Result<(), Error>;
}
