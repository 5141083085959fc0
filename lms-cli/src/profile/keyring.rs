//! The secrets of profiles in the keyring of the system: Keychain, Credential Manager or the Secret Service.

use lms_ext::Secret;

use crate::failure::Failure;

/// Reads the secret of a profile.
///
/// # Errors
///
/// Credentials, if there is none or if the keyring cannot be read.
pub(crate) fn read(profile: &str) -> Result<Secret, Failure> {
    let again = "add the profile again with `lms profile add --keyring`";
    match system::get(profile) {
        Ok(Some(secret)) => Ok(Secret::from(secret)),
        Ok(None) => Err(Failure::credentials(format!(
            "the keyring has no secret of the profile {profile}"
        ))
        .advice(again)),
        Err(reason) => Err(failed("read", profile, &reason)),
    }
}

/// Stores the secret of a profile.
pub(crate) fn store(profile: &str, secret: &str) -> Result<(), Failure> {
    let stored = system::set(profile, secret);
    stored.map_err(|reason| failed("store", profile, &reason))
}

/// Removes the secret of a profile.
pub(crate) fn remove(profile: &str) -> Result<(), Failure> {
    let removed = system::remove(profile);
    removed.map_err(|reason| failed("remove", profile, &reason))
}

fn failed(what: &str, profile: &str, reason: &str) -> Failure {
    Failure::credentials(format!(
        "could not {what} the secret of the profile {profile} in the keyring: {reason}"
    ))
    .advice("unlock the keyring, or use --credential-command or --secret-file")
}

/// The keyring of the system, with a secret for each profile; `None` if there is none of this name.
#[cfg(feature = "keyring")]
mod system {
    use keyring::{Entry, Error};

    const SERVICE: &str = "lms-cli";

    /// Calls the keyring on a thread of its own: on Linux, it has a runtime, and runtimes cannot be nested.
    fn call<T: Send>(
        profile: &str,
        action: impl FnOnce(&Entry) -> Result<T, Error> + Send,
    ) -> Result<Option<T>, String> {
        let result = std::thread::scope(|scope| {
            let call = || Entry::new(SERVICE, profile).and_then(|entry| action(&entry));
            scope.spawn(call).join()
        });
        match result {
            Ok(Ok(value)) => Ok(Some(value)),
            Ok(Err(Error::NoEntry)) => Ok(None),
            Ok(Err(Error::NoDefaultStore)) => Err(match Entry::store_status() {
                Err(error) => error.to_string(),
                Ok(()) => "this system has no keyring".to_owned(),
            }),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the keyring failed".to_owned()),
        }
    }

    pub(super) fn get(profile: &str) -> Result<Option<String>, String> {
        call(profile, Entry::get_password)
    }

    pub(super) fn set(profile: &str, secret: &str) -> Result<(), String> {
        call(profile, |entry| entry.set_password(secret)).map(|_| ())
    }

    /// Also succeeds if there is none.
    pub(super) fn remove(profile: &str) -> Result<(), String> {
        call(profile, Entry::delete_credential).map(|_| ())
    }
}

#[cfg(not(feature = "keyring"))]
mod system {
    fn absent<T>() -> Result<T, String> {
        Err("this program was built without the feature `keyring`".to_owned())
    }

    pub(super) fn get(_: &str) -> Result<Option<String>, String> {
        absent()
    }

    pub(super) fn set(_: &str, _: &str) -> Result<(), String> {
        absent()
    }

    pub(super) fn remove(_: &str) -> Result<(), String> {
        absent()
    }
}
