//! Reading all lists through a faulty proxy returns exactly the items of the tenant.

use anyhow::{Context as _, ensure};
use lms_ext::{ErrorKind, Items, prelude::*};
use serde_json::Value;

use crate::session::Tenant;

/// The errors that a read may end with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Failing {
    /// None.
    Never,
    /// A response that cannot be decoded.
    Decode,
}

/// Number of times that each list is read: a fault of every third request hits each list at other pages.
const ROUNDS: usize = 2;

type List = fn(&Lms) -> Items<Value>;

/// The lists with page sizes: enough pages for faults, few enough to be quick. `Value` also has undocumented fields.
const LISTS: [(&str, List); 8] = [
    ("learners", |lms| lms.list_learners().limit(50).items_as()),
    ("learners", |lms| lms.list_learners().limit(200).items_as()),
    ("courses", |lms| lms.list_courses().limit(3).items_as()),
    ("enrolments", |lms| {
        lms.list_enrolments().limit(200).items_as()
    }),
    ("topics", |lms| lms.list_topics().limit(20).items_as()),
    ("completions", |lms| {
        lms.list_course_completions().limit(100).items_as()
    }),
    ("custom fields", |lms| {
        lms.list_user_fields().limit(4).items_as()
    }),
    // This list has no pages.
    ("tags", |lms| lms.list_tags().items_as()),
];

/// Reads all lists through a faulty proxy, and compares them with the tenant at the address `direct`.
///
/// # Errors
///
/// A list that is not that of the tenant, or another error than the expected one.
pub async fn compare(tenant: &Tenant, direct: &str, failing: Failing) -> anyhow::Result<String> {
    let direct = tenant.client_at(direct)?;
    let disturbed = tenant.client()?;
    let (mut complete, mut items, mut failed) = (0, 0, 0);
    for _ in 0..ROUNDS {
        for (name, list) in LISTS {
            let wanted = list(&direct)
                .collect_all()
                .await
                .context("the tenant itself")?;
            ensure!(!wanted.is_empty(), "the tenant has no {name}");
            match list(&disturbed).collect_all().await {
                Ok(found) => {
                    ensure!(
                        found == wanted,
                        "{name}: {} of {} items, or other ones",
                        found.len(),
                        wanted.len()
                    );
                    complete += 1;
                    items += found.len();
                }
                Err(error)
                    if failing == Failing::Decode
                        && matches!(error.kind(), ErrorKind::Decode | ErrorKind::NotJson) =>
                {
                    failed += 1;
                }
                Err(error) => {
                    return Err(error).with_context(|| format!("reading {name}"));
                }
            }
        }
    }
    Ok(format!(
        "{complete} lists were complete, with {items} items; {failed} ended with an expected error"
    ))
}
