//! Shows what an operator sees of a client: its calls as OpenTelemetry spans, sent to a collector.
//!
//! The client is of a sandbox that fails now and then; the collector is a stand-in on this machine that
//! prints what it gets. With a real collector, its address takes the stand-in's place, and nothing
//! else changes.
//!
//! ```text
//! cargo run -p spans-example
//! ```

mod collector;

use std::error::Error;

use lms_ext::prelude::*;
use lms_sandbox::Sandbox;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::{
    filter::Targets, layer::SubscriberExt as _, util::SubscriberInitExt as _,
};

fn main() -> Result<(), Box<dyn Error>> {
    let collector = collector::start()?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpJson)
        .with_endpoint(format!("http://{collector}/v1/traces"))
        .build()?;
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .build();
    // Only this client's spans: the exporter makes requests as well, and would report them to itself.
    tracing_subscriber::registry()
        .with(Targets::new().with_target("lms_ext", tracing_subscriber::filter::LevelFilter::DEBUG))
        .with(tracing_opentelemetry::layer().with_tracer(provider.tracer("spans-example")))
        .init();

    let work = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(work());
    // Sends what has not been sent yet.
    provider.shutdown()?;
    work
}

/// A few calls, of which one meets a 503 and one asks for what is not there.
async fn work() -> Result<(), Box<dyn Error>> {
    let sandbox = Sandbox::builder()
        .demo()
        .quirks(["html-503=2"])
        .start()
        .await?;
    let lms = Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
        .build()?;
    lms.me().call().await?;
    lms.list_courses().call().await?;
    if let Err(error) = lms.get_course().id("nothing").call().await
        && !error.is_not_found()
    {
        return Err(error.into());
    }
    sandbox.stop().await;
    Ok(())
}
