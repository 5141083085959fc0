//! The checks of the connection: each layer from the proxy to the permissions, until one fails.

use std::{
    env,
    net::SocketAddr,
    time::{Duration, Instant},
};

use jiff::{Timestamp, fmt::rfc2822};
use lms_ext::{prelude::*, reqwest::Url};
use lms_sync::{collections, tenant_id};
use tokio::{
    net::{TcpStream, lookup_host},
    time::timeout,
};

use super::finding::{Finding, State};
use crate::{
    exit::Exit,
    failure::Failure,
    operations::lookup::{of_operation, operation as operation_of},
    session::Session,
    wording::count,
};

/// Time for the resolution of a name, and for a connection to one address.
const PATIENCE: Duration = Duration::from_secs(10);

/// Difference of the clocks, in seconds, from which lists of changes and ages are misleading.
const SKEW: u64 = 30;

/// Median time of a request from which jobs take long.
const SLOW: Duration = Duration::from_secs(2);

/// The checks to make.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Connection,
    All,
}

/// The checks in their order. When one fails, those after it are skipped.
const CONNECTION: [&str; 8] = [
    "proxy", "dns", "tcp", "tls", "service", "clock", "token", "me",
];

/// Checks the way to the tenant and what the credentials allow.
pub(super) async fn check(session: &Session, findings: &mut Vec<Finding>, extent: Extent) {
    let start = findings.len();
    let mut times = Vec::new();
    let reached = layers(session, findings, &mut times).await;
    if !reached {
        for check in CONNECTION {
            if !findings[start..].iter().any(|found| found.check == check) {
                findings.push(Finding::skipped(
                    check,
                    "not checked, because an earlier check failed",
                ));
            }
        }
        return;
    }
    if extent == Extent::All {
        permissions(session, findings, &mut times).await;
        findings.extend([latency(times), limits(session)]);
    }
}

/// Returns `true` if the credentials work.
async fn layers(session: &Session, findings: &mut Vec<Finding>, times: &mut Vec<Duration>) -> bool {
    let lms = &session.lms;
    // The client has parsed it.
    let Ok(url) = Url::parse(lms.base_url()) else {
        return false;
    };
    let proxy = proxy(&url);
    let is_direct = proxy.state == State::Skipped;
    findings.push(proxy);
    if is_direct && !direct(&url, findings).await {
        return false;
    }
    if !is_direct {
        let by_proxy = "the proxy does it";
        findings.extend(["dns", "tcp"].map(|check| Finding::skipped(check, by_proxy)));
    }
    let response = match lms.test().response().await {
        Ok(response) => response,
        Err(error) => {
            findings.push(unreachable(error));
            return false;
        }
    };
    times.push(response.elapsed);
    findings.push(match url.scheme() {
        "https" => Finding::ok(
            "tls",
            "the handshake worked, and the certificate is valid now",
        ),
        _ => Finding::skipped("tls", "the base URL is http"),
    });
    let shown = format!("GET /test responds in {} ms", response.elapsed.as_millis());
    findings.push(match response.attempts {
        1 => Finding::ok("service", shown),
        attempts => Finding::warning(
            "service",
            format!("{shown}, but only after {attempts} attempts"),
            "lms test --debug",
        ),
    });
    let date = response
        .headers
        .get("date")
        .and_then(|date| date.to_str().ok());
    findings.push(clock(date));
    token(session, findings).await
}

/// The variable for a proxy, without its value, which may have a password.
fn proxy(url: &Url) -> Finding {
    let is_set = |name: &String| env::var_os(name).is_some_and(|value| !value.is_empty());
    let names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];
    let names = names.map(str::to_owned).into_iter();
    let set: Vec<_> = names
        .flat_map(|name| [name.to_ascii_lowercase(), name])
        .filter(is_set)
        .collect();
    let own = format!("{}_proxy", url.scheme());
    let is_own = |name: &String| [own.as_str(), "all_proxy"].contains(&&*name.to_ascii_lowercase());
    match set.iter().any(is_own) {
        true => Finding::ok("proxy", format!("{} are used", set.join(", "))).word("used", "yes"),
        false => Finding::skipped("proxy", "no variable names one for this base URL"),
    }
}

