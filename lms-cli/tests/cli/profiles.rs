//! Profiles: the configuration file, precedence, and where secrets come from.

use serde_json::json;
use std::fs;

use crate::program::{Program, assert_members, demo, demo_program};

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn comments_are_kept_when_a_profile_is_added() {
    let program = Program::new();
    let file = config(&program);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text = "# our tenants\ndefault = \"old\"\n\n[profiles.old] # to be closed\nbase_url = \"https://old.example\"\nclient_id = \"1\"\ncredential_command = \"echo x\" # from the vault\n";
    fs::write(&file, text).unwrap();
    let add = "profile add new --base-url https://new.example --client-id 2 --credential-command 'echo y'";
    program.run(&add).exits(0);
    let after = fs::read_to_string(&file).unwrap();
    assert!(after.starts_with(text), "{after}");
    program.run("profile use new").exits(0);
    program.run("profile rm new --yes").exits(0);
    let after = fs::read_to_string(&file).unwrap();
    assert!(
        after.contains("# to be closed") && after.contains("# from the vault"),
        "{after}"
    );
    assert!(!after.contains("new"), "{after}");
}

/// An option precedes the environment, and the environment precedes the profile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_option_precedes_the_environment_and_that_the_profile() {
    let (one, other) = (demo().await, demo().await);
    let program = Program::with_profiles(&[("one", &one, "")]);
    let used = |program: &Program, options: &str| {
        program.run(&format!("test {options}")).exits(0);
        [&one, &other].map(|sandbox| sandbox.take_requests().unwrap().len())
    };
    assert_eq!(used(&program, ""), [1, 0]);
    let program = program
        .with("LMS_BASE_URL", other.base_url())
        .with("LMS_CLIENT_ID", other.client_id())
        .with("LMS_CLIENT_SECRET", other.client_secret());
    assert_eq!(used(&program, ""), [0, 1]);
    assert_eq!(used(&program, "--profile one"), [1, 0]);
    assert_eq!(
        used(&program, &format!("--base-url {}", one.base_url())),
        [1, 0]
    );
}

/// The secret of a profile is not sent to another base URL.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_secret_of_a_profile_stays_with_its_base_url() {
    let (one, other) = (demo().await, demo().await);
    let program = Program::with_profiles(&[("one", &one, "")]);
    program
        .run(&format!(
            "me --base-url {} --client-id {}",
            other.base_url(),
            other.client_id()
        ))
        .exits(4);
    let moved = program
        .run(&format!("me --profile one --base-url {}", other.base_url()))
        .exits(4);
    moved.assert_stderr("the profile is for another base URL");
    assert!(other.requests().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_secret_can_come_from_stdin() {
    let sandbox = demo().await;
    let program = Program::new();
    let me = format!(
        "me --base-url {} --client-id {} --client-secret-stdin",
        sandbox.base_url(),
        sandbox.client_id()
    );
    program.run_with(&me, sandbox.client_secret()).exits(0);
    program.run(&me).exits(4);
}

/// `profile check` names the part that does not work.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_names_what_is_wrong() {
    let sandbox = demo().await;
    let cases = [
        ("http://127.0.0.1:1", sandbox.client_secret(), "tcp", 6),
        (sandbox.base_url(), "wrong", "token", 4),
        ("acme.example", "x", "settings", 2),
    ];
    for (url, secret, part, code) in cases {
        let program = Program::new()
            .with("LMS_BASE_URL", url)
            .with("LMS_CLIENT_ID", sandbox.client_id())
            .with("LMS_CLIENT_SECRET", secret);
        let ran = program.run("profile check -o ndjson").exits(code);
        let is_error = |line: &&str| line.contains(r#""state":"error""#);
        let error = ran.stdout.lines().find(is_error).unwrap();
        assert!(error.contains(&format!(r#""check":"{part}""#)), "{error}");
        // The advice of other commands is to run this one.
        assert!(!ran.stderr.contains("`lms profile check`"), "{ran:?}");
        let table = program.run("profile check -o table").stdout;
        assert!(!table.contains('…'), "{table}");
    }
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

/// A token of an earlier run says nothing about the secret.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_asks_for_a_new_token() {
    let (_sandbox, program) = demo_program().await;
    program.run("me").exits(0);
    program.run("profile check").exits(0);
    let program = program.with("LMS_CLIENT_SECRET", "wrong");
    program.run("profile check").exits(4);
}

#[test]
fn a_mistake_in_the_configuration_is_reported_without_its_line() {
    let program = Program::new();
    fs::create_dir_all(config(&program).parent().unwrap()).unwrap();
    for line in [
        "credential_command = \"echo hunter2",
        "credential_command = hunter2",
        "credential_command \"hunter2\"",
        "\"hunter2\" = 1\n\"hunter2\" = 2",
        "credential_command = \"\\hunter2\"",
        "hunter2]",
    ] {
        fs::write(config(&program), format!("[profiles.acme]\n{line}\n")).unwrap();
        let ran = program.run("me");
        ran.assert_failure(4, "config.toml: line ");
        assert!(!ran.stderr.contains("hunter2"), "{}", ran.stderr);
    }
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

/// Otherwise the report would be about other people than those whom the command names.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_for_a_named_profile_refuses_the_mirror_of_another_tenant() {
    let (acme, globex) = (demo().await, demo().await);
    let program = Program::with_profiles(&[("acme", &acme, ""), ("globex", &globex, "")]);
    program.json("mirror learners --to sqlite:t.db");
    let report = "report inactive --mirror sqlite:t.db";
    for more in ["", "--profile acme"] {
        program.run(&format!("{report} {more}")).exits(0);
    }
    let globex = format!("--base-url {}/", globex.base_url());
    for more in ["--profile globex", &globex] {
        let refused = program.run(&format!("{report} {more}"));
        refused.assert_failure(2, "error: the mirror has the data of http://127.0.0.1:");
    }
}
