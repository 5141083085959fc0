//! The ways to decode a page of learners.

use bytes::Bytes;
use compact_str::CompactString;
use lms_bench_subjects::{
    learners::{Contact, Learner, Page},
    stopwatch::Seen,
};
use lms_client::types::LearnerList;
use lms_ext::prelude::*;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::{Result, memory::Memory};

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
    let text = || str::from_utf8(&page);
    macro_rules! each {
        ($seen:expr) => {
            measure.of(async || Ok($seen)).await
        };
    }
    match name {
        "call" => each!(generated(&lms.list_learners().call().await?)),
        "call-contacts" => each!(contacts(&lms.list_learners().call_as().await?)),
        "call-value" => each!(value(&lms.list_learners().call_as().await?)),
        "call-ignored" => each!(ignored(lms.list_learners().call_as().await?)),
        "generated" => each!(generated(&read(text()?)?)),
        "generated-unchecked-before" => each!(generated(&serde_json::from_slice(&page)?)),
        "contacts" => each!(contacts(&read(text()?)?)),
        "value" => each!(value(&read(text()?)?)),
        "ignored" => each!(ignored(read(text()?)?)),
        "hand" => each!(learners::<String>(&read(text()?)?)),
        "compact" => each!(learners::<CompactString>(&read(text()?)?)),
        "borrowed" => each!(learners::<&str>(&serde_json::from_str(text()?)?)),
        "sonic" => each!(generated(&sonic_rs::from_str(text()?)?)),
        // It decodes in place, so every run needs its own copy of the page.
        "simd" => each!(generated(&simd_json::from_slice(&mut page.to_vec())?)),
        _ => Err(format!("there is no job {name}").into()),
    }
}

/// UTF-8 is checked once for the whole page, as lms-ext does.
fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    serde_json::from_str(text)
}

fn generated(page: &LearnerList) -> Seen {
    let emails = page.items.iter().map(|learner| learner.email.as_deref());
    emails.fold(Seen::default(), Seen::and)
}

fn learners<T: AsRef<str>>(page: &Page<Learner<T>>) -> Seen {
    let emails = page.items.iter().map(|learner| learner.email.as_ref());
    emails.fold(Seen::default(), |seen, email| {
        seen.and(email.map(AsRef::as_ref))
    })
}

fn contacts(page: &Page<Contact>) -> Seen {
    let emails = page.items.iter().map(|contact| contact.email.as_deref());
    emails.fold(Seen::default(), Seen::and)
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
