//! Signs deliveries by the [Standard Webhooks](https://www.standardwebhooks.com) convention.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use lms_ext::Secret;
use sha2::Sha256;

use crate::error::Error;

/// Prefix of a secret.
const PREFIX: &str = "whsec_";

/// The key that an endpoint and its receiver share.
#[derive(Clone)]
pub(super) struct SigningKey(Hmac<Sha256>);

impl SigningKey {
    /// Reads a secret: `whsec_` and 24 to 64 bytes in Base64.
    pub(super) fn parse(secret: &Secret) -> Result<Self, Error> {
        let invalid = || {
            Error::usage(
                "the secret of the endpoint is not valid; it is `whsec_` followed by 24 to 64 random bytes in Base64",
            )
        };
        let text = secret.expose().strip_prefix(PREFIX).ok_or_else(invalid)?;
        let key = BASE64_STANDARD.decode(text).map_err(|_| invalid())?;
        if !(24..=64).contains(&key.len()) {
            return Err(invalid());
        }
        Hmac::new_from_slice(&key).map(Self).map_err(|_| invalid())
    }

    /// The value of the header `webhook-signature`. The timestamp is in seconds since 1970.
    pub(super) fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        let mac = self
            .0
            .clone()
            .chain_update(format!("{id}.{timestamp}."))
            .chain_update(body);
        format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::SigningKey;

    #[test]
    fn the_example_of_the_convention_has_its_signature() {
        let key = SigningKey::parse(&"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".into()).unwrap();
        let body = br#"{"test": 2432232314}"#;
        assert_eq!(
            key.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }
}
