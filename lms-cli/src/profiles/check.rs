//! `profile check`: tests each step of a connection, and names the step that fails.

use lms_ext::prelude::*;
use lms_sync::tenant_id;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, conclude},
    output::Printer,
    session::Session,
};

/// The result of one check.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Check {
    /// The step that was checked: settings, server or credentials.
    check: &'static str,
    ok: bool,
    /// The result, for people.
    result: String,
}

/// Checks the settings, the server, and the credentials, in this order. Ends with the failure of the first that fails.
pub(crate) async fn run(context: &Context) -> Result<(), Failure> {
    let mut checks = Checks {
        printer: Printer::new(context, None)?,
        rows: Vec::new(),
    };
    let session = match Session::with_new_token(context).await {
        Ok(session) => session,
        Err(failure) => return checks.failed("settings", failure),
    };
    let lms = &session.lms;
    checks.add(
        "settings",
        true,
        &format!("the base URL is {}, and there is a secret", lms.base_url()),
    );
    match lms.test().call().await {
        Ok(_) => checks.add("server", true, "the server responds"),
        Err(error) => return checks.failed("server", explain_server(error)),
    }
    match tenant_id(lms).await {
        Ok(tenant) => {
            checks.add(
                "credentials",
                true,
                &format!("they are valid for the tenant {tenant}"),
            );
        }
        Err(error) => return checks.failed("credentials", explain_credentials(error)),
    }
    checks.printer.rows_of(&checks.rows)
}

/// The results so far.
struct Checks {
    printer: Printer,
    rows: Vec<Check>,
}

impl Checks {
    fn add(&mut self, check: &'static str, ok: bool, result: &str) {
        let result = result.to_owned();
        self.rows.push(Check { check, ok, result });
    }

    fn failed(mut self, check: &'static str, failure: Failure) -> Result<(), Failure> {
        self.add(check, false, failure.message());
        conclude(Err(failure), self.printer.rows_of(&self.rows))
    }
}

/// The advice of other commands is to run this check.
fn explain_credentials(error: Error) -> Failure {
    let is_allowed = error.kind() != ErrorKind::Forbidden;
    let failure = Failure::from(error);
    match failure.exit() {
        Exit::Credentials if is_allowed => {
            failure.advice("correct them with `lms profile add`, which replaces a profile")
        }
        _ => failure,
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
