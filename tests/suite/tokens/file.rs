//! The file of tokens: what the next process gets, which files are not trusted, and how one is replaced.

use std::{
    fs::{self, File},
    io::Read as _,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use lms_ext::prelude::*;
use serde_json::{Value, json as value};
use tempfile::TempDir;
use tokio::time::advance;

use super::{Issuer, SECOND, a_token, credentials, ok, token_requests, tokens_sent};
use crate::script::Script;

/// A path for a token file, in a folder that is removed with its guard.
pub fn token_file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    (folder, path)
}

/// A new process, with its tokens in the file at `path`.
fn process_with(server: &Script, path: impl Into<PathBuf>) -> Lms {
    credentials(server).token_file(path).build().unwrap()
}

/// The text of a file with a token of the client.
fn content_of(token: &str, expires_at: &Value) -> String {
    value!({"tokens": [{
        "base_url": "https://tenant.example/api/v1",
        "client_id": "id",
        "access_token": token,
        "expires_at": expires_at,
    }]})
    .to_string()
}

#[tokio::test(start_paused = true)]
async fn a_file_passes_the_token_to_the_next_process() {
    let (folder, path) = token_file();
    let issuer = Issuer::new(300 * SECOND);
    let server = issuer.server();
    let process = || process_with(&server, &path);
    for _ in 0..5 {
        process().me().call().await.unwrap();
    }
    assert_eq!(token_requests(&server), 1);

    // After a 401 it is also replaced in the file.
    issuer.revoke_all();
    process().me().call().await.unwrap();
    process().me().call().await.unwrap();
    assert_eq!(token_requests(&server), 2);
    let text = fs::read_to_string(&path).unwrap();
    let tokens = ["t1", "t2"].map(|token| text.contains(&format!("\"{token}\"")));
    assert_eq!(tokens, [false, true], "{text}");
    // No temporary file is left.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test(start_paused = true)]
async fn tenants_that_share_a_file_never_get_each_others_tokens() {
    let (_folder, path) = token_file();
    let mut servers = Vec::new();
    for (index, (base_url, id)) in [
        ("https://a.example", "1"),
        ("https://b.example", "1"),
        ("https://a.example", "2"),
        ("https://a.example:8443", "1"),
    ]
    .into_iter()
    .enumerate()
    {
        let token = format!("token-{index}");
        let server = Script::new(move |seen| {
            if seen.is_token_request() {
                a_token(&token, 300)
            } else {
                ok()
            }
        });
        servers.push((server, base_url, id));
    }
    for _ in 0..2 {
        for (server, base_url, id) in &servers {
            let process = Lms::builder(*base_url)
                .client_credentials(*id, "secret")
                .http_client(server.clone())
                .token_file(&path)
                .build();
            process.unwrap().me().call().await.unwrap();
        }
    }
    for (index, (server, ..)) in servers.iter().enumerate() {
        assert_eq!(token_requests(server), 1);
        let token = format!("token-{index}");
        assert_eq!(tokens_sent(server), [token.clone(), token]);
    }
}

#[tokio::test(start_paused = true)]
async fn an_invalid_file_is_ignored_and_replaced() {
    let future = 32_503_680_000_u64;
    let entry = |expires_at: Value| content_of("old", &expires_at);
    let padded = |bytes| {
        let entry = entry(value!(future));
        let blank = " ".repeat(bytes - entry.len());
        entry + &blank
    };
    for (content, expected) in [
        (entry(value!(future)), "old"),
        (entry(value!(null)), "old"),
        (entry(value!(1)), "t1"),
        (entry(value!(-1)), "t1"),
        (entry(value!("soon")), "t1"),
        (String::new(), "t1"),
        ("{\"tokens\": [".to_owned(), "t1"),
        ("<html>".to_owned(), "t1"),
        ("[]".to_owned(), "t1"),
        (" ".repeat(2_000_000), "t1"),
        (padded(1024 * 1024), "old"),
        (padded(1024 * 1024 + 1), "t1"),
        (entry(value!(future)).replace("\"old\"", "\"a b\""), "t1"),
    ] {
        let (_folder, path) = token_file();
        write_private(&path, &content);
        let server = Issuer::new(300 * SECOND).server();
        // The server does not accept the old token, so only the first request tells whether it was loaded.
        let lms = process_with(&server, &path);
        lms.me().call().await.unwrap();
        assert_eq!(tokens_sent(&server)[0], expected, "{content:.80}");
        assert!(fs::read_to_string(&path).unwrap().contains("\"t1\""));
    }
}

#[tokio::test(start_paused = true)]
async fn a_path_that_cannot_be_written_fails_no_call() {
    let folder = tempfile::tempdir().unwrap();
    for path in [
        folder.path().join("missing/tokens"),
        folder.path().to_owned(),
    ] {
        let server = Issuer::new(300 * SECOND).server();
        let lms = process_with(&server, &path);
        lms.me().call().await.unwrap();
        lms.me().call().await.unwrap();
        assert_eq!(token_requests(&server), 1);
    }
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn the_file_has_mode_0600_and_one_open_to_others_is_not_trusted() {
    use std::os::unix::fs::PermissionsExt;

    let (_folder, path) = token_file();
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    for shared in [0o644, 0o640, 0o620, 0o606, 0o666] {
        let server = Issuer::new(300 * SECOND).server();
        let process = || process_with(&server, &path);
        process().me().call().await.unwrap();
        assert_eq!(mode(), 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(shared)).unwrap();
        process().me().call().await.unwrap();
        assert_eq!(tokens_sent(&server), ["t1", "t2"], "{shared:o}");
        assert_eq!(mode(), 0o600);
        fs::remove_file(&path).unwrap();
    }
}

fn write_private(path: &Path, content: &str) {
    fs::write(path, content).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

/// A file with a token of the client, which expires in this number of seconds.
fn write_token(path: &Path, token: &str, seconds: u64) {
    let now = UNIX_EPOCH.elapsed().unwrap().as_secs();
    write_private(path, &content_of(token, &value!(now + seconds)));
}

#[tokio::test(start_paused = true)]
async fn a_rejected_token_is_not_loaded_again_from_a_file_that_still_has_it() {
    let (_folder, path) = token_file();
    let issuer = Issuer::new(300 * SECOND);
    let server = issuer.server();
    let lms = process_with(&server, &path);
    for _ in 0..3 {
        write_token(&path, "old", 3600);
        lms.me().call().await.unwrap();
        lms.me().call().await.unwrap();
        issuer.revoke_all();
    }
    let sent = tokens_sent(&server);
    let old = sent.iter().filter(|token| *token == "old").count();
    assert_eq!(old, 1, "{sent:?}");
    assert_eq!(token_requests(&server), 3);
}

#[tokio::test(start_paused = true)]
async fn a_token_in_the_file_replaces_a_valid_one_only_if_it_is_another_and_valid_for_longer() {
    // The first token is valid for another 20 s.
    for (token, left, expected) in [("b", 40, "b"), ("b", 10, "t1"), ("a", 40, "t1")] {
        let (_folder, path) = token_file();
        let server = Script::new(|seen| match seen.is_token_request() {
            true => a_token("t1", 300),
            false => ok(),
        });
        let lms = process_with(&server, &path);
        write_token(&path, "a", 300);
        lms.me().call().await.unwrap();
        advance(280 * SECOND).await;
        write_token(&path, token, left);
        lms.me().call().await.unwrap();
        assert_eq!(tokens_sent(&server), ["a", expected], "{token} {left}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_file_is_replaced_and_never_changed_in_place() {
    let (_folder, path) = token_file();
    let issuer = Issuer::new(300 * SECOND);
    let server = issuer.server();
    process_with(&server, &path).me().call().await.unwrap();
    let stored = fs::read_to_string(&path).unwrap();
    // As another process that reads the file at this moment.
    let mut open = File::open(&path).unwrap();
    issuer.revoke_all();
    process_with(&server, &path).me().call().await.unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains("\"t2\""));
    let mut text = String::new();
    open.read_to_string(&mut text).unwrap();
    assert_eq!(text, stored);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_blocks_no_call_and_is_replaced() {
    use std::{process::Command, sync::mpsc, thread, time::Duration};

    let (_folder, path) = token_file();
    let made = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    let (done, finished) = mpsc::channel();
    let file = path.clone();
    // On a thread of its own, so that the test fails when opening the pipe blocks.
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.unwrap().block_on(async {
            let server = Issuer::new(300 * SECOND).server();
            process_with(&server, &file).me().call().await.unwrap();
            process_with(&server, &file).me().call().await.unwrap();
            done.send(token_requests(&server)).unwrap();
        });
    });
    let requests = finished.recv_timeout(Duration::from_secs(60));
    assert_eq!(requests, Ok(1), "the pipe was replaced by a file");
    assert!(path.metadata().unwrap().is_file());
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
#[ignore = "only root can give a file to another user; .ci/run runs it"]
async fn a_file_of_another_user_is_not_trusted() {
    use std::os::unix::fs::chown;

    let (_folder, path) = token_file();
    let server = Issuer::new(300 * SECOND).server();
    process_with(&server, &path).me().call().await.unwrap();
    chown(&path, Some(12345), None).expect("only root can give a file to another user");
    process_with(&server, &path).me().call().await.unwrap();
    assert_eq!(tokens_sent(&server), ["t1", "t2"]);
}

#[tokio::test(start_paused = true)]
async fn a_new_token_replaces_that_of_its_client_and_those_that_have_expired() {
    let (_folder, path) = token_file();
    let now = UNIX_EPOCH.elapsed().unwrap().as_secs();
    let entry = |client: &str, expires_at: u64| {
        value!({
            "base_url": "https://tenant.example/api/v1",
            "client_id": client,
            "access_token": format!("of-{client}-until-{expires_at}"),
            "expires_at": expires_at,
        })
    };
    // The client's own token is not used, because it is about to expire.
    let tokens = [
        entry("id", now + 4),
        entry("other", now + 3600),
        entry("past", now),
    ];
    write_private(&path, &value!({ "tokens": tokens }).to_string());
    let server = Issuer::new(300 * SECOND).server();
    process_with(&server, &path).me().call().await.unwrap();
    let stored: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let clients: Vec<_> = stored["tokens"]
        .as_array()
        .unwrap()
        .iter()
        .map(|token| &token["client_id"])
        .collect();
    assert_eq!(clients, ["other", "id"]);
    assert_eq!(tokens_sent(&server), ["t1"]);
}

#[tokio::test(start_paused = true)]
async fn the_expiry_is_stored_unless_the_lifetime_is_unknown() {
    for (expires_in, stored) in [
        (value!(1), true),
        (value!(0.5), false),
        (value!(null), false),
    ] {
        let (_folder, path) = token_file();
        let server = Script::of([a_token("t1", expires_in.clone()), ok()]);
        process_with(&server, &path).me().call().await.unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.contains("expires_at"), stored, "{expires_in}: {text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_rejected_token_is_replaced_by_that_of_another_process() {
    let (_folder, path) = token_file();
    let issuer = Issuer::new(300 * SECOND);
    let server = issuer.server();
    let first = process_with(&server, &path);
    first.me().call().await.unwrap();
    issuer.revoke_all();
    process_with(&server, &path).me().call().await.unwrap();
    first.me().call().await.unwrap();
    assert_eq!(tokens_sent(&server), ["t1", "t1", "t2", "t1", "t2"]);
    assert_eq!(token_requests(&server), 2);
}

#[tokio::test(start_paused = true)]
async fn a_stored_token_is_not_used_with_another_secret() {
    let (_folder, path) = token_file();
    let issuer = Issuer::new(300 * SECOND);
    let server = issuer.server();
    process_with(&server, &path).me().call().await.unwrap();
    let other = server.lms_with(|it| {
        it.client_credentials("id", "another secret")
            .token_file(&path)
    });
    other.me().call().await.unwrap();
    assert_eq!(token_requests(&server), 2);
}
