//! Numbers in the documentation that the code also has.

use std::{fs, path::Path};

/// A text of a page with a number, and the line of the code that decides it.
const NUMBERS: &[(&str, &str, &str, &str)] = &[
    (
        "docs/guide/mirror-into-a-database.md",
        "a run, 500 by default",
        "lms-sync/src/mirror/policy.rs",
        "confirm_deletes: 500,",
    ),
    (
        "docs/guide/mirror-into-a-database.md",
        "more than 10 % of the rows of a collection and more than 20 rows",
        "lms-sync/src/mirror/policy.rs",
        "max_delete_share: 0.1,",
    ),
    (
        "lms-client/src/service.md",
        "Bodies: 1 MiB, then 413",
        "lms-sandbox/src/server/request_body.rs",
        "const MAX_BYTES: usize = 1 << 20;",
    ),
    (
        "lms-client/src/service.md",
        "replaced 30 s or a fifth of its lifetime",
        "lms-ext/src/send/auth/cached_token.rs",
        "const MAX_REFRESH_WINDOW: Duration = Duration::from_secs(30);",
    ),
    (
        "lms-client/src/service.md",
        "or else for 10 s, because",
        "lms-ext/src/send/auth/refresh_failure.rs",
        "const REFUSAL_PAUSE: Duration = Duration::from_secs(10);",
    ),
    (
        "CONTRIBUTING.md",
        "| 8 times for each sink | 200 times |",
        "lms-sync/tests/sync/kill.rs",
        "const KILLS: [u32; 2] = [8, 200];",
    ),
    (
        "lms-ext/src/paging/mod.rs",
        "at once if it is one of the last 4,096 cursors",
        "lms-ext/src/paging/end.rs",
        "const RECENT: usize = 4096;",
    ),
    (
        "lms-ext/src/paging/pages.rs",
        "an error. Default: 1000.",
        "lms-ext/src/paging/end.rs",
        "const MAX_EMPTY: u64 = 1000;",
    ),
    (
        "lms-sync/src/run/export.rs",
        "ends with an error. Default: 1000.",
        "lms-sync/src/extract/reading.rs",
        "const MAX_STALE_PAGES: u64 = 1000;",
    ),
];

#[test]
fn a_number_in_the_documentation_is_that_of_the_code() {
    for (page, text, file, line) in NUMBERS {
        let read = |path: &str| {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let content = fs::read_to_string(root.join(path)).unwrap();
            // As one line, whatever its width is.
            let words = content.split_whitespace().filter(|word| *word != "///");
            words.collect::<Vec<_>>().join(" ")
        };
        assert!(read(page).contains(text), "{page} does not say {text:?}");
        assert!(
            read(file).contains(line),
            "{file} does not say {line:?}; correct {page}, too"
        );
    }
}
