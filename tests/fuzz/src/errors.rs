use lms_ext::{Error, ErrorKind, Response, prelude::*, requests};
use reqwest::Method;

use crate::{
    redaction::{assert_consistent, assert_redacted},
    responses::{CannedResponse, PASSWORD, TOKEN, responses},
    script::Script,
    tenant::{builder, on_a_paused_clock, saying},
};

/// For all statuses, headers and bodies: no secret of the request is shown, the error reports the status, and a request is
/// retried only when it is idempotent or was not processed.
pub fn errors(input: &[u8]) {
    let responses = responses(input);
    on_a_paused_clock(async {
        macro_rules! client {
            ($lms:ident, $tenant:ident) => {
                let $tenant = saying(responses.clone());
                let $lms = builder(&$tenant).build().expect("a client");
            };
        }
        client!(lms, tenant);
        let call = lms.get_learner_by_email("jo@acme.example");
        check(&tenant, &responses, call.response().await.map(drop_value));

        client!(lms, tenant);
        let call = requests::AddLearner::new(&lms, new_learner());
        check(&tenant, &responses, call.response().await.map(drop_value));

        client!(lms, tenant);
        let outcome = lms.delete_course("c1").response().await;
        if let Ok(response) = &outcome {
            // An empty body is not decoded.
            assert!(response.already_removed || (200..300).contains(&response.status));
        }
        check(&tenant, &responses, outcome.map(drop_value));
    });
}

fn new_learner() -> types::builder::AddLearner {
    types::AddLearner::builder("Jo", "Doe", "jo@acme.example").password(PASSWORD.to_owned())
}

fn drop_value<T>(response: Response<T>) -> u16 {
    let headers = format!("{:?}", response.headers);
    // A caller may see the headers of a success.
    assert!(response.status < 400 || !headers.contains(TOKEN));
    response.status
}

fn check(tenant: &Script, responses: &[CannedResponse], outcome: Result<u16, Error>) {
    let seen = tenant.seen();
    assert!(
        !seen.is_empty() && seen.len() <= 4,
        "{} requests",
        seen.len()
    );
    let method = &seen[0].method;
    let given: Vec<u16> = (0..seen.len())
        .map(|index| responses[index % responses.len()].status.as_u16())
        .collect();
    let (last, before) = given.split_last().expect("there is one");
    for status in before {
        let harmless = [401, 429].contains(status);
        let passes = [408, 500, 502, 503, 504].contains(status);
        // A success that is not JSON.
        let foreign = *method == Method::GET && (200..300).contains(status);
        assert!(
            harmless || foreign || (passes && *method != Method::POST),
            "{method} was sent again after {status}"
        );
    }
    assert!(before.iter().filter(|status| **status == 401).count() <= 1);
    assert!(seen.iter().all(|seen| seen.token() == Some(TOKEN)));
    assert!(
        seen.windows(2)
            .all(|pair| pair[0].body == pair[1].body && pair[0].url == pair[1].url),
        "another request was sent again"
    );

    let error = match outcome {
        Ok(status) => return assert_eq!(status, *last),
        Err(error) => error,
    };
    let secrets = match *method {
        Method::POST => &[TOKEN, PASSWORD][..],
        _ => &[TOKEN],
    };
    assert_redacted(&error, secrets);
    assert_consistent(&error);
    assert_eq!(error.attempts() as usize, seen.len());
    assert_eq!(error.status(), Some(*last), "{error}");
    // An attempt that may have been processed makes a write ambiguous, even when later attempts fail otherwise.
    let ambiguous = |status: &u16| matches!(status, 303 | 408) || *status >= 500;
    let unreadable = (200..300).contains(last);
    let expected = *method != Method::GET && (given.iter().any(ambiguous) || unreadable);
    assert_eq!(
        error.is_ambiguous(),
        expected,
        "{method} {given:?}: {error}"
    );
    if *method == Method::GET {
        assert_eq!(error.is_not_found(), [404, 410].contains(last), "{error}");
        assert_eq!(error.is_rate_limited(), *last == 429, "{error}");
        let undecoded = matches!(error.kind(), ErrorKind::Decode | ErrorKind::NotJson);
        assert_eq!(undecoded, unreadable, "{error}");
    }
    if let Some(body) = error.body() {
        let whole = &responses[(seen.len() - 1) % responses.len()].body;
        assert_eq!(body, &whole[..whole.len().min(64 * 1024)]);
    }
}
