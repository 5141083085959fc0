//! The tenant and the credentials of a command.
//!
//! Each value comes from the first of these that has it: an option, the environment, the profile. `--profile` is an option,
//! so with it the environment does not count. The secret of a profile is only ever sent to the base URL of that profile.

pub(crate) mod config;
pub(crate) mod keyring;
mod secret;

use std::{env, path::PathBuf};

use etcetera::BaseStrategy;
use lms_ext::Secret;

use self::config::{Config, SecretSource};
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

fn sources(context: &Context, given: [bool; 3], secret: Option<&SecretSource>) -> Sources {
    let source = |is_option: bool, is_given: bool| match (is_option, is_given) {
        (true, _) => "option",
        (false, true) => "environment",
        (false, false) => "profile",
    };
    let secret = match secret {
        _ if context.secret_from_stdin => "stdin",
        _ if given[2] => "environment",
        Some(SecretSource::Command(_)) => "credential_command",
        Some(SecretSource::Keyring(_)) => "keyring",
        Some(SecretSource::File(_)) | None => "secret_file",
    };
    [
        ("base URL", source(context.base_url.is_some(), given[0])),
        ("client id", source(context.client_id.is_some(), given[1])),
        ("secret", secret),
    ]
}

/// The connection that the options, the environment and the profile describe.
///
/// # Errors
///
/// Credentials, if a value is in none of them, or if the secret cannot be read.
pub(crate) fn connection(context: &Context) -> Result<Connection, Failure> {
    let environment = |name: &str| of_environment(context, name);
    let given_url = given_url(context);
    let given_id = context.client_id.clone().or_else(|| environment(CLIENT_ID));
    let config = Config::load()?;
    let name = context.profile.clone().or_else(|| config.default_profile());
    let profile = match (&context.profile, &name) {
        (_, None) => None,
        (None, Some(name)) if given_url.is_none() => Some(config.profile(name)?),
        // The default profile does not belong to a base URL that was given, unless it is the same.
        (None, Some(name)) => config.profile(name).ok(),
        (Some(_), Some(name)) => Some(config.profile(name)?),
    };
    let chosen = context.profile.is_some() && profile.is_some();
    let profile = profile.filter(|profile| {
        let same =
            |url: &String| url.trim_end_matches('/') == profile.base_url.trim_end_matches('/');
        given_url.as_ref().is_none_or(same)
    });
    let time_zone = profile
        .as_ref()
        .and_then(|profile| profile.time_zone.clone());
    let limits = profile.as_ref().map(|profile| profile.limits);
    let used = name.filter(|_| profile.is_some());
    let own_id = profile
        .as_ref()
        .filter(|profile| given_id.as_ref().is_none_or(|id| *id == profile.client_id));
    let given = [
        given_url.is_some(),
        given_id.is_some(),
        environment(CLIENT_SECRET).is_some(),
    ];
    let sources = sources(context, given, own_id.map(|profile| &profile.secret));
    let is_of_other_url = chosen && profile.is_none();
    let missing = |what, variable| missing(what, variable, is_of_other_url);
    let base_url = given_url
        .or_else(|| profile.as_ref().map(|profile| profile.base_url.clone()))
        .ok_or_else(|| missing("base URL", BASE_URL))?;
    let client_id = given_id
        .clone()
        .or_else(|| profile.as_ref().map(|profile| profile.client_id.clone()))
        .ok_or_else(|| missing("client id", CLIENT_ID))?;
    let secret = match (environment(CLIENT_SECRET), own_id) {
        _ if context.secret_from_stdin => read_secret(context, "the client secret")?.into(),
        (Some(secret), _) => secret.into(),
        (None, Some(profile)) => of_profile(context, &profile.secret)?,
        (None, None) => return Err(missing("client secret", CLIENT_SECRET)),
    };
    Ok(Connection {
        base_url,
        client_id,
        secret,
        profile: used,
        time_zone,
        limits: context.limits.or(limits.unwrap_or_default()),
        sources,
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
    if context.sandbox {
        return None;
    }
    given_url(context).or_else(|| {
        let config = Config::load().ok()?;
        let name = context
            .profile
            .clone()
            .or_else(|| config.default_profile())?;
        Some(config.profile(&name).ok()?.base_url)
    })
}

/// Reads the secret of a profile. While a shell completes a line, no program is run for it, and no keyring is unlocked.
fn of_profile(context: &Context, source: &SecretSource) -> Result<Secret, Failure> {
    match source {
        SecretSource::Command(_) | SecretSource::Keyring(_) if context.completes => {
            Err(missing("client secret in a file", CLIENT_SECRET, false))
        }
        source => secret::read(source),
    }
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

/// The failure of a connection without one of its values.
fn missing(what: &str, variable: &str, is_of_other_url: bool) -> Failure {
    let advice = if is_of_other_url {
        format!("the profile is for another base URL; leave out --base-url, or set {variable}")
    } else {
        format!("add a profile with `lms profile add`, set {variable}, or try --sandbox")
    };
    Failure::credentials(format!("there is no {what}")).advice(advice)
}

/// The folder for files that can be made again, which only the user can read; `None` if there is none.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    let folder = strategy.cache_dir().join("lms");
    config::create_private_folder(&folder).ok()?;
    Some(folder)
}

/// The folder for files that must be kept, which only the user can read; `None` if there is none.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    let folder = strategy
        .state_dir()
        .unwrap_or_else(|| strategy.data_dir())
        .join("lms");
    config::create_private_folder(&folder).ok()?;
    Some(folder)
}

/// The file with the tokens of all profiles; `None` if there is no folder for it.
pub(crate) fn token_file() -> Option<PathBuf> {
    Some(cache_folder()?.join("tokens.json"))
}
