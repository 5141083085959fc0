//! A short session with openapi-generator's Rust client, as its user would write it.

use std::{collections::BTreeSet, env, error::Error};

use peer_client::{
    apis::{
        configuration::Configuration, courses_api as courses, enrolments_api as enrolments,
        learners_api as learners, o_auth_and_test_api as oauth,
    },
    models::{AddCourse, AddEnrolment, AddLearner, EditLearner, TokenRequest},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut tenant = Configuration::new();
    tenant.base_path = format!("{}/api/v1", env::var("LMS_BASE_URL")?);

    let request = TokenRequest {
        grant_type: Some("client_credentials".to_owned()),
        client_id: Some(env::var("LMS_CLIENT_ID")?),
        client_secret: Some(env::var("LMS_CLIENT_SECRET")?),
        ..TokenRequest::default()
    };
    let token = oauth::get_token(&tenant, Some(request)).await?;
    tenant.oauth_access_token = token.access_token;

    let test = oauth::test(&tenant).await?;
    let me = oauth::me(&tenant).await?;
    assert!(me.tid.is_some(), "me has no tid");
    assert_eq!(me.tid, test.tid, "test and me return different tenants");

    let course = courses::add_course(&tenant, AddCourse::new("Peer".to_owned())).await?;
    let course = course.id.ok_or("the course has no id")?;
    let body = AddLearner {
        firstname: "Pia".to_owned(),
        surname: "Peer".to_owned(),
        email: "pia.rust@peer.example".to_owned(),
        generate_password: Some(true),
        tags: Some(vec!["peer".to_owned()]),
        ..AddLearner::default()
    };
    let learner = learners::add_learner(&tenant, body)
        .await?
        .id
        .ok_or("the learner has no id")?;
    let enrolment =
        enrolments::add_enrolment(&tenant, AddEnrolment::new(course.clone(), learner.clone()))
            .await?;
    assert_eq!(
        enrolment.user.as_deref(),
        Some(&*learner),
        "another learner is enrolled"
    );

    let mut seen = BTreeSet::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = learners::list_learners(
            &tenant,
            cursor.as_deref(),
            Some("100"),
            None,
            None,
            None,
            None,
            None,
            None,
        )
        .await?;
        for learner in page.items.unwrap_or_default() {
            assert!(seen.insert(learner.id), "a learner is listed twice");
        }
        if page.more != Some(true) {
            assert_eq!(
                page.number_found,
                Some(seen.len().to_string()),
                "learners are missing"
            );
            break;
        }
        cursor = page.next_cursor;
    }
    assert!(
        seen.contains(&Some(learner.clone())),
        "the new learner is not in the list"
    );

    // By field name, since the generated `new` takes strings in the order of the document.
    let edit = EditLearner {
        firstname: "Pia".to_owned(),
        surname: "Peer-Ray".to_owned(),
        email: "pia.rust@peer.example".to_owned(),
        ..EditLearner::default()
    };
    let edited = learners::edit_learner(&tenant, &learner, edit).await?;
    assert_eq!(
        edited.surname.as_deref(),
        Some("Peer-Ray"),
        "the surname was not changed"
    );

    enrolments::delete_enrolment(&tenant, Some(&learner), Some(&course)).await?;
    learners::delete_learner(&tenant, &learner).await?;
    courses::delete_course(&tenant, &course).await?;
    assert!(
        learners::get_learner_by_id(&tenant, &learner)
            .await
            .is_err(),
        "the learner is still there"
    );

    println!(
        "{} learners on pages, one added, edited and deleted",
        seen.len()
    );
    Ok(())
}
