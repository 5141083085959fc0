//! Exports the calls of a client as OpenTelemetry spans.
//!
//! The client calls a sandbox with faults, and the collector is a small program that prints the spans. To use a real
//! collector, change only the address.
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
    let (collector, received) = collector::start()?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpJson)
        .with_endpoint(format!("http://{collector}/v1/traces"))
        .build()?;
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .build();
    // Only the spans of lms-ext, or the exporter would export its own requests.
    tracing_subscriber::registry()
        .with(Targets::new().with_target("lms_ext", tracing_subscriber::filter::LevelFilter::DEBUG))
        .with(tracing_opentelemetry::layer().with_tracer(provider.tracer("spans-example")))
        .init();

    let work = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(work());
    // Exports the remaining spans.
    provider.shutdown()?;
    work?;
    let received = received.lock().map_err(|_| "the collector failed")?;
    for call in ["me", "list_courses", "get_course"] {
        if !received.iter().any(|name| name == call) {
            return Err(format!("no span of {call} arrived, only {received:?}").into());
        }
    }
    Ok(())
}

/// Makes a few calls; one gets a 503 and one a 404.
async fn work() -> Result<(), Box<dyn Error>> {
    let sandbox = Sandbox::builder().demo().start().await?;
    sandbox.faults().add("GET: every 2: status 503 html")?;
    let lms = Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
        .build()?;
    lms.me().call().await?;
    lms.list_courses().call().await?;
    if let Err(error) = lms.get_course("nothing").call().await
        && !error.is_not_found()
    {
        return Err(error.into());
    }
    sandbox.stop().await;
    Ok(())
}
