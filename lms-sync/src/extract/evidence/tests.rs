use Completeness::{Changed, Complete, Incomplete};
use lms_ext::PageReceived;

use super::*;

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

/// The page of a text such as `2/"5"+`: its number of items, `number_found` as JSON if it has one, and `+` or `.` for
/// `more: true` and `more: false`.
fn page(text: &str) -> (u64, PageReceived) {
    let mut received = PageReceived::default();
    received.status = 200;
    received.content_type = Some("application/json; charset=utf-8".to_owned());
    received.paged = true;
    let without_more = text.strip_suffix(['+', '.']);
    received.more = without_more.is_some();
    let rest = without_more.unwrap_or(text);
    let (items, count) = rest.split_once('/').unzip();
    received.number_found = count.map(str::to_owned);
    let items = items.unwrap_or(rest).parse().unwrap();
    (items, received)
}

/// The observations of a list of pages.
fn observe(rules: &ListRules, pages: Vec<(u64, PageReceived)>) -> Evidence {
    let (mut list, mut found, number) = (ListEvidence::default(), Evidence::default(), pages.len());
    for (index, (items, received)) in pages.into_iter().enumerate() {
        // As from a checkpoint.
        let stored = serde_json::to_string(&list).unwrap();
        list = serde_json::from_str(&stored).unwrap();
        let is_last = index + 1 == number;
        found.add(list.page(rules, items, &received, is_last).0);
    }
    found
}

/// The completeness of a list of pages, and the signs for it.
fn said(rules: &ListRules, pages: &str) -> (Completeness, Vec<Sign>) {
    let found = observe(rules, pages.split(' ').map(page).collect());
    let (completeness, because) = found.completeness();
    assert_eq!(because.len(), found.0.len());
    (completeness, found.0.into_keys().collect())
}

#[test]
fn a_list_with_as_many_items_as_it_counts_is_complete() {
    for pages in [
        r#"1/"3"+ 1/"3"+ 1/"3"."#,
        r#"1/"3"+ 0/"3"+ 1/"3"+ 1/"3"."#,
        r#"1/"3"+ 1/"3"+ 1/"3"+ 0/"3"."#,
        // The last page may leave out `more` if the count agrees.
        r#"1/"3"+ 1/"3"+ 1/"3""#,
        r#"1/"3"+ 1/"3"+ 1/3."#,
        "0/0.",
    ] {
        assert_eq!(said(&LEARNERS, pages), (Complete, vec![]), "{pages}");
    }
    assert_eq!(said(&COMPLETIONS, "1."), (Complete, vec![]));
    // A list without pages.
    let (items, mut received) = page("1");
    received.paged = false;
    let whole = observe(&COMPLETIONS, vec![(items, received)]);
    assert_eq!(whole.completeness().0, Complete);
}

#[test]
fn each_observation_of_counts_has_its_row_in_the_table() {
    for (pages, expected, sign) in [
        // A count that changed, even if it changed back or around an empty page.
        ("1/3+ 1/2+ 1/3.", Changed, Sign::CountChanged),
        ("1/3+ 0/2+ 1/3+ 1/3.", Changed, Sign::CountChanged),
        ("1/3+ 1/2.", Changed, Sign::CountChanged),
        ("1/2+ 1/3.", Changed, Sign::CountChanged),
        ("1/3+ 1/3+ 1/3+ 1/3.", Changed, Sign::MoreThanCounted),
        ("1/3+ 1/3.", Incomplete, Sign::FewerThanCounted),
        ("1/3+ 1/3+ 1/0.", Incomplete, Sign::CountBelowPage),
        ("3/2.", Incomplete, Sign::CountBelowPage),
        ("200/199+ 0/199.", Incomplete, Sign::CountBelowPage),
        ("0/3+ 4/3.", Incomplete, Sign::CountBelowPage),
        (r#"1/3+ 1/3+ 1/"1,000"."#, Incomplete, Sign::NotACount),
        ("1/3+ 1/3+ 1/3.0.", Incomplete, Sign::NotACount),
        (r#"1/3+ 1/3+ 1/"+3"."#, Incomplete, Sign::NotACount),
        ("1/3+ 1/3+ 1/-1.", Incomplete, Sign::NotACount),
        (r#"1/3+ 1/3+ 1/""."#, Incomplete, Sign::NotACount),
        ("1/3+ 1/3+ 1/3e0.", Incomplete, Sign::NotACount),
        ("1/3+ 1/3+ 1/true.", Incomplete, Sign::NotACount),
        (
            "1/3+ 1/3+ 1/9223372036854775808.",
            Incomplete,
            Sign::NotACount,
        ),
        ("1/3+ 1/3+ 1/null.", Incomplete, Sign::NoCount),
        ("1/3+ 1/3+ 1.", Incomplete, Sign::NoCount),
        ("0.", Incomplete, Sign::NoCount),
    ] {
        let (completeness, signs) = said(&LEARNERS, pages);
        assert_eq!(completeness, expected, "{pages}");
        assert!(
            signs.contains(&sign),
            "{pages}: {signs:?} instead of {sign:?}"
        );
        assert_eq!(said(&IGNORED, pages), (Complete, vec![]), "{pages}");
    }
}

#[test]
fn a_count_that_another_page_or_an_earlier_run_had_is_missed() {
    let expected = (Incomplete, vec![Sign::NoCount]);
    for pages in ["1+ 1/3+ 1/3.", "1/3+ 1+ 1/3.", "1/3+ 1/3+ 1."] {
        assert_eq!(said(&COMPLETIONS, pages), expected, "{pages}");
    }
    let counted_before = ListRules {
        counted: true,
        ..COMPLETIONS
    };
    assert_eq!(said(&counted_before, "1."), expected);
}

#[test]
fn the_end_of_a_list_is_said_or_confirmed_by_its_count() {
    let no_end = Sign::NoEnd;
    for rules in [COMPLETIONS, IGNORED] {
        assert_eq!(said(&rules, "1"), (Incomplete, vec![no_end]));
    }
    // A count that is not reached, exceeded, changed or not on each page confirms nothing.
    for pages in [
        "2/3", "1/3+ 1/3", "1/1+ 1/1", "2/1", "3/3+ 0/2", "1+ 1/2", "1/2+ 1", "0",
    ] {
        let (completeness, signs) = said(&LEARNERS, pages);
        assert_eq!(completeness, Incomplete, "{pages}");
        assert!(signs.contains(&no_end), "{pages}: {signs:?}");
    }
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
        let (items, mut received) = page("3/3.");
        received.status = status;
        received.content_type = content_type.map(str::to_owned);
        let found = observe(&LEARNERS, vec![(items, received)]);
        assert_eq!(found.completeness().0 == Complete, sign.is_none());
        assert_eq!(found.0.into_keys().next(), sign);
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

#[test]
fn a_list_much_longer_than_its_count_has_no_end() {
    for (rules, count, items, endless) in [
        (&LEARNERS, "5", 10_010, false),
        (&LEARNERS, "5", 10_011, true),
        (&LEARNERS, "1000000", 2_010_000, false),
        (&LEARNERS, "1000000", 2_010_001, true),
        (&LEARNERS, "null", u64::MAX, false),
        (&IGNORED, "5", u64::MAX, false),
    ] {
        let (_, received) = page(&format!("1/{count}+"));
        let mut list = ListEvidence::default();
        list.page(rules, items, &received, false);
        assert_eq!(list.is_endless(), endless, "{count} {items}");
    }
}
