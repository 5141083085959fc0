//! Reads the tenant and the credentials from environment variables.

use std::{env, ffi::OsString};

use super::{Lms, LmsBuilder};
use crate::error::Error;
#[cfg(feature = "clap")]
use crate::values::Secret;

const BASE_URL: Variable = ("LMS_BASE_URL", "the URL of the tenant");
const CLIENT_ID: Variable = ("LMS_CLIENT_ID", "the client id of the integration");
const CLIENT_SECRET: Variable = ("LMS_CLIENT_SECRET", "the client secret of the integration");

/// A name and its meaning.
type Variable = (&'static str, &'static str);

impl Lms {
    /// Builds a client from three environment variables:
    ///
    /// | variable | value |
    /// |---|---|
    /// | `LMS_BASE_URL` | the URL of the tenant, such as `https://acme.example` |
    /// | `LMS_CLIENT_ID` | the client id of the integration |
    /// | `LMS_CLIENT_SECRET` | the client secret of the integration |
    ///
    /// All other settings have their defaults. To change them, use [`LmsBuilder::from_env`].
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let me = Lms::from_env()?.me().call().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage) if a variable is missing, blank or not Unicode. The message and
    /// [`fields`](Error::fields) name these variables. Otherwise the errors of [`LmsBuilder::build`].
    pub fn from_env() -> Result<Self, Error> {
        LmsBuilder::from_env()?.build()
    }
}

impl LmsBuilder {
    /// Starts to build a client with the base URL and the credentials from the environment variables of
    /// [`Lms::from_env`].
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage) if a variable is missing, blank or not Unicode.
    pub fn from_env() -> Result<Self, Error> {
        let [base_url, id, secret] = read([BASE_URL, CLIENT_ID, CLIENT_SECRET], |name| {
            env::var_os(name)
        })?;
        Ok(Self::new(base_url).client_credentials(id, secret))
    }
}

/// The client secret of the environment.
#[cfg(feature = "clap")]
pub(super) fn client_secret() -> Result<Secret, Error> {
    let [secret] = read([CLIENT_SECRET], |name| env::var_os(name))?;
    Ok(secret.into())
}

fn read<const N: usize>(
    variables: [Variable; N],
    get: impl Fn(&str) -> Option<OsString>,
) -> Result<[String; N], Error> {
    let mut missing = Vec::new();
    let values = variables.map(|variable| {
        let value = get(variable.0).and_then(|value| value.into_string().ok());
        value
            .filter(|value| !value.trim().is_empty())
            .unwrap_or_else(|| {
                missing.push(variable);
                String::new()
            })
    });
    if missing.is_empty() {
        return Ok(values);
    }
    let list: Vec<_> = missing
        .iter()
        .map(|(name, meaning)| format!("{name} ({meaning})"))
        .collect();
    let detail = format!(
        "environment variables are not set, blank or not Unicode: {}",
        list.join(", ")
    );
    let names = missing.iter().map(|(name, _)| (*name).to_owned());
    Err(Error::usage(detail).with_fields(names.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_names_each_variable_that_is_missing_or_blank() {
        let variables = [BASE_URL, CLIENT_ID, CLIENT_SECRET];
        for (set, missing) in [
            (["https://acme.example", "1", "s"], &[][..]),
            (["https://acme.example", "1", " "], &["LMS_CLIENT_SECRET"]),
            (["", "1", ""], &["LMS_BASE_URL", "LMS_CLIENT_SECRET"]),
        ] {
            let get = |name: &str| {
                let index = variables.iter().position(|variable| variable.0 == name)?;
                Some(set[index])
                    .filter(|value| !value.is_empty())
                    .map(OsString::from)
            };
            match read(variables, get) {
                Ok(values) => assert_eq!((values, missing), (set.map(str::to_owned), &[][..])),
                Err(error) => {
                    assert!(error.is_usage());
                    assert_eq!(error.fields(), missing);
                    assert!(
                        missing.iter().all(|name| error.to_string().contains(name)),
                        "{error}"
                    );
                }
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_value_that_is_not_unicode_is_named_and_not_shown() {
        use std::os::unix::ffi::OsStringExt as _;

        let error = read([CLIENT_SECRET], |_| {
            Some(OsString::from_vec(b"s3cr3t\xff".to_vec()))
        })
        .unwrap_err();
        assert!(error.to_string().contains("LMS_CLIENT_SECRET"), "{error}");
        assert!(!error.to_string().contains("s3cr3t"), "{error}");
    }
}
