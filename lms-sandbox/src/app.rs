//! The state of one sandbox: its tenant's data, clock, tokens, fault plan and journal.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::api::problem::Problem;
use crate::clock::Clock;
use crate::demo::{self, Population};
use crate::error::SandboxError;
use crate::faults::{FaultPlan, Faults};
use crate::journal::Journal;
use crate::service::courses::duplication;
use crate::service::request::Settings;
use crate::store::{Counts, Store};
use crate::tokens::Tokens;

/// The default `tid` of a sandbox.
pub(crate) const TENANT_ID: &str = "t1";

/// The settings of a sandbox.
#[derive(Clone)]
pub(crate) struct Config {
    /// Their `base_url` is empty until the sandbox listens.
    pub(crate) settings: Settings,
    pub(crate) data_file: Option<PathBuf>,
    pub(crate) content: Content,
    pub(crate) faults: FaultPlan,
    pub(crate) clock: Clock,
}

/// The content of a new tenant.
#[derive(Clone)]
pub(crate) enum Content {
    Nothing,
    /// The demo tenant of this seed.
    Demo(u64),
    Population(Population),
}

/// The state of one sandbox. It holds the client secret and tokens, so it has no `Debug`.
pub(crate) struct App {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    pub(crate) counts: Counts,
    pub(crate) clock: Clock,
    pub(crate) tokens: Tokens,
    pub(crate) journal: Arc<Journal>,
    pub(crate) faults: Faults,
}

impl App {
    /// Opens the store and fills it if it is empty. Blocks until that is done.
    pub(crate) fn open(config: Config, base_url: String) -> Result<Self, SandboxError> {
        let store = match &config.data_file {
            Some(file) => Store::in_file(file)?,
            None => Store::in_memory()?,
        };
        match config.content {
            Content::Nothing => {}
            Content::Demo(seed) => demo::fill(&store, seed)?,
            Content::Population(population) => demo::populate(&store, population)?,
        }
        Ok(Self {
            settings: Settings {
                base_url,
                ..config.settings
            },
            store,
            counts: Counts::default(),
            clock: config.clock,
            tokens: Tokens::default(),
            journal: Arc::default(),
            faults: Faults::new(config.faults),
        })
    }

    /// Makes the course copies that are due by `now`. Blocks until that is done.
    pub(crate) fn catch_up(&self, now: Duration) -> Result<(), Problem> {
        let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        match self.store.read(duplication::next_due)? {
            Some(due) if due <= seconds => self.store.write(|connection| {
                duplication::catch_up(connection, &self.settings.client_id, seconds)
            }),
            _ => Ok(()),
        }
    }
}
