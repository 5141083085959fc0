//! The configuration of a tap: the tenants, their credentials and limits. [`properties_of_tenant`] has the fields.

use std::{fmt, time::Duration};

use lms_ext::{Lms, LmsBuilder, RetryPolicy, Timeouts};
use serde_json::{Map, Value, json};

use crate::{collection::time_zone, error::Error, extract::Reading};

/// The tenants of a tap, with their credentials and limits.
///
/// The JSON object has `base_url`, `client_id` and `client_secret` for one tenant; or `tenants`, an array of objects that
/// have these three and a unique `name`. The rows of several tenants have a column `_tenant` with that name.
///
/// Limits are optional, at the top level or for each tenant: [`schema`](Self::schema) has all fields and their meaning.
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
        let names = self.tenants.iter().map(|tenant| &tenant.name);
        f.debug_list().entries(names).finish()
    }
}

/// The fields that every tenant needs.
const REQUIRED: [&str; 3] = ["base_url", "client_id", "client_secret"];

/// The form of `timeout`.
const TIME: &str = "a time such as \"30s\" or \"5m\"";

/// One tenant of a [`TapConfig`].
pub(super) struct TenantConfig {
    /// Empty if there is only one.
    pub(super) name: String,
    /// Its fields, which fit the schema.
    fields: Map<String, Value>,
    timeout: Option<Duration>,
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
        check_names(&config, false, place)?;
        let many = config.get("tenants").filter(|value| !value.is_null());
        let tenants = match many {
            Some(list) => TenantConfig::read_all(list, &config)?,
            None => vec![TenantConfig::read(&config, false, place)?],
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
        let [base_url, client_id, client_secret] =
            REQUIRED.map(|name| tenant.fields[name].as_str().unwrap_or_default());
        let builder = Lms::builder(base_url).client_credentials(client_id, client_secret);
        let (mut builder, retry) = match is_quick {
            true => (builder, RetryPolicy::default()),
            false => (builder.job(), RetryPolicy::job()),
        };
        if let Some(rate) = tenant.fields.get("max_per_second").and_then(Value::as_f64) {
            builder = builder.max_per_second(rate);
        }
        if let Some(calls) = whole(&tenant.fields, "concurrency") {
            builder = builder.max_concurrent(calls as usize);
        }
        if let Some(time) = tenant.timeout {
            let timeouts = Timeouts::default();
            let attempt = timeouts.attempt.min(time);
            builder = builder.timeouts(timeouts.attempt(attempt).call(time));
        }
        if let Some(attempts) = whole(&tenant.fields, "max_attempts") {
            builder = builder.retry(retry.max_attempts(attempts));
        }
        (self.configure)(builder)
            .build()
            .map_err(|error| Error::usage("the configuration cannot be used").with_source(error))
    }

    /// The JSON Schema of a configuration; secrets are marked with `airbyte_secret`.
    #[must_use]
    pub fn schema() -> Value {
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
            "properties": properties(false),
        })
    }
}

