//! Reads the tenant and the credentials from environment variables.

use std::{env, ffi::OsString};

use super::{Lms, LmsBuilder};
use crate::error::Error;
#[cfg(feature = "clap")]
use crate::values::Secret;

const BASE_URL: &str = "LMS_BASE_URL";
const CLIENT_ID: &str = "LMS_CLIENT_ID";
const CLIENT_SECRET: &str = "LMS_CLIENT_SECRET";

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
    #[inline]
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
    #[inline]
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
    names: [&str; N],
    get: impl Fn(&str) -> Option<OsString>,
) -> Result<[String; N], Error> {
    let values = names.map(|name| get(name).and_then(|value| value.into_string().ok()));
    let values = values.map(|value| value.filter(|value| !value.trim().is_empty()));
    let missing = names.into_iter().zip(&values);
    let missing: Vec<_> = missing
        .filter(|(_, value)| value.is_none())
        .map(|(name, _)| name.to_owned())
        .collect();
    if missing.is_empty() {
        return Ok(values.map(Option::unwrap_or_default));
    }
    let list = missing.join(", ");
    let detail = format!("environment variables are not set, blank or not Unicode: {list}");
    Err(Error::usage(detail).with_fields(missing))
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
                let index = variables.iter().position(|variable| *variable == name)?;
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
