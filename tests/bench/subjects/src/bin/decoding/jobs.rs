//! What is read out of a page of learners, and by what.

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

/// How it is found out what a job takes.
pub(crate) trait Measure {
    async fn of(self, job: impl AsyncFnMut() -> Result<Seen>) -> Result<String>;
}

/// Does the job of this name over and over on one page.
pub(crate) async fn run(name: &str, page: Vec<u8>, measure: impl Measure) -> Result<String> {
    let page = Bytes::from(page);
    let text = || str::from_utf8(&page);
    match name {
        "call" => {
            let lms = in_memory(&page)?;
            let job = async || Ok(generated(&lms.list_learners().call().await?));
            measure.of(job).await
        }
        "call-contacts" => {
            let lms = in_memory(&page)?;
            let job = async || Ok(contacts(&lms.list_learners().call_as().await?));
            measure.of(job).await
        }
        "call-value" => {
            let lms = in_memory(&page)?;
            let job = async || Ok(value(&lms.list_learners().call_as().await?));
            measure.of(job).await
        }
        "call-ignored" => {
            let lms = in_memory(&page)?;
            let job = async || Ok(ignored(lms.list_learners().call_as().await?));
            measure.of(job).await
        }
        "generated" => measure.of(async || Ok(generated(&read(text()?)?))).await,
        "generated-unchecked-before" => {
            let job = async || Ok(generated(&serde_json::from_slice(&page)?));
            measure.of(job).await
        }
        "contacts" => measure.of(async || Ok(contacts(&read(text()?)?))).await,
        "value" => measure.of(async || Ok(value(&read(text()?)?))).await,
        "ignored" => measure.of(async || Ok(ignored(read(text()?)?))).await,
        "hand" => {
            let job = async || Ok(learners::<String>(&read(text()?)?));
            measure.of(job).await
        }
        "compact" => {
            let job = async || Ok(learners::<CompactString>(&read(text()?)?));
            measure.of(job).await
        }
        "borrowed" => {
            let job = async || Ok(learners::<&str>(&serde_json::from_str(text()?)?));
            measure.of(job).await
        }
        "sonic" => {
            let job = async || Ok(generated(&sonic_rs::from_str(text()?)?));
            measure.of(job).await
        }
        "simd" => {
            // It reads in place, so every time it needs a page of its own.
            let job = async || Ok(generated(&simd_json::from_slice(&mut page.to_vec())?));
            measure.of(job).await
        }
        _ => Err(format!("there is no job {name}").into()),
    }
}

/// A client whose tenant answers with this page from memory; nothing else about it is unusual.
fn in_memory(page: &Bytes) -> Result<Lms> {
    let lms = Lms::builder("http://127.0.0.1")
        .token("token")
        .http_client(Memory::new(page.clone()))
        .build()?;
    Ok(lms)
}

/// The text is looked at once as a whole, as lms-ext does it.
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

/// Nothing was kept that could be looked at.
fn ignored(_: IgnoredAny) -> Seen {
    Seen::default()
}
