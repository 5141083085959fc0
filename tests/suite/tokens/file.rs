//! The file of a `FileTokenCache`: which files are not trusted, and how one is replaced.

use std::{
    fs::{self, File},
    io::Read as _,
    time::UNIX_EPOCH,
};

use lms_ext::prelude::*;
use serde_json::{Value, json};

use super::{
    Issuer, SECOND, a_token,
    cache::{process_with, token_file, write_private},
    ok, token_requests, tokens_sent,
};
use crate::script::Script;

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
        json!({
            "base_url": "https://tenant.example/api/v1",
            "client_id": client,
            "access_token": format!("of {client} until {expires_at}"),
            "expires_at": expires_at,
        })
    };
    // The client's own token is not used, because it is about to expire.
    let tokens = [
        entry("id", now + 4),
        entry("other", now + 3600),
        entry("past", now),
    ];
    write_private(&path, &json!({ "tokens": tokens }).to_string());
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
    for (expires_in, stored) in [(json!(1), true), (json!(0.5), false), (json!(null), false)] {
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
