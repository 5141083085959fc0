//! The ways to walk over all learners.

use std::error::Error;

use lms_bench_subjects::{
    learners::{Client, Contact, Learner, Page, Tenant},
    stopwatch::Seen,
};
use lms_client::types;
use lms_ext::{Items, prelude::*};
use serde::{Deserialize, de::DeserializeOwned};

pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Something that has an email address.
trait Reachable {
    fn email(&self) -> Option<&str>;
}

/// Does the job of this name.
pub(crate) async fn run(name: &str) -> Result<Seen> {
    let tenant = Tenant::told()?;
    match name {
        "items" => each(lms(&tenant)?.list_learners().items()).await,
        "items-alone" => {
            let items = lms(&tenant)?.list_learners().items();
            each(items.without_read_ahead()).await
        }
        "items-as" => each(lms(&tenant)?.list_learners().items_as::<Contact>()).await,
        "items-collected" => {
            let learners = lms(&tenant)?.list_learners().collect_all().await?;
            Ok(seen(&learners))
        }
        "hand" => by_hand::<Learner>(&tenant).await,
        "hand-contacts" => by_hand::<Contact>(&tenant).await,
        "hand-collected" => {
            let client = Client::connect(&tenant).await?;
            let mut learners = Vec::new();
            let mut cursor = None;
            loop {
                let page: Page<Learner> = client.page("learners", cursor.as_deref()).await?;
                learners.extend(page.items);
                if !page.more {
                    return Ok(seen(&learners));
                }
                cursor = page.next_cursor;
            }
        }
        _ => Err(format!("there is no job {name}").into()),
    }
}

fn lms(tenant: &Tenant) -> Result<Lms> {
    let lms = Lms::builder(&tenant.base_url)
        .client_credentials(&tenant.client_id, tenant.client_secret.as_str())
        .build()?;
    Ok(lms)
}

async fn each<T>(mut items: Items<T>) -> Result<Seen>
where
    T: Reachable + DeserializeOwned + Send + 'static,
{
    let mut seen = Seen::default();
    while let Some(learner) = items.try_next().await? {
        seen = seen.and(learner.email());
    }
    Ok(seen)
}

/// As it is written before anybody asks what happens when a page is empty or a cursor comes back.
async fn by_hand<T: Reachable + for<'a> Deserialize<'a>>(tenant: &Tenant) -> Result<Seen> {
    let client = Client::connect(tenant).await?;
    let mut all = Seen::default();
    let mut cursor = None;
    loop {
        let page: Page<T> = client.page("learners", cursor.as_deref()).await?;
        for learner in page.items {
            all = all.and(learner.email());
        }
        if !page.more {
            return Ok(all);
        }
        cursor = page.next_cursor;
    }
}

fn seen<T: Reachable>(learners: &[T]) -> Seen {
    let emails = learners.iter().map(Reachable::email);
    emails.fold(Seen::default(), Seen::and)
}

impl Reachable for types::Learner {
    fn email(&self) -> Option<&str> {
        self.email.as_deref()
    }
}

impl Reachable for Learner {
    fn email(&self) -> Option<&str> {
        self.email.as_deref()
    }
}

impl Reachable for Contact {
    fn email(&self) -> Option<&str> {
        self.email.as_deref()
    }
}
