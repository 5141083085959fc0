//! Every operation, by its generated builder, against a sandbox.
//!
//! The last assertion compares the requests with the table of all operations, so a new operation needs a call here.

use std::collections::BTreeSet;

use lms_ext::{OPERATIONS, id::Id, prelude::*};
use lms_sandbox::Sandbox;

use crate::sandbox::client;

fn id<K>(id: Option<Id<K>>) -> Id<K> {
    id.expect("the sandbox gives every object an id")
}

#[tokio::test]
async fn every_operation_works_by_its_builder() {
    let sandbox = Sandbox::builder().demo().start().await.unwrap();
    let lms = client(&sandbox);

    connection(&lms, &sandbox).await;
    let (course, learner) = additions(&lms).await;
    courses(&lms, &course).await;
    learners(&lms, &learner).await;
    enrolments(&lms, &course, &learner).await;
    let enrolled = some_enrolment(&lms).await;
    progress(&lms, &enrolled).await;
    custom_fields(&lms, &id(enrolled.user.clone())).await;
    whole_lists(&lms).await;
    duplication(&lms, &id(enrolled.course)).await;
    deletions(&lms, &course, &learner).await;

    let seen: BTreeSet<String> = sandbox
        .requests()
        .unwrap()
        .iter()
        .filter_map(|request| request.operation)
        .map(|operation| snake_case(operation.id()))
        .collect();
    let all: BTreeSet<String> = OPERATIONS
        .iter()
        .map(|operation| operation.id.to_owned())
        .collect();
    assert_eq!(seen, all, "an operation is not called in this test");
}

