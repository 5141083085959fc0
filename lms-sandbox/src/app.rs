//! What does one sandbox consist of?

use std::time::Duration;

use crate::builder::SandboxBuilder;
use crate::call::Settings;
use crate::clock::Clock;
use crate::demo;
use crate::error::SandboxError;
use crate::faults::LivePlan;
use crate::journal::Journal;
use crate::limits::Limits;
use crate::live::Life;
use crate::problem::Problem;
use crate::store::Store;
use crate::tokens::Tokens;

/// Everything one sandbox consists of.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) tokens: Tokens,
    pub(crate) journal: Journal,
    pub(crate) faults: LivePlan,
    pub(crate) limits: Limits,
    /// What learners do by themselves.
    pub(crate) life: Option<Life>,
}

impl App {
    /// Opens the store, fills it if asked to, and puts the rest beside it. Blocks while it does.
    pub(crate) fn open(builder: SandboxBuilder, base_url: String) -> Result<Self, SandboxError> {
        let store = match &builder.data_file {
            Some(file) => Store::in_file(file)?,
            None => Store::in_memory()?,
        };
        if let Some(population) = builder.population {
            demo::populate(&store, population, builder.fill_listener.as_ref())?;
        } else if let Some(seed) = builder.demo {
            demo::fill(&store, seed)?;
        }
        let now = builder.clock.now();
        let life = builder.live.map(|live| Life::new(live, now));
        let mut plan = builder.faults;
        plan.rules.extend(builder.quirks.rules());
        Ok(Self {
            settings: Settings {
                client_id: builder.client_id,
                client_secret: builder.client_secret,
                token_lifetime: builder.token_lifetime,
                max_page: builder.max_page,
                base_url,
            },
            store,
            clock: builder.clock,
            tokens: Tokens::default(),
            journal: Journal::default(),
            faults: LivePlan::new(plan),
            limits: builder.limits.countable(),
            life,
        })
    }
    /// Lets the learners do what they should have done by `now`. Blocks while they do.
    pub(crate) fn catch_up(&self, now: Duration) -> Result<(), Problem> {
        match &self.life {
            Some(life) => life.catch_up(&self.store, now),
            None => Ok(()),
        }
    }
}
