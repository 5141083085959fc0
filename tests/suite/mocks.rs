//! The typed mocks of `lms-client`, as a dependent uses them.

use lms_client::mocks::{MockServerExt, httpmock::MockServer};
use lms_ext::{ErrorKind, Lms, RetryPolicy, prelude::*};

use crate::dependents::dependency_tree;

fn client_of(server: &MockServer) -> Lms {
    Lms::builder(server.base_url())
        .token("scripted")
        .retry(RetryPolicy::disabled())
        .build()
        .unwrap()
}

fn learner(id: &str) -> types::Learner {
    types::Learner::builder()
        .id(id.to_owned())
        .try_into()
        .unwrap()
}

#[tokio::test]
async fn the_caller_gets_the_scripted_response() {
    let server = MockServer::start_async().await;
    let page: types::LearnerList = types::LearnerList::builder()
        .items(vec![learner("l1"), learner("l2")])
        .more(false)
        .try_into()
        .unwrap();
    let mock = server.list_learners(|when, then| {
        when.tags(&vec!["emea".to_owned(), "a & b".to_owned()])
            .limit(&Int64::new(50))
            .email(None);
        then.ok(&page);
    });

    let learners = client_of(&server)
        .list_learners()
        .tags(vec!["emea".to_owned(), "a & b".to_owned()])
        .limit(50)
        .collect_all()
        .await
        .unwrap();

    let ids: Vec<_> = learners
        .into_iter()
        .filter_map(|learner| learner.id)
        .collect();
    assert_eq!(ids, ["l1", "l2"]);
    mock.assert();
}

#[tokio::test]
async fn an_undocumented_status_can_be_scripted() {
    let server = MockServer::start_async().await;
    let mock = server.delete_course(|when, then| {
        when.id("c1");
        then.into_inner().status(451).body("not here");
    });

    let error = client_of(&server)
        .delete_course()
        .id("c1")
        .call()
        .await
        .unwrap_err();

    assert_eq!(
        (error.kind(), error.status()),
        (ErrorKind::Rejected, Some(451))
    );
    mock.assert();
}

#[tokio::test]
async fn a_mock_with_an_id_matches_only_that_id() {
    // Characters with a meaning in patterns, and some that are percent-encoded.
    let cases = [
        ("jo+hr@acme.example", "jo+hr@acme.example", true),
        ("jo+hr@acme.example", "joohr@acme.example", false),
        ("jo.bell@acme.example", "joxbell@acme.example", false),
        ("jo/bell 100%", "jo/bell 100%", true),
        (".*", "anyone", false),
    ];
    for (wanted, asked, found) in cases {
        let server = MockServer::start_async().await;
        server.get_learner_by_email(|when, then| {
            when.email(wanted);
            then.ok(&learner("l1"));
        });
        let response = client_of(&server)
            .get_learner_by_email()
            .email(asked)
            .call()
            .await;
        assert_eq!(response.is_ok(), found, "{wanted} asked for {asked}");
    }
}

#[tokio::test]
async fn a_body_is_matched_as_a_whole() {
    let server = MockServer::start_async().await;
    let body: types::AddEnrolment = types::AddEnrolment::builder()
        .course("c1")
        .user("l1")
        .try_into()
        .unwrap();
    let enrolment: types::Enrolment = types::Enrolment::builder()
        .id("e1".to_owned())
        .try_into()
        .unwrap();
    let mock = server.add_enrolment(|when, then| {
        when.body(&body);
        then.ok(&enrolment);
    });
    let lms = client_of(&server);

    let added = lms.add_enrolment().body(body.clone()).call().await.unwrap();
    assert_eq!(added.id.as_deref(), Some("e1"));
    let other = types::AddEnrolment::builder().course("c1").user("l2");
    assert!(lms.add_enrolment().body(other).call().await.is_err());
    mock.assert();
}

#[test]
fn the_mock_server_is_a_dependency_only_with_its_feature() {
    for (package, features, there) in [
        ("lms-client", "", false),
        ("lms-ext", "", false),
        ("lms-client", "mocks", true),
    ] {
        let tree = dependency_tree(package, features);
        let found = tree.lines().any(|line| line.starts_with("httpmock "));
        assert_eq!(found, there, "{package} with {features:?}");
    }
}
