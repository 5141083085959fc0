//! The effect of awaiting a builder.

use std::pin::Pin;

use crate::operation::Operation;

/// The effect of awaiting a builder.
///
/// Implement it for the type that you pass to [`Operations::new`](crate::Operations::new), to send any [`Operation`] with your
/// own policies and your own error type. `lms-ext` does this: `lms.me().await` uses its tokens, retries and checks.
///
/// ```
/// use lms_client::{Client, Operations, operation::Operation, policy::{Policy, PolicyFuture}};
///
/// /// Sends nothing, and returns the URL of a request as its error.
/// #[derive(Clone, Debug)]
/// struct Dry;
///
/// impl Policy for Dry {
///     type Error = String;
///
///     fn call<O: Operation<Transport = Self>>(operation: O) -> PolicyFuture<O, Self> {
///         let url = operation.prepare().map(|prepared| prepared.request.url().to_string());
///         Box::pin(async move { Err(url.map_err(|error| error.to_string())?) })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let client = Client::new_with_client("https://acme.example/api/v1", reqwest::Client::new());
/// let lms = Operations::new(client, Dry);
/// let refused = lms.get_course("c1").await.unwrap_err();
/// assert_eq!(refused, "https://acme.example/api/v1/courses/c1");
/// # }
/// ```
///
/// Without a policy, a builder cannot be awaited:
///
/// ```compile_fail,E0277
/// # async fn example(lms: lms_client::Operations) {
/// lms.me().await;
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "a builder can be awaited only with a policy, and `{Self}` is none",
    note = "use `lms_ext::Lms`, or await a method of `lms_client::Client`"
)]
pub trait Policy: Clone + 'static {
    /// The error of a failed operation.
    type Error: 'static;

    /// Sends an operation and returns the content of its response.
    fn call<O: Operation<Transport = Self>>(operation: O) -> PolicyFuture<O, Self>;
}

/// The future of a builder that is awaited.
pub type PolicyFuture<O, P> =
    Pin<Box<dyn Future<Output = Result<<O as Operation>::Output, <P as Policy>::Error>> + Send>>;
