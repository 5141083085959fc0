use lms_ext::{Checkpoint, prelude::*};
use serde_json::json;

use crate::{
    redaction::assert_consistent,
    responses::CannedResponse,
    tenant::{builder, on_a_paused_clock, tenant},
};

/// Any text in place of a stored checkpoint is refused, or resumed by a stream that ends.
///
/// `{filters}` and `{base_url}` stand for those of the stream that resumes it.
pub fn checkpoints(input: &[u8]) {
    let tenant = tenant(|seen| {
        // Four pages; an unknown cursor leads to the first.
        let cursor = seen
            .url
            .query_pairs()
            .find(|(name, _)| name == "cursor")
            .map(|(_, cursor)| cursor.into_owned());
        let page = match cursor.as_deref() {
            Some("p1") => 1,
            Some("p2") => 2,
            Some("p3") => 3,
            _ => 0,
        };
        CannedResponse::of(
            json!({
                "items": [{"id": page.to_string()}],
                "number_found": "4",
                "more": page < 3,
                "next_cursor": format!("p{}", page + 1),
            })
            .to_string(),
        )
    });
    on_a_paused_clock(async {
        let lms = builder(&tenant).build().expect("a client");
        let own = json!(lms.list_learners().items().checkpoint());
        let filters = own["filters"].as_str().expect("a text");
        let text = String::from_utf8_lossy(input)
            .replace("{filters}", filters)
            .replace("{base_url}", lms.base_url());
        let Ok(checkpoint) = serde_json::from_str::<Checkpoint>(&text) else {
            return;
        };
        // It reads its own output.
        let written = serde_json::to_string(&checkpoint).expect("a checkpoint can be written");
        let again: Checkpoint = serde_json::from_str(&written).expect("its own output");
        assert_eq!(again, checkpoint);

        let taken_up = lms.list_learners().items().resume(&checkpoint);
        assert_eq!(
            taken_up.is_ok(),
            lms.list_learners().pages().resume(&checkpoint).is_ok()
        );
        let mut listing = match taken_up {
            Ok(listing) => listing,
            Err(error) => {
                assert!(error.is_usage());
                assert_consistent(&error);
                return;
            }
        };
        assert_eq!(
            json!(listing.checkpoint())["cursor"],
            json!(checkpoint)["cursor"]
        );
        let mut rows = 0;
        while listing
            .try_next()
            .await
            .expect("a tenant without faults")
            .is_some()
        {
            rows += 1;
            let _ = (listing.checkpoint(), listing.summary().has_changed());
        }
        assert!(rows <= 4);
        assert!(listing.summary().is_finished() && listing.checkpoint().is_finished());
        let mut pages = lms
            .list_learners()
            .pages()
            .max_items(3)
            .resume(&checkpoint)
            .expect("as before");
        while pages
            .try_next()
            .await
            .expect("a tenant without faults")
            .is_some()
        {
            let _ = (pages.checkpoint(), pages.summary().has_changed());
        }
    });
    assert!(tenant.seen().len() <= 10);
}