/// Resolves the host and connects to each of its addresses.
async fn direct(url: &Url, findings: &mut Vec<Finding>) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = url.port_or_known_default().unwrap_or_default();
    let found = match timeout(PATIENCE, lookup_host((host, port))).await {
        Ok(found) => found.map_err(|error| error.to_string()),
        Err(_) => Err("no response in time".to_owned()),
    };
    let addresses: Vec<SocketAddr> = match found.map(Iterator::collect) {
        Ok(addresses) => addresses,
        Err(reason) => {
            let failure = Failure::unavailable(format!("{host} was not resolved: {reason}"));
            let advice = "check the host name in the base URL and the network; behind a proxy, set HTTPS_PROXY";
            findings.push(Finding::failed("dns", failure.advice(advice)));
            return false;
        }
    };
    let new = addresses.iter().filter(|address| address.is_ipv6()).count();
    findings.push(
        Finding::ok(
            "dns",
            format!("{host} has {}", count(addresses.len(), "address")),
        )
        .number("ipv4", addresses.len() - new)
        .number("ipv6", new),
    );
    let finding = connections(&addresses, port).await;
    let is_open = finding.state != State::Error;
    findings.push(finding);
    is_open
}

/// Connects to each of the addresses.
async fn connections(addresses: &[SocketAddr], port: u16) -> Finding {
    let new = addresses.iter().filter(|address| address.is_ipv6()).count();
    let (mut open, mut refused) = (0_usize, Vec::new());
    for address in addresses {
        match timeout(PATIENCE, TcpStream::connect(address)).await {
            Ok(Ok(_)) => open += 1,
            Ok(Err(error)) => refused.push(format!("{address}: {error}")),
            Err(_) => refused.push(format!("{address}: no response in time")),
        }
    }
    let finding = match (open, refused.is_empty()) {
        (0, _) => {
            let failure = Failure::unavailable(format!("no connection to {}", refused.join("; ")));
            let advice = match new {
                0 => {
                    "check the port of the base URL, the firewall and the network; behind a proxy, set HTTPS_PROXY"
                }
                _ if new == addresses.len() => {
                    "the service has only IPv6: ask for its route, or set HTTPS_PROXY to a proxy that has one"
                }
                _ => {
                    "neither IPv4 nor IPv6 works: check the port of the base URL, the firewall and the network"
                }
            };
            Finding::failed("tcp", failure.advice(advice))
        }
        (_, true) => Finding::ok("tcp", format!("port {port} accepts connections")),
        (_, false) => Finding::warning(
            "tcp",
            format!(
                "some addresses do not accept connections: {}",
                refused.join("; ")
            ),
            "ask for the routes of IPv4 and IPv6; commands wait until the first address fails",
        ),
    };
    finding
        .number("open", open)
        .number("refused", refused.len())
}

/// The finding about a call that got no good response: of the proxy, TLS or the service.
fn unreachable(error: Error) -> Finding {
    let (kind, text) = (error.kind(), error.to_string());
    let failure = Failure::from(error);
    let finding = match kind {
        ErrorKind::Connect if text.contains("proxy") => {
            Finding::failed("proxy", failure.advice("check the URL in HTTPS_PROXY, or leave the host out with NO_PROXY"))
        }
        ErrorKind::Connect if text.contains("certificate expired") => Finding::failed(
            "tls",
            failure.advice("ask the service's support to renew the certificate, and check the clock of this machine: date -u"),
        ),
        ErrorKind::Connect if text.contains("ertificate") || text.contains("TLS") => {
            Finding::failed("tls", failure.advice("check the base URL; for a private authority, set SSL_CERT_FILE"))
        }
        ErrorKind::NotFound | ErrorKind::Redirect | ErrorKind::NotJson | ErrorKind::Decode => {
            Finding::failed("service", failure.advice("the server is there, but not this service; check the base URL"))
        }
        _ => Finding::failed("service", failure),
    };
    finding.word("kind", kind.name())
}

