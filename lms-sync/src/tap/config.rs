//! The configuration of a tap: the tenants, their credentials and limits. [`properties_of_tenant`] has the fields.

use std::{fmt, time::Duration};

use lms_ext::{Lms, LmsBuilder, RetryPolicy, Secret, Timeouts};
use serde_json::{Map, Value, json};

use crate::{collection::time_zone, error::Error, extract::Reading};

/// The tenants of a tap, with their credentials and limits.
///
/// The JSON object has `base_url`, `client_id` and `client_secret` for one tenant; or `tenants`, an array of objects that
/// have these three and a unique `name`. The rows of several tenants have a column `_tenant` with that name.
///
/// Optional, at the top level or for each tenant:
///
/// | field | meaning |
/// |---|---|
/// | `page_size` | number of items in a page |
/// | `max_per_second` | largest number of requests per second |
/// | `concurrency` | largest number of concurrent requests |
/// | `timeout` | time for one call with its retries, such as `30s` or `5m` |
/// | `max_attempts` | number of attempts of one call |
/// | `max_stale_pages` | number of pages in a row without a new row after which a list may have no end |
/// | `time_zone` | zone of times that have none, such as `Europe/Berlin` |
///
/// A field of another name is an error. Fields that start with `_` are left to the runner of the tap.
pub struct TapConfig {
    pub(super) tenants: Vec<TenantConfig>,
    /// `true` if rows have the column `_tenant`.
    pub(super) many: bool,
    configure: Box<dyn Fn(LmsBuilder) -> LmsBuilder + Send + Sync>,
}

impl fmt::Debug for TapConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TapConfig")
            .field("tenants", &self.tenants)
            .finish_non_exhaustive()
    }
}

/// The fields that every tenant needs.
const REQUIRED: [&str; 3] = ["base_url", "client_id", "client_secret"];

/// One tenant of a [`TapConfig`].
#[derive(Debug)]
pub(super) struct TenantConfig {
    /// Empty if there is only one.
    pub(super) name: String,
    base_url: String,
    client_id: String,
    client_secret: Secret,
    max_per_second: Option<f64>,
    concurrency: Option<u32>,
    timeout: Option<Duration>,
    max_attempts: Option<u32>,
    /// The settings of the extracts.
    pub(super) reading: Reading,
}

