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

use super::finding::Finding;
use crate::{calls::raw, exit::Exit, failure::Failure, session::Session, wording::count};

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
    let mut times = Vec::new();
    if let Err(failed) = layers(session, findings, &mut times).await {
        findings.push(failed);
        for check in CONNECTION {
            if !findings.iter().any(|of| of.check == check) {
                let why = "not checked, because an earlier check failed";
                findings.push(Finding::skipped(check, why));
            }
        }
    } else if with_permissions {
        permissions(session, findings, &mut times).await;
        findings.extend([latency(times), limits(session)]);
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
    if let Some(variable) = proxy_variable(url.scheme()) {
        let shown = format!("that of {variable}, unless NO_PROXY has this host");
        findings.push(Finding::ok("proxy", shown));
        let skipped = |check| Finding::skipped(check, "the proxy does it");
        findings.extend(["dns", "tcp"].map(skipped));
    } else {
        let shown = "no variable names one for this base URL";
        findings.push(Finding::skipped("proxy", shown));
        direct(&url, findings).await?;
    }
    let response = lms.test().response().await.map_err(unreachable)?;
    times.push(response.elapsed);
    let shown = "the handshake worked, and the certificate is valid now";
    findings.push(match url.scheme() {
        "https" => Finding::ok("tls", shown),
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

/// The variable that names a proxy for this scheme. Without its value, which may have a password.
fn proxy_variable(scheme: &str) -> Option<String> {
    let names = [format!("{scheme}_proxy"), "all_proxy".to_owned()].into_iter();
    let mut names = names.flat_map(|name| [name.to_uppercase(), name]);
    names.find(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
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
    let unavailable =
        |check, text| Finding::failed(check, Failure::of_job((Exit::Unavailable, "connect"), text));
    let addresses = in_time(lookup_host((host, port))).await;
    let addresses =
        addresses.map_err(|why| unavailable("dns", format!("{host} was not resolved: {why}")))?;
    let addresses: Vec<SocketAddr> = addresses.collect();
    let (all, new) = (
        addresses.len(),
        addresses.iter().filter(|of| of.is_ipv6()).count(),
    );
    let finding = Finding::ok("dns", format!("{host} has {}", count(all, "address")));
    findings.push(finding.number("ipv4", all - new).number("ipv6", new));
    let mut refused = Vec::new();
    for address in &addresses {
        if let Err(reason) = in_time(TcpStream::connect(address)).await {
            refused.push(format!("{address} accepts no connections: {reason}"));
        }
    }
    if refused.len() == all {
        let finding = unavailable("tcp", refused.join("; "));
        return Err(finding.remedied(if new == all { "tcp IPv6" } else { "tcp closed" }));
    }
    let shown = format!("port {port} accepts connections");
    findings.push(Finding::unless("tcp", &refused, &shown));
    Ok(())
}

/// The finding about a call that got no good response: of the proxy, TLS or the service.
fn unreachable(error: Error) -> Finding {
    let text = error.to_string();
    let way = match error.kind() {
        ErrorKind::Connect if text.contains("proxy") => "proxy",
        ErrorKind::Connect if text.contains("certificate expired") => "tls expired",
        ErrorKind::Connect if text.contains("ertificate") || text.contains("TLS") => "tls",
        ErrorKind::NotFound | ErrorKind::Redirect | ErrorKind::NotJson | ErrorKind::Decode => {
            "service other"
        }
        _ => "service",
    };
    let check = way.split(' ').next().unwrap_or(way);
    Finding::failed(check, error).remedied(way)
}

/// Compares the clock of this machine with that of the service, which has whole seconds.
fn clock(date: Option<&str>) -> Finding {
    let Some(at) = date.and_then(|date| rfc2822::parse(date).ok()) else {
        return Finding::skipped("clock", "the response has no time");
    };
    let skew = Timestamp::now().as_second() - at.timestamp().as_second();
    let seconds = skew.unsigned_abs();
    let direction = if skew < 0 { "behind" } else { "ahead of" };
    let shown = format!("this clock is {seconds} s {direction} that of the service");
    Finding::of("clock", seconds > SKEW, shown)
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
    let check = if is_issued { "me" } else { "token" };
    let tenant = tenant.map_err(|error| Finding::failed(check, error))?;
    let shown = format!("they are valid for the tenant {tenant}");
    findings.push(Finding::ok("me", shown));
    Ok(())
}

/// Reads one item of each list.
async fn permissions(session: &Session, findings: &mut Vec<Finding>, times: &mut Vec<Duration>) {
    for collection in collections().iter().filter(|known| !known.is_derived()) {
        let Ok(request) = raw(&session.lms, collection.operation, &[]) else {
            continue;
        };
        let request = match collection.limit {
            true => request.query("limit", "1"),
            false => request,
        };
        let began = Instant::now();
        let page = request.pages().try_next().await;
        times.push(began.elapsed());
        let mut finding = match page {
            Ok(_) => Finding::ok("permission", "can be read"),
            Err(error) if error.kind() == ErrorKind::Forbidden => {
                Finding::of("permission", true, Failure::from(error).message())
            }
            Err(error) => Finding::failed("permission", error),
        };
        finding.collection = Some(collection.name);
        findings.push(finding);
    }
}

/// The times of the requests of this run.
fn latency(mut times: Vec<Duration>) -> Finding {
    times.sort();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let longest = times.last().copied().unwrap_or_default();
    let [median_ms, longest_ms] = [median, longest].map(|time| time.as_millis());
    let requests = count(times.len(), "request");
    let shown =
        format!("half of {requests} took at most {median_ms} ms, the longest {longest_ms} ms");
    Finding::of("latency", median > SLOW, shown)
        .number("median_ms", median_ms)
        .number("longest_ms", longest_ms)
        .number("requests", times.len())
}

/// The limits that the service has shown in this run.
fn limits(session: &Session) -> Finding {
    let state = session.lms.rate_limit_state();
    let rate = state.throttled_to;
    let rate = rate.map_or(String::new(), |rate| format!("; now {rate:.1} requests/s"));
    let shown = format!(
        "{} refused for the rate{rate}",
        count(state.refused, "request")
    );
    Finding::of("limits", state.refused > 0, shown).number("refused", state.refused)
}