/// Compares the clock of this machine with that of the service, which has whole seconds.
fn clock(date: Option<&str>) -> Finding {
    let Some(at) = date.and_then(|date| rfc2822::parse(date).ok()) else {
        return Finding::skipped("clock", "the response has no time");
    };
    let skew = Timestamp::now().as_second() - at.timestamp().as_second();
    let (seconds, direction) = (
        skew.unsigned_abs(),
        if skew < 0 { "behind" } else { "ahead of" },
    );
    let finding = match seconds {
        0..=SKEW => Finding::ok("clock", "agrees with the service"),
        _ => Finding::warning(
            "clock",
            format!(
                "this clock is {} {direction} that of the service",
                count(seconds, "second")
            ),
            "sudo timedatectl set-ntp true",
        ),
    };
    finding
        .number("seconds", seconds)
        .word("direction", direction)
}

/// Requests a new token, and asks whose it is.
async fn token(session: &Session, findings: &mut Vec<Finding>) -> bool {
    let tenant = tenant_id(&session.lms).await;
    let obtained = Finding::ok("token", "a new one was issued for these credentials");
    match tenant {
        Ok(tenant) => {
            findings.extend([
                obtained,
                Finding::ok("me", format!("they are valid for the tenant {tenant}")),
            ]);
            true
        }
        Err(error) => {
            let kind = error.kind();
            let check = match session.lms.token_count() {
                0 => "token",
                _ => {
                    findings.push(obtained);
                    "me"
                }
            };
            findings.push(Finding::failed(check, explain(error)).word("kind", kind.name()));
            false
        }
    }
}

/// The advice of other commands is to run this one.
fn explain(error: Error) -> Failure {
    let is_allowed = error.kind() != ErrorKind::Forbidden;
    let failure = Failure::from(error);
    match failure.exit() {
        Exit::Credentials if is_allowed => failure.advice(
            "correct them: `lms profile add NAME --base-url URL --client-id ID` replaces a profile",
        ),
        _ => failure,
    }
}

/// Reads one item of each list.
async fn permissions(session: &Session, findings: &mut Vec<Finding>, times: &mut Vec<Duration>) {
    for collection in collections().iter().filter(|known| !known.is_derived()) {
        let operation = of_operation(collection.operation).and_then(operation_of);
        let request = operation.map(|operation| session.lms.raw_operation::<&str>(operation, &[]));
        let Some(Ok(request)) = request else { continue };
        let request = match collection.limit {
            true => request.query("limit", "1"),
            false => request,
        };
        let began = Instant::now();
        let page = request.pages().try_next().await;
        times.push(began.elapsed());
        let finding = match page {
            Ok(_) => Finding::ok("permission", "can be read"),
            Err(error) => {
                let kind = error.kind();
                let failure = Failure::from(error);
                let finding = match kind {
                    ErrorKind::Forbidden => Finding::warning(
                        "permission",
                        failure.message(),
                        "ask an administrator of the tenant for the permission, or leave the collection out",
                    ),
                    _ => Finding::failed("permission", failure),
                };
                finding.word("kind", kind.name())
            }
        };
        findings.push(finding.of(collection.name));
    }
}

/// The times of the requests of this run.
fn latency(mut times: Vec<Duration>) -> Finding {
    times.sort();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let longest = times.last().copied().unwrap_or_default();
    let shown = format!(
        "half of {} took at most {} ms, the longest {} ms",
        count(times.len(), "request"),
        median.as_millis(),
        longest.as_millis()
    );
    let finding = match median {
        slow if slow > SLOW => Finding::warning(
            "latency",
            shown,
            "lms test --debug, and ask the service's support",
        ),
        _ => Finding::ok("latency", shown),
    };
    finding
        .number("requests", times.len())
        .number("median_ms", median.as_millis())
        .number("longest_ms", longest.as_millis())
}

/// The limits that the service has shown in this run.
fn limits(session: &Session) -> Finding {
    let state = session.lms.rate_limit_state();
    let rate = state
        .throttled_to
        .map_or(String::new(), |rate| format!("; now {rate:.1} requests/s"));
    let finding = match state.refused {
        0 => Finding::ok(
            "limits",
            format!("no request was refused for its rate{rate}"),
        ),
        refused => Finding::warning(
            "limits",
            format!(
                "{} refused because there were too many{rate}",
                count(refused, "request")
            ),
            "pass --max-per-second 5, or store it with `lms profile add`",
        ),
    };
    finding.number("refused", state.refused)
}