impl TapConfig {
    /// Reads a configuration.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) with the field that is missing or wrong, without its value.
    pub fn parse(text: &str) -> Result<Self, Error> {
        // The message of serde_json would quote values of the wrong type, which may be secrets.
        let config: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
            Error::usage(format!(
                "the configuration is not a JSON object: see line {}, column {}",
                error.line(),
                error.column()
            ))
        })?;
        let place = "the configuration";
        check_names(&config, &["tenants"], place)?;
        let many = config.get("tenants").filter(|value| !value.is_null());
        let tenants = match many {
            Some(list) => TenantConfig::read_all(list, &config)?,
            None => vec![TenantConfig::read(&config, place)?],
        };
        Ok(Self {
            tenants,
            many: many.is_some(),
            configure: Box::new(|builder| builder),
        })
    }

    /// Changes the clients, for example to send requests through a proxy or to retry them in another way.
    ///
    /// `change` is called with the builder of each tenant's client, after the settings of this configuration.
    #[must_use]
    pub fn configure_clients(
        mut self,
        change: impl Fn(LmsBuilder) -> LmsBuilder + Send + Sync + 'static,
    ) -> Self {
        self.configure = Box::new(change);
        self
    }

    /// A client for a tenant, which makes few attempts, or retries a request for longer than most outages take. Sends nothing.
    pub(super) fn client(&self, tenant: &TenantConfig, is_quick: bool) -> Result<Lms, Error> {
        let builder = Lms::builder(&*tenant.base_url)
            .client_credentials(&tenant.client_id, tenant.client_secret.clone());
        let (mut builder, retry) = match is_quick {
            true => (builder, RetryPolicy::default()),
            false => (builder.job(), RetryPolicy::job()),
        };
        if let Some(rate) = tenant.max_per_second {
            builder = builder.max_per_second(rate);
        }
        if let Some(calls) = tenant.concurrency {
            builder = builder.max_concurrent(calls as usize);
        }
        if let Some(time) = tenant.timeout {
            let timeouts = Timeouts::default();
            let attempt = timeouts.attempt.min(time);
            builder = builder.timeouts(timeouts.attempt(attempt).call(time));
        }
        if let Some(attempts) = tenant.max_attempts {
            builder = builder.retry(retry.max_attempts(attempts));
        }
        (self.configure)(builder)
            .build()
            .map_err(|error| Error::usage("the configuration cannot be used").with_source(error))
    }

    /// The JSON Schema of a configuration; secrets are marked with `airbyte_secret`.
    #[must_use]
    pub fn schema() -> Value {
        let tenant = properties_of_tenant();
        let mut many = tenant.clone();
        many["name"] = json!({"type": "string", "title": "Name", "description": "The value of `_tenant` in its rows."});
        let mut properties = tenant;
        properties["tenants"] = json!({
            "type": "array", "title": "Tenants", "order": 10,
            "description": "Several tenants, instead of the one above. Their rows have the column _tenant.",
            "items": {
                "type": "object",
                "required": ["name", "base_url", "client_id", "client_secret"],
                "properties": many,
            },
        });
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "Learning management system",
            "type": "object",
            "anyOf": [
                {"required": ["base_url", "client_id", "client_secret"]},
                {"required": ["tenants"]},
            ],
            "additionalProperties": false,
            "patternProperties": { "^_": {} },
            "properties": properties,
        })
    }
}

/// The schemas of the fields of a tenant, in the order of a form.
fn properties_of_tenant() -> Value {
    json!({
        "base_url": {
            "type": "string", "title": "Base URL", "order": 0, "format": "uri",
            "description": "The address of the tenant, without /api/v1.",
            "examples": ["https://acme.example"],
        },
        "client_id": {
            "type": "string", "title": "Client id", "order": 1,
            "description": "The client id of the integration.",
        },
        "client_secret": {
            "type": "string", "title": "Client secret", "order": 2, "airbyte_secret": true,
            "description": "The client secret of the integration.",
        },
        "page_size": {
            "type": "integer", "title": "Page size", "order": 3, "minimum": 1,
            "description": "The number of items to request in each page. By default, the service decides.",
        },
        "max_per_second": {
            "type": "number", "title": "Requests per second", "order": 4, "exclusiveMinimum": 0,
            "description": "The limit of requests per second. By default, the tap slows down only when the service asks for it.",
        },
        "concurrency": {
            "type": "integer", "title": "Concurrent requests", "order": 5, "minimum": 1,
            "description": "The largest number of concurrent requests. By default, 64.",
        },
        "timeout": {
            "type": "string", "title": "Timeout", "order": 6, "examples": ["30s", "5m"],
            "description": "The time for one call with its retries. By default, 10 minutes.",
        },
        "max_attempts": {
            "type": "integer", "title": "Attempts", "order": 7, "minimum": 1,
            "description": "The number of attempts of one call. By default, 12.",
        },
        "max_stale_pages": {
            "type": "integer", "title": "Pages without a new row", "order": 8, "minimum": 1,
            "description": "The number of pages in a row without a new row after which a list may have no end. By default, 1000.",
        },
        "time_zone": {
            "type": "string", "title": "Time zone", "order": 9, "examples": ["Europe/Berlin", "+02:00"],
            "description": "The zone of the tenant's times that have none. Without it, their columns in UTC are empty.",
        },
    })
}

