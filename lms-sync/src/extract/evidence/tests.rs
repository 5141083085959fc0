use Completeness::{Changed, Complete, Incomplete};
use lms_ext::PageReceived;

use super::*;

/// A page: its items, its `number_found`, `more` and whether it has a cursor.
#[derive(Clone, Copy)]
struct Sent<'a> {
    items: u64,
    number_found: Option<&'a str>,
    more: Option<bool>,
    cursor: bool,
    status: u16,
    content_type: Option<&'a str>,
}

/// The page of a list that counts three items.
const PAGE: Sent<'_> = Sent {
    items: 1,
    number_found: Some("\"3\""),
    more: Some(true),
    cursor: true,
    status: 200,
    content_type: Some("application/json; charset=utf-8"),
};

/// Its last page.
const LAST: Sent<'_> = Sent {
    more: Some(false),
    cursor: false,
    ..PAGE
};

const LEARNERS: ListRules = ListRules {
    name: String::new(),
    counted: true,
    ignore_count: false,
};

/// A list without a count, such as completions.
const COMPLETIONS: ListRules = ListRules {
    name: String::new(),
    counted: false,
    ignore_count: false,
};

const IGNORED: ListRules = ListRules {
    name: String::new(),
    counted: true,
    ignore_count: true,
};

fn evidence_of(rules: &ListRules, paged: bool, pages: &[Sent<'_>]) -> Evidence {
    let (mut list, mut found) = (ListEvidence::default(), Evidence::default());
    for (index, page) in pages.iter().enumerate() {
        let mut received = PageReceived::default();
        received.status = page.status;
        received.content_type = page.content_type.map(str::to_owned);
        received.paged = paged;
        received.more = page.more.is_some();
        received.number_found = page.number_found.map(str::to_owned);
        let facts = PageFacts {
            items: page.items,
            has_cursor: page.cursor,
            is_last: index + 1 == pages.len(),
            received: &received,
        };
        // As from a checkpoint.
        let stored = serde_json::to_string(&list).unwrap();
        list = serde_json::from_str(&stored).unwrap();
        found.add(list.page(rules, facts).0);
    }
    found
}

/// The verdict on a list of these pages, and the signs for it.
fn said(rules: &ListRules, pages: &[Sent<'_>]) -> (Completeness, Vec<Sign>) {
    let found = evidence_of(rules, true, pages);
    let (completeness, because) = found.completeness();
    assert_eq!(because.len(), found.0.len());
    (completeness, found.0.into_keys().collect())
}

fn counting<'a>(number_found: &'a str, page: Sent<'a>) -> Sent<'a> {
    Sent {
        number_found: Some(number_found),
        ..page
    }
}

const NONE: Sent<'_> = Sent { items: 0, ..PAGE };

#[test]
fn a_list_with_as_many_items_as_it_counts_is_complete() {
    for pages in [
        &[PAGE, PAGE, LAST][..],
        &[PAGE, NONE, PAGE, LAST],
        &[PAGE, PAGE, PAGE, Sent { items: 0, ..LAST }],
        // The last page may have a cursor, and may leave out `more` if the count agrees.
        &[
            PAGE,
            PAGE,
            Sent {
                cursor: true,
                ..LAST
            },
        ],
        &[PAGE, PAGE, Sent { more: None, ..LAST }],
        &[
            PAGE,
            PAGE,
            Sent {
                content_type: None,
                ..LAST
            },
        ],
        &[PAGE, PAGE, counting("3", LAST)],
        &[counting("0", Sent { items: 0, ..LAST })],
    ] {
        assert_eq!(said(&LEARNERS, pages), (Complete, vec![]));
    }
    let uncounted = Sent {
        number_found: None,
        ..LAST
    };
    assert_eq!(said(&COMPLETIONS, &[uncounted]), (Complete, vec![]));
    let whole = evidence_of(
        &COMPLETIONS,
        false,
        &[Sent {
            more: None,
            ..uncounted
        }],
    );
    assert_eq!(whole.completeness(), (Complete, vec![]));
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn each_observation_of_counts_has_its_row_in_the_table() {
    let two = |page| counting("2", page);
    for (pages, expected, sign) in [
        // A count that changed, even if it changed back or around an empty page.
        (&[PAGE, two(PAGE), LAST][..], Changed, Sign::CountChanged),
        (&[PAGE, two(NONE), PAGE, LAST], Changed, Sign::CountChanged),
        (&[PAGE, two(LAST)], Changed, Sign::CountChanged),
        (&[PAGE, PAGE, PAGE, LAST], Changed, Sign::MoreThanCounted),
        (&[PAGE, LAST], Incomplete, Sign::FewerThanCounted),
        (
            &[PAGE, PAGE, counting("0", LAST)],
            Incomplete,
            Sign::CountBelowPage,
        ),
        (
            &[PAGE, PAGE, counting("\"1,000\"", LAST)],
            Incomplete,
            Sign::NotACount,
        ),
        (
            &[PAGE, PAGE, counting("3.0", LAST)],
            Incomplete,
            Sign::NotACount,
        ),
        (
            &[PAGE, PAGE, counting("-1", LAST)],
            Incomplete,
            Sign::NotACount,
        ),
        (
            &[PAGE, PAGE, counting("\"\"", LAST)],
            Incomplete,
            Sign::NotACount,
        ),
        (
            &[PAGE, PAGE, counting("3e0", LAST)],
            Incomplete,
            Sign::NotACount,
        ),
        (
            &[PAGE, PAGE, counting("true", LAST)],
            Incomplete,
            Sign::NotACount,
        ),
        (
            &[PAGE, PAGE, counting("9223372036854775808", LAST)],
            Incomplete,
            Sign::NotACount,
        ),
        (
            &[PAGE, PAGE, counting("null", LAST)],
            Incomplete,
            Sign::NoCount,
        ),
        (
            &[
                PAGE,
                PAGE,
                Sent {
                    number_found: None,
                    ..LAST
                },
            ],
            Incomplete,
            Sign::NoCount,
        ),
        (
            &[Sent {
                number_found: None,
                items: 0,
                ..LAST
            }],
            Incomplete,
            Sign::NoCount,
        ),
    ] {
        let (completeness, signs) = said(&LEARNERS, pages);
        assert!(
            completeness == expected && signs.contains(&sign),
            "{sign:?} {signs:?}"
        );
        let (completeness, signs) = said(&IGNORED, pages);
        assert_eq!((completeness, signs), (Complete, vec![]), "{sign:?}");
    }
}

#[test]
fn a_count_that_another_page_or_an_earlier_run_had_is_missed() {
    let uncounted = |page| Sent {
        number_found: None,
        ..page
    };
    for pages in [
        [uncounted(PAGE), PAGE, LAST],
        [PAGE, uncounted(PAGE), LAST],
        [PAGE, PAGE, uncounted(LAST)],
    ] {
        assert_eq!(
            said(&COMPLETIONS, &pages),
            (Incomplete, vec![Sign::NoCount])
        );
    }
    let counted_before = ListRules {
        counted: true,
        ..COMPLETIONS
    };
    let pages = [uncounted(LAST)];
    assert_eq!(
        said(&counted_before, &pages),
        (Incomplete, vec![Sign::NoCount])
    );
}

#[test]
fn the_end_of_a_list_is_said_or_confirmed_by_its_count() {
    let silent = |cursor| Sent {
        more: None,
        number_found: None,
        cursor,
        ..LAST
    };
    let (no_end, cursor) = (Sign::NoEnd, Sign::CursorWithoutMore);
    for rules in [COMPLETIONS, IGNORED] {
        assert_eq!(said(&rules, &[silent(false)]), (Incomplete, vec![no_end]));
        let expected = (Incomplete, vec![cursor, no_end]);
        assert_eq!(said(&rules, &[silent(true)]), expected);
    }
    let cut_short = Sent {
        more: None,
        cursor: true,
        ..LAST
    };
    assert_eq!(
        said(&LEARNERS, &[PAGE, PAGE, cut_short]),
        (Incomplete, vec![cursor])
    );
}

#[test]
fn a_response_is_a_200_of_json() {
    for (status, content_type, sign) in [
        (206, Some("application/json"), Some(Sign::NotOk)),
        (200, Some("text/html; charset=utf-8"), Some(Sign::NotJson)),
        (200, Some("APPLICATION/JSON ; charset=utf-8"), None),
        (200, Some("application/problem+json"), None),
        (200, None, None),
    ] {
        let page = Sent {
            status,
            content_type,
            items: 3,
            ..LAST
        };
        let (completeness, signs) = said(&LEARNERS, &[page]);
        assert_eq!(signs, sign.into_iter().collect::<Vec<_>>());
        assert_eq!(completeness == Complete, sign.is_none());
    }
}

#[test]
fn incomplete_outweighs_changed_and_nothing_excuses_anything() {
    let mut found = Evidence::default();
    assert_eq!(found.completeness(), (Complete, vec![]));
    found.note(Sign::RowTwice, || "a row twice".into());
    found.note(Sign::RowTwice, || "never made".into());
    let twice = "a row twice (and 1 more)".to_owned();
    assert_eq!(found.completeness(), (Changed, vec![twice.clone()]));
    let mut other = found.clone();
    other.note(Sign::NoKey, || "no key".into());
    found.add(other);
    let because = vec!["a row twice (and 3 more)".to_owned(), "no key".to_owned()];
    assert_eq!(found.completeness(), (Incomplete, because));
}
