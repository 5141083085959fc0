//! The tenant and the credentials of a command.
//!
//! Each value comes from the first of these that has it: an option, the environment, the profile. `--profile` is an option,
//! so with it the environment does not count. The secret of a profile is only ever sent to the base URL of that profile.

pub(crate) mod config;
pub(crate) mod keyring;
pub(crate) mod secret;

use std::{
    env,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy;
use lms_ext::Secret;

use self::config::{Config, Profile, SecretSource};
use crate::{context::Context, failure::Failure, limits::Limits, terminal::read_secret};

const BASE_URL: &str = "LMS_BASE_URL";
const CLIENT_ID: &str = "LMS_CLIENT_ID";
const CLIENT_SECRET: &str = "LMS_CLIENT_SECRET";

/// The settings of a connection to a tenant.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) base_url: String,
    pub(crate) client_id: String,
    pub(crate) secret: Secret,
    /// The name of the profile that has some of these values.
    pub(crate) profile: Option<String>,
    /// That of the profile.
    pub(crate) time_zone: Option<String>,
    pub(crate) limits: Limits,
    pub(crate) sources: Sources,
}

/// The values of a connection, each with its origin.
pub(crate) type Sources = [(&'static str, &'static str); 3];

/// The connection that the options, the environment and the profile describe.
///
/// # Errors
///
/// Credentials, if a value is in none of them, or if the secret cannot be read.
pub(crate) fn connection(context: &Context) -> Result<Connection, Failure> {
    let environment = |name: &str| of_environment(context, name);
    let given_url = given_url(context);
    let config = Config::load()?;
    let name = context.profile.clone().or_else(|| config.default_profile());
    let profile = match &name {
        None => None,
        // The default profile does not belong to a base URL that was given, unless it is the same.
        Some(name) if context.profile.is_none() && given_url.is_some() => config.profile(name).ok(),
        Some(name) => Some(config.profile(name)?),
    };
    let is_own = |profile: &Profile| {
        let same = |url: &String| without_path(url) == without_path(&profile.base_url);
        given_url.as_ref().is_none_or(same)
    };
    let is_other = profile.as_ref().is_some_and(|profile| !is_own(profile));
    let other = name.as_deref().filter(|_| is_other);
    let profile = profile.filter(is_own);
    let first = |given: &Option<String>, what, variable, of: fn(&Profile) -> &String| {
        let found = given.clone().map(|value| (value, "option"));
        found
            .or_else(|| Some((environment(variable)?, "environment")))
            .or_else(|| Some((of(profile.as_ref()?).clone(), "profile")))
            .ok_or_else(|| missing(what, variable, other))
    };
    let (base_url, of_url) = first(&context.base_url, "base URL", BASE_URL, |of| &of.base_url)?;
    let (client_id, of_id) = first(&context.client_id, "client id", CLIENT_ID, |of| {
        &of.client_id
    })?;
    let own = profile.as_ref().filter(|of| of.client_id == client_id);
    let (secret, of_secret) = match (environment(CLIENT_SECRET), own) {
        _ if context.client_secret_stdin => {
            (read_secret(context, "the client secret")?.into(), "stdin")
        }
        (Some(secret), _) => (secret.into(), "environment"),
        // While a shell completes a line, no program is run for a secret, and no keyring is unlocked.
        (None, Some(own)) if context.completes && !matches!(own.secret, SecretSource::File(_)) => {
            return Err(missing("client secret in a file", CLIENT_SECRET, None));
        }
        (None, Some(own)) => {
            let name = name.as_deref().unwrap_or_default();
            (secret::read(&own.secret, name)?, own.secret.key())
        }
        (None, None) => return Err(missing("client secret", CLIENT_SECRET, other)),
    };
    let limits = profile.as_ref().map(|profile| profile.limits);
    Ok(Connection {
        base_url,
        client_id,
        secret,
        limits: context.limits.or(limits.unwrap_or_default()),
        profile: name.filter(|_| profile.is_some()),
        time_zone: profile.and_then(|profile| profile.time_zone),
        sources: [
            ("base URL", of_url),
            ("client id", of_id),
            ("secret", of_secret),
        ],
    })
}

/// A variable that counts, because no option names a profile.
fn of_environment(context: &Context, name: &str) -> Option<String> {
    let value = env::var(name).ok().filter(|value| !value.is_empty());
    value.filter(|_| !context.profile_is_option)
}

fn given_url(context: &Context) -> Option<String> {
    let given = context.base_url.clone();
    given.or_else(|| of_environment(context, BASE_URL))
}

/// The base URL of a command, also if its credentials are not known; `None` for a sandbox.
pub(crate) fn base_url(context: &Context) -> Option<String> {
    let of_profile = || {
        let config = Config::load().ok()?;
        let name = context
            .profile
            .clone()
            .or_else(|| config.default_profile())?;
        Some(config.profile(&name).ok()?.base_url)
    };
    match context.sandbox {
        true => None,
        false => given_url(context).or_else(of_profile),
    }
}

/// The time zone of the profile of a command, if the profile is for its base URL.
pub(crate) fn time_zone(context: &Context) -> Option<String> {
    let config = Config::load().ok()?;
    let name = context.profile.clone();
    let profile = config.profile(&name.or_else(|| config.default_profile())?);
    let is_own = |of: &Profile| {
        base_url(context).is_some_and(|url| without_path(&url) == without_path(&of.base_url))
    };
    profile.ok().filter(is_own)?.time_zone
}

/// The base URL of the tenant that the options name; `None` if they name none.
pub(crate) fn named_base_url(context: &Context) -> Result<Option<String>, Failure> {
    match &context.profile {
        _ if context.base_url.is_some() => Ok(context.base_url.clone()),
        Some(name) if context.profile_is_option => {
            Ok(Some(Config::load()?.profile(name)?.base_url))
        }
        _ => Ok(None),
    }
}

/// A base URL without the path of the API, which the records of a mirror have.
pub(crate) fn without_path(base_url: &str) -> &str {
    base_url.trim_end_matches('/').trim_end_matches("/api/v1")
}

/// The failure of a connection without one of its values, for another base URL than that of a profile.
fn missing(what: &str, variable: &str, other: Option<&str>) -> Failure {
    let advice = match other {
        Some(name) => format!(
            "the profile {name} is for another base URL, and its credentials are only for that; leave out --base-url, or give others \
             with --client-id and --client-secret-stdin, or set {variable}"
        ),
        None => format!("add a profile with `lms profile add`, set {variable}, or try --sandbox"),
    };
    Failure::credentials(format!("there is no {what}")).advice(advice)
}

/// The folder for files that can be made again, which only the user can read; `None` if there is none.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    private_folder(&etcetera::choose_base_strategy().ok()?.cache_dir())
}

/// The folder for files that must be kept, which only the user can read; `None` if there is none.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    let folder = strategy.state_dir();
    private_folder(&folder.unwrap_or_else(|| strategy.data_dir()))
}

fn private_folder(below: &Path) -> Option<PathBuf> {
    let folder = below.join("lms");
    config::create_private_folder(&folder).ok()?;
    Some(folder)
}

/// The file with the tokens of all profiles; `None` if there is no folder for it.
pub(crate) fn token_file() -> Option<PathBuf> {
    Some(cache_folder()?.join("tokens.json"))
}
