//! What awaiting a builder does.

use std::{marker::PhantomData, pin::Pin};

use crate::{Client, operation::Operation};

/// What awaiting a builder does, beyond its `send`.
///
/// A [`Client`] has this as its type parameter. Code that sends any [`Operation`] in its own way, with an error type of its
/// own, implements it for a marker type, and gives out a client [`with_policy`](Client::with_policy) of it. `lms-ext` does,
/// so that `lms.me().await` runs with its tokens, retries and checks.
///
/// ```
/// use lms_client::{Client, Error, operation::Operation, policy::{Policy, PolicyFuture}, transport::Plain};
///
/// /// Sends a request, and returns how many bytes its URL has.
/// #[derive(Clone, Debug)]
/// enum Dry {}
///
/// impl Policy for Dry {
///     type Error = String;
///
///     fn call<O: Operation>(operation: O) -> PolicyFuture<O, Self> {
///         let url = operation.prepare().map(|prepared| prepared.request.url().to_string());
///         Box::pin(async move { Err(url.map_err(|error| error.to_string())?) })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let client = Client::new("https://acme.example/api/v1", Plain.into()).with_policy::<Dry>();
/// let refused = client.get_course().id("c1").await.unwrap_err();
/// assert_eq!(refused, "https://acme.example/api/v1/courses/c1");
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "a builder of a client without a policy cannot be awaited",
    label = "`send` is missing",
    note = "write `.send().await`, or use `lms_ext::Lms`, whose builders can be awaited"
)]
pub trait Policy: Sized + 'static {
    /// Why an operation failed.
    type Error: 'static;

    /// Sends an operation and returns the content of its response.
    fn call<O: Operation>(operation: O) -> PolicyFuture<O, Self>;
}

/// The future of a builder that is awaited.
pub type PolicyFuture<O, P> =
    Pin<Box<dyn Future<Output = Result<<O as Operation>::Output, <P as Policy>::Error>> + Send>>;

/// The default of [`Client`]: its builders have a `send`, and cannot be awaited.
///
/// ```compile_fail,E0277
/// # async fn example(client: lms_client::Client) {
/// client.me().await;
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum SendOnly {}

impl<P> Client<P> {
    /// The same client, whose builders do what `Q` says when they are awaited.
    #[must_use]
    pub fn with_policy<Q: Policy>(self) -> Client<Q> {
        let Self {
            baseurl,
            client,
            inner,
            base,
            policy: _,
        } = self;
        Client {
            baseurl,
            client,
            inner,
            base,
            policy: PhantomData,
        }
    }
}
