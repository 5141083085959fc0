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

/// The checks in their order. When one fails, those after it are skipped.
const CONNECTION: [&str; 8] = [
    "proxy", "dns", "tcp", "tls", "service", "clock", "token", "me",
];

/// Checks the way to the tenant and what the credentials allow.
pub(super) async fn check(session: &Session, findings: &mut Vec<Finding>, with_permissions: bool) {
    let start = findings.len();
    let mut times = Vec::new();
    match layers(session, findings, &mut times).await {
        Ok(()) if with_permissions => {
            permissions(session, findings, &mut times).await;
            findings.extend([latency(times), limits(session)]);
        }
        Ok(()) => {}
        Err(failed) => {
            findings.push(failed);
            let is_made = |check: &str| findings[start..].iter().any(|of| of.check == check);
            let skipped = CONNECTION.into_iter().filter(|check| !is_made(check));
            let why = "not checked, because an earlier check failed";
            let skipped: Vec<_> = skipped.map(|check| Finding::skipped(check, why)).collect();
            findings.extend(skipped);
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
    let tls = "the handshake worked, and the certificate is valid now";
    findings.push(match url.scheme() {
        "https" => Finding::ok("tls", tls),
        _ => Finding::skipped("tls", "the base URL is http"),
    });
    let mut shown = format!("GET /test responds in {} ms", response.elapsed.as_millis());
    if response.attempts > 1 {
        shown += &format!(", but only after {} attempts", response.attempts);
    }
    findings.push(Finding::of("service", response.attempts > 1, shown));
    let date = response.headers.get("date");
    findings.push(clock(date.and_then(|date| date.to_str().ok())));
    token(session, findings).await
}

/// The variable for a proxy, without its value, which may have a password.
fn proxy(url: &Url) -> Finding {
    let is_set = |name: &String| env::var_os(name).is_some_and(|value| !value.is_empty());
    let names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].into_iter();
    let names = names.flat_map(|name| [name.to_ascii_lowercase(), name.to_owned()]);
    let set: Vec<String> = names.filter(is_set).collect();
    let own = format!("{}_proxy", url.scheme());
    let is_own = |name: &String| [own.as_str(), "all_proxy"].contains(&&*name.to_ascii_lowercase());
    match set.iter().any(is_own) {
        true => Finding::ok("proxy", format!("{} are used", set.join(", "))),
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
        Finding::failed("dns", failure)
    })?;
    let addresses: Vec<SocketAddr> = addresses.collect();
    let new = addresses.iter().filter(|address| address.is_ipv6()).count();
    let shown = format!("{host} has {}", count(addresses.len(), "address"));
    let numbers = [("ipv4", addresses.len() - new), ("ipv6", new)];
    findings.push(Finding::ok("dns", shown).numbers(numbers));
    let mut refused = Vec::new();
    for address in &addresses {
        if let Err(reason) = in_time(TcpStream::connect(address)).await {
            refused.push(format!("{address}: {reason}"));
        }
    }
    let (open, refusals) = (addresses.len() - refused.len(), refused.join("; "));
    let numbers = [("open", open), ("refused", refused.len())];
    if open == 0 {
        let failure = Failure::unavailable(format!("no connection to {refusals}"));
        let way = match new == addresses.len() {
            true => "tcp IPv6",
            false => "tcp closed",
        };
        let finding = Finding::failed("tcp", failure).remedied(way);
        return Err(finding.numbers(numbers));
    }
    let shown = match refused.is_empty() {
        true => format!("port {port} accepts connections"),
        false => format!("some addresses do not accept connections: {refusals}"),
    };
    findings.push(Finding::of("tcp", !refused.is_empty(), shown).numbers(numbers));
    Ok(())
}

/// The finding about a call that failed.
fn failed(check: &'static str, error: Error) -> Finding {
    let kind = error.kind().name();
    Finding::failed(check, Failure::from(error)).words(["kind"], [kind])
}

/// The finding about a call that got no good response: of the proxy, TLS or the service.
fn unreachable(error: Error) -> Finding {
    let text = error.to_string();
    let (check, way) = match error.kind() {
        ErrorKind::Connect if text.contains("proxy") => ("proxy", "proxy"),
        ErrorKind::Connect if text.contains("certificate expired") => ("tls", "tls expired"),
        ErrorKind::Connect if text.contains("ertificate") || text.contains("TLS") => ("tls", "tls"),
        ErrorKind::NotFound | ErrorKind::Redirect | ErrorKind::NotJson | ErrorKind::Decode => {
            ("service", "service other")
        }
        _ => ("service", ""),
    };
    failed(check, error).remedied(way)
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
        _ => format!("this clock is {seconds} s {direction} that of the service"),
    };
    Finding::of("clock", seconds > SKEW, shown)
        .numbers([("seconds", seconds)])
        .words(["direction"], [direction])
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
        // The advice of other commands for wrong credentials is to run this one.
        let is_wrong = Failure::from(&error).exit() == Exit::Credentials;
        let is_wrong = is_wrong && error.kind() != ErrorKind::Forbidden;
        let finding = failed(if is_issued { "me" } else { "token" }, error);
        finding.remedied(if is_wrong { "credentials" } else { "" })
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
        let is_forbidden = |error: &Error| error.kind() == ErrorKind::Forbidden;
        let is_forbidden = page.as_ref().is_err_and(is_forbidden);
        let mut finding = match page {
            Ok(_) => Finding::ok("permission", "can be read"),
            Err(error) => failed("permission", error),
        };
        if is_forbidden {
            finding = finding.remedied("permission denied");
            finding.state = State::Warning;
        }
        finding.collection = Some(collection.name);
        findings.push(finding);
    }
}

/// The times of the requests of this run.
fn latency(mut times: Vec<Duration>) -> Finding {
    times.sort();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let (requests, longest) = (times.len(), times.last().copied().unwrap_or_default());
    let [median_ms, longest_ms] = [median, longest].map(|time| time.as_millis());
    let requests_made = count(requests, "request");
    let shown =
        format!("half of {requests_made} took at most {median_ms} ms, the longest {longest_ms} ms");
    let times = [("median_ms", median_ms), ("longest_ms", longest_ms)];
    let finding = Finding::of("latency", median > SLOW, shown).numbers(times);
    finding.numbers([("requests", requests)])
}

/// The limits that the service has shown in this run.
fn limits(session: &Session) -> Finding {
    let state = session.lms.rate_limit_state();
    let rate = state.throttled_to;
    let rate = rate.map_or(String::new(), |rate| format!("; now {rate:.1} requests/s"));
    let refused = match state.refused {
        0 => "no request was".to_owned(),
        refused => format!("{} were", count(refused, "request")),
    };
    let shown = format!("{refused} refused for the rate{rate}");
    Finding::of("limits", state.refused > 0, shown).numbers([("refused", state.refused)])
}