impl TenantConfig {
    /// Reads the tenants of an array, which have names.
    fn read_all(list: &Value, defaults: &Map<String, Value>) -> Result<Vec<Self>, Error> {
        let list = list.as_array().filter(|list| !list.is_empty());
        let list = list.ok_or_else(|| {
            Error::usage("`tenants` in the configuration must be an array with objects")
        })?;
        let mut tenants: Vec<Self> = Vec::new();
        for (index, entry) in list.iter().enumerate() {
            let place = format!("`tenants[{index}]`");
            let entry = entry
                .as_object()
                .ok_or_else(|| Error::usage(format!("{place} must be an object")))?;
            check_names(entry, &["name"], &place)?;
            let name = text_of(entry, "name", &place)?;
            if tenants.iter().any(|known| known.name == name) {
                return Err(Error::usage(format!(
                    "{place} has the name {name:?} of another tenant; each needs its own"
                )));
            }
            let own = entry.iter().filter(|(_, value)| !value.is_null());
            let mut fields = defaults.clone();
            // These have no defaults.
            for name in REQUIRED {
                fields.remove(name);
            }
            fields.extend(own.map(|(name, value)| (name.clone(), value.clone())));
            let tenant = Self::read(&fields, &place)?;
            tenants.push(Self { name, ..tenant });
        }
        Ok(tenants)
    }

    fn read(fields: &Map<String, Value>, place: &str) -> Result<Self, Error> {
        let count = |name| optional(fields, name, place, "a whole number above 0", count);
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let zone = optional(fields, "time_zone", place, "text", text)?;
        let [base_url, client_id, client_secret] =
            REQUIRED.map(|name| text_of(fields, name, place));
        Ok(Self {
            name: String::new(),
            base_url: base_url?,
            client_id: client_id?,
            client_secret: client_secret?.into(),
            max_per_second: optional(fields, "max_per_second", place, "a number above 0", rate)?,
            concurrency: count("concurrency")?,
            timeout: optional(
                fields,
                "timeout",
                place,
                "a time such as \"30s\" or \"5m\"",
                time,
            )?,
            max_attempts: count("max_attempts")?,
            reading: Reading {
                page_size: count("page_size")?,
                max_stale_pages: count("max_stale_pages")?.map(u64::from),
                zone: zone.as_deref().map(time_zone).transpose()?,
                ..Reading::default()
            },
        })
    }
}

/// The value of a field, which has this form; `None` if there is none.
fn optional<T>(
    fields: &Map<String, Value>,
    name: &str,
    place: &str,
    form: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, Error> {
    let given = fields.get(name).filter(|value| !value.is_null());
    let mistake = || Error::usage(format!("`{name}` in {place} must be {form}"));
    given
        .map(|value| read(value).ok_or_else(mistake))
        .transpose()
}

/// A whole number, which some runners of taps write as `50.0`.
fn count(value: &Value) -> Option<u32> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
    let allowed = 1.0..=f64::from(u32::MAX);
    allowed.contains(&number).then_some(number as u32)
}

fn rate(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| *number > 0.0)
}

fn time(value: &Value) -> Option<Duration> {
    let time = humantime::parse_duration(value.as_str()?).ok();
    time.filter(|time| !time.is_zero())
}

/// Refuses a field that is neither a field of a tenant nor in `more`. It may be a limit whose name is misspelled.
fn check_names(entry: &Map<String, Value>, more: &[&str], place: &str) -> Result<(), Error> {
    let properties = properties_of_tenant();
    let properties = properties.as_object().into_iter().flat_map(Map::keys);
    let known: Vec<&str> = properties
        .map(String::as_str)
        .chain(more.iter().copied())
        .collect();
    let mut names = entry.keys().filter(|name| !name.starts_with('_'));
    let Some(unknown) = names.find(|name| !known.contains(&name.as_str())) else {
        return Ok(());
    };
    Err(Error::usage(format!(
        "{place} has the unknown field {unknown:?}; the fields are {}",
        known.join(", ")
    )))
}

