//! Messages for errors of generated builders.

use lms_ext::{Operation, OperationInfo, Policies, PreparedRequest, prelude::*};

/// An operation whose builder fails.
struct Failing(String);

impl Operation for Failing {
    type Transport = Policies;
    type Output = ();

    const INFO: &'static OperationInfo = <lms_ext::builders::Me as Operation>::INFO;

    fn prepare(self) -> Result<PreparedRequest<Policies>, lms_client::Error> {
        Err(lms_client::Error::InvalidRequest(self.0))
    }
}

async fn message(reason: &str) -> String {
    let error = Failing(reason.to_owned()).call().await.unwrap_err();
    assert!(error.is_usage());
    let text = error.to_string();
    text.strip_prefix("me: ").unwrap().to_owned()
}

/// All error messages in the generated code, with their parameters filled in.
fn generated_errors() -> impl Iterator<Item = String> {
    let generated = include_str!("../../../lms-client/src/generated.rs");
    let literals = generated.split('"').skip(1).step_by(2);
    literals
        .filter(|text| {
            text.ends_with("was not initialized")
                || text.starts_with("conversion to")
                || text.starts_with("no value supplied")
                || text.starts_with("error converting")
        })
        .map(str::to_owned)
        // Those of setters.
        .chain([
            "limit has no value".to_owned(),
            "limit is not valid: no good".to_owned(),
        ])
}

#[tokio::test]
async fn every_error_of_the_generated_code_has_a_readable_message() {
    let mut seen = 0;
    for error in generated_errors() {
        seen += 1;
        for whole in [format!("body is not valid: {error}"), error] {
            let shown = message(&whole).await;
            for jargon in ["::", "`", "conversion", "initialized", "supplied"] {
                assert!(!shown.contains(jargon), "{whole}: {shown}");
            }
            assert!(shown.contains("; ") || shown.contains(": "), "{shown}");
        }
    }
    assert!(seen > 20, "{seen}");
}

#[tokio::test]
async fn an_unknown_error_is_shown_as_it_is() {
    for text in ["id is empty; give the id of one object", "odd"] {
        assert_eq!(message(text).await, text);
    }
}
