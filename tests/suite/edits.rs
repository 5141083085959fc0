//! An edit changes what it was asked to change, and nothing else.

use std::sync::{Arc, Mutex};

use lms_ext::prelude::*;
use lms_sandbox::Sandbox;
use proptest::{prelude::*, test_runner::TestRunner};
use reqwest::Method;
use serde_json::{Map, Value, json as value};

use crate::sandbox::client;
use crate::script::{Act, Script, Seen, json, lost, status};

/// A tenant that holds one object, and answers a write with what it would hold then, passed through
/// `change`.
fn holding(document: &str, change: impl Fn(&mut Value) + Send + Sync + 'static) -> Script {
    let document = document.to_owned();
    Script::new(move |seen| {
        if seen.method == Method::PUT {
            let mut written = written(&document, seen);
            change(&mut written);
            return json(written);
        }
        text(&document)
    })
}

/// A tenant that holds one object and takes a write as it comes.
fn keeping(document: &str) -> Script {
    holding(document, |_| {})
}

/// What is held after a write: a course is replaced, of a learner stays what `EditLearner` does not have.
fn written(document: &str, seen: &Seen) -> Value {
    let mut written = seen.json();
    if seen.path().starts_with("/learners") {
        let held: Map<String, Value> = serde_json::from_str(document).unwrap();
        for name in ["archived", "sso_id"] {
            written[name] = held.get(name).cloned().unwrap_or_default();
        }
    }
    written
}

fn text(document: &str) -> Act {
    status(200)
        .header("content-type", "application/json")
        .body(document.to_owned())
}

fn writes(tenant: &Script) -> Vec<Seen> {
    let mut seen = tenant.seen();
    seen.retain(|seen| seen.method == Method::PUT);
    seen
}

const LEARNER: &str = r#"{"id":"l1","firstname":"Ann","surname":"Smith","email":"ann@acme.example",
    "username":"ann","phone_number":null,"notes":"likes tea","tags":["emea","sales"],"archived":false,
    "sso_id":"s-9","password":"hunter2","updated":"2026-01-01 10:00:00"}"#;

const COURSE: &str = r#"{"id":"c1","name":"Safety","archived":false,"display_priority":1.50,"pass_mark":80,
    "renewal_days":"0365","auto_due_seconds":null,"modified":"then","colour":{"hue":18446744073709551617},
    "audit":[1e2]}"#;

#[tokio::test]
async fn a_learners_edit_sends_every_field_the_tenant_holds_and_no_password() {
    let tenant = keeping(LEARNER);
    let learner = tenant
        .lms()
        .update_learner("l1", |l| l.surname = "Jones".into())
        .await
        .unwrap();
    assert!(learner.was_written());
    assert_eq!(learner.value().surname.as_deref(), Some("Jones"));
    assert_eq!(
        learner.changes()[0].to_string(),
        r#"surname: "Smith" → "Jones""#
    );
    let put = &writes(&tenant)[0];
    assert_eq!(put.path(), "/learners/l1");
    assert_eq!(put.headers["content-type"], "application/json");
    assert_eq!(
        put.json(),
        value!({"id": "l1", "firstname": "Ann", "surname": "Jones", "email": "ann@acme.example",
            "username": "ann", "notes": "likes tea", "tags": ["emea", "sales"]})
    );
}

#[tokio::test]
async fn what_a_learner_loses_is_sent_as_nothing_and_not_left_out() {
    let tenant = keeping(LEARNER);
    tenant
        .lms()
        .update_learner("l1", |l| {
            l.notes = None;
            l.tags.clear();
        })
        .await
        .unwrap();
    let body = writes(&tenant)[0].json();
    assert_eq!((&body["notes"], &body["tags"]), (&value!(""), &value!([])));
    assert_eq!(body.get("phone_number"), None, "there was nothing to lose");
}

