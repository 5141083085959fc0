//! Reading all lists through a faulty proxy returns exactly the items of the tenant.

use anyhow::{Context as _, ensure};
use lms_ext::{ErrorKind, prelude::*};
use serde_json::Value;

use crate::{Failing, session::Tenant};

/// How often each list is read: a fault of every third request hits each list at other pages.
const ROUNDS: usize = 2;

/// The lists and their page sizes: enough pages for faults, few enough to be quick.
const LISTS: [(What, i64); 8] = [
    (What::Learners, 50),
    (What::Learners, 200),
    (What::Courses, 3),
    (What::Enrolments, 200),
    (What::Topics, 20),
    (What::Completions, 100),
    (What::CustomFields, 4),
    (What::Tags, 0),
];

#[derive(Clone, Copy, Debug)]
enum What {
    Learners,
    Courses,
    Enrolments,
    Topics,
    Completions,
    CustomFields,
    Tags,
}

pub(crate) async fn compare(tenant: &Tenant, direct: &str, failing: Failing) -> anyhow::Result<()> {
    let direct = tenant.client_at(direct)?;
    let disturbed = tenant.client()?;
    let (mut whole, mut rows, mut failed) = (0, 0, 0);
    for _ in 0..ROUNDS {
        for (what, limit) in LISTS {
            let wanted = walk(&direct, what, limit)
                .await
                .context("the tenant itself")?;
            ensure!(!wanted.is_empty(), "the tenant has no {what:?}");
            match walk(&disturbed, what, limit).await {
                Ok(found) => {
                    ensure!(
                        found == wanted,
                        "{what:?}: {} of {} items, or other ones",
                        found.len(),
                        wanted.len()
                    );
                    whole += 1;
                    rows += found.len();
                }
                Err(error) if failing == Failing::Decode && error.kind() == ErrorKind::Decode => {
                    failed += 1;
                }
                Err(error) => {
                    return Err(error).with_context(|| format!("reading {what:?}"));
                }
            }
        }
    }
    println!(
        "{whole} lists were complete, with {rows} items; {failed} ended with an expected error"
    );
    Ok(())
}

/// Returns all items with all their fields, even undocumented ones.
async fn walk(lms: &Lms, what: What, limit: i64) -> Result<Vec<Value>, Error> {
    let items = match what {
        What::Learners => lms.list_learners().limit(limit).items_as(),
        What::Courses => lms.list_courses().limit(limit).items_as(),
        What::Enrolments => lms.list_enrolments().limit(limit).items_as(),
        What::Topics => lms.list_topics().limit(limit).items_as(),
        What::Completions => lms.list_course_completions().limit(limit).items_as(),
        What::CustomFields => lms.list_user_fields().limit(limit).items_as(),
        // This list has no pages.
        What::Tags => lms.list_tags().items_as(),
    };
    items.collect_all().await
}
