//! Token caches: `FileTokenCache` and custom ones.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

use futures_util::future::join_all;
use lms_ext::{
    CallOptions, FileTokenCache, Token, TokenCache, TokenCacheFuture, TokenKey, prelude::*,
};
use serde_json::{Value, json as value};
use tempfile::TempDir;
use tokio::time::{Instant, advance};

use super::{Issuer, SECOND, a_token, credentials, ok, token_requests, tokens_sent};
use crate::script::Script;

/// A path for a token file, in a folder that is removed with its guard.
pub fn token_file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    (folder, path)
}

/// A new process, with its token cache in the file at `path`.
pub fn process_with(server: &Script, path: impl AsRef<Path>) -> Lms {
    credentials(server)
        .token_cache(FileTokenCache::new(path.as_ref()))
        .build()
        .unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_file_cache_passes_the_token_to_the_next_process() {
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
    let text = std::fs::read_to_string(&path).unwrap();
    let tokens = ["t1", "t2"].map(|token| text.contains(&format!("\"{token}\"")));
    assert_eq!(tokens, [false, true], "{text}");
    // No temporary file is left.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A cache that always has the token `cached`, with this lifetime.
#[derive(Debug)]
struct Always(Duration);

impl TokenCache for Always {
    fn load<'a>(&'a self, _: &'a TokenKey) -> TokenCacheFuture<'a, Option<Token>> {
        Box::pin(async { Some(Token::new("cached").expires_in(self.0)) })
    }

    fn store<'a>(&'a self, _: &'a TokenKey, _: &'a Token) -> TokenCacheFuture<'a, ()> {
        Box::pin(async {})
    }
}

#[tokio::test(start_paused = true)]
async fn a_cached_token_that_expires_within_five_seconds_is_not_used() {
    for (left, expected) in [(4999, "t1"), (5000, "cached")] {
        let server = Script::new(|seen| match seen.is_token_request() {
            true => a_token("t1", 300),
            false => ok(),
        });
        let cache = Always(Duration::from_millis(left));
        let lms = credentials(&server).token_cache(cache).build().unwrap();
        lms.me().call().await.unwrap();
        assert_eq!(tokens_sent(&server), [expected]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_rejected_token_is_not_loaded_again_from_a_cache_that_cannot_be_written() {
    let issuer = Issuer::new(300 * SECOND);
    let server = issuer.server();
    let cache = Always(3600 * SECOND);
    let lms = credentials(&server).token_cache(cache).build().unwrap();
    for _ in 0..3 {
        lms.me().call().await.unwrap();
        lms.me().call().await.unwrap();
        issuer.revoke_all();
    }
    let sent = tokens_sent(&server);
    assert_eq!(
        sent.iter().filter(|token| *token == "cached").count(),
        1,
        "{sent:?}"
    );
    assert_eq!(token_requests(&server), 3);
}

/// A cache that has these tokens, one after the other.
#[derive(Debug)]
struct InOrder(Mutex<VecDeque<Token>>);

impl TokenCache for InOrder {
    fn load<'a>(&'a self, _: &'a TokenKey) -> TokenCacheFuture<'a, Option<Token>> {
        let next = self.0.lock().unwrap().pop_front();
        Box::pin(async { next })
    }

    fn store<'a>(&'a self, _: &'a TokenKey, _: &'a Token) -> TokenCacheFuture<'a, ()> {
        Box::pin(async {})
    }
}

#[tokio::test(start_paused = true)]
async fn a_cached_token_replaces_one_that_is_valid_only_if_it_is_another_and_valid_for_longer() {
    for (token, left, expected) in [
        ("b", 25, "b"),
        ("b", 20, "t1"),
        ("b", 15, "t1"),
        ("a", 25, "t1"),
    ] {
        let tokens = [("a", 300), (token, left)];
        let tokens = tokens.map(|(token, left)| Token::new(token).expires_in(left * SECOND));
        let server = Script::new(|seen| match seen.is_token_request() {
            true => a_token("t1", 300),
            false => ok(),
        });
        let cache = InOrder(Mutex::new(tokens.into()));
        let lms = credentials(&server).token_cache(cache).build().unwrap();
        lms.me().call().await.unwrap();
        advance(280 * SECOND).await;
        lms.me().call().await.unwrap();
        assert_eq!(tokens_sent(&server), ["a", expected], "{token} {left}");
    }
}

/// A cache whose methods never return, if their flag is set.
#[derive(Clone, Copy, Debug, Default)]
struct Hanging {
    load: bool,
    store: bool,
}

impl Hanging {
    async fn hang(hangs: bool) {
        if hangs {
            std::future::pending::<()>().await;
        }
    }
}

impl TokenCache for Hanging {
    fn load<'a>(&'a self, _: &'a TokenKey) -> TokenCacheFuture<'a, Option<Token>> {
        Box::pin(async {
            Self::hang(self.load).await;
            None
        })
    }

    fn store<'a>(&'a self, _: &'a TokenKey, _: &'a Token) -> TokenCacheFuture<'a, ()> {
        Box::pin(Self::hang(self.store))
    }
}

