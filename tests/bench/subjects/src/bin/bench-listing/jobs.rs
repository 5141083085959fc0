//! The ways to read all learners.

use lms_bench_subjects::{
    Result,
    learners::{Client, Contact, Learner, Page, Reachable, Tenant, seen},
    stopwatch::Seen,
};
use lms_ext::{Items, prelude::*};
use serde::{Deserialize, de::DeserializeOwned};

/// Runs the job of this name.
pub(crate) async fn run(name: &str) -> Result<Seen> {
    let tenant = Tenant::from_env()?;
    match name {
        "items" => each(tenant.lms()?.list_learners().items()).await,
        "items-alone" => {
            let items = tenant.lms()?.list_learners().items();
            each(items.without_read_ahead()).await
        }
        "items-as" => each(tenant.lms()?.list_learners().items_as::<Contact>()).await,
        "items-collected" => {
            let learners = tenant.lms()?.list_learners().collect_all().await?;
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

/// A simple loop, which does not check for repeated cursors.
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
