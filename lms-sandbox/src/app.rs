//! The state of one sandbox: its tenant's data, clock, tokens, fault plan and journal.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use crate::api::problem::Problem;
use crate::clock::Clock;
use crate::demo::{self, Population};
use crate::error::SandboxError;
use crate::faults::{ActivePlan, FaultPlan};
use crate::journal::Journal;
use crate::service::courses::duplication::{self, UNPOLLED_SECONDS};
use crate::service::request::Settings;
use crate::store::{Counts, Store};
use crate::tokens::Tokens;

/// The default `tid` of a sandbox.
pub(crate) const TENANT_ID: &str = "t1";

/// The settings of a sandbox.
#[derive(Clone)]
pub(crate) struct Config {
    pub(crate) tenant_id: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
    pub(crate) token_lifetime: Duration,
    pub(crate) max_page: usize,
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
    pub(crate) faults: ActivePlan,
    /// Due time of the next course copy that is not polled, in seconds since 1970.
    copy_due: AtomicI64,
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
        let copy_due = store.read(duplication::next_due)?.unwrap_or(i64::MAX);
        Ok(Self {
            copy_due: copy_due.into(),
            settings: Settings {
                tenant_id: config.tenant_id,
                client_id: config.client_id,
                client_secret: config.client_secret,
                token_lifetime: config.token_lifetime,
                max_page: config.max_page,
                base_url,
            },
            store,
            counts: Counts::default(),
            clock: config.clock,
            tokens: Tokens::default(),
            journal: Arc::default(),
            faults: ActivePlan::new(config.faults),
        })
    }

    /// Schedules a course copy that is not polled.
    pub(crate) fn expect_copy(&self) {
        let due = self.clock.seconds().saturating_add(UNPOLLED_SECONDS);
        self.copy_due.fetch_min(due, Ordering::AcqRel);
    }

    /// Makes the course copies that are due by `now`. Blocks until that is done.
    pub(crate) fn catch_up(&self, now: Duration) -> Result<(), Problem> {
        let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        if self.copy_due.load(Ordering::Acquire) > seconds {
            return Ok(());
        }
        // Copies that are added from here on lower it again.
        self.copy_due.store(i64::MAX, Ordering::Release);
        let next = self.store.write(|connection| {
            duplication::catch_up(connection, &self.settings.client_id, seconds)?;
            duplication::next_due(connection)
        })?;
        self.copy_due
            .fetch_min(next.unwrap_or(i64::MAX), Ordering::AcqRel);
        Ok(())
    }
}
