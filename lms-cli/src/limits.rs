//! Limits of the requests and the waits of a command: options of every command, and settings of a profile.

use std::time::Duration;

use clap::{Args, Command, FromArgMatches as _, value_parser};
use lms_ext::{LmsBuilder, RetryPolicy, Timeouts};
use serde::{Serialize, Serializer};
use toml_edit::Item;

use crate::args;

/// The limits that were given, for which a profile has settings of the same names. All others have the client's defaults.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Limits {
    /// Maximum number of requests per second, such as 20 or 0.5 [default: no limit, unless the tenant throttles]
    #[arg(long, value_name = "N", value_parser = per_second)]
    max_per_second: Option<f64>,
    /// Maximum number of concurrent requests [default: 8 for the rows of a file and for lists that are read in parts]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub(crate) concurrency: Option<u16>,
    /// Timeout of a call with its retries, such as 30s or 5m [default: 3m; in a job 10m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    #[serde(serialize_with = "as_text")]
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

fn per_second(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "write a number above 0, such as 20 or 0.5".to_owned())
}

pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let time = args::duration(text)?;
    let time = Some(time).filter(|time| !time.is_zero());
    time.ok_or_else(|| "write a time that is not 0".to_owned())
}

fn as_text<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = time.map(|time| humantime::format_duration(time).to_string());
    text.serialize(serializer)
}

impl Limits {
    /// Reads the settings of a profile, each as the option of its name.
    ///
    /// # Errors
    ///
    /// The mistake in a setting.
    pub(crate) fn of_profile(profile: &Item) -> Result<Self, String> {
        let command = Self::augment_args(Command::new("limits").no_binary_name(true));
        let given = command.get_arguments().filter_map(|option| {
            let name = option.get_long()?;
            let setting = profile.get(name.replace('-', "_"))?;
            let value = setting.clone().into_value().ok()?.decorated("", "");
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            Some(format!("--{name}={text}"))
        });
        let given: Vec<String> = given.collect();
        let read = command.try_get_matches_from(given);
        let read = read.and_then(|matches| Self::from_arg_matches(&matches));
        read.map_err(|error| {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            line.trim_start_matches("error: ").to_owned()
        })
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

    pub(crate) fn of_timeout(timeout: Duration) -> Self {
        Self {
            timeout: Some(timeout),
            ..Self::default()
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
