//! The raw client: progenitor's, without `lms-ext`.

use lms_client::{
    Client, types,
    wire::{Int64, expose_secrets_in},
};
use lms_sandbox::Sandbox;
use reqwest::header::{AUTHORIZATION, HeaderMap};

#[tokio::test]
async fn a_raw_client_obtains_a_token_and_sends_it_with_each_request() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let base = format!("{}/api/v1", sandbox.base_url());
    let plain = Client::new(&base);
    let refused = plain.me().await.unwrap_err();
    assert_eq!(refused.status().map(|status| status.as_u16()), Some(401));

    let credentials: types::TokenRequest = types::TokenRequest::builder()
        .grant_type("client_credentials")
        .client_id(sandbox.client_id().parse::<Int64>().unwrap())
        .client_secret(sandbox.client_secret())
        .try_into()
        .unwrap();
    let token = expose_secrets_in(plain.get_token(&credentials))
        .await
        .unwrap();
    let token = token.into_inner().access_token.unwrap();

    let bearer = format!("Bearer {}", token.expose()).parse().unwrap();
    let headers = HeaderMap::from_iter([(AUTHORIZATION, bearer)]);
    let http = reqwest::Client::builder().default_headers(headers);
    let client = Client::new_with_client(&base, http.build().unwrap());
    let course = types::AddCourse::builder("Safety").try_into().unwrap();
    let course = client.add_course(&course).await.unwrap();
    let id = course.into_inner().id.unwrap();
    let courses = client.list_courses(None, None, None, None).await.unwrap();
    assert_eq!(courses.items.len(), 1);
    client.delete_course(&id).await.unwrap();
    let gone = client.get_course("c1").await.unwrap_err();
    assert_eq!(gone.status().map(|status| status.as_u16()), Some(404));
}
