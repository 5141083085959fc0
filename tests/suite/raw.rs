//! The generated client without `lms-ext`.

use lms_client::{
    Client, Error,
    operation::Operation,
    transport::{Bearer, Plain},
    types,
    wire::Int64,
};
use lms_sandbox::Sandbox;

#[tokio::test]
async fn a_raw_client_obtains_a_token_and_sends_it_with_each_request() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let base = format!("{}/api/v1", sandbox.base_url());
    let plain = Client::new(&base, Plain::default());
    let refused = plain.list_courses().send().await.unwrap_err();
    assert_eq!(refused.status().map(|status| status.as_u16()), Some(401));

    let credentials = types::TokenRequest::builder()
        .grant_type("client_credentials")
        .client_id(sandbox.client_id().parse::<Int64>().unwrap())
        .client_secret(sandbox.client_secret());
    let token = plain.get_token(credentials).send().await.unwrap();
    let token = token.into_inner().access_token.unwrap();

    let client = Client::new(&base, Bearer::new(token).unwrap());
    let course = client.add_course("Safety").send().await.unwrap();
    let id = course.into_inner().id.unwrap();
    let courses = client.list_courses().send().await.unwrap().into_inner();
    assert_eq!(courses.items.len(), 1);
    client.delete_course(&id).send().await.unwrap();
    let gone = client.get_course(&id).send().await.unwrap_err();
    assert_eq!(gone.status().map(|status| status.as_u16()), Some(404));
}

#[test]
fn a_raw_client_rejects_invalid_tokens_and_ids() {
    assert!(Bearer::new("a\r\nx-evil: 1").is_err());
    let client = Client::new("https://tenant.example/api/v1", Plain::default());
    for id in ["", ".", ".."] {
        let error = client.get_course(id).prepare().unwrap_err();
        assert!(matches!(error, Error::InvalidRequest(_)), "{error}");
    }
}
