//! Profiles in a program without the keyring. `tests/scripts/profiles.txt` has the others.

use std::fs;

use crate::program::Program;

/// The keyring is a feature: without it, nothing is written, and the message says why.
#[test]
fn a_program_without_the_keyring_says_so() {
    let program = Program::new();
    let add = "profile add acme --base-url https://acme.example --client-id 1 --keyring";
    let added = program.run_with(add, "hunter2\n").exits(4);
    added.assert_stderr("without the feature `keyring`");
    assert!(!added.stderr.contains("hunter2"), "{added:?}");
    let folder = program.path().join(".config/lms");
    assert!(!folder.exists());
    fs::create_dir_all(folder).unwrap();
    let text =
        "[profiles.acme]\nbase_url = \"https://acme.example\"\nclient_id = \"1\"\nkeyring = true\n";
    program.write(".config/lms/config.toml", text);
    let listed = program.json("profile list");
    assert_eq!(listed[0]["secret"], "keyring");
    program
        .run("me --profile acme")
        .assert_failure(4, "in the keyring");
}
