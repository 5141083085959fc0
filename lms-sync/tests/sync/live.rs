//! A tenant whose rows come and go while they are read.

use std::collections::BTreeSet;

use lms_ext::prelude::*;
use lms_sync::{Completeness, Extract, Row, Value, collection};

use crate::{client, demo};

async fn ids(lms: &Lms) -> BTreeSet<String> {
    let learners: Vec<serde_json::Value> =
        lms.list_learners().items_as().collect_all().await.unwrap();
    learners
        .iter()
        .map(|one| one["id"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn nothing_that_stayed_is_missing_and_the_changes_are_said() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    let before = ids(&lms).await;
    let mut remaining: Vec<&String> = before.iter().collect();
    let mut rng = fastrand::Rng::with_seed(3);
    let mut rows = Vec::new();
    let mut extract = Extract::new(&lms, collection("learners").unwrap()).page_size(50);
    let mut added = 0;
    while let Some(batch) = extract.next_batch().await.unwrap() {
        rows.extend(batch.rows);
        for _ in 0..4 {
            let learner = remaining.swap_remove(rng.usize(..remaining.len()));
            lms.delete_learner(learner.as_str()).call().await.unwrap();
        }
        for _ in 0..6 {
            added += 1;
            let learner = lms_sandbox::NewLearner {
                firstname: "New".into(),
                surname: "Learner".into(),
                email: format!("new{added}@acme.example"),
                ..Default::default()
            };
            sandbox.seed().add_learner(&learner).unwrap();
        }
    }
    let after = ids(&lms).await;
    let read: BTreeSet<String> = rows
        .iter()
        .filter_map(|row: &Row| match row.get("id") {
            Some(Value::Text(id)) => Some(id.clone()),
            _ => None,
        })
        .collect();
    let stayed: BTreeSet<String> = before.intersection(&after).cloned().collect();
    assert!(stayed.len() < before.len());
    assert!(stayed.is_subset(&read), "{:?}", stayed.difference(&read));
    let record = extract.record();
    assert!(record.completeness == Completeness::Changed, "{record:?}");
    assert!(record.because.join("; ").contains("changed from"));
}