fn snake_case(camel: &str) -> String {
    let mut snake = String::new();
    for c in camel.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// The result of a call that succeeds.
async fn ok<T>(call: impl IntoFuture<Output = Result<T, Error>>) -> T {
    call.await.unwrap()
}

async fn connection(lms: &Lms, sandbox: &Sandbox) {
    let me = ok(lms.me()).await;
    assert_eq!(ok(lms.test()).await.tid, me.tid);
    assert_eq!(me.aud.as_deref(), Some(sandbox.base_url()));

    let credentials = types::TokenRequest::builder()
        .grant_type("client_credentials")
        .client_id(None::<Int64>)
        .client_secret(sandbox.client_secret());
    // The id is typed as an integer, and that of this tenant is not one, so it is left out.
    let refused = lms.get_token(credentials).await.unwrap_err();
    assert!(refused.is_unauthenticated());
}

async fn additions(lms: &Lms) -> (ids::CourseId, ids::LearnerId) {
    let course = ok(lms.add_course("Lifting").published(true)).await;
    assert_eq!(course.name.as_deref(), Some("Lifting"));
    assert_eq!(course.published, Some(true));

    let learner = lms.add_learner("Jo", "Bell", "jo.bell@acme.example");
    let learner = ok(learner.tags("night shift")).await;
    assert_eq!(learner.tags, ["night shift"]);
    assert_eq!(learner.password, None);
    (id(course.id), id(learner.id))
}

async fn courses(lms: &Lms, course: &str) {
    let mut document = ok(lms.get_course(course)).await;
    document.description = Some("How to lift".to_owned());
    let edited = ok(lms.edit_course(course, document)).await;
    assert_eq!(edited.description.as_deref(), Some("How to lift"));
    assert_eq!(edited.name.as_deref(), Some("Lifting"));

    let list = ok(lms.list_courses().published(true).limit(3)).await;
    assert_eq!(list.published, Some(true));
    assert_eq!(list.limit, Some(Int64::from(3)));
    assert_eq!(list.items.len(), 3);
    assert_eq!(list.more, Some(true));
}

async fn learners(lms: &Lms, learner: &str) {
    const EMAIL: &str = "jo.bell@acme.example";
    let by_email = ok(lms.get_learner_by_email(EMAIL)).await;
    assert_eq!(by_email.id.as_deref(), Some(learner));
    let edit = types::EditLearner::builder("Jo", "Bell-Ray", EMAIL);
    let edited = ok(lms.edit_learner(learner, edit)).await;
    assert_eq!(edited.surname.as_deref(), Some("Bell-Ray"));
    assert!(
        edited.tags.is_empty(),
        "a PUT clears the fields that it does not contain"
    );
    let by_id = ok(lms.get_learner_by_id(learner)).await;
    assert_eq!(by_id.surname.as_deref(), Some("Bell-Ray"));

    let list = lms.list_learners().email(EMAIL).order_by("surname");
    let list = ok(list.order_direction(types::ListLearnersOrderDirection::Desc)).await;
    assert_eq!(list.order_direction.as_deref(), Some("DESC"));
    assert_eq!(list.number_found, Some(Int64::from(1)));
    assert_eq!(list.items[0].id.as_deref(), Some(learner));
}

async fn enrolments(lms: &Lms, course: &str, learner: &str) {
    let enrolment = ok(lms.add_enrolment(course, learner)).await;
    assert_eq!(enrolment.user.as_deref(), Some(learner));
    let again = lms.add_enrolment(course, learner).await.unwrap_err();
    assert!(again.is_conflict(), "{again:?}");

    ok(lms.delete_enrolment().course(course).user(learner)).await;
    let list = ok(lms.list_enrolments().user(learner)).await;
    assert_eq!(list.user.as_deref(), Some(learner));
    assert!(list.items.is_empty());
}

/// An enrolment of the demo tenant in a course with topics.
async fn some_enrolment(lms: &Lms) -> types::Enrolment {
    let completion = ok(lms.list_course_completions().limit(1)).await;
    let completion = &completion.items[0];
    assert!(completion.happened.is_some());
    let list = lms.list_enrolments().user(completion.user.clone());
    let list = ok(list.course(completion.course.clone())).await;
    list.items[0].clone()
}

async fn progress(lms: &Lms, enrolled: &types::Enrolment) {
    let (course, user) = (id(enrolled.course.clone()), id(enrolled.user.clone()));
    let whole = ok(lms.get_course_progress(&course, &user)).await;
    assert_eq!(whole.completed, Some(true));

    let topics = ok(lms.list_topics().course(&course)).await;
    assert_eq!(topics.course.as_deref(), Some(course.as_str()));
    let topic = id(topics.items[0].id.clone());
    assert_eq!(ok(lms.get_topic(&topic)).await.name, topics.items[0].name);

    let list = lms.list_topic_progress().user(&user).course(&course);
    let list = ok(list.completed(true)).await;
    assert_eq!(list.items.len(), topics.items.len());
    let one = ok(lms.get_topic_progress(&user, &topic)).await;
    assert_eq!(one.completed, Some(true));
}

async fn custom_fields(lms: &Lms, user: &str) {
    let fields = ok(lms.list_user_fields()).await;
    let field = id(fields.items[0].id.clone());
    let one = ok(lms.get_user_field(&field)).await;
    assert_eq!(one.name, fields.items[0].name);
    let permissions = ok(lms.list_user_field_permissions(user)).await;
    let mut permissions = permissions.items.into_iter();
    assert!(permissions.any(|permission| permission.user_field.as_deref() == Some(&field)));
    let record = lms.get_active_record(user, &field);
    assert_eq!(ok(record).await.user_field.as_ref(), Some(&field));
}

async fn whole_lists(lms: &Lms) {
    assert!(!ok(lms.list_signup_pages()).await.items.is_empty());
    assert!(!ok(lms.list_profiles()).await.items.is_empty());
    assert!(!ok(lms.list_tags()).await.items.is_empty());
}

async fn duplication(lms: &Lms, course: &str) {
    let task = ok(lms.add_duplicate_course(course).name("A copy")).await;
    let mut polls = 0;
    let copy = loop {
        let task = ok(lms.view_duplicate_course(task.require_id().unwrap())).await;
        if task.complete == Some(true) {
            break id(task.new_course);
        }
        polls += 1;
        assert!(polls < 100, "the course is never copied");
    };
    let copy = ok(lms.get_course(copy)).await;
    assert_eq!(copy.name.as_deref(), Some("A copy"));
}

async fn deletions(lms: &Lms, course: &str, learner: &str) {
    ok(lms.delete_learner(learner)).await;
    let gone = lms.get_learner_by_id(learner).await.unwrap_err();
    assert!(gone.is_not_found());
    ok(lms.delete_course(course)).await;
    let gone = lms.delete_course(course).await.unwrap_err();
    assert!(gone.is_not_found());
}
