//! Whatever a generated builder complains of, a person is told what to do.

use lms_ext::{Operation, OperationInfo, PreparedRequest, prelude::*};

/// An operation whose builder complains of something.
struct Complaining(String);

impl Operation for Complaining {
    type Output = ();

    const INFO: &'static OperationInfo = <lms_ext::builders::Me as Operation>::INFO;

    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        Err(lms_client::Error::InvalidRequest(self.0))
    }
}

async fn words(complaint: &str) -> String {
    let error = Complaining(complaint.to_owned()).call().await.unwrap_err();
    assert!(error.is_usage());
    let text = error.to_string();
    text.strip_prefix("me: ").unwrap().to_owned()
}

/// Every complaint that the generated code can make, with its fields filled in.
fn complaints() -> impl Iterator<Item = String> {
    let generated = include_str!("../../../lms-client/src/generated.rs");
    let literals = generated.split('"').skip(1).step_by(2);
    literals
        .filter(|text| {
            text.ends_with("was not initialized")
                || text.starts_with("conversion to")
                || text.starts_with("no value supplied")
                || text.starts_with("error converting")
        })
        .map(|text| text.replace("{}", "no good").replace("{e}", "no good"))
}

#[tokio::test]
async fn every_complaint_of_the_generated_code_is_put_into_words() {
    let mut seen = 0;
    for complaint in complaints() {
        seen += 1;
        let whole = if complaint.starts_with("no value") || complaint.starts_with("error") {
            format!("conversion to `Course` for body failed: {complaint}")
        } else {
            complaint
        };
        let words = words(&whole).await;
        for jargon in ["::", "`", "conversion", "initialized", "supplied"] {
            assert!(!words.contains(jargon), "{whole}: {words}");
        }
        assert!(words.contains("; ") || words.contains(": "), "{words}");
    }
    assert!(seen > 200, "{seen}");
}

#[tokio::test]
async fn a_complaint_of_no_known_shape_is_shown_as_it_is() {
    for text in ["id is empty; give the id of one object", "odd"] {
        assert_eq!(words(text).await, text);
    }
}
