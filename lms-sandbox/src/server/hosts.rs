//! Which host names requests may be for.
//!
//! A web page can resolve its own host name to the address of this machine (DNS rebinding), and then send requests to
//! the sandbox and read the responses. Its requests have that name in `Host`, so they are rejected.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, Uri, header};

use crate::api::problem::{Problem, quote};
use crate::error::SandboxError;

/// The hosts that are allowed besides those of the loopback interface.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hosts {
    allowed: Vec<String>,
}

impl Hosts {
    /// Allows a name or an address without a port.
    pub(crate) fn allow(&mut self, host: &str) -> Result<(), SandboxError> {
        let name = normalized(host);
        let is_host = !name.is_empty()
            && (name.parse::<IpAddr>().is_ok() || !name.contains([':', '/', '@', ' ']));
        if !is_host {
            return Err(SandboxError::setting(format!(
                "the allowed host {host:?} is not a host name; write it without scheme, port and path"
            )));
        }
        self.allowed.push(name);
        Ok(())
    }

    /// Allows the address that the sandbox listens on.
    pub(crate) fn allow_address(&mut self, address: SocketAddr) {
        self.allowed.push(address.ip().to_string());
    }

    /// Checks the `Host` header, and the host of the request target if it has one.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(Problem::malformed(
                "bad_host",
                "the request has no Host header, or more than one; send exactly one",
            )
            .about("Host"));
        };
        let host = String::from_utf8_lossy(host.as_bytes());
        let target = uri
            .authority()
            .map_or(&*host, axum::http::uri::Authority::as_str);
        for host in [&*host, target] {
            if !self.allows(host) {
                return Err(Problem::misdirected(format!(
                    "this sandbox does not serve the host {}; use localhost or 127.0.0.1, or allow the host with \
                     --allow-host or SandboxBuilder::allow_host",
                    quote(host)
                )));
            }
        }
        Ok(())
    }

    fn allows(&self, host_and_port: &str) -> bool {
        let host = match host_and_port.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => host_and_port,
        };
        let host = normalized(host);
        host == "localhost"
            || host.ends_with(".localhost")
            || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
            || self.allowed.contains(&host)
    }
}

/// In lower case, without the brackets of an IPv6 address and without the dot after a complete name.
fn normalized(host: &str) -> String {
    let host = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_and_allowed_hosts_pass() {
        let mut hosts = Hosts::default();
        for host in ["Sandbox.internal", "[fd00::7]", "10.0.0.7"] {
            hosts.allow(host).unwrap();
        }
        for allowed in [
            "localhost",
            "LOCALHOST:8080",
            "localhost.:1",
            "acme.localhost:8080",
            "127.0.0.1",
            "127.1.2.3:80",
            "[::1]:8080",
            "sandbox.internal:8080",
            "[fd00::7]:80",
            "10.0.0.7",
        ] {
            assert!(hosts.allows(allowed), "{allowed}");
        }
        for rejected in [
            "",
            "evil.example",
            "evil.example:8080",
            "localhost.evil.example",
            "evillocalhost",
            "127.0.0.1.evil.example",
            "127.0.0.1@evil.example",
            "127.0.0.1:80:80",
            "128.0.0.1",
            "[::2]:80",
            "10.0.0.8",
            "sandbox.internal.evil.example",
        ] {
            assert!(!hosts.allows(rejected), "{rejected}");
        }
        for invalid in ["", "http://x", "x:80", "a b", "x/y"] {
            assert!(hosts.allow(invalid).is_err(), "{invalid}");
        }
    }
}
