//! What an attempt means for the call: is it the end, may it be sent again, may it have been carried out?

use crate::operation::OperationInfo;

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
pub(crate) struct Verdict {
    /// Sending it again may bring a better end, and can do nothing twice.
    pub(crate) repeat: bool,
    /// The tenant may have carried out a change, and has not said so.
    pub(crate) in_doubt: bool,
}

/// Judges one attempt of an operation.
pub(crate) fn verdict(operation: &OperationInfo, outcome: Outcome) -> Verdict {
    let harmless = operation.repeatable || is_token_request(operation);
    let changes = changes(operation);
    let (repeat, in_doubt) = match outcome {
        Outcome::Answered(429) | Outcome::Unsent => (true, false),
        Outcome::Answered(status) => (harmless && passes(status), leaves_open(status)),
        Outcome::Lost => (harmless, true),
        Outcome::Unusable => (false, true),
    };
    Verdict {
        repeat,
        in_doubt: in_doubt && changes,
    }
}

/// Whether the operation may change something at the tenant.
pub(crate) fn changes(operation: &OperationInfo) -> bool {
    !operation.reads() && !is_token_request(operation)
}

/// Whether a failure with this status passes by itself.
pub(crate) fn passes(status: u16) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504)
}

/// Whether an answer with this status leaves open what was done: somebody on the way gave up, or, with 303, the
/// outcome is to be seen elsewhere. Any other redirect says where to send the request, so it was not carried out here.
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
    use crate::OPERATIONS;

    const REPEAT: Verdict = Verdict {
        repeat: true,
        in_doubt: false,
    };
    const END: Verdict = Verdict {
        repeat: false,
        in_doubt: false,
    };
    const REPEAT_IN_DOUBT: Verdict = Verdict {
        repeat: true,
        in_doubt: true,
    };
    const END_IN_DOUBT: Verdict = Verdict {
        repeat: false,
        in_doubt: true,
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
                    verdict(operation, outcome),
                    expected,
                    "{} {outcome:?}",
                    operation.id
                );
            }
        }
    }
}
