//! Tokens that are kept for other processes, in a file or in a cache of the caller's own.

use futures_util::future::join_all;
use lms_ext::{
    CallOptions, FileTokenCache, Secret, Token, TokenCache, TokenCacheFuture, TokenKey, prelude::*,
};
use serde_json::{Value, json as value};
use tokio::time::{Instant, advance};

use super::{Issuer, SECOND, a_token, carried, credentials, ok, token_requests};
use crate::script::{Script, status};

/// A process of its own, which keeps its token in the file at `path`.
fn process_with(tenant: &Script, path: impl AsRef<std::path::Path>) -> Lms {
    credentials(tenant)
        .token_cache(FileTokenCache::new(path.as_ref()))
        .build()
        .unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_file_keeps_the_token_for_the_next_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    let issuer = Issuer::new(300 * SECOND);
    let tenant = issuer.tenant();
    let process = || process_with(&tenant, &path);
    for _ in 0..5 {
        process().me().call().await.unwrap();
    }
    assert_eq!(token_requests(&tenant), 1);

    // Refused before its time: gone from the file too, and replaced there.
    issuer.revoke();
    process().me().call().await.unwrap();
    process().me().call().await.unwrap();
    assert_eq!(token_requests(&tenant), 2);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        !text.contains("\"t1\"") && text.contains("\"t2\""),
        "{text}"
    );
    // Nothing is left of how it was written.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_refused_token_leaves_the_file_even_when_no_new_one_is_to_be_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    let tenant = Script::of([
        a_token("t1", 300),
        ok(),
        status(401),
        status(401),
        a_token("t2", 300),
        ok(),
    ]);
    let process = || process_with(&tenant, &path);
    process().me().call().await.unwrap();
    assert!(
        process()
            .me()
            .call()
            .await
            .unwrap_err()
            .is_unauthenticated()
    );
    assert!(!std::fs::read_to_string(&path).unwrap().contains("t1"));
    process().me().call().await.unwrap();
}

/// A cache on a network that hangs: whoever asks it waits for ever, in the ways that are set.
#[derive(Clone, Copy, Debug)]
struct Hanging {
    load: bool,
    store: bool,
    remove: bool,
}

impl Hanging {
    async fn hang(how: bool) {
        if how {
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

    fn remove<'a>(&'a self, _: &'a TokenKey, _: &'a Secret) -> TokenCacheFuture<'a, ()> {
        Box::pin(Self::hang(self.remove))
    }
}

#[tokio::test(start_paused = true)]
async fn a_cache_that_hangs_costs_seconds_and_no_call() {
    for hangs in 0..8 {
        let cache = Hanging {
            load: hangs & 1 != 0,
            store: hangs & 2 != 0,
            remove: hangs & 4 != 0,
        };
        let issuer = Issuer::new(300 * SECOND);
        let tenant = issuer.clone().tenant();
        let lms = credentials(&tenant).token_cache(cache).build().unwrap();
        let start = Instant::now();
        lms.me().call().await.unwrap();
        issuer.revoke();
        lms.me().call().await.unwrap();
        assert_eq!(token_requests(&tenant), 2, "{cache:?}");
        // Each way that hangs is waited for, twice but for the removal.
        let waits =
            2 * u32::from(cache.load) + 2 * u32::from(cache.store) + u32::from(cache.remove);
        assert_eq!(start.elapsed(), waits * 5 * SECOND, "{cache:?}");

        // A call with little time has its token all the same.
        issuer.revoke();
        let hasty = CallOptions::new().timeout(SECOND);
        let start = Instant::now();
        lms.me().options(hasty).call().await.unwrap();
        assert!(start.elapsed() < SECOND, "{cache:?}");
        assert_eq!(token_requests(&tenant), 3, "{cache:?}");

        // Renewed before it ends, a token is used however long its way into the cache takes.
        advance(280 * SECOND).await;
        lms.me().call().await.unwrap();
        lms.me().call().await.unwrap();
        assert_eq!(token_requests(&tenant), 4, "{cache:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_while_somebody_elses_token_is_kept() {
    let cache = Hanging {
        load: false,
        store: true,
        remove: false,
    };
    let tenant = Issuer::new(300 * SECOND).tenant();
    let lms = credentials(&tenant).token_cache(cache).build().unwrap();
    let start = Instant::now();
    let calls = (0..50).map(|_| async {
        lms.me().call().await.unwrap();
        start.elapsed()
    });
    let waits = join_all(calls).await;
    assert_eq!(waits.iter().filter(|wait| !wait.is_zero()).count(), 1);
    assert_eq!(token_requests(&tenant), 1);
}

#[tokio::test(start_paused = true)]
async fn two_tenants_in_one_file_never_get_each_others_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    let process = |tenant: &Script, address: &str, id: &str| {
        Lms::builder(address)
            .client_credentials(id, "secret")
            .http_client(tenant.clone())
            .token_cache(FileTokenCache::new(&path))
            .build()
            .unwrap()
    };
    let places = [
        ("https://a.example", "1"),
        ("https://b.example", "1"),
        ("https://a.example", "2"),
        ("https://a.example:8443", "1"),
    ];
    let tenants: Vec<_> = (0..places.len())
        .map(|index| {
            Script::new(move |seen| {
                if seen.is_token_request() {
                    a_token(&format!("token-{index}"), 300)
                } else {
                    ok()
                }
            })
        })
        .collect();
    for _ in 0..2 {
        for (tenant, (address, id)) in tenants.iter().zip(places) {
            process(tenant, address, id).me().call().await.unwrap();
        }
    }
    for (index, tenant) in tenants.iter().enumerate() {
        assert_eq!(token_requests(tenant), 1);
        let own = format!("token-{index}");
        assert_eq!(carried(tenant), [own.clone(), own]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_file_that_cannot_be_used_is_ignored_and_replaced() {
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
        (entry(value!(future)).replace("\"old\"", "\"a b\""), "t1"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens");
        write_private(&path, &content);
        let tenant = Issuer::new(300 * SECOND).tenant();
        // The old token is none of the issuer's, so ask what the first request carried.
        let lms = process_with(&tenant, &path);
        lms.me().call().await.unwrap();
        assert_eq!(carried(&tenant)[0], expected, "{content:.80}");
        assert!(std::fs::read_to_string(&path).unwrap().contains("\"t1\""));
    }
}

#[tokio::test(start_paused = true)]
async fn a_place_that_cannot_be_written_fails_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for path in [
        folder.path().join("missing/tokens"),
        folder.path().to_owned(),
    ] {
        let tenant = Issuer::new(300 * SECOND).tenant();
        let lms = process_with(&tenant, &path);
        lms.me().call().await.unwrap();
        lms.me().call().await.unwrap();
        assert_eq!(token_requests(&tenant), 1);
    }
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn the_file_is_its_owners_alone_and_one_that_is_not_is_not_believed() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    for open in [0o644, 0o640, 0o620, 0o606, 0o666] {
        let tenant = Issuer::new(300 * SECOND).tenant();
        let process = || process_with(&tenant, &path);
        process().me().call().await.unwrap();
        assert_eq!(mode(), 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(open)).unwrap();
        process().me().call().await.unwrap();
        assert_eq!(carried(&tenant), ["t1", "t2"], "{open:o}");
        assert_eq!(mode(), 0o600);
        std::fs::remove_file(&path).unwrap();
    }
}

fn write_private(path: &std::path::Path, content: &str) {
    std::fs::write(path, content).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
}
