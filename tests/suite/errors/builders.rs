//! Messages for values that builders do not accept.

use lms_ext::{Operation, Policies, prelude::*};

use crate::script::{Script, status};

/// The message of a call that is not valid, without the name of its operation.
async fn message<O>(call: O) -> String
where
    O: Operation<Transport = Policies>,
{
    let error = call.call().await.map(drop).unwrap_err();
    assert!(error.is_usage(), "{error}");
    let text = error.to_string();
    text.split_once(": ").unwrap().1.to_owned()
}

#[tokio::test]
async fn a_value_that_is_not_accepted_is_named_with_its_reason() {
    let tenant = Script::new(|_| status(500));
    let lms = tenant.lms();
    let none = None::<&str>;
    let found = [
        message(lms.get_course(none)).await,
        message(lms.add_course(none)).await,
        message(lms.add_enrolment("c1", none)).await,
        message(lms.list_learners().limit("many")).await,
        message(lms.get_course("")).await,
        message(lms.add_enrolment("c1", " ")).await,
        message(lms.list_enrolments().user("")).await,
    ];
    let expected = [
        "id has no value; it is required",
        "name has no value in the body; it is required",
        "user has no value in the body; it is required",
        "limit is not valid: expected an integer: an optional sign and digits",
        "id is not valid: it is empty; give the id of one object",
        "in the body, user is not valid: it is empty; give the id of one object",
        "user is not valid: it is empty; give the id of one object",
    ];
    assert_eq!(found, expected);
    assert_eq!(tenant.count(), 0);
}