/// The schemas of the fields of a configuration, or of one of its tenants, in the order of a form.
fn properties(is_one_of_many: bool) -> Value {
    let mut properties = json!({
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
    });
    if is_one_of_many {
        properties["name"] = json!({"type": "string", "title": "Name", "description": "The value of `_tenant` in its rows."});
    } else {
        properties["tenants"] = json!({
            "type": "array", "title": "Tenants", "order": 10,
            "description": "Several tenants, instead of the one above. Their rows have the column _tenant.",
            "items": {
                "type": "object",
                "required": ["name", "base_url", "client_id", "client_secret"],
                "properties": self::properties(true),
            },
        });
    }
    properties
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
            check_names(entry, true, &place)?;
            let own = entry.iter().filter(|(_, value)| !value.is_null());
            let mut fields = defaults.clone();
            // These have no defaults.
            for name in REQUIRED {
                fields.remove(name);
            }
            fields.extend(own.map(|(name, value)| (name.clone(), value.clone())));
            let tenant = Self::read(&fields, true, &place)?;
            if tenants.iter().any(|known| known.name == tenant.name) {
                return Err(Error::usage(format!(
                    "{place} has the name {:?} of another tenant; each needs its own",
                    tenant.name
                )));
            }
            tenants.push(tenant);
        }
        Ok(tenants)
    }

    fn read(given: &Map<String, Value>, is_one_of_many: bool, place: &str) -> Result<Self, Error> {
        let (schemas, mut fields) = (properties(is_one_of_many), Map::new());
        for (name, schema) in schemas.as_object().into_iter().flatten() {
            let value = given.get(name).filter(|value| !value.is_null());
            let value = match value {
                // An id may also be a number.
                Some(Value::Number(id)) if name == "client_id" => Some(id.to_string().into()),
                value => value.cloned(),
            };
            let (fits, form) = match (schema["type"].as_str(), &value) {
                (Some("array"), _) => continue,
                (_, None) if !REQUIRED.contains(&&**name) && name != "name" => continue,
                (Some("integer"), _) => (whole(given, name).is_some(), "a whole number above 0"),
                (Some("number"), Some(rate)) => (
                    rate.as_f64().is_some_and(|rate| rate > 0.0),
                    "a number above 0",
                ),
                (_, Some(Value::String(text))) if !text.trim().is_empty() => (true, ""),
                (_, None | Some(Value::String(_))) => {
                    return Err(Error::usage(format!("`{name}` is missing in {place}")));
                }
                _ if name == "timeout" => (false, TIME),
                _ => (false, "text"),
            };
            if !fits {
                return Err(wrong(name, place, form));
            }
            fields.extend(value.map(|value| (name.clone(), value)));
        }
        let text = |name| fields.get(name).and_then(Value::as_str);
        let timeout = text("timeout").map(|text| {
            let time = humantime::parse_duration(text).ok();
            let time = time.filter(|time| !time.is_zero());
            time.ok_or_else(|| wrong("timeout", place, TIME))
        });
        Ok(Self {
            name: text("name").unwrap_or_default().to_owned(),
            timeout: timeout.transpose()?,
            reading: Reading {
                page_size: whole(&fields, "page_size"),
                max_stale_pages: whole(&fields, "max_stale_pages").map(u64::from),
                zone: text("time_zone").map(time_zone).transpose()?,
                time_zone: text("time_zone").map(str::to_owned),
                ..Reading::default()
            },
            fields,
        })
    }
}

fn wrong(name: &str, place: &str, form: &str) -> Error {
    Error::usage(format!("`{name}` in {place} must be {form}"))
}

/// A whole number above 0, which some runners of taps write as `50.0`.
fn whole(fields: &Map<String, Value>, name: &str) -> Option<u32> {
    let number = fields.get(name)?.as_f64()?;
    let allowed = number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&number);
    allowed.then_some(number as u32)
}

/// Refuses an unknown field. It may be a limit whose name is misspelled.
fn check_names(entry: &Map<String, Value>, is_one_of_many: bool, place: &str) -> Result<(), Error> {
    let properties = properties(is_one_of_many);
    let known: Vec<&String> = properties
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .collect();
    let mut names = entry.keys().filter(|name| !name.starts_with('_'));
    let Some(unknown) = names.find(|name| !known.contains(name)) else {
        return Ok(());
    };
    Err(Error::usage(format!(
        "{place} has the unknown field {unknown:?}; the fields are {}",
        known
            .into_iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(", ")
    )))
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
                r#"{"tenants": [{"base_url": "https://a.example", "client_id": 1, "client_secret": "s"}]}"#,
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
            let whole = |name| whole(&it.fields, name);
            let seconds = it.timeout.unwrap().as_secs();
            (
                it.fields["max_per_second"].as_f64(),
                whole("concurrency"),
                seconds,
                whole("max_attempts"),
            )
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
