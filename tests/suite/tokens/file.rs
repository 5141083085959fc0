//! The file of a `FileTokenCache`: which files are not trusted, and how one is replaced.

use std::{
    fs::{self, File},
    io::Read as _,
};

use lms_ext::prelude::*;

use super::{
    Issuer, SECOND,
    cache::{process_with, token_file},
    token_requests, tokens_sent,
};

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
async fn a_file_of_another_user_is_not_trusted() {
    use std::{io::ErrorKind, os::unix::fs::chown};

    let (_folder, path) = token_file();
    let server = Issuer::new(300 * SECOND).server();
    process_with(&server, &path).me().call().await.unwrap();
    // Only root can give a file away, and only root can read it then.
    match chown(&path, Some(12345), None) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return,
        result => result.unwrap(),
    }
    process_with(&server, &path).me().call().await.unwrap();
    assert_eq!(tokens_sent(&server), ["t1", "t2"]);
}
