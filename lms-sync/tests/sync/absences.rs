//! Derived collections: a 404 for an item counts only if the service responds like this for an object that cannot exist.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use lms_ext::{
    Lms,
    http::{HttpClient, HttpFuture},
};
use lms_sync::{
    CompletenessRecord, Error, ErrorKind, Export, Extract, ExtractCheckpoint, RunSummary,
    sink::sqlite::SqliteSink,
};
use serde_json::{Value, json};

use crate::{extract::extract, sqlite::number};

/// Status, content type and body of a response.
type Response = (u16, &'static str, &'static str);

const JSON: &str = "application/json";

const HTML: Response = (404, "text/html", "<title>404</title>");

const NO_ROUTE: Response = (404, JSON, r#"{"message": "no route"}"#);

const NOT_FOUND: Response = (404, JSON, r#"{"error": {"code": "not_found"}}"#);

const NO_RECORD: Response = (404, JSON, r#"{"error": {"code": "no_record"}}"#);

const EMPTY: Response = (404, "text/plain", "");

const REFUSED: Response = (403, JSON, r#"{"error": {"code": "forbidden"}}"#);

const NO_VALUE: Response = (200, JSON, r#"{"has_value": false}"#);

const LEARNERS: u32 = 12;

/// A tenant in which every second learner has a record.
#[derive(Clone, Debug)]
struct Tenant {
    /// For a learner without a record.
    none: Response,
    /// For an object that cannot exist.
    impossible: Response,
    /// The response of a gateway to the call with this number, counted from 1, and this path.
    gateway: fn(usize, &str) -> Option<Response>,
    calls: Arc<AtomicUsize>,
}

impl Tenant {
    fn new(none: Response, impossible: Response) -> Self {
        Self {
            none,
            impossible,
            gateway: |_, _| None,
            calls: Arc::default(),
        }
    }

    fn behind(mut self, gateway: fn(usize, &str) -> Option<Response>) -> Self {
        self.gateway = gateway;
        self
    }

    fn lms(&self) -> Lms {
        self.calls.store(0, Ordering::Relaxed);
        let lms = Lms::builder("https://acme.example").token("3VQmJx9c");
        lms.http_client(self.clone()).build().unwrap()
    }

    fn respond(&self, path: &str) -> (u16, &'static str, String) {
        let list = |ids: &[String]| {
            let items: Vec<Value> = ids.iter().map(|id| json!({"id": id})).collect();
            let page =
                json!({"items": items, "number_found": ids.len().to_string(), "more": false});
            (200, JSON, page.to_string())
        };
        let owned = |(status, content_type, body): Response| (status, content_type, body.into());
        let user = match path.split('/').collect::<Vec<_>>()[..] {
            ["oauth", "me"] => return (200, JSON, json!({"tid": "t1"}).to_string()),
            ["learners"] => {
                let ids: Vec<String> = (1..=LEARNERS).map(|user| format!("l{user}")).collect();
                return list(&ids);
            }
            ["user_fields"] => return list(&["f1".to_owned()]),
            ["users", user, ..] => user,
            _ => panic!("{path}"),
        };
        let call = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(response) = (self.gateway)(call, path) {
            return owned(response);
        }
        match user[1..].parse::<u32>() {
            Ok(user) if user > LEARNERS => owned(self.impossible),
            Ok(user) if user % 2 == 0 => {
                let record = json!({"user": format!("l{user}"), "user_field": "f1", "value": "a"});
                (200, JSON, record.to_string())
            }
            Ok(_) => owned(self.none),
            Err(_) => owned(self.impossible),
        }
    }

    fn extract(&self, name: &str) -> Extract {
        extract(&self.lms(), name, |export| {
            export.concurrency(1).page_size(1)
        })
    }

    async fn read(&self, name: &str) -> Result<CompletenessRecord, Error> {
        rest(self.extract(name)).await
    }
}

async fn rest(mut extract: Extract) -> Result<CompletenessRecord, Error> {
    while extract.next_batch().await?.is_some() {}
    Ok(extract.record())
}

impl HttpClient for Tenant {
    fn send(&self, request: reqwest::Request) -> HttpFuture<'_> {
        let path = request.url().path().trim_start_matches("/api/v1/");
        let (status, content_type, body) = self.respond(path);
        let response = http::Response::builder()
            .status(status)
            .header("content-type", content_type)
            .body(body);
        Box::pin(std::future::ready(Ok(response.unwrap().into())))
    }
}

#[tokio::test]
async fn a_learner_without_a_record_has_no_row_however_the_service_says_it() {
    for (none, impossible, rows, calls) in [
        // One control at the first 404, and at the end another and a learner with a record.
        (NO_RECORD, NOT_FOUND, 6, 15),
        (EMPTY, EMPTY, 6, 15),
        (NO_RECORD, REFUSED, 6, 15),
        // Without a 404, no request is added.
        (NO_VALUE, NOT_FOUND, 12, 12),
    ] {
        let tenant = Tenant::new(none, impossible);
        let record = tenant.read("records").await.unwrap();
        assert!(record.is_complete(), "{record:?}");
        assert_eq!((record.rows, record.not_found), (rows, 12 - rows));
        assert_eq!(tenant.calls.load(Ordering::Relaxed), calls, "{none:?}");
        assert_eq!(record.requests, 2 + calls as u64);
    }
    // None of them has one.
    let tenant = Tenant::new(NO_RECORD, NOT_FOUND);
    let tenant = tenant.behind(|_, path| path.contains("/f1/").then_some(NO_RECORD));
    let record = tenant.read("records").await.unwrap();
    assert_eq!((record.is_complete(), record.rows), (true, 0));
}

#[tokio::test]
async fn a_404_of_a_gateway_is_no_learner_without_a_record() {
    let gateways: [fn(usize, &str) -> Option<Response>; 8] = [
        |_, path| path.contains("/l4/").then_some(HTML),
        |_, path| path.contains("/l4/").then_some((410, JSON, "{}")),
        |_, path| path.ends_with("/f1/record").then_some(HTML),
        |_, _| Some(HTML),
        // During the first control, in the middle, and at the end.
        |call, _| (call < 3).then_some(NO_ROUTE),
        |call, _| (3..7).contains(&call).then_some(NO_ROUTE),
        |call, _| (call > 6).then_some(NO_ROUTE),
        |call, _| (call > 6).then_some(HTML),
    ];
    for (index, gateway) in gateways.into_iter().enumerate() {
        for none in [NO_RECORD, NO_VALUE] {
            let tenant = Tenant::new(none, NOT_FOUND).behind(gateway);
            let error = tenant.read("records").await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Incomplete, "{index} {none:?}");
            assert!(error.to_string().contains("of a gateway"), "{error}");
        }
    }
    let permissions = Tenant::new(NO_VALUE, NOT_FOUND).behind(|_, _| Some(HTML));
    let error = permissions.read("user_field_permissions").await;
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Incomplete);
    // It finds what cannot exist.
    let tenant = Tenant::new(NO_RECORD, NO_VALUE);
    let error = tenant.read("records").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incomplete);
}

#[tokio::test]
async fn a_404_before_a_stop_is_compared_after_it() {
    let outage = Tenant::new(NO_VALUE, NOT_FOUND).behind(|_, _| Some(NO_ROUTE));
    for stopped_after in [1, 11, 12] {
        let mut extract = outage.extract("records");
        let mut batch = extract.next_batch().await.unwrap().unwrap();
        for _ in 0..stopped_after {
            batch = extract.next_batch().await.unwrap().unwrap();
        }
        let checkpoint = serde_json::to_string(&batch.checkpoint).unwrap();
        let checkpoint: ExtractCheckpoint = serde_json::from_str(&checkpoint).unwrap();
        let tenant = Tenant::new(NO_VALUE, NOT_FOUND);
        let extract = tenant.extract("records").resume(&checkpoint, []).unwrap();
        let error = rest(extract).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incomplete, "{stopped_after}");
    }
}

async fn mirror(tenant: &Tenant, path: &std::path::Path) -> RunSummary {
    let export = Export::new(&tenant.lms()).collections(["records"]).unwrap();
    let export = export.filter("records", "user_field", "f1").unwrap();
    export.run(SqliteSink::new(path)).await.unwrap()
}

#[tokio::test]
async fn rows_for_which_a_gateway_responds_stay_in_a_mirror() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mirror.db");
    let tenant = Tenant::new(NO_RECORD, NOT_FOUND);
    assert!(mirror(&tenant, &path).await.is_complete());
    let gateway = tenant
        .clone()
        .behind(|_, path| path.contains("/l4/").then_some(HTML));
    for _ in 0..3 {
        let summary = mirror(&gateway, &path).await;
        assert!(!summary.is_complete() && summary.collections[0].error.is_some());
        for sql in [
            "SELECT count(*) FROM records WHERE _deleted_at IS NULL",
            "SELECT count(*) FROM records WHERE _missing_since IS NULL",
        ] {
            assert_eq!(number(&path, sql), 6);
        }
    }
    assert!(mirror(&tenant, &path).await.is_complete());
}
