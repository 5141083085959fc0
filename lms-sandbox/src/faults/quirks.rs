//! Which peculiarities does the tenant have?
//!
//! Things that real tenants do and a client must live with, switched on for a sandbox as a whole. They are names for
//! rules of a fault plan that are wanted often, and nothing else.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use axum::http::Method;

use super::effect::{Effect, ErrorBody, RetryAfter};
use super::plan::{FaultRule, When};
use super::target::Target;
use crate::error::SandboxError;

/// Peculiarities of a tenant; none by default. A [`FaultPlan`](crate::FaultPlan) can do more; [`rules`](Self::rules) are these in one.
///
/// ```
/// use lms_sandbox::Quirks;
/// let quirks = Quirks::default().nulls().zoneless_timestamps().max_page(3).rate_limit_every(7);
/// let same = Quirks::parse(["nulls", "zoneless-timestamps", "max-page=3", "rate-limit=7"])?;
/// assert_eq!(quirks, same);
/// # Ok::<_, lms_sandbox::SandboxError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quirks {
    expires_in_string: bool,
    nulls: bool,
    extra_fields: bool,
    zoneless_timestamps: bool,
    empty_pages: Option<NonZeroU32>,
    rate_limit: Option<NonZeroU32>,
    html_503: Option<NonZeroU32>,
    max_page: Option<NonZeroUsize>,
}

impl Quirks {
    /// The names that [`parse`](Self::parse) knows. Those with `=N` have a number that may be left out.
    pub const NAMES: [&str; 8] = [
        "expires-in-string",
        "nulls",
        "extra-fields",
        "zoneless-timestamps",
        "empty-pages=N",
        "rate-limit=N",
        "html-503=N",
        "max-page=N",
    ];

    /// `expires_in` of a token is a string and not a number.
    #[must_use]
    pub fn expires_in_string(mut self) -> Self {
        self.expires_in_string = true;
        self
    }

    /// Optional fields without a value are `null` and not left out, arrays and objects included.
    #[must_use]
    pub fn nulls(mut self) -> Self {
        self.nulls = true;
        self
    }

    /// Every object has fields that no one documented.
    #[must_use]
    pub fn extra_fields(mut self) -> Self {
        self.extra_fields = true;
        self
    }

    /// Timestamps end without a zone.
    #[must_use]
    pub fn zoneless_timestamps(mut self) -> Self {
        self.zoneless_timestamps = true;
        self
    }

    /// Every `n`th request for a page gets an empty one with `more: true` and a `next_cursor` that goes on; the request
    /// that goes on from there counts as well. 0 is never.
    #[must_use]
    pub fn empty_page_every(mut self, n: u32) -> Self {
        self.empty_pages = NonZeroU32::new(n);
        self
    }

    /// Every `n`th request is refused with 429 and `Retry-After: 0`, and not carried out. 0 is never.
    #[must_use]
    pub fn rate_limit_every(mut self, n: u32) -> Self {
        self.rate_limit = NonZeroU32::new(n);
        self
    }

    /// Every `n`th GET gets a 503 with an HTML page. 0 is never.
    #[must_use]
    pub fn html_503_every(mut self, n: u32) -> Self {
        self.html_503 = NonZeroU32::new(n);
        self
    }

    /// No page has more than `n` rows, whatever limit is asked for. 0 is no such bound.
    #[must_use]
    pub fn max_page(mut self, n: usize) -> Self {
        self.max_page = NonZeroUsize::new(n);
        self
    }

    /// All of them at once: a tenant that a good client can still work with.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
            .expires_in_string()
            .nulls()
            .extra_fields()
            .zoneless_timestamps()
            .empty_page_every(EMPTY_PAGES)
            .rate_limit_every(RATE_LIMIT)
            .html_503_every(HTML_503)
            .max_page(MAX_PAGE)
    }

    /// The quirks with these [`NAMES`](Self::NAMES), of which `all` stands for all of them; the numbers of the others
    /// count.
    ///
    /// # Errors
    ///
    /// When a name is not known or its number is not a whole number from 1.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, SandboxError> {
        let (all, others): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| *name == "all");
        let quirks = if all.is_empty() {
            Self::default()
        } else {
            Self::all()
        };
        others.into_iter().try_fold(quirks, Self::with)
    }

    fn with(self, name: &str) -> Result<Self, SandboxError> {
        let (word, number) = match name.split_once('=') {
            None => (name, None),
            Some((word, number)) => (word, Some(positive(word, number)?)),
        };
        let quirks = match (word, number) {
            ("expires-in-string", None) => self.expires_in_string(),
            ("nulls", None) => self.nulls(),
            ("extra-fields", None) => self.extra_fields(),
            ("zoneless-timestamps", None) => self.zoneless_timestamps(),
            ("empty-pages", number) => self.empty_page_every(number.unwrap_or(EMPTY_PAGES)),
            ("rate-limit", number) => self.rate_limit_every(number.unwrap_or(RATE_LIMIT)),
            ("html-503", number) => self.html_503_every(number.unwrap_or(HTML_503)),
            ("max-page", number) => {
                self.max_page(number.map_or(MAX_PAGE, |n| usize::try_from(n).unwrap_or(usize::MAX)))
            }
            _ => {
                let known = Self::NAMES.join(", ");
                return Err(SandboxError::setting(format!(
                    "there is no quirk {name:?}; known: {known}"
                )));
            }
        };
        Ok(quirks)
    }

    /// The same as rules of a fault plan.
    pub fn rules(self) -> Vec<FaultRule> {
        let every = |n: NonZeroU32| When::Every(n.get().into());
        let limited = Effect::RateLimited {
            retry_after: RetryAfter::Seconds,
            wait: Duration::ZERO,
        };
        let unavailable = Effect::Status {
            code: 503,
            body: ErrorBody::Html,
        };
        let counted = [
            self.rate_limit
                .map(|n| FaultRule::new(limited).when(every(n))),
            self.html_503
                .map(|n| FaultRule::new(unavailable).on([Method::GET]).when(every(n))),
            self.empty_pages.map(|n| {
                FaultRule::new(Effect::EmptyPage)
                    .on([Target::Lists])
                    .when(every(n))
            }),
            self.max_page
                .map(|rows| FaultRule::new(Effect::MaxPage { rows: rows.get() })),
        ];
        let plain = [
            (self.expires_in_string, Effect::ExpiresInString),
            (self.nulls, Effect::Nulls),
            (self.extra_fields, Effect::ExtraFields),
            (self.zoneless_timestamps, Effect::ZonelessTimestamps),
        ];
        let plain = plain
            .into_iter()
            .filter_map(|(wanted, effect)| wanted.then(|| FaultRule::new(effect)));
        counted.into_iter().flatten().chain(plain).collect()
    }
}

const EMPTY_PAGES: u32 = 3;
const RATE_LIMIT: u32 = 7;
const HTML_503: u32 = 11;
const MAX_PAGE: usize = 3;

fn positive(word: &str, number: &str) -> Result<u32, SandboxError> {
    match number.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(SandboxError::setting(format!(
            "{word}={number}: use a whole number from 1, such as {word}=3"
        ))),
    }
}
