//! The checks of the connection: each layer from the proxy to the permissions, until one fails.

use std::{
    env, io,
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
    match layers(session, findings, &mut times).await {
        Ok(()) if extent == Extent::All => {
            permissions(session, findings, &mut times).await;
            findings.extend([latency(times), limits(session)]);
        }
        Ok(()) => {}
        Err(failed) => {
            findings.push(failed);
            for check in CONNECTION {
                if !findings[start..].iter().any(|found| found.check == check) {
                    let why = "not checked, because an earlier check failed";
                    findings.push(Finding::skipped(check, why));
                }
            }
        }
    }
}

/// Makes the checks of the connection until one fails.
async fn layers(
    session: &Session,
    findings: &mut Vec<Finding>,
    times: &mut Vec<Duration>,
) -> Result<(), Finding> {
    let lms = &session.lms;
    let url = Url::parse(lms.base_url());
    let url = url.map_err(|error| Finding::failed("dns", Failure::fault(error.to_string())))?;
    let proxy = proxy(&url);
    let is_direct = proxy.state == State::Skipped;
    findings.push(proxy);
    match is_direct {
        true => direct(&url, findings).await?,
        false => {
            let skipped = |check| Finding::skipped(check, "the proxy does it");
            findings.extend(["dns", "tcp"].map(skipped));
        }
    }
    let response = lms.test().response().await.map_err(unreachable)?;
    times.push(response.elapsed);
    findings.push(match url.scheme() {
        "https" => Finding::ok(
            "tls",
            "the handshake worked, and the certificate is valid now",
        ),
        _ => Finding::skipped("tls", "the base URL is http"),
    });
    let mut shown = format!("GET /test responds in {} ms", response.elapsed.as_millis());
    if response.attempts > 1 {
        shown += &format!(", but only after {} attempts", response.attempts);
    }
    let service = Finding::ok("service", shown);
    findings.push(service.warn_if(response.attempts > 1, "lms test --debug"));
    let date = response.headers.get("date");
    findings.push(clock(date.and_then(|date| date.to_str().ok())));
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

/// The result of a call, or why there is none.
async fn in_time<T>(call: impl Future<Output = io::Result<T>>) -> Result<T, String> {
    match timeout(PATIENCE, call).await {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(_) => Err("no response in time".to_owned()),
    }
}

/// Resolves the host and connects to each of its addresses.
async fn direct(url: &Url, findings: &mut Vec<Finding>) -> Result<(), Finding> {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = url.port_or_known_default().unwrap_or_default();
    let addresses = in_time(lookup_host((host, port))).await.map_err(|reason| {
        let failure = Failure::unavailable(format!("{host} was not resolved: {reason}"));
        let advice =
            "check the host name in the base URL and the network; behind a proxy, set HTTPS_PROXY";
        Finding::failed("dns", failure.advice(advice))
    })?;
    let addresses: Vec<SocketAddr> = addresses.collect();
    let new = addresses.iter().filter(|address| address.is_ipv6()).count();
    let shown = format!("{host} has {}", count(addresses.len(), "address"));
    let dns = Finding::ok("dns", shown).number("ipv4", addresses.len() - new);
    findings.push(dns.number("ipv6", new));
    let mut refused = Vec::new();
    for address in &addresses {
        if let Err(reason) = in_time(TcpStream::connect(address)).await {
            refused.push(format!("{address}: {reason}"));
        }
    }
    let (open, refusals) = (addresses.len() - refused.len(), refused.join("; "));
    let counted = |finding: Finding| {
        let finding = finding.number("open", open);
        finding.number("refused", refused.len())
    };
    if open == 0 {
        let failure = Failure::unavailable(format!("no connection to {refusals}"));
        let advice = match new == addresses.len() {
            true => {
                "the service has only IPv6: ask for its route, or set HTTPS_PROXY to a proxy that has one"
            }
            false => {
                "check the port of the base URL, the firewall and the network; behind a proxy, set HTTPS_PROXY"
            }
        };
        return Err(counted(Finding::failed("tcp", failure.advice(advice))));
    }
    let shown = match refused.is_empty() {
        true => format!("port {port} accepts connections"),
        false => format!("some addresses do not accept connections: {refusals}"),
    };
    let remedy = "ask for the routes of IPv4 and IPv6; commands wait until the first address fails";
    findings.push(counted(
        Finding::ok("tcp", shown).warn_if(!refused.is_empty(), remedy),
    ));
    Ok(())
}

/// The finding about a call that failed.
fn failed(check: &'static str, error: Error, advice: Option<&str>) -> Finding {
    let kind = error.kind().name();
    let failure = Failure::from(error);
    let failure = match advice {
        Some(advice) => failure.advice(advice),
        None => failure,
    };
    Finding::failed(check, failure).word("kind", kind)
}

/// The finding about a call that got no good response: of the proxy, TLS or the service.
fn unreachable(error: Error) -> Finding {
    let text = error.to_string();
    let (check, advice) = match error.kind() {
        ErrorKind::Connect if text.contains("proxy") => (
            "proxy",
            Some("check the URL in HTTPS_PROXY, or leave the host out with NO_PROXY"),
        ),
        ErrorKind::Connect if text.contains("certificate expired") => (
            "tls",
            Some(
                "ask the service's support to renew the certificate, and check the clock of this machine: date -u",
            ),
        ),
        ErrorKind::Connect if text.contains("ertificate") || text.contains("TLS") => (
            "tls",
            Some("check the base URL; for a private authority, set SSL_CERT_FILE"),
        ),
        ErrorKind::NotFound | ErrorKind::Redirect | ErrorKind::NotJson | ErrorKind::Decode => (
            "service",
            Some("the server is there, but not this service; check the base URL"),
        ),
        _ => ("service", None),
    };
    failed(check, error, advice)
}

/// Compares the clock of this machine with that of the service, which has whole seconds.
fn clock(date: Option<&str>) -> Finding {
    let Some(at) = date.and_then(|date| rfc2822::parse(date).ok()) else {
        return Finding::skipped("clock", "the response has no time");
    };
    let skew = Timestamp::now().as_second() - at.timestamp().as_second();
    let seconds = skew.unsigned_abs();
    let direction = if skew < 0 { "behind" } else { "ahead of" };
    let shown = match seconds {
        0..=SKEW => "agrees with the service".to_owned(),
        _ => format!(
            "this clock is {} {direction} that of the service",
            count(seconds, "second")
        ),
    };
    Finding::ok("clock", shown)
        .warn_if(seconds > SKEW, "sudo timedatectl set-ntp true")
        .number("seconds", seconds)
        .word("direction", direction)
}

/// Requests a new token, and asks whose it is.
async fn token(session: &Session, findings: &mut Vec<Finding>) -> Result<(), Finding> {
    let tenant = tenant_id(&session.lms).await;
    let is_issued = session.lms.token_count() > 0;
    if is_issued {
        let shown = "a new one was issued for these credentials";
        findings.push(Finding::ok("token", shown));
    }
    let tenant = tenant.map_err(|error| {
        let is_wrong = !matches!(error.kind(), ErrorKind::Forbidden)
            && Failure::from(&error).exit() == Exit::Credentials;
        // The advice of other commands is to run this one.
        let advice = is_wrong.then_some(
            "correct them: `lms profile add NAME --base-url URL --client-id ID` replaces a profile",
        );
        failed(if is_issued { "me" } else { "token" }, error, advice)
    })?;
    let shown = format!("they are valid for the tenant {tenant}");
    findings.push(Finding::ok("me", shown));
    Ok(())
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
                let is_forbidden = error.kind() == ErrorKind::Forbidden;
                failed("permission", error, None).warn_if(
                    is_forbidden,
                    "ask an administrator of the tenant for the permission, or leave the collection out",
                )
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
    Finding::ok("latency", shown)
        .warn_if(
            median > SLOW,
            "lms test --debug, and ask the service's support",
        )
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
    let refused = match state.refused {
        0 => "no request was".to_owned(),
        refused => format!("{} were", count(refused, "request")),
    };
    let shown = format!("{refused} refused for the rate{rate}");
    let remedy = "pass --max-per-second 5, or store it with `lms profile add`";
    Finding::ok("limits", shown)
        .warn_if(state.refused > 0, remedy)
        .number("refused", state.refused)
}
