//! The ways to decode a page of learners.

use bytes::Bytes;
use compact_str::CompactString;
use lms_bench_subjects::{
    Result,
    learners::{Contact, Learner, Page, seen},
    stopwatch::Seen,
};
use lms_client::types::LearnerList;
use lms_ext::prelude::*;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::memory::Memory;

/// How a job is measured.
pub(crate) trait Measure {
    async fn of(self, job: impl AsyncFnMut() -> Result<Seen>) -> Result<String>;
}

/// Repeats the job of this name on one page.
pub(crate) async fn run(name: &str, page: Vec<u8>, measure: impl Measure) -> Result<String> {
    let page = Bytes::from(page);
    let lms = Lms::builder("http://127.0.0.1")
        .token("token")
        .http_client(Memory::new(page.clone()))
        .build()?;
    let list = || lms.list_learners();
    let text = || str::from_utf8(&page);
    macro_rules! each {
        (as $page:ty, $read:expr) => {{
            each!({
                let page: $page = $read;
                seen(&page.items)
            })
        }};
        ($seen:expr) => {
            measure.of(async || Ok($seen)).await
        };
    }
    match name {
        "call" => each!(as LearnerList, list().call().await?),
        "call-contacts" => each!(as Page<Contact>, list().call_as().await?),
        "call-value" => each!(value(&list().call_as().await?)),
        "call-ignored" => each!(ignored(list().call_as().await?)),
        "generated" => each!(as LearnerList, read(text()?)?),
        "generated-unchecked-before" => each!(as LearnerList, serde_json::from_slice(&page)?),
        "contacts" => each!(as Page<Contact>, read(text()?)?),
        "value" => each!(value(&read(text()?)?)),
        "ignored" => each!(ignored(read(text()?)?)),
        "hand" => each!(as Page<Learner>, read(text()?)?),
        "compact" => each!(as Page<Learner<CompactString>>, read(text()?)?),
        "borrowed" => each!(as Page<Learner<&str>>, serde_json::from_str(text()?)?),
        "sonic" => each!(as LearnerList, sonic_rs::from_str(text()?)?),
        // It decodes in place, so every run needs its own copy of the page.
        "simd" => each!(as LearnerList, simd_json::from_slice(&mut page.to_vec())?),
        _ => Err(format!("there is no job {name}").into()),
    }
}

/// UTF-8 is checked once for the whole page, as lms-ext does.
fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    serde_json::from_str(text)
}

fn value(page: &Value) -> Seen {
    let items = page["items"].as_array().into_iter().flatten();
    let emails = items.map(|learner| learner["email"].as_str());
    emails.fold(Seen::default(), Seen::and)
}

/// Nothing was decoded that could be counted.
fn ignored(_: IgnoredAny) -> Seen {
    Seen::default()
}
