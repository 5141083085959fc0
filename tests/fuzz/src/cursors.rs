use std::collections::HashSet;

use lms_ext::{ErrorKind, prelude::*};
use serde_json::json;

use crate::{
    responses::CannedResponse,
    tenant::{builder, on_a_paused_clock, tenant},
};

/// A cursor is sent back unchanged, with unchanged filters.
pub fn cursors(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let cursors: Vec<String> = text.lines().take(12).map(str::to_owned).collect();
    let pages = cursors.len();
    let tenant = {
        let cursors = cursors.clone();
        tenant(move |seen| {
            // A cursor leads to the page after the one that contained it.
            let asked = seen.url.query_pairs().find(|(name, _)| name == "cursor");
            let page = match &asked {
                None => 0,
                Some((_, cursor)) => 1 + position(&cursors, cursor),
            };
            CannedResponse::of(
                json!({
                    "items": [{"id": format!("{page}a")}, {"id": format!("{page}b")}],
                    "more": page < cursors.len(),
                    "next_cursor": cursors.get(page),
                })
                .to_string(),
            )
        })
    };
    // Up to a cursor that is empty or was seen before.
    let mut known = HashSet::new();
    let good = cursors
        .iter()
        .take_while(|cursor| !cursor.is_empty() && known.insert(cursor.as_str()))
        .count();

    on_a_paused_clock(async {
        let lms = builder(&tenant).build().expect("a client");
        let mut listing = lms
            .list_learners()
            .tags(["a&b=c", "#"])
            .email("a+b@x.example")
            .items();
        let mut rows = 0;
        loop {
            match listing.try_next().await {
                Ok(Some(row)) => {
                    assert_eq!(row.id.as_deref(), Some(&*id(rows)));
                    rows += 1;
                }
                Ok(None) => {
                    assert_eq!(good, pages, "the listing ended before the list");
                    assert!(listing.checkpoint().is_finished());
                    break;
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Pagination, "{error}");
                    assert!(good < pages, "{error}");
                    break;
                }
            }
        }
        assert_eq!(rows, 2 * (good + 1));
    });

    let seen = tenant.seen();
    for request in seen {
        let mut tags = Vec::new();
        for (name, value) in request.url.query_pairs() {
            match &*name {
                "cursor" => assert!(cursors.iter().any(|cursor| *cursor == value), "{value:?}"),
                "tags" => tags.push(value.into_owned()),
                "email" => assert_eq!(value, "a+b@x.example"),
                _ => panic!("unexpected parameter {name}"),
            }
        }
        assert_eq!(tags, ["a&b=c", "#"]);
    }
}

fn position(cursors: &[String], cursor: &str) -> usize {
    cursors
        .iter()
        .position(|known| known == cursor)
        .unwrap_or_else(|| panic!("unknown cursor {cursor:?}"))
}

fn id(row: usize) -> String {
    format!(
        "{}{}",
        row / 2,
        if row.is_multiple_of(2) { 'a' } else { 'b' }
    )
}
