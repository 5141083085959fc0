//! Output that stays the same across minor versions, as transcripts.
//!
//! To write the expected output: `TRYCMD=overwrite cargo test -p lms-cli transcripts`, then review the difference.

#[test]
fn the_output_is_as_in_the_transcripts() {
    let cases = trycmd::TestCases::new();
    cases
        .insert_var("[VERSION]", env!("CARGO_PKG_VERSION"))
        .unwrap();
    cases
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_CACHE_HOME", "/nonexistent")
        .env("COLUMNS", "100")
        .case("tests/transcripts/*.trycmd")
        .case("../docs/guide/command-line.md");
}
