//! Limits of the requests and the waits of a command: options of every command, and settings of a profile.

use std::time::Duration;

use clap::{Args, value_parser};
use lms_ext::{LmsBuilder, RetryPolicy, Timeouts};
use toml_edit::{Item, TableLike, value};

use crate::{args, failure::Failure};

/// The limits that were given, for which a profile has settings of the same names. All others have the client's defaults.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Limits {
    /// Maximum number of requests per second, such as 20 or 0.5 [default: no limit, unless the tenant throttles]
    #[arg(long, value_name = "N", value_parser = per_second)]
    max_per_second: Option<f64>,
    /// Maximum number of concurrent requests [default: 8 for the rows of a file and for lists that are read in parts]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub(crate) concurrency: Option<u16>,
    /// Timeout of a call with its retries, such as 30s or 5m [default: 3m; in a job 10m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    timeout: Option<Duration>,
    /// Maximum number of attempts of a call [default: 3; in a job 12]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    max_attempts: Option<u16>,
}

/// The retries of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Three attempts.
    Interactive,
    /// For longer than most outages take.
    Job,
}

const MAX_PER_SECOND: &str = "max_per_second";
const CONCURRENCY: &str = "concurrency";
const TIMEOUT: &str = "timeout";
const MAX_ATTEMPTS: &str = "max_attempts";

fn per_second(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| is_rate(*number));
    number.ok_or_else(|| "write a number above 0, such as 20 or 0.5".to_owned())
}

fn is_rate(number: f64) -> bool {
    number.is_finite() && number > 0.0
}

pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let time = args::duration(text)?;
    let time = Some(time).filter(|time| !time.is_zero());
    time.ok_or_else(|| "write a time that is not 0".to_owned())
}

impl Limits {
    /// Reads the settings of a profile.
    ///
    /// # Errors
    ///
    /// The name of a setting that is not valid.
    pub(crate) fn of_profile(profile: &dyn TableLike) -> Result<Self, &'static str> {
        fn setting<T>(
            profile: &dyn TableLike,
            name: &'static str,
            read: impl Fn(&Item) -> Option<T>,
        ) -> Result<Option<T>, &'static str> {
            let item = profile.get(name);
            item.map(|item| read(item).ok_or(name)).transpose()
        }
        let count = |item: &Item| u16::try_from(item.as_integer()?).ok().filter(|n| *n > 0);
        #[expect(clippy::cast_precision_loss, reason = "a rate is a small number")]
        let number = |item: &Item| item.as_float().or(item.as_integer().map(|n| n as f64));
        Ok(Self {
            max_per_second: setting(profile, MAX_PER_SECOND, |item| {
                number(item).filter(|rate| is_rate(*rate))
            })?,
            concurrency: setting(profile, CONCURRENCY, count)?,
            timeout: setting(profile, TIMEOUT, |item| duration(item.as_str()?).ok())?,
            max_attempts: setting(profile, MAX_ATTEMPTS, count)?,
        })
    }

    /// Stores those that were given as settings of a profile, and keeps its others.
    pub(crate) fn store(&self, profile: &mut Item) {
        if let Some(rate) = self.max_per_second {
            profile[MAX_PER_SECOND] = value(rate);
        }
        if let Some(calls) = self.concurrency {
            profile[CONCURRENCY] = value(i64::from(calls));
        }
        if let Some(time) = self.timeout {
            profile[TIMEOUT] = value(humantime::format_duration(time).to_string());
        }
        if let Some(attempts) = self.max_attempts {
            profile[MAX_ATTEMPTS] = value(i64::from(attempts));
        }
    }

    /// These limits, and those of `other` that are not given here.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            max_per_second: self.max_per_second.or(other.max_per_second),
            concurrency: self.concurrency.or(other.concurrency),
            timeout: self.timeout.or(other.timeout),
            max_attempts: self.max_attempts.or(other.max_attempts),
        }
    }

    /// With this timeout, unless one was given.
    pub(crate) fn or_timeout(self, timeout: Duration) -> Self {
        Self {
            timeout: self.timeout.or(Some(timeout)),
            ..self
        }
    }

    /// The number of calls that a command sends at a time.
    pub(crate) fn calls(&self) -> usize {
        usize::from(self.concurrency.unwrap_or(8))
    }

    /// Sets the limits that were given.
    pub(crate) fn apply(&self, mut builder: LmsBuilder, patience: Patience) -> LmsBuilder {
        if let Some(attempts) = self.max_attempts {
            let retry = match patience {
                Patience::Interactive => RetryPolicy::default(),
                Patience::Job => RetryPolicy::job(),
            };
            builder = builder.retry(retry.max_attempts(u32::from(attempts)));
        }
        if let Some(time) = self.timeout {
            let timeouts = Timeouts::default();
            let attempt = timeouts.attempt.min(time);
            builder = builder.timeouts(timeouts.attempt(attempt).call(time));
        }
        if let Some(rate) = self.max_per_second {
            builder = builder.max_per_second(rate);
        }
        if let Some(calls) = self.concurrency {
            builder = builder.max_concurrent(usize::from(calls));
        }
        builder
    }
}

/// The mistake in the setting of a profile.
pub(crate) fn mistake(profile: &str, setting: &str) -> Failure {
    let advice = match setting {
        TIMEOUT => "write a time in quotes, such as timeout = \"30s\"",
        MAX_PER_SECOND => "write a number above 0, such as max_per_second = 20",
        _ => "write a whole number above 0",
    };
    Failure::credentials(format!("{setting} of the profile {profile} is not valid")).advice(advice)
}
