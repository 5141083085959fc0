//! Profiles: the configuration file, precedence, and where secrets come from.

use serde_json::json;
use std::fs;

use crate::program::{Program, assert_members, demo};

fn config(program: &Program) -> std::path::PathBuf {
    program.path().join(".config/lms/config.toml")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_profile_is_added_checked_used_and_removed() {
    let sandbox = demo().await;
    let program = Program::new();
    let (url, id) = (sandbox.base_url(), sandbox.client_id());
    let add = format!("profile add acme --base-url {url} --client-id {id}");
    let added = program
        .run_with(&add, &format!("{}\n", sandbox.client_secret()))
        .exits(0);
    added.assert_stderr("added the profile acme");
    // A secret that is overwritten is lost.
    let again = program.run_with(&add, "other\n");
    again.assert_failure(130, "replace the profile acme and its secret?");
    program.run("profile check").exits(0);
    let again = format!("{add} --yes");
    let again = program.run_with(&again, &format!("{}\n", sandbox.client_secret()));
    again.assert_stderr("replaced the profile acme");
    let text = fs::read_to_string(config(&program)).unwrap();
    assert!(!text.contains(sandbox.client_secret()), "{text}");
    #[cfg(unix)]
    for file in ["config.toml", "acme.secret"] {
        let mode = fs::metadata(config(&program).with_file_name(file)).unwrap();
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o777,
            0o600
        );
    }
    let checks = program.json("profile check");
    assert!(
        checks
            .as_array()
            .unwrap()
            .iter()
            .all(|check| check["state"] == "ok" || check["state"] == "skipped"),
        "{checks}"
    );
    assert_eq!(program.json("courses get c1 --profile acme")["id"], "c1");
    let listed = program.json("profile list");
    assert_members(&listed[0], &json!({ "name": "acme", "default": true }));

    let unconfirmed = program.run("profile rm acme").exits(130);
    assert!(
        unconfirmed
            .stderr
            .ends_with("hint: pass --yes to confirm\n")
    );
    program.run("profile rm acme --yes").exits(0);
    assert!(!config(&program).with_file_name("acme.secret").exists());
    program.run("me").exits(4);
}

#[cfg(unix)]
#[test]
fn a_secret_file_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;

    let program = Program::new();
    let secret = program.path().join("secret");
    fs::write(&secret, "hunter2\n").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o644)).unwrap();
    let add = "profile add x --base-url https://x.example --client-id 1 --secret-file secret";
    program.run(&add).exits(0);
    let ran = program.run("me").exits(4);
    assert!(
        ran.stderr.contains("other users can access it") && ran.stderr.contains("chmod 600"),
        "{}",
        ran.stderr
    );
    for (command, sentence) in [
        ("exit 3", "credential_command failed"),
        ("true", "printed no secret"),
    ] {
        let add = format!(
            "profile add y --yes --base-url https://y.example --client-id 1 --credential-command '{command}'"
        );
        program.run(&add).exits(0);
        let ran = program.run("me --profile y");
        assert!(
            ran.code == 4 && ran.stderr.contains(sentence),
            "{}",
            ran.stderr
        );
    }
}

/// The keyring is a feature: without it, nothing is written, and the message says why.
#[cfg(not(feature = "keyring"))]
#[test]
fn a_program_without_the_keyring_says_so() {
    let program = Program::new();
    let (url, id) = ("https://acme.example", "1");
    let add = format!("profile add acme --base-url {url} --client-id {id} --keyring");
    let added = program.run_with(&add, "hunter2\n").exits(4);
    assert!(
        added.stderr.contains("without the feature `keyring`") && !added.stderr.contains("hunter2"),
        "{}",
        added.stderr
    );
    assert!(!config(&program).exists());
    fs::create_dir_all(config(&program).parent().unwrap()).unwrap();
    let text =
        format!("[profiles.acme]\nbase_url = \"{url}\"\nclient_id = \"{id}\"\nkeyring = true\n");
    fs::write(config(&program), text).unwrap();
    let listed = program.json("profile list");
    assert_eq!(listed[0]["secret"], "keyring");
    let me = program.run("me --profile acme").exits(4);
    me.assert_stderr("in the keyring");
}

#[cfg(unix)]
#[test]
fn a_configuration_that_is_a_pipe_is_refused() {
    let program = Program::new();
    let file = config(&program);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&file).status();
    assert!(made.unwrap().success());
    let ran = program.run("profile list");
    ran.assert_failure(4, "it is a folder, a pipe or a device, and not a file");
    fs::remove_file(&file).unwrap();
    let huge = fs::File::create(&file).unwrap();
    huge.set_len(1 << 30).unwrap();
    program
        .run("profile list")
        .assert_failure(4, "it is larger than 16 MiB");
}

/// A writer of the configuration chooses the commands that are run.
#[cfg(unix)]
#[test]
fn a_configuration_that_others_can_write_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;

    let program = Program::new();
    let (file, folder) = (config(&program), config(&program));
    let folder = folder.parent().unwrap();
    fs::create_dir_all(folder).unwrap();
    let text = "default = \"acme\"\n[profiles.acme]\nbase_url = \"https://acme.example\"\nclient_id = \"1\"\ncredential_command = \"touch ran\"\n";
    fs::write(&file, text).unwrap();
    let mode = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for (of_file, of_folder) in [(0o666, 0o755), (0o620, 0o755), (0o600, 0o777)] {
        mode(&file, of_file);
        mode(folder, of_folder);
        let ran = program.run("me");
        ran.assert_failure(4, "other users can write");
        assert!(!program.path().join("ran").exists());
    }
    mode(folder, 0o755);
    program.run("me").exits(4);
    assert!(program.path().join("ran").exists());
}
