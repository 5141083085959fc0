//! The secrets of profiles in the keyring of the system: Keychain, Credential Manager or the Secret Service.

use lms_ext::Secret;

use crate::failure::Failure;

/// Keeps secrets by the name of a profile.
pub(crate) trait SecretStore {
    /// `None` if there is no secret of this name.
    fn get(&self, profile: &str) -> Result<Option<String>, String>;
    fn set(&self, profile: &str, secret: &str) -> Result<(), String>;
    /// Also succeeds if there is none.
    fn remove(&self, profile: &str) -> Result<(), String>;
}

/// Reads the secret of a profile.
///
/// # Errors
///
/// Credentials, if there is none or if the keyring cannot be read.
pub(crate) fn read(store: &impl SecretStore, profile: &str) -> Result<Secret, Failure> {
    let again = "add the profile again with `lms profile add --keyring`";
    match store.get(profile) {
        Ok(Some(secret)) => Ok(Secret::from(secret)),
        Ok(None) => Err(Failure::credentials(format!(
            "the keyring has no secret of the profile {profile}"
        ))
        .advice(again)),
        Err(reason) => Err(failed("read", profile, &reason)),
    }
}

/// Stores the secret of a profile.
pub(crate) fn store(store: &impl SecretStore, profile: &str, secret: &str) -> Result<(), Failure> {
    let stored = store.set(profile, secret);
    stored.map_err(|reason| failed("store", profile, &reason))
}

/// Removes the secret of a profile.
pub(crate) fn remove(store: &impl SecretStore, profile: &str) -> Result<(), Failure> {
    let removed = store.remove(profile);
    removed.map_err(|reason| failed("remove", profile, &reason))
}

fn failed(what: &str, profile: &str, reason: &str) -> Failure {
    Failure::credentials(format!(
        "could not {what} the secret of the profile {profile} in the keyring: {reason}"
    ))
    .advice("unlock the keyring, or use --credential-command or --secret-file")
}

/// The keyring of the system.
#[derive(Debug)]
pub(crate) struct System;

#[cfg(feature = "keyring")]
mod system {
    use keyring::{Entry, Error};

    use super::{SecretStore, System};

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

    impl SecretStore for System {
        fn get(&self, profile: &str) -> Result<Option<String>, String> {
            call(profile, Entry::get_password)
        }

        fn set(&self, profile: &str, secret: &str) -> Result<(), String> {
            call(profile, |entry| entry.set_password(secret)).map(|_| ())
        }

        fn remove(&self, profile: &str) -> Result<(), String> {
            call(profile, Entry::delete_credential).map(|_| ())
        }
    }
}

#[cfg(not(feature = "keyring"))]
mod absent {
    use super::{SecretStore, System};

    fn absent<T>() -> Result<T, String> {
        Err("this program was built without the feature `keyring`".to_owned())
    }

    impl SecretStore for System {
        fn get(&self, _: &str) -> Result<Option<String>, String> {
            absent()
        }

        fn set(&self, _: &str, _: &str) -> Result<(), String> {
            absent()
        }

        fn remove(&self, _: &str) -> Result<(), String> {
            absent()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, collections::BTreeMap};

    use super::*;

    #[derive(Default)]
    struct Memory {
        secrets: RefCell<BTreeMap<String, String>>,
        locked: bool,
    }

    impl Memory {
        fn open(&self) -> Result<std::cell::RefMut<'_, BTreeMap<String, String>>, String> {
            if self.locked {
                return Err("it is locked".to_owned());
            }
            Ok(self.secrets.borrow_mut())
        }
    }

    impl SecretStore for Memory {
        fn get(&self, profile: &str) -> Result<Option<String>, String> {
            Ok(self.open()?.get(profile).cloned())
        }

        fn set(&self, profile: &str, secret: &str) -> Result<(), String> {
            self.open()?.insert(profile.to_owned(), secret.to_owned());
            Ok(())
        }

        fn remove(&self, profile: &str) -> Result<(), String> {
            self.open()?.remove(profile);
            Ok(())
        }
    }

    #[test]
    fn each_profile_has_a_secret_until_it_is_removed() {
        let keyring = Memory::default();
        store(&keyring, "acme", "one").unwrap();
        store(&keyring, "beta", "two").unwrap();
        assert_eq!(read(&keyring, "acme").unwrap().expose(), "one");
        assert_eq!(read(&keyring, "beta").unwrap().expose(), "two");
        remove(&keyring, "acme").unwrap();
        remove(&keyring, "acme").unwrap();
        let missing = read(&keyring, "acme").unwrap_err();
        assert_eq!(
            missing.message(),
            "the keyring has no secret of the profile acme"
        );
    }

    #[test]
    fn a_keyring_that_cannot_be_used_is_named() {
        let keyring = Memory {
            locked: true,
            ..Memory::default()
        };
        let failures = [
            read(&keyring, "acme").unwrap_err(),
            store(&keyring, "acme", "hunter2").unwrap_err(),
            remove(&keyring, "acme").unwrap_err(),
        ];
        for failure in failures {
            let message = failure.message();
            assert!(
                message.ends_with("the profile acme in the keyring: it is locked"),
                "{message}"
            );
            assert!(!message.contains("hunter2"));
        }
    }
}
