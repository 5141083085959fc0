//! What an attempt means for the call: is it the end, may it be sent again, may it have been processed?

use crate::{error::is_transient, values::OperationInfo};

/// How an attempt ended, as far as repeating it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// There is an answer with this status.
    Answered(u16),
    /// The tenant cannot have seen the request.
    Unsent,
    /// The tenant may have seen it, and its answer was lost, late or broken off.
    Lost,
    /// The answer is there and cannot be taken, as it would not be the next time.
    Unusable,
}

/// What follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Classification {
    /// Sending it again may bring a better end, and can do nothing twice.
    pub(crate) retry: bool,
    /// The tenant may have processed a change, and has not said so.
    pub(crate) maybe_processed: bool,
}

/// Judges one attempt of an operation.
pub(crate) fn classify(operation: &OperationInfo, outcome: Outcome) -> Classification {
    let harmless = operation.idempotent || is_token_request(operation);
    let changes = changes(operation);
    let (retry, maybe_processed) = match outcome {
        Outcome::Answered(429) | Outcome::Unsent => (true, false),
        Outcome::Answered(status) => (harmless && is_transient(status), leaves_open(status)),
        Outcome::Lost => (harmless, true),
        Outcome::Unusable => (false, true),
    };
    Classification {
        retry,
        maybe_processed: maybe_processed && changes,
    }
}

/// Whether the operation may change something at the tenant.
pub(crate) fn changes(operation: &OperationInfo) -> bool {
    !operation.is_read() && !is_token_request(operation)
}

/// Whether an answer with this status leaves open what was done: somebody on the way gave up, or, with 303, the
/// outcome is to be seen elsewhere. Any other redirect says where to send the request, so it was not processed here.
fn leaves_open(status: u16) -> bool {
    matches!(status, 303 | 408) || status >= 500
}

/// A token that is fetched twice changes nothing (§5), although it is fetched with a POST.
fn is_token_request(operation: &OperationInfo) -> bool {
    operation.id == "get_token"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::OPERATIONS;

    const REPEAT: Classification = Classification {
        retry: true,
        maybe_processed: false,
    };
    const END: Classification = Classification {
        retry: false,
        maybe_processed: false,
    };
    const REPEAT_IN_DOUBT: Classification = Classification {
        retry: true,
        maybe_processed: true,
    };
    const END_IN_DOUBT: Classification = Classification {
        retry: false,
        maybe_processed: true,
    };

    #[test]
    fn every_operation_is_repeated_as_its_method_allows() {
        use Outcome::{Answered, Lost, Unsent, Unusable};
        let table = [
            // outcome, read, put and delete, post
            (Unsent, REPEAT, REPEAT, REPEAT),
            (Answered(429), REPEAT, REPEAT, REPEAT),
            (Answered(408), REPEAT, REPEAT_IN_DOUBT, END_IN_DOUBT),
            (Answered(500), REPEAT, REPEAT_IN_DOUBT, END_IN_DOUBT),
            (Answered(502), REPEAT, REPEAT_IN_DOUBT, END_IN_DOUBT),
            (Answered(503), REPEAT, REPEAT_IN_DOUBT, END_IN_DOUBT),
            (Answered(504), REPEAT, REPEAT_IN_DOUBT, END_IN_DOUBT),
            (Lost, REPEAT, REPEAT_IN_DOUBT, END_IN_DOUBT),
            (Unusable, END, END_IN_DOUBT, END_IN_DOUBT),
            (Answered(501), END, END_IN_DOUBT, END_IN_DOUBT),
            (Answered(200), END, END, END),
            (Answered(302), END, END, END),
            (Answered(303), END, END_IN_DOUBT, END_IN_DOUBT),
            (Answered(307), END, END, END),
            (Answered(400), END, END, END),
            (Answered(401), END, END, END),
            (Answered(404), END, END, END),
            (Answered(409), END, END, END),
            (Answered(422), END, END, END),
        ];
        for operation in &OPERATIONS {
            for (outcome, read, put, post) in table {
                let expected = match (operation.id, operation.method.as_str()) {
                    ("get_token", _) | (_, "GET") => read,
                    (_, "PUT" | "DELETE") => put,
                    _ => post,
                };
                assert_eq!(
                    classify(operation, outcome),
                    expected,
                    "{} {outcome:?}",
                    operation.id
                );
            }
        }
    }
}
