//! The documentation: numbers that the code also has, and examples as they are read outside of rustdoc.

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
        "const MAX_STALE: u64 = 1000;",
    ),
    (
        "SECURITY.md",
        "At most 64 MiB of a body is read",
        "lms-ext/src/client/builder.rs",
        "const DEFAULT_MAX_BODY_BYTES: usize = 64 * 1024 * 1024;",
    ),
    (
        "SECURITY.md",
        "and 64 KiB of an error body",
        "lms-ext/src/error/body.rs",
        "const MAX_ERROR_BODY_BYTES: usize = 64 * 1024;",
    ),
    (
        "docs/guide/operate-a-job.md",
        "at most three attempts by default",
        "lms-ext/src/send/retry/policy.rs",
        "max_attempts: 3,",
    ),
    (
        "docs/guide/operate-a-job.md",
        "`job()` allows 12 attempts",
        "lms-ext/src/send/retry/policy.rs",
        ".max_attempts(12)",
    ),
    (
        "docs/guide/operate-a-job.md",
        "and 10 minutes for a call",
        "lms-ext/src/client/builder.rs",
        "self.timeouts.call(Duration::from_secs(600))",
    ),
    (
        "docs/guide/operate-a-job.md",
        "the timeout of an attempt (60 s)",
        "lms-ext/src/send/timeouts.rs",
        "attempt: Duration::from_secs(60),",
    ),
    (
        "docs/guide/change-objects.md",
        "`wait` polls it for at most 30 minutes",
        "lms-ext/src/course_copy/polling.rs",
        "timeout: Duration::from_secs(30 * 60),",
    ),
    (
        "docs/guide/command-line.md",
        "3 minutes for a call with its retries",
        "lms-ext/src/send/timeouts.rs",
        "call: Duration::from_secs(180),",
    ),
    (
        "docs/guide/command-line.md",
        "8 for the rows of a file",
        "lms-cli/src/limits.rs",
        "self.concurrency.unwrap_or(8)",
    ),
    (
        "docs/guide/command-line.md",
        "of more than 100,000 rows a folder",
        "lms-sync/src/extract/seen_keys.rs",
        "const IN_MEMORY: usize = 100_000;",
    ),
    (
        "docs/guide/export-for-an-auditor.md",
        "three times in total",
        "lms-sync/src/extract/drive.rs",
        "const READINGS: u64 = 3;",
    ),
    (
        "CHANGELOG.md",
        "A retry takes 14 of the 500 tokens",
        "lms-ext/src/send/retry/budget.rs",
        "const DEFAULT_TOKENS: u32 = 500;",
    ),
    (
        "CHANGELOG.md",
        "A retry takes 14 of the 500 tokens",
        "lms-ext/src/send/retry/budget.rs",
        "const TRANSIENT_COST: u32 = 14;",
    ),
    (
        "CHANGELOG.md",
        "or 5 after throttling",
        "lms-ext/src/send/retry/budget.rs",
        "const THROTTLED_COST: u32 = 5;",
    ),
    (
        "lms-ext/src/paging/pages.rs",
        "more than twice its `number_found`, and 10,000 items more",
        "lms-ext/src/paging/end.rs",
        "const UNCOUNTED: u64 = 10_000;",
    ),
    (
        "SECURITY.md",
        "10 s to connect",
        "lms-ext/src/client/builder.rs",
        "connect_timeout: Duration::from_secs(10),",
    ),
    (
        "SECURITY.md",
        "15 s without data",
        "lms-ext/src/send/timeouts.rs",
        "read: Duration::from_secs(15),",
    ),
    (
        "SECURITY.md",
        "60 s for an attempt",
        "lms-ext/src/send/timeouts.rs",
        "attempt: Duration::from_secs(60),",
    ),
    (
        "SECURITY.md",
        "3 minutes for the call",
        "lms-ext/src/send/timeouts.rs",
        "call: Duration::from_secs(180),",
    ),
    (
        "SECURITY.md",
        "A call makes three attempts by default",
        "lms-ext/src/send/retry/policy.rs",
        "max_attempts: 3,",
    ),
    (
        "SECURITY.md",
        "it contains 32 bits of a hash",
        "lms-ext/src/send/auth/token_file.rs",
        "u32::try_from(hash >> 32)",
    ),
    (
        "SECURITY.md",
        "for 10,000 tenants in `.ci/run`",
        ".ci/run",
        "env LMS_MODEL_CASES=10000 .ci/tests",
    ),
    (
        "README.md",
        "them against 10,000 servers",
        ".ci/run",
        "env LMS_MODEL_CASES=10000 .ci/tests",
    ),
    (
        "README.md",
        "Both commands need Rust 1.95",
        "Cargo.toml",
        "rust-version = \"1.95\"",
    ),
    (
        "docs/guide/command-line.md",
        "| `--concurrency` | 64 requests;",
        "lms-ext/src/send/rate_limit/mod.rs",
        "max_concurrent: 64,",
    ),
    (
        "docs/guide/command-line.md",
        "10 minutes in a job",
        "lms-ext/src/client/builder.rs",
        "self.timeouts.call(Duration::from_secs(600))",
    ),
    (
        "docs/guide/command-line.md",
        "| `--max-attempts` | 3; 12 in a job |",
        "lms-ext/src/send/retry/policy.rs",
        ".max_attempts(12)",
    ),
    (
        "docs/guide/command-line.md",
        "| 143 | cancelled by SIGTERM |",
        "lms-cli/src/exit.rs",
        "const TERMINATED: u8 = 143;",
    ),
    (
        "docs/guide/handle-errors.md",
        "fail with the same error for 10 s",
        "lms-ext/src/send/auth/refresh_failure.rs",
        "const REFUSAL_PAUSE: Duration = Duration::from_secs(10);",
    ),
    (
        "docs/guide/handle-errors.md",
        "timeout is shorter than 2 s",
        "lms-ext/src/client/connections.rs",
        "const POOL_IDLE_TIMEOUT: Duration = Duration::from_millis(1500);",
    ),
    (
        "docs/guide/mirror-into-a-database.md",
        "a collection and more than 20 rows",
        "lms-sync/src/mirror/policy.rs",
        "max_delete_rows: 20,",
    ),
    (
        "docs/guide/hr-every-night.md",
        "more than 5 % of the linked people leave",
        "lms-plan/src/mapping.rs",
        "leave: of(5.0),",
    ),
    (
        "docs/guide/hr-every-night.md",
        "more than 20 % of the people have a key",
        "lms-plan/src/mapping.rs",
        "keys: of(20.0),",
    ),
    (
        "docs/guide/hr-every-night.md",
        "more than a tenth of its rows",
        "lms-plan/src/mapping.rs",
        "shrink: of(10.0),",
    ),
    (
        "docs/guide/hr-every-night.md",
        "Shares count from four people on",
        "lms-plan/src/mapping.rs",
        "share_from: 4,",
    ),
    (
        "docs/guide/reports.md",
        "older than `--for` (30 days by default)",
        "lms-cli/src/jobs/report/sql/overdue.sql",
        "-- parameter: for ago = 30d:",
    ),
    (
        "docs/guide/from-a-spreadsheet.md",
        "integers of more than 15 digits",
        "lms-cli/src/spreadsheet/xlsx.rs",
        "const INEXACT: f64 = 1e15;",
    ),
    (
        "docs/guide/test-your-integration.md",
        "`.demo()` on the builder adds 650 learners",
        "lms-sandbox/src/demo/mod.rs",
        "const LEARNERS: i64 = 650;",
    ),
    (
        "docs/guide/test-your-integration.md",
        "accept rusqlite 0.32 to 0.41",
        "Cargo.toml",
        "rusqlite = { version = \">=0.32, <0.42\",",
    ),
    (
        "docs/guide/use-your-own-document.md",
        "about a minute and needs Rust 1.89",
        "lms-codegen/Cargo.toml",
        "rust-version = \"1.89\"",
    ),
    (
        "lms-client/src/service.md",
        "`Retry-After`, up to an hour",
        "lms-ext/src/send/auth/refresh_failure.rs",
        "const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);",
    ),
    (
        "lms-client/src/service.md",
        "| 300 s, configurable;",
        "lms-sandbox/src/sandbox/builder.rs",
        "token_lifetime: Duration::from_secs(300),",
    ),
    (
        "lms-client/src/service.md",
        "at most 254 bytes",
        "lms-sandbox/src/service/learners/validation.rs",
        "email.len() <= 254",
    ),
    (
        "lms-client/src/service.md",
        "| 200, and 100 for custom fields and permissions |",
        "lms-sandbox/src/service/user_fields.rs",
        "Window::of(request, 100)?",
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

#[test]
fn no_example_has_lines_that_only_rustdoc_hides() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = fs::read_dir(root.join("docs/guide")).unwrap();
    let pages = guide
        .map(|page| page.unwrap().path())
        .chain([root.join("README.md")]);
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        // Every second piece is a code block, which begins with its language.
        let rust = text.split("```").skip(1).step_by(2);
        for code in rust.filter(|code| code.starts_with("rust")) {
            let hidden = code
                .lines()
                .find(|line| *line == "#" || line.starts_with("# "));
            assert_eq!(hidden, None, "{}", page.display());
        }
    }
}
