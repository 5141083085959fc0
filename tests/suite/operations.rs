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

async fn connection(lms: &Lms, sandbox: &Sandbox) {
    let test = lms.test().call().await.unwrap();
    let me = lms.me().call().await.unwrap();
    assert_eq!(test.tid, me.tid);
    assert_eq!(me.aud.as_deref(), Some(sandbox.base_url()));

    let token = lms
        .get_token()
        .body(
            types::TokenRequest::builder()
                .grant_type("client_credentials")
                .client_id(None::<Int64>)
                .client_secret(sandbox.client_secret()),
        )
        .call()
        .await;
    // The id is typed as an integer, and that of this tenant is not one, so it is left out.
    assert!(token.unwrap_err().is_unauthenticated());
}

async fn additions(lms: &Lms) -> (ids::CourseId, ids::LearnerId) {
    let course = lms
        .add_course()
        .body(types::AddCourse::builder().name("Lifting").published(true))
        .call()
        .await
        .unwrap();
    assert_eq!(course.name.as_deref(), Some("Lifting"));
    assert_eq!(course.published, Some(true));

    let learner = lms
        .add_learner()
        .body(
            types::AddLearner::builder()
                .firstname("Jo")
                .surname("Bell")
                .email("jo.bell@acme.example")
                .tags("night shift"),
        )
        .call()
        .await
        .unwrap();
    assert_eq!(learner.tags, ["night shift"]);
    assert_eq!(learner.password, None);
    (id(course.id), id(learner.id))
}

async fn courses(lms: &Lms, course: &str) {
    let mut document = lms.get_course().id(course).call().await.unwrap();
    document.description = Some("How to lift".to_owned());
    let edited = lms
        .edit_course()
        .id(course)
        .body(document)
        .call()
        .await
        .unwrap();
    assert_eq!(edited.description.as_deref(), Some("How to lift"));
    assert_eq!(edited.name.as_deref(), Some("Lifting"));

    let list = lms
        .list_courses()
        .published(true)
        .limit(3)
        .call()
        .await
        .unwrap();
    assert_eq!(list.published, Some(true));
    assert_eq!(list.limit, Some(Int64::from(3)));
    assert_eq!(list.items.len(), 3);
    assert_eq!(list.more, Some(true));
}

async fn learners(lms: &Lms, learner: &str) {
    let by_email = lms
        .get_learner_by_email()
        .email("jo.bell@acme.example")
        .call()
        .await
        .unwrap();
    assert_eq!(by_email.id.as_deref(), Some(learner));
    let edit = types::EditLearner::builder()
        .firstname("Jo")
        .surname("Bell-Ray")
        .email("jo.bell@acme.example");
    let edited = lms
        .edit_learner()
        .id(learner)
        .body(edit)
        .call()
        .await
        .unwrap();
    assert_eq!(edited.surname.as_deref(), Some("Bell-Ray"));
    assert!(
        edited.tags.is_empty(),
        "a PUT clears the fields that it does not contain"
    );
    let by_id = lms.get_learner_by_id().id(learner).call().await.unwrap();
    assert_eq!(by_id.surname.as_deref(), Some("Bell-Ray"));

    let list = lms
        .list_learners()
        .email("jo.bell@acme.example")
        .order_by("surname")
        .order_direction(types::ListLearnersOrderDirection::Desc)
        .call()
        .await
        .unwrap();
    assert_eq!(list.order_direction.as_deref(), Some("DESC"));
    assert_eq!(list.number_found, Some(Int64::from(1)));
    assert_eq!(list.items[0].id.as_deref(), Some(learner));
}

async fn enrolments(lms: &Lms, course: &str, learner: &str) {
    let body = || types::AddEnrolment::builder().course(course).user(learner);
    let enrolment = lms.add_enrolment().body(body()).call().await.unwrap();
    assert_eq!(enrolment.user.as_deref(), Some(learner));
    let again = lms.add_enrolment().body(body()).call().await.unwrap_err();
    assert!(again.is_conflict(), "{again:?}");

    lms.delete_enrolment()
        .course(course)
        .user(learner)
        .call()
        .await
        .unwrap();
    let list = lms.list_enrolments().user(learner).call().await.unwrap();
    assert_eq!(list.user.as_deref(), Some(learner));
    assert!(list.items.is_empty());
}

