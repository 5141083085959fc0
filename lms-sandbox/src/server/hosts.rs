//! The hosts that the control API accepts.
//!
//! The control API needs no token. A web page can resolve its own host name to the address of this machine (DNS
//! rebinding), and then send requests to it and read the responses. These requests have that name in `Host`, so
//! requests for any other name than `localhost` are rejected.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::api::problem::{Problem, quote};

/// Answers 421 to requests for another host than an IP address, `localhost` or a name that ends in `.localhost`.
pub(super) async fn check(request: Request, next: Next) -> Response {
    let target = request
        .uri()
        .authority()
        .map(|host| host.as_str().as_bytes());
    let headers = request.headers().get_all(header::HOST).iter();
    let hosts = headers.map(HeaderValue::as_bytes).chain(target);
    let hosts: Vec<_> = hosts.map(String::from_utf8_lossy).collect();
    let problem = match (hosts.is_empty(), hosts.iter().find(|host| !is_local(host))) {
        (false, None) => return next.run(request).await,
        (true, _) => Problem::malformed("bad_host", "the request has no Host header").about("Host"),
        (_, Some(host)) => Problem::misdirected(format!(
            "the control API does not serve the host {}; use localhost or an IP address",
            quote(host)
        )),
    };
    problem.into_response()
}

fn is_local(host_and_port: &str) -> bool {
    let host = match host_and_port.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => host_and_port,
    };
    let address = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let name = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    name == "localhost"
        || name.ends_with(".localhost")
        || address.unwrap_or(host).parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_local;

    #[test]
    fn only_addresses_and_names_of_this_machine_pass() {
        let allowed = "localhost LOCALHOST:8080 localhost.:1 acme.localhost:8080 127.0.0.1 10.1.2.3:80 [::1]:8080";
        for allowed in allowed.split(' ') {
            assert!(is_local(allowed), "{allowed}");
        }
        let rejected = " evil.example:8080 localhost.evil.example evillocalhost 127.0.0.1.evil.example \
                        127.0.0.1@evil.example 127.0.0.1:80:80";
        for rejected in rejected.split(' ') {
            assert!(!is_local(rejected), "{rejected}");
        }
    }
}
