//! Every operation, by its generated builder, against a sandbox.

use lms_conform_session::{session::Tenant, story};
use lms_sandbox::Sandbox;

/// A new operation needs a call in the story.
#[tokio::test]
async fn every_operation_works_by_its_builder() {
    let sandbox = Sandbox::builder().demo().start().await.unwrap();
    let tenant = Tenant::new(
        sandbox.base_url(),
        sandbox.client_id(),
        sandbox.client_secret(),
    );
    story::run(&tenant).await.unwrap();
}