#[tokio::test(start_paused = true)]
async fn a_cache_that_hangs_delays_calls_but_fails_none() {
    for hangs in 0..4 {
        let cache = Hanging {
            load: hangs & 1 != 0,
            store: hangs & 2 != 0,
        };
        let issuer = Issuer::new(300 * SECOND);
        let server = issuer.server();
        let lms = credentials(&server).token_cache(cache).build().unwrap();
        let start = Instant::now();
        lms.me().call().await.unwrap();
        issuer.revoke_all();
        lms.me().call().await.unwrap();
        assert_eq!(token_requests(&server), 2, "{cache:?}");
        // 5 s for each call of a method that hangs: two loads, two stores.
        let waits = 2 * u32::from(cache.load) + 2 * u32::from(cache.store);
        assert_eq!(start.elapsed(), waits * 5 * SECOND, "{cache:?}");

        // A call with a short timeout also gets its token.
        issuer.revoke_all();
        let options = CallOptions::new().timeout(SECOND);
        let start = Instant::now();
        lms.me().options(options).call().await.unwrap();
        assert!(start.elapsed() < SECOND, "{cache:?}");
        assert_eq!(token_requests(&server), 3, "{cache:?}");

        // A token from an early refresh is used, however long the cache takes to store it.
        advance(280 * SECOND).await;
        lms.me().call().await.unwrap();
        lms.me().call().await.unwrap();
        assert_eq!(token_requests(&server), 4, "{cache:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn only_the_call_that_fetched_the_token_waits_for_the_cache() {
    let cache = Hanging {
        store: true,
        ..Hanging::default()
    };
    let server = Issuer::new(300 * SECOND).server();
    let lms = credentials(&server).token_cache(cache).build().unwrap();
    let start = Instant::now();
    let calls = (0..50).map(|_| async {
        lms.me().call().await.unwrap();
        start.elapsed()
    });
    let waits = join_all(calls).await;
    assert_eq!(waits.iter().filter(|wait| !wait.is_zero()).count(), 1);
    assert_eq!(token_requests(&server), 1);
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
                .token_cache(FileTokenCache::new(&path))
                .build();
            process.unwrap().me().call().await.unwrap();
        }
    }
    for (index, (server, ..)) in servers.iter().enumerate() {
        assert_eq!(token_requests(server), 1);
        let own = format!("token-{index}");
        assert_eq!(tokens_sent(server), [own.clone(), own]);
    }
}

#[tokio::test(start_paused = true)]
async fn an_invalid_file_is_ignored_and_replaced() {
    let future = 32_503_680_000_u64;
    let entry = |expires_at: Value| {
        value!({"tokens": [{
            "base_url": "https://tenant.example/api/v1",
            "client_id": "id",
            "access_token": "old",
            "expires_at": expires_at,
        }]})
        .to_string()
    };
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
        assert!(std::fs::read_to_string(&path).unwrap().contains("\"t1\""));
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
    let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    for shared in [0o644, 0o640, 0o620, 0o606, 0o666] {
        let server = Issuer::new(300 * SECOND).server();
        let process = || process_with(&server, &path);
        process().me().call().await.unwrap();
        assert_eq!(mode(), 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(shared)).unwrap();
        process().me().call().await.unwrap();
        assert_eq!(tokens_sent(&server), ["t1", "t2"], "{shared:o}");
        assert_eq!(mode(), 0o600);
        std::fs::remove_file(&path).unwrap();
    }
}

pub fn write_private(path: &Path, content: &str) {
    std::fs::write(path, content).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
}