/// An enrolment of the demo tenant in a course with topics.
async fn some_enrolment(lms: &Lms) -> types::Enrolment {
    let completion = lms.list_course_completions().limit(1).call().await.unwrap();
    let completion = &completion.items[0];
    assert!(completion.happened.is_some());
    let list = lms
        .list_enrolments()
        .user(id(completion.user.clone()))
        .course(id(completion.course.clone()))
        .call()
        .await
        .unwrap();
    list.items[0].clone()
}

async fn progress(lms: &Lms, enrolled: &types::Enrolment) {
    let (course, user) = (id(enrolled.course.clone()), id(enrolled.user.clone()));
    let whole = lms
        .get_course_progress()
        .course(&course)
        .user(&user)
        .call()
        .await
        .unwrap();
    assert_eq!(whole.completed, Some(true));

    let topics = lms.list_topics().course(&course).call().await.unwrap();
    assert_eq!(topics.course.as_deref(), Some(course.as_str()));
    let topic = id(topics.items[0].id.clone());
    assert_eq!(
        lms.get_topic().id(&topic).call().await.unwrap().name,
        topics.items[0].name
    );

    let list = lms
        .list_topic_progress()
        .user(&user)
        .course(&course)
        .completed(true)
        .call()
        .await
        .unwrap();
    assert_eq!(list.items.len(), topics.items.len());
    let one = lms
        .get_topic_progress()
        .user(&user)
        .topic(&topic)
        .call()
        .await
        .unwrap();
    assert_eq!(one.completed, Some(true));
}

async fn custom_fields(lms: &Lms, user: &str) {
    let fields = lms.list_user_fields().call().await.unwrap();
    let field = id(fields.items[0].id.clone());
    let one = lms.get_user_field().id(&field).call().await.unwrap();
    assert_eq!(one.name, fields.items[0].name);
    let permissions = lms
        .list_user_field_permissions()
        .user(user)
        .call()
        .await
        .unwrap();
    assert!(
        permissions
            .items
            .iter()
            .any(|permission| permission.user_field.as_deref() == Some(&field))
    );
    let record = lms
        .get_active_record()
        .user(user)
        .user_field(&field)
        .call()
        .await
        .unwrap();
    assert_eq!(record.user_field.as_deref(), Some(field.as_str()));
}

async fn whole_lists(lms: &Lms) {
    assert!(
        !lms.list_signup_pages()
            .call()
            .await
            .unwrap()
            .items
            .is_empty()
    );
    assert!(!lms.list_profiles().call().await.unwrap().items.is_empty());
    assert!(!lms.list_tags().call().await.unwrap().items.is_empty());
}

async fn duplication(lms: &Lms, course: &str) {
    let task = lms
        .add_duplicate_course()
        .body(
            types::AddDuplicateCourse::builder()
                .course(course)
                .name("A copy".to_owned()),
        )
        .call()
        .await
        .unwrap();
    let mut polls = 0;
    let copy = loop {
        let task = lms
            .view_duplicate_course()
            .id(id(task.id.clone()))
            .call()
            .await
            .unwrap();
        if task.complete == Some(true) {
            break id(task.new_course);
        }
        polls += 1;
        assert!(polls < 100, "the course is never copied");
    };
    let copy = lms.get_course().id(copy).call().await.unwrap();
    assert_eq!(copy.name.as_deref(), Some("A copy"));
}

async fn deletions(lms: &Lms, course: &str, learner: &str) {
    lms.delete_learner().id(learner).call().await.unwrap();
    assert!(
        lms.get_learner_by_id()
            .id(learner)
            .call()
            .await
            .unwrap_err()
            .is_not_found()
    );
    lms.delete_course().id(course).call().await.unwrap();
    assert!(
        lms.delete_course()
            .id(course)
            .call()
            .await
            .unwrap_err()
            .is_not_found()
    );
}