/// The text of a field. An id may also be a number.
fn text_of(entry: &Map<String, Value>, name: &str, place: &str) -> Result<String, Error> {
    let text = match entry.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) if name == "client_id" => number.to_string(),
        None | Some(Value::Null) => String::new(),
        Some(_) => {
            return Err(Error::usage(format!("`{name}` in {place} must be text")));
        }
    };
    if text.trim().is_empty() {
        return Err(Error::usage(format!("`{name}` is missing in {place}")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_field_and_never_its_value() {
        for (text, message) in [
            (
                r#"{"a" 1}"#,
                "the configuration is not a JSON object: see line 1, column 6",
            ),
            (
                r#"{"base_url": "https://a.example", "client_id": 1}"#,
                "`client_secret` is missing in the configuration",
            ),
            (
                r#"{"base_url": "https://a.example", "client_id": 1, "client_secret": 4711}"#,
                "`client_secret` in the configuration must be text",
            ),
            (
                r#"{"base_url": "https://a.example", "client_id": 1, "client_secret": "s", "page_size": 0.5}"#,
                "`page_size` in the configuration must be a whole number above 0",
            ),
            (
                r#"{"base_url": "https://a.example", "client_id": 1, "client_secret": "s", "timeout": 30}"#,
                "`timeout` in the configuration must be a time such as \"30s\" or \"5m\"",
            ),
            (
                r#"{"base_url": "https://a.example", "client_id": 1, "client_secret": "s", "max_per_secnd": 5}"#,
                "the configuration has the unknown field \"max_per_secnd\"; the fields are base_url, client_id, client_secret, \
                 page_size, max_per_second, concurrency, timeout, max_attempts, max_stale_pages, time_zone, tenants",
            ),
            (
                r#"{"tenants": [{"nam": "a"}]}"#,
                "`tenants[0]` has the unknown field \"nam\"; the fields are base_url, client_id, client_secret, page_size, \
                 max_per_second, concurrency, timeout, max_attempts, max_stale_pages, time_zone, name",
            ),
            (
                r#"{"tenants": []}"#,
                "`tenants` in the configuration must be an array with objects",
            ),
            (
                r#"{"tenants": [{"base_url": "https://a.example"}]}"#,
                "`name` is missing in `tenants[0]`",
            ),
        ] {
            let error = TapConfig::parse(text).unwrap_err().to_string();
            assert_eq!(error, message);
        }
    }

    #[test]
    fn tenants_need_names_of_their_own() {
        let tenant = r#"{"name": "a", "base_url": "https://a.example", "client_id": 1, "client_secret": "s"}"#;
        let twice = format!(r#"{{"tenants": [{tenant}, {tenant}]}}"#);
        let error = TapConfig::parse(&twice).unwrap_err().to_string();
        assert!(
            error.starts_with("`tenants[1]` has the name \"a\""),
            "{error}"
        );
        assert!(
            TapConfig::parse(&format!(r#"{{"tenants": [{tenant}]}}"#))
                .unwrap()
                .many
        );
    }

    #[test]
    fn tenants_have_limits_of_their_own() {
        let tenant = r#""base_url": "https://a.example", "client_id": 1, "client_secret": "s""#;
        let text = format!(
            r#"{{"max_per_second": 5, "page_size": 50, "timeout": "30s", "max_attempts": 2, "tenants": [
                {{"name": "a", "timeout": null, {tenant}}},
                {{"name": "b", "max_per_second": 0.5, "concurrency": 4.0, "timeout": "1m", {tenant}}}]}}"#
        );
        let config = TapConfig::parse(&text).unwrap();
        let limits = config.tenants.iter().map(|it| {
            let seconds = it.timeout.unwrap().as_secs();
            (it.max_per_second, it.concurrency, seconds, it.max_attempts)
        });
        assert_eq!(
            limits.collect::<Vec<_>>(),
            [
                (Some(5.0), None, 30, Some(2)),
                (Some(0.5), Some(4), 60, Some(2))
            ]
        );
        let sizes = config.tenants.iter().map(|it| it.reading.page_size);
        assert_eq!(sizes.collect::<Vec<_>>(), [Some(50), Some(50)]);
    }
}
