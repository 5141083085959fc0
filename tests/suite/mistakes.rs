//! First mistakes with the client: the compiler suggests the correct code.

use std::path::Path;

use crate::dependents::{WITHOUT_TLS, program::run};

/// Statements that do nothing, and the warning about each.
const UNUSED: &str = r#"
    lms.delete_course("c1"); => write `.await`
    lms.get_course("c1").options(CallOptions::default()); => write `.await`
    lms.list_learners().tags("emea"); => write `.await`
    lms.list_learners().items(); => try_next().await
    lms.list_learners().pages(); => try_next().await
    lms.enrolments_by_course(); => try_next().await
    lms.ensure_learner(types::AddLearner::builder("a", "b", "c")); => write `.await`
    lms.ensure_enrolment(types::AddEnrolment::builder("c", "u")); => write `.await`
    lms.update_learner("l1", |_| ()); => write `.await`
    lms.unenrol(EnrolmentScope::learner_in_course("l1", "c1")); => write `.await`
    lms.bulk(["c1"]); => write `.run(…)`
    lms.bulk(["c1"]).run(|lms, id| lms.delete_course(id).call()).report().await; => check `is_complete()`
    lms.course_copy("d1").progress(); => try_next().await
    lms.cancel_on(async {}); => only the client that is returned
    types::AddCourse::builder("a").published(true); => give it to an operation
"#;

/// Statements that do not compile, and the error about each.
const REFUSED: &str = r#"
    let _ = lms.get_course().await; => argument #1
    let _ = lms.add_enrolment("c1").await; => argument #2
    let course = lms.get_course("c1").await.unwrap(); let _ = lms.get_course(&course.id).await; => .require_id()?
    let _ = lms.delete_enrolment().course("c1").user(None::<&str>).await; => an `Option` may be `None`
    let _ = types::AddLearner::builder("Jo", "Bell"); => argument #3
    let _ = lms.list_learners().limit("5").username(5.5); => a setter takes
    let _ = lms.list_learners().items_as::<()>().dedup(); => implement `Identified`
    let _ = Lms::builder("https://a.example").token_provider("token"); => `.token(…)`
    is_list(lms.get_course("c1")); => only an operation whose response has `items`
"#;

/// Compiles each statement in a function of its own, and compares the messages of the compiler.
fn compare(name: &str, statements: &str) {
    let statements = crate::rows(statements);
    let mut main = "#![deny(unused_must_use)]\nuse lms_ext::{CallOptions, List, prelude::*};\n\
        fn main() {}\npub fn is_list<L: List>(_: L) {}\n"
        .to_owned();
    for (number, [statement, _]) in statements.iter().enumerate() {
        main += &format!("pub async fn f{number}(lms: Lms) {{ let _ = &lms; {statement} }}\n");
    }
    let output = run(name, WITHOUT_TLS, &main, Path::new(""));
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    let messages: Vec<_> = said.split("\n\n").collect();
    for (line, [statement, expected]) in (5..).zip(&statements) {
        let place = format!("--> src/main.rs:{line}:");
        let about = messages.iter().filter(|message| message.contains(&place));
        let about: String = about.copied().collect();
        assert!(about.contains(*expected), "{statement}\n{about}");
    }
}

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn a_call_that_is_not_sent_is_a_warning_that_says_what_to_write() {
    compare("unused", UNUSED);
}

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn an_error_about_a_first_mistake_says_what_to_write() {
    compare("refused", REFUSED);
}
