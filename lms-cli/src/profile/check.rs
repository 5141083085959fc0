//! `profile check`: says in plain words which part of a connection works and which does not.

use lms_ext::prelude::*;
use serde_json::{json, value::to_raw_value};

use crate::{context::Context, failure::Failure, output::Printer, session::Session};

/// Checks the settings, the server, and the credentials, in this order. Ends with the failure of the first that fails.
pub(crate) async fn run(context: &Context) -> Result<(), Failure> {
    let mut checks = Checks(Printer::new(context, None)?);
    let session = match Session::open(context).await {
        Ok(session) => session,
        Err(failure) => return checks.failed("settings", failure),
    };
    let lms = &session.lms;
    checks.passed(
        "settings",
        &format!("the base URL is {}, and there is a secret", lms.base_url()),
    )?;
    match lms.test().call().await {
        Ok(_) => checks.passed("server", "the server responds")?,
        Err(error) => return checks.failed("server", explain_server(error)),
    }
    match lms.me().call().await {
        Ok(me) => {
            let tenant = me
                .domain
                .or(me.name)
                .unwrap_or_else(|| "the tenant".to_owned());
            checks.passed("credentials", &format!("they are valid for {tenant}"))?;
        }
        Err(error) => return checks.failed("credentials", error.into()),
    }
    checks.0.finish()
}

/// The results so far, printed as they come.
struct Checks(Printer);

impl Checks {
    fn passed(&mut self, check: &str, result: &str) -> Result<(), Failure> {
        self.row(check, true, result)
    }

    fn failed(mut self, check: &str, failure: Failure) -> Result<(), Failure> {
        self.row(check, false, failure.message())?;
        self.0.finish()?;
        Err(failure)
    }

    fn row(&mut self, check: &str, ok: bool, result: &str) -> Result<(), Failure> {
        let row = to_raw_value(&json!({ "check": check, "ok": ok, "result": result }));
        let row = row.map_err(|error| Failure::fault(error.to_string()))?;
        self.0.page([&*row])
    }
}

fn explain_server(error: Error) -> Failure {
    let advice = match error.kind() {
        ErrorKind::NotFound | ErrorKind::Redirect => {
            Some("the server is there, but not this service; check the base URL")
        }
        ErrorKind::Connect | ErrorKind::ConnectTimeout => {
            Some("check the host name in the base URL, the network, and the proxy in HTTPS_PROXY")
        }
        _ => None,
    };
    let failure = Failure::from(error);
    match advice {
        Some(advice) => failure.advice(advice),
        None => failure,
    }
}