#[tokio::test]
async fn a_course_text_that_is_emptied_is_sent_as_empty_and_one_that_is_taken_away_left_out() {
    for (edit, sent) in [(Some(String::new()), Some(value!(""))), (None, None)] {
        let tenant = keeping(r#"{"id":"c1","name":"Safety","description":"With helmets"}"#);
        let lms = tenant.lms();
        let course = lms.update_course("c1", |c| c.description = edit);
        let course = course.await.unwrap();
        assert!(course.was_written());
        assert_eq!(
            course
                .value()
                .description
                .clone()
                .filter(|text| !text.is_empty()),
            None
        );
        assert_eq!(writes(&tenant)[0].json().get("description"), sent.as_ref());
    }
}

#[tokio::test]
async fn an_address_that_the_service_makes_is_left_out_when_it_is_emptied() {
    let tenant =
        keeping(r#"{"id":"c1","name":"Safety","permalink":"https://acme.example/safety"}"#);
    let lms = tenant.lms();
    lms.update_course("c1", |c| c.permalink = Some(String::new()))
        .await
        .unwrap();
    assert_eq!(writes(&tenant)[0].json().get("permalink"), None);
}

#[tokio::test]
async fn a_password_goes_out_only_when_it_was_set_and_is_never_seen() {
    let tenant = keeping(LEARNER);
    let lms = tenant.lms();
    let plan = lms
        .plan_update_learner("l1", |l| {
            assert_eq!(l.password, None);
            l.password = Some("s3cr3t".into());
        })
        .await
        .unwrap();
    let shown = format!("{plan} {plan:?} {:?}", plan.changes());
    assert!(
        !shown.contains("s3cr3t") && !shown.contains("hunter2"),
        "{shown}"
    );
    assert!(shown.contains("password: a new one (hidden)"), "{shown}");
    let learner = plan.apply().await.unwrap();
    assert!(!format!("{learner:?}").contains("s3cr3t"));
    assert_eq!(writes(&tenant)[0].json()["password"], "s3cr3t");

    let error = lms
        .update_learner("l1", |l| l.password = Some(String::new()))
        .await
        .unwrap_err();
    assert!(error.is_usage(), "{error:?}");
}

#[tokio::test]
async fn a_courses_edit_sends_the_document_as_it_was_read_with_the_change_in_it() {
    let tenant = keeping(COURSE);
    let course = tenant
        .lms()
        .update_course("c1", |c| {
            c.name = Some("Safety at work".into());
            c.user_version = Some(Int64::new(7));
        })
        .await
        .unwrap();
    assert_eq!(course.value().name.as_deref(), Some("Safety at work"));
    let body = String::from_utf8(writes(&tenant)[0].body.to_vec()).unwrap();
    let expected: String = COURSE
        .replace("Safety", "Safety at work")
        .split("\n    ")
        .collect::<String>()
        .replace("[1e2]}", r#"[1e2],"user_version":"7"}"#);
    assert_eq!(body, expected);
}

#[tokio::test]
async fn a_courses_field_that_is_set_to_none_is_left_out() {
    let tenant = keeping(COURSE);
    tenant
        .lms()
        .update_course("c1", |c| c.pass_mark = None)
        .await
        .unwrap();
    let body = writes(&tenant)[0].json();
    assert_eq!(body.get("pass_mark"), None);
    assert_eq!(body["renewal_days"], "0365");
}

#[tokio::test]
async fn an_edit_that_changes_nothing_sends_nothing() {
    let tenant = keeping(LEARNER);
    let learner = tenant
        .lms()
        .update_learner("l1", |l| {
            l.surname = "Smith".into();
            l.phone_number = Some(String::new());
            l.tags.reverse();
        })
        .await
        .unwrap();
    assert!(!learner.was_written() && learner.changes().is_empty());
    let tenant_of_course = keeping(COURSE);
    let lms = tenant_of_course.lms();
    assert!(!lms.restore_course("c1").await.unwrap().was_written());
    assert!(lms.archive_course("c1").await.unwrap().was_written());
    assert_eq!(writes(&tenant).len(), 0);
    assert_eq!(writes(&tenant_of_course).len(), 1);
}

#[tokio::test]
async fn an_answer_that_is_not_what_was_meant_names_the_fields() {
    type Change = fn(&mut Value);
    let cases: [(Change, &[&str]); 8] = [
        (|learner| learner["surname"] = value!("JONES"), &["surname"]),
        (|learner| learner["tags"] = value!(["sales"]), &["tags"]),
        (|learner| learner["notes"] = Value::Null, &["notes"]),
        (|learner| learner["archived"] = value!(true), &["archived"]),
        (|learner| learner["sso_id"] = value!("other"), &["sso_id"]),
        (|learner| learner["updated"] = value!("now"), &[]),
        (|learner| learner["password"] = value!("echo"), &[]),
        (|learner| learner["tags"] = value!(["sales", "emea"]), &[]),
    ];
    for (change, expected) in cases {
        let tenant = holding(LEARNER, change);
        let result = tenant
            .lms()
            .update_learner("l1", |l| l.surname = "Jones".into())
            .await;
        match result {
            Ok(_) => assert!(expected.is_empty(), "{expected:?} went unnoticed"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Mismatch, "{error:?}");
                assert_eq!(error.fields(), expected);
                assert_eq!(error.operation(), Some("edit_learner"));
                assert!(!format!("{error} {error:?}").contains("Jones"));
            }
        }
    }
}

#[tokio::test]
async fn of_a_course_everything_is_compared_that_the_service_does_not_keep_by_itself() {
    type Change = fn(&mut Map<String, Value>);
    let cases: [(Change, &[&str]); 8] = [
        (
            |course| drop(course.insert("pass_mark".into(), value!("80"))),
            &[],
        ),
        (
            |course| drop(course.insert("renewal_days".into(), value!(365))),
            &[],
        ),
        (
            |course| drop(course.insert("display_priority".into(), value!(1.5))),
            &[],
        ),
        (
            |course| drop(course.insert("modified".into(), value!("now"))),
            &[],
        ),
        (|course| drop(course.remove("archived")), &[]),
        (
            |course| drop(course.insert("audit".into(), value!([1, 2]))),
            &[],
        ),
        (|course| drop(course.remove("colour")), &["colour"]),
        (
            |course| drop(course.insert("pass_mark".into(), value!(8))),
            &["pass_mark"],
        ),
    ];
    for (index, (change, expected)) in cases.into_iter().enumerate() {
        let tenant = holding(COURSE, move |written| {
            change(written.as_object_mut().unwrap());
        });
        let result = tenant
            .lms()
            .update_course("c1", |c| c.name = Some("Other".into()))
            .await;
        let fields = result.map_or_else(|error| error.fields().to_vec(), |_| Vec::new());
        assert_eq!(fields, expected, "case {index}");
    }
}

#[tokio::test]
async fn a_field_the_service_does_not_let_anyone_write_is_named() {
    let tenant = holding(COURSE, |written| written["modified"] = value!("then"));
    let error = tenant
        .lms()
        .update_course("c1", |c| c.modified = Some("tomorrow".into()))
        .await
        .unwrap_err();
    assert_eq!(error.fields(), ["modified"]);
}

#[tokio::test]
async fn the_id_stays_and_another_object_is_not_written_over() {
    let tenant = keeping(COURSE);
    let lms = tenant.lms();
    let error = lms
        .update_course("c1", |c| c.id = Some("c2".into()))
        .await
        .unwrap_err();
    assert!(error.is_usage(), "{error:?}");
    let error = lms
        .update_course("c2", |c| c.name = Some("Other".into()))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    assert_eq!(writes(&tenant).len(), 0);
}

#[tokio::test]
async fn a_plan_reads_and_says_what_would_change() {
    let tenant = keeping(LEARNER);
    let lms = tenant.lms();
    let plan = lms
        .plan_update_learner("l1", |l| {
            l.surname = "Jones".into();
            l.tags.push("new".into());
        })
        .await
        .unwrap();
    assert_eq!(
        plan.to_string(),
        "learner l1: 2 fields change\n  surname: \"Smith\" → \"Jones\"\n  tags: [\"emea\",\"sales\"] → [\"emea\",\"sales\",\"new\"]"
    );
    let plan = lms.plan_update_learner("l1", |_| {}).await.unwrap();
    assert!(plan.is_empty());
    assert_eq!(plan.to_string(), "learner l1: nothing changes");
    assert_eq!(writes(&tenant).len(), 0);
}

#[tokio::test]
async fn a_plan_keeps_what_others_changed_elsewhere_and_refuses_what_they_changed_here() {
    let read = |name: &str, notes: &str| {
        json(
            value!({"id": "l1", "firstname": "Ann", "surname": name, "email": "a@b.example", "notes": notes}),
        )
    };
    // Another field has changed since: it stays as it is now.
    let tenant = Script::of([
        read("Smith", "old"),
        read("Smith", "new"),
        read("Jones", "new"),
    ]);
    let plan = tenant
        .lms()
        .plan_update_learner("l1", |l| l.surname = "Jones".into())
        .await
        .unwrap();
    assert!(plan.apply().await.unwrap().was_written());
    assert_eq!(tenant.seen()[2].json()["notes"], "new");

    // The same field has changed since.
    let tenant = Script::of([read("Smith", ""), read("Brown", ""), read("Jones", "")]);
    let plan = tenant
        .lms()
        .plan_update_learner("l1", |l| l.surname = "Jones".into())
        .await
        .unwrap();
    let error = plan.apply().await.unwrap_err();
    assert!(error.is_conflict(), "{error:?}");
    assert_eq!(error.fields(), ["surname"]);
    // Somebody has done it already.
    assert!(!plan.apply().await.unwrap().was_written());
    assert_eq!(writes(&tenant).len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_write_whose_answer_is_lost_is_sent_again_as_it_was() {
    let tenant = Script::of([
        text(LEARNER),
        lost(),
        json(
            value!({"id": "l1", "firstname": "Ann", "surname": "Jones", "email": "ann@acme.example",
            "username": "ann", "notes": "likes tea", "tags": ["emea", "sales"], "sso_id": "s-9"}),
        ),
    ]);
    tenant
        .lms()
        .update_learner("l1", |l| l.surname = "Jones".into())
        .await
        .unwrap();
    let writes = writes(&tenant);
    assert_eq!(writes[0].body, writes[1].body);
}

#[tokio::test]
async fn a_time_that_comes_back_in_another_zone_is_the_same() {
    for (answer, same) in [
        ("2026-03-01T09:30:00Z", true),
        ("2026-03-01T10:30:00.000+01:00", true),
        ("2026-03-01 09:30:00", true),
        ("2026-03-01T10:30:00Z", false),
        ("some day", false),
    ] {
        let tenant = holding(COURSE, move |written| {
            written["auto_due_date"] = value!(answer);
        });
        let result = tenant
            .lms()
            .update_course("c1", |c| {
                c.auto_due_date = Some(Timestamp::new("2026-03-01T10:30:00+01:00"));
            })
            .await;
        assert_eq!(result.is_ok(), same, "{answer}: {result:?}");
    }
}

#[tokio::test]
async fn an_edit_can_be_spawned() {
    let tenant = keeping(LEARNER);
    let lms = tenant.lms();
    let surname = "Jones".to_owned();
    let edit = tokio::spawn(async move {
        let plan = lms.plan_update_learner("l1", |l| l.tags.clear()).await?;
        plan.apply().await?;
        lms.update_learner("l1", |l| l.surname = surname).await
    });
    let learner = edit.await.unwrap().unwrap();
    assert_eq!(learner.value().surname.as_deref(), Some("Jones"));
}

#[tokio::test]
async fn an_answer_that_is_no_object_says_where() {
    let tenant = Script::of([text(r#"{"id":"c1","archived":"hunter2"}"#)]);
    let error = tenant.lms().archive_course("c1").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert_eq!(error.json_path(), Some("archived"));
    assert_eq!(error.operation(), Some("get_course"));
    assert!(!error.to_string().contains("hunter2"));
}

async fn sandbox(quirks: &[&str]) -> (Sandbox, Lms) {
    let sandbox = Sandbox::builder()
        .demo()
        .quirks(quirks.iter().copied())
        .start()
        .await
        .unwrap();
    let lms = client(&sandbox);
    (sandbox, lms)
}

#[tokio::test]
async fn on_a_tenant_that_wipes_what_is_left_out_one_field_changes() {
    for quirks in [&[][..], &["nulls", "extra-fields"]] {
        let (_sandbox, lms) = sandbox(quirks).await;
        let page = lms.list_learners().limit(3).call().await.unwrap();
        let id = page.items[1].id.clone().unwrap();
        let before: Value = lms.get_learner_by_id().id(&id).call_as().await.unwrap();
        lms.update_learner(&id, |l| {
            l.notes = Some("calls back on Monday".into());
            l.tags.push("one-more".into());
        })
        .await
        .unwrap();
        let after: Value = lms.get_learner_by_id().id(&id).call_as().await.unwrap();
        assert_eq!(differing(&before, &after), ["notes", "tags"]);
        lms.update_learner(&id, |l| {
            l.notes = before["notes"].as_str().map(str::to_owned);
            l.tags.pop();
        })
        .await
        .unwrap();
        let again: Value = lms.get_learner_by_id().id(&id).call_as().await.unwrap();
        assert_eq!(differing(&before, &again), [""; 0]);

        let page = lms.list_courses().limit(3).call().await.unwrap();
        let id = page.items[2].id.clone().unwrap();
        let before: Value = lms.get_course().id(&id).call_as().await.unwrap();
        let course = lms
            .update_course(&id, |c| {
                c.pass_mark = Some(Int64::new(75));
                c.is_graded = Some(before["is_graded"] != value!(true));
            })
            .await
            .unwrap();
        assert_eq!(course.value().pass_mark, Some(Int64::new(75)));
        let after: Value = lms.get_course().id(&id).call_as().await.unwrap();
        let expected: &[&str] = if before["pass_mark"] == "75" {
            &["is_graded"]
        } else {
            &["is_graded", "pass_mark"]
        };
        assert_eq!(differing(&before, &after), expected);
    }
}

/// The names of what differs, apart from what the service keeps by itself.
fn differing(before: &Value, after: &Value) -> Vec<String> {
    let nothing = |value: &Value| value.is_null() || *value == value!("") || *value == value!([]);
    let names: std::collections::BTreeSet<_> = [before, after]
        .into_iter()
        .flat_map(|value| value.as_object().unwrap().keys().cloned())
        .collect();
    names
        .into_iter()
        .filter(|name| !["modified", "updated"].contains(&name.as_str()))
        .filter(|name| {
            let (before, after) = (&before[name], &after[name]);
            before != after && !(nothing(before) && nothing(after))
        })
        .collect()
}

/// Any JSON that a member nobody described may hold, written in a way of its own.
fn anything() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|flag| flag.to_string()),
        any::<u128>().prop_map(|number| number.to_string()),
        (any::<i32>(), 0..400_u32).prop_map(|(whole, tail)| format!("{whole}.{tail:03}0")),
        Just("1E+2".to_owned()),
        "[ -~é€]{0,8}".prop_map(|text| value!(text).to_string()),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec(("[a-z]{1,4}", inner), 0..4).prop_map(|members| {
                let members: Vec<_> = members
                    .into_iter()
                    .enumerate()
                    .map(|(index, (name, value))| format!("\"{name}{index}\" : {value}"))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

fn int64() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("null".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<i64>().prop_map(|number| format!("\"{number}\"")),
        any::<u16>().prop_map(|number| format!("\"00{number}\"")),
    ]
}

fn text_or_null() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("null".to_owned()),
        "[ -~é€]{0,8}".prop_map(|text| value!(text).to_string()),
    ]
}

fn flag_or_null() -> impl Strategy<Value = String> {
    prop_oneof![Just("null"), Just("true"), Just("false")].prop_map(str::to_owned)
}

/// The members of a course, as text, in any order.
fn course() -> impl Strategy<Value = Vec<(String, String)>> {
    let known = prop::collection::btree_map(
        prop_oneof![
            Just("description"),
            Just("creator"),
            Just("renewal_type"),
            Just("auto_due_date"),
            Just("permalink"),
        ],
        text_or_null(),
        0..5,
    );
    let numbers = prop::collection::btree_map(
        prop_oneof![
            Just("pass_mark"),
            Just("renewal_days"),
            Just("user_version")
        ],
        int64(),
        0..3,
    );
    let flags = prop::collection::btree_map(
        prop_oneof![Just("archived"), Just("locked"), Just("is_graded")],
        flag_or_null(),
        0..3,
    );
    let unknown = prop::collection::btree_map("x_[a-z]{1,6}", anything(), 0..6);
    (known, numbers, flags, unknown)
        .prop_map(|(known, numbers, flags, unknown)| {
            let mut members = vec![("id".to_owned(), "\"c1\"".to_owned())];
            for part in [known, numbers, flags] {
                members.extend(
                    part.into_iter()
                        .map(|(name, value)| (name.to_owned(), value)),
                );
            }
            members.extend(unknown);
            members
        })
        .prop_shuffle()
}

/// One thing that a closure does to a course.
#[derive(Clone, Debug)]
enum Step {
    Name(Option<String>),
    PassMark(Option<i64>),
    Archived(Option<bool>),
    Due(Option<String>),
}

impl Step {
    fn field(&self) -> &'static str {
        match self {
            Self::Name(_) => "name",
            Self::PassMark(_) => "pass_mark",
            Self::Archived(_) => "archived",
            Self::Due(_) => "auto_due_date",
        }
    }

    fn make(&self, course: &mut types::Course) {
        match self.clone() {
            Self::Name(name) => course.name = name,
            Self::PassMark(mark) => course.pass_mark = mark.map(Int64::new),
            Self::Archived(flag) => course.archived = flag,
            Self::Due(due) => course.auto_due_date = due.map(Timestamp::new),
        }
    }
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        prop::option::of("[a-z ]{0,6}").prop_map(Step::Name),
        prop::option::of(any::<i64>()).prop_map(Step::PassMark),
        prop::option::of(any::<bool>()).prop_map(Step::Archived),
        prop::option::of("[a-z]{0,4}").prop_map(Step::Due),
    ]
}

/// The top level of an object, each member with its text.
fn members(body: &[u8]) -> std::collections::BTreeMap<String, String> {
    let members: std::collections::BTreeMap<String, Box<serde_json::value::RawValue>> =
        serde_json::from_slice(body).unwrap();
    members
        .into_iter()
        .map(|(name, value)| (name, value.get().to_owned()))
        .collect()
}

/// A tenant whose one object is set anew for each case, and a client of it.
struct Tenant {
    document: Arc<Mutex<String>>,
    script: Script,
    lms: Lms,
    runtime: tokio::runtime::Runtime,
}

impl Tenant {
    fn new() -> Self {
        let document = Arc::new(Mutex::new(String::new()));
        let held = document.clone();
        let script = Script::new(move |seen| {
            let document = held.lock().unwrap();
            match seen.method {
                Method::PUT => json(written(&document, seen)),
                _ => text(&document),
            }
        });
        Self {
            document,
            lms: script.lms(),
            script,
            runtime: tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .build()
                .unwrap(),
        }
    }

    /// Sets the object, edits it, and gives back the edit and the body of the write.
    fn edit<T>(
        &self,
        document: String,
        edit: impl AsyncFnOnce(&Lms) -> Result<lms_ext::Edited<T>, Error>,
    ) -> (lms_ext::Edited<T>, Option<Seen>) {
        *self.document.lock().unwrap() = document;
        let before = self.script.count();
        let edited = self.runtime.block_on(edit(&self.lms)).unwrap();
        let mut write = self.script.seen().split_off(before);
        write.retain(|seen| seen.method == Method::PUT);
        assert!(write.len() <= 1);
        (edited, write.pop())
    }
}

#[test]
fn whatever_a_course_holds_only_the_changed_members_differ() {
    let tenant = Tenant::new();
    let cases = (course(), prop::collection::vec(step(), 0..4));
    let check = |(course, steps): (Vec<(String, String)>, Vec<Step>)| {
        let members_text: Vec<_> = course
            .iter()
            .map(|(name, value)| format!("\"{name}\": {value}"))
            .collect();
        let document = format!("{{{}}}", members_text.join(", "));
        let make = |course: &mut types::Course| {
            for step in &steps {
                step.make(course);
            }
        };
        let (edited, write) = tenant.edit(document.clone(), async |lms: &Lms| {
            lms.update_course("c1", make).await
        });
        prop_assert_eq!(edited.was_written(), write.is_some());
        let before: types::Course = serde_json::from_str(&document).unwrap();
        let mut meant = before.clone();
        make(&mut meant);
        let text = |text: Option<String>| text.filter(|text| !text.is_empty());
        let Some(write) = write else {
            prop_assert_eq!(text(before.name), text(meant.name));
            prop_assert_eq!(before.pass_mark, meant.pass_mark);
            prop_assert_eq!(before.archived, meant.archived);
            return Ok(());
        };
        // What was changed reads as it was meant, decoded apart from the edit.
        let written: types::Course = serde_json::from_slice(&write.body).unwrap();
        prop_assert_eq!(text(written.name), text(meant.name));
        prop_assert_eq!(written.pass_mark, meant.pass_mark);
        prop_assert_eq!(written.archived, meant.archived);
        // All else is what it was, to the letter.
        let (mut before, mut after) = (members(document.as_bytes()), members(&write.body));
        for step in &steps {
            before.remove(step.field());
            after.remove(step.field());
        }
        prop_assert_eq!(before, after);
        Ok(())
    };
    TestRunner::default().run(&cases, check).unwrap();
}

#[test]
fn whatever_a_learner_holds_nothing_is_lost() {
    let tenant = Tenant::new();
    let notes = || prop::option::of("[ -~]{0,6}");
    let cases = (
        (notes(), notes()),
        prop::option::of("[a-z]{1,6}"),
        prop::option::of(prop::collection::vec("[a-z]{1,3}", 0..4)),
        prop_oneof!["[A-Za-z]{0,6}", Just("Smith".to_owned())],
    );
    TestRunner::default()
        .run(&cases, |((notes, new_notes), username, tags, surname)| {
            let document = value!({"id": "l1", "firstname": "Ann", "surname": "Smith",
                "email": "a@b.example", "notes": notes, "username": username, "tags": tags,
                "password": "hunter2", "sso_id": "s-9"});
            let (_, write) = tenant.edit(document.to_string(), async |lms: &Lms| {
                lms.update_learner("l1", |l| {
                    l.surname = surname.clone();
                    l.notes = new_notes.clone();
                })
                .await
            });
            let new_notes = new_notes.unwrap_or_default();
            let Some(write) = write else {
                prop_assert_eq!(surname, "Smith");
                prop_assert_eq!(notes.unwrap_or_default(), new_notes);
                return Ok(());
            };
            let body = write.json();
            prop_assert_eq!(body["surname"].as_str(), Some(surname.as_str()));
            prop_assert_eq!(body["notes"].as_str().unwrap_or_default(), new_notes);
            prop_assert_eq!(body["username"].as_str(), username.as_deref());
            let sent = body.get("tags").cloned().unwrap_or_else(|| value!([]));
            prop_assert_eq!(sent, value!(tags.unwrap_or_default()));
            prop_assert_eq!(body["email"].as_str(), Some("a@b.example"));
            prop_assert_eq!(body.get("password"), None);
            Ok(())
        })
        .unwrap();
}
