//! The secrets of profiles in the keyring of the system: Keychain, Credential Manager or the Secret Service.

use lms_ext::Secret;

use crate::failure::Failure;

#[cfg_attr(
    not(feature = "keyring"),
    expect(dead_code, reason = "the keyring reads it")
)]
enum Action<'a> {
    Read,
    Store(&'a str),
    Remove,
}

/// Reads the secret of a profile.
///
/// # Errors
///
/// Credentials, if there is none or if the keyring cannot be read.
pub(crate) fn read(profile: &str) -> Result<Secret, Failure> {
    let secret = call("read", profile, &Action::Read)?;
    secret.map(Secret::from).ok_or_else(|| {
        Failure::credentials(format!(
            "the keyring has no secret of the profile {profile}"
        ))
        .advice("add the profile again with `lms profile add --keyring`")
    })
}

/// Stores the secret of a profile.
pub(crate) fn store(profile: &str, secret: &str) -> Result<(), Failure> {
    call("store", profile, &Action::Store(secret)).map(drop)
}

/// Removes the secret of a profile, if there is one.
pub(crate) fn remove(profile: &str) -> Result<(), Failure> {
    call("remove", profile, &Action::Remove).map(drop)
}

fn call(what: &str, profile: &str, action: &Action<'_>) -> Result<Option<String>, Failure> {
    system(profile, action).map_err(|reason| {
        Failure::credentials(format!(
            "could not {what} the secret of the profile {profile} in the keyring: {reason}"
        ))
        .advice("unlock the keyring, or use --credential-command or --secret-file")
    })
}

/// Calls the keyring. Returns the secret that was read; `None` also if there is none of this name.
#[cfg(feature = "keyring")]
fn system(profile: &str, action: &Action<'_>) -> Result<Option<String>, String> {
    use keyring::{Entry, Error};

    let call = || {
        let entry = Entry::new("lms-cli", profile)?;
        match action {
            Action::Read => entry.get_password().map(Some),
            Action::Store(secret) => entry.set_password(secret).map(|()| None),
            Action::Remove => entry.delete_credential().map(|()| None),
        }
    };
    // On a thread of its own: on Linux, the keyring has a runtime, and runtimes cannot be nested.
    match std::thread::scope(|scope| scope.spawn(call).join()) {
        Ok(Ok(secret)) => Ok(secret),
        Ok(Err(Error::NoEntry)) => Ok(None),
        Ok(Err(Error::NoDefaultStore)) => Err(match Entry::store_status() {
            Err(error) => error.to_string(),
            Ok(()) => "this system has no keyring".to_owned(),
        }),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("the keyring failed".to_owned()),
    }
}

#[cfg(not(feature = "keyring"))]
fn system(_: &str, _: &Action<'_>) -> Result<Option<String>, String> {
    Err("this program was built without the feature `keyring`".to_owned())
}
