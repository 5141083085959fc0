//! Taps: the messages to a loader, and the moment at which it may delete.

use std::collections::BTreeSet;

use lms_sandbox::Sandbox;
use lms_sync::{
    ErrorKind,
    tap::{TapConfig, TapSummary, airbyte, singer},
};
use serde_json::{Value, json};

use crate::{demo, loaders::SingerTarget, tenant::Tenant};

fn config(sandbox: &Sandbox) -> TapConfig {
    TapConfig::parse(&tenant(sandbox, None).to_string()).unwrap()
}

/// The configuration of a tenant.
pub fn tenant(sandbox: &Sandbox, name: Option<&str>) -> Value {
    let mut tenant = json!({
        "base_url": sandbox.base_url(),
        "client_id": sandbox.client_id(),
        "client_secret": sandbox.client_secret(),
        "page_size": 100,
    });
    if let Some(name) = name {
        tenant["name"] = name.into();
    }
    tenant
}

/// The catalog with only these streams selected.
fn catalog(config: &TapConfig, names: &[&str]) -> String {
    let mut catalog = singer::discover(config);
    for stream in catalog["streams"].as_array_mut().unwrap() {
        stream["selected"] = names
            .contains(&stream["tap_stream_id"].as_str().unwrap())
            .into();
    }
    catalog.to_string()
}

fn configured(config: &TapConfig, names: &[&str]) -> String {
    let catalog = airbyte::discover(config);
    let streams = catalog["catalog"]["streams"].as_array().unwrap().iter();
    let streams: Vec<Value> = streams
        .filter(|stream| names.contains(&stream["name"].as_str().unwrap()))
        .map(|stream| {
            json!({
                "stream": stream,
                "sync_mode": "full_refresh",
                "destination_sync_mode": "overwrite",
                "sync_id": 7,
            })
        })
        .collect();
    json!({ "streams": streams }).to_string()
}

fn messages(output: &[u8]) -> Vec<Value> {
    let lines = std::str::from_utf8(output).unwrap().lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Runs a Singer sync of these streams, and returns its messages.
pub async fn sync(
    config: &TapConfig,
    names: &[&str],
    state: Option<&str>,
) -> (TapSummary, Vec<Value>) {
    let mut output = Vec::new();
    let catalog = catalog(config, names);
    let summary = singer::sync(config, Some(&catalog), state, &mut output)
        .await
        .unwrap();
    (summary, messages(&output))
}

/// Runs an Airbyte read of these streams, and returns its messages.
pub async fn read(
    config: &TapConfig,
    names: &[&str],
    state: Option<&str>,
) -> (TapSummary, Vec<Value>) {
    let mut output = Vec::new();
    let catalog = configured(config, names);
    let summary = airbyte::read(config, &catalog, state, &mut output)
        .await
        .unwrap();
    (summary, messages(&output))
}

fn of_type<'a>(messages: &'a [Value], kind: &str) -> Vec<&'a Value> {
    messages
        .iter()
        .filter(|message| message["type"] == kind)
        .collect()
}

fn ids(messages: &[Value]) -> Vec<&str> {
    let records = of_type(messages, "RECORD").into_iter();
    records
        .map(|message| match &message["record"]["data"]["id"] {
            Value::Null => message["record"]["id"].as_str().unwrap(),
            id => id.as_str().unwrap(),
        })
        .collect()
}

/// The statuses of a stream in the Airbyte protocol.
fn statuses(messages: &[Value]) -> Vec<&str> {
    let traces = of_type(messages, "TRACE").into_iter();
    traces
        .filter_map(|message| message["trace"]["stream_status"]["status"].as_str())
        .collect()
}

#[tokio::test]
async fn the_second_complete_read_of_a_singer_stream_activates_its_version() {
    let sandbox = demo().await;
    let (_, first) = sync(&config(&sandbox), &["learners"], None).await;
    assert!(of_type(&first, "ACTIVATE_VERSION").is_empty());
    let state = first.last().unwrap()["value"].to_string();
    let (summary, messages) = sync(&config(&sandbox), &["learners"], Some(&state)).await;
    assert!(summary.is_complete());
    let record = summary.outcomes[0].record.as_ref().unwrap();
    let kinds: Vec<&str> = messages
        .iter()
        .map(|m| m["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds[0], "SCHEMA");
    assert_eq!(kinds[kinds.len() - 2..], ["ACTIVATE_VERSION", "STATE"]);
    let ids = ids(&messages);
    assert_eq!(u64::try_from(ids.len()).unwrap(), record.rows);
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    let schema = &messages[0];
    assert_eq!(schema["key_properties"], json!(["id"]));
    assert_eq!(
        schema["schema"]["properties"]["created"],
        json!({
            "type": ["string", "null"],
            "description": schema["schema"]["properties"]["created"]["description"],
        })
    );
    assert_eq!(
        schema["schema"]["properties"]["created_utc"]["format"],
        "date-time"
    );
    let version = &messages[kinds.len() - 2]["version"];
    let records = [of_type(&first, "RECORD"), of_type(&messages, "RECORD")].concat();
    for message in records {
        assert_eq!(&message["version"], version);
        assert!(message["record"].get("password").is_none());
    }
    // The version is stored before any row, so that an interrupted read is continued with it.
    assert_eq!(kinds[1], "STATE");
    assert_eq!(
        &messages[1]["value"]["bookmarks"]["learners"]["version"],
        version
    );
    // The next read gets a later version.
    let state = messages.last().unwrap()["value"].to_string();
    let (_, again) = sync(&config(&sandbox), &["learners"], Some(&state)).await;
    assert_eq!(self::ids(&again), ids);
    assert!(of_type(&again, "RECORD")[0]["version"].as_i64() > version.as_i64());
}

#[tokio::test]
async fn unselected_fields_are_left_out() {
    let sandbox = demo().await;
    let config = config(&sandbox);
    let mut catalog: Value = serde_json::from_str(&catalog(&config, &["tags"])).unwrap();
    for stream in catalog["streams"].as_array_mut().unwrap() {
        for entry in stream["metadata"].as_array_mut().unwrap() {
            if entry["breadcrumb"] != json!([]) {
                entry["metadata"]["selected"] = false.into();
            }
        }
    }
    let mut output = Vec::new();
    singer::sync(&config, Some(&catalog.to_string()), None, &mut output)
        .await
        .unwrap();
    let messages = messages(&output);
    for message in of_type(&messages, "RECORD") {
        let names: Vec<&String> = message["record"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["id"]);
    }
    assert_eq!(
        messages[0]["schema"]["properties"]
            .as_object()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn airbyte_gets_the_fields_of_its_catalog() {
    let sandbox = demo().await;
    let config = config(&sandbox);
    let mut catalog: Value = serde_json::from_str(&configured(&config, &["learners"])).unwrap();
    catalog["streams"][0]["stream"]["json_schema"]["properties"] = json!({"surname": {}});
    let mut output = Vec::new();
    airbyte::read(&config, &catalog.to_string(), None, &mut output)
        .await
        .unwrap();
    for message in of_type(&messages(&output), "RECORD") {
        let data = message["record"]["data"].as_object().unwrap();
        let names: BTreeSet<&str> = data.keys().map(String::as_str).collect();
        assert_eq!(names, BTreeSet::from(["id", "surname"]));
    }
}

#[tokio::test]
async fn one_broken_tenant_stops_no_other_and_deletes_nothing() {
    let (good, broken) = (demo().await, demo().await);
    let config = json!({"tenants": [tenant(&good, Some("good")), tenant(&broken, Some("broken"))]});
    let config = TapConfig::parse(&config.to_string()).unwrap();
    let rule = "listTags: always: status 403 json";
    broken.faults().add(rule).unwrap();
    let (summary, messages) = sync(&config, &["tags"], None).await;
    assert!(!summary.is_complete());
    assert!(summary.outcomes[0].record.as_ref().unwrap().is_complete());
    assert_eq!(summary.outcomes[1].tenant, "broken");
    assert!(summary.outcomes[1].error.is_some());
    let records = of_type(&messages, "RECORD");
    assert!(!records.is_empty());
    assert!(records.iter().all(|m| m["record"]["_tenant"] == "good"));
    assert!(of_type(&messages, "ACTIVATE_VERSION").is_empty());
    assert_eq!(messages[0]["key_properties"], json!(["_tenant", "id"]));

    // Repaired: both are read again, with the same version.
    broken.faults().clear();
    let state = messages.last().unwrap()["value"].to_string();
    let (summary, second) = sync(&config, &["tags"], Some(&state)).await;
    assert!(summary.is_complete());
    assert_eq!(
        of_type(&second, "RECORD")[0]["version"],
        records[0]["version"]
    );
    let tenants: BTreeSet<&str> = of_type(&second, "RECORD")
        .into_iter()
        .map(|m| m["record"]["_tenant"].as_str().unwrap())
        .collect();
    assert_eq!(tenants, BTreeSet::from(["broken", "good"]));
}

#[tokio::test]
async fn airbyte_is_told_complete_only_after_the_last_page() {
    let sandbox = demo().await;
    let config = config(&sandbox);
    let (summary, messages) = read(&config, &["learners"], None).await;
    assert!(summary.is_complete());
    assert_eq!(statuses(&messages), ["STARTED", "RUNNING", "COMPLETE"]);
    let whole = ids(&messages).len();
    let counted: u64 = of_type(&messages, "STATE")
        .iter()
        .map(|message| {
            message["state"]["sourceStats"]["recordCount"]
                .as_u64()
                .unwrap()
        })
        .sum();
    assert_eq!(counted, u64::try_from(whole).unwrap());
    // An attempt after that, in the same sync, reads nothing again.
    let last = of_type(&messages, "STATE").last().unwrap()["state"].clone();
    let (_, again) = read(&config, &["learners"], Some(&json!([last]).to_string())).await;
    assert_eq!(statuses(&again), ["STARTED", "COMPLETE"]);
    assert!(ids(&again).is_empty());
    // A later sync reads everything, even if the runner kept the state.
    let mut later = last.clone();
    later["stream"]["stream_state"]["sync_id"] = 6.into();
    let (_, again) = read(&config, &["learners"], Some(&json!([later]).to_string())).await;
    assert_eq!(ids(&again).len(), whole);

    sandbox
        .faults()
        .add("listLearners: after 2: status 403 json")
        .unwrap();
    let (summary, first) = read(&config, &["learners"], None).await;
    assert!(!summary.is_complete());
    assert_eq!(statuses(&first), ["STARTED", "RUNNING", "INCOMPLETE"]);
    let traces = of_type(&first, "TRACE");
    let error = traces
        .iter()
        .find(|m| m["trace"]["type"] == "ERROR")
        .unwrap();
    assert_eq!(error["trace"]["error"]["failure_type"], "config_error");
    assert!(!error.to_string().contains(sandbox.client_secret()));
    sandbox.faults().clear();
    let last = of_type(&first, "STATE").last().unwrap()["state"].clone();
    let (_, second) = read(&config, &["learners"], Some(&json!([last]).to_string())).await;
    assert_eq!(statuses(&second).last(), Some(&"COMPLETE"));
    assert_eq!(ids(&second).len(), whole);
}

#[tokio::test]
async fn check_names_the_tenant_that_does_not_work() {
    let sandbox = demo().await;
    let good = airbyte::check(&Ok(config(&sandbox))).await;
    assert_eq!(good["connectionStatus"]["status"], "SUCCEEDED");
    let mut wrong = tenant(&sandbox, Some("acme"));
    wrong["client_secret"] = "not the secret".into();
    let config = TapConfig::parse(&json!({"tenants": [wrong]}).to_string());
    let status = airbyte::check(&config).await;
    assert_eq!(status["connectionStatus"]["status"], "FAILED");
    let message = status["connectionStatus"]["message"].as_str().unwrap();
    assert!(message.starts_with("acme: "), "{message}");
    assert!(!message.contains("not the secret"), "{message}");
}

#[test]
fn the_specification_marks_the_secrets() {
    let spec = airbyte::spec();
    let properties = &spec["spec"]["connectionSpecification"]["properties"];
    assert_eq!(properties["client_secret"]["airbyte_secret"], true);
    let tenants = &properties["tenants"]["items"]["properties"];
    assert_eq!(tenants["client_secret"]["airbyte_secret"], true);
    assert!(
        spec["spec"]["connectionSpecification"]["properties"]["base_url"]
            .get("airbyte_secret")
            .is_none()
    );
}

#[tokio::test]
async fn unusable_catalogs_and_states_send_nothing() {
    let sandbox = demo().await;
    let config = config(&sandbox);
    for (catalog, state, message) in [
        ("[]", None, "the catalog cannot be read"),
        (
            r#"{"streams": [{"tap_stream_id": "pupils", "selected": true}]}"#,
            None,
            "there is no collection \"pupils\"",
        ),
        (r#"{"streams": []}"#, Some("7"), "the state cannot be read"),
    ] {
        let mut output = Vec::new();
        let error = singer::sync(&config, Some(catalog), state, &mut output)
            .await
            .unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
        assert!(output.is_empty());
    }
    assert!(sandbox.requests().unwrap().is_empty());
}

/// Merges objects as Meltano does in a full refresh.
fn merge(new: &Value, old: &mut Value) {
    let (Value::Object(fields), Value::Object(old)) = (new, &mut *old) else {
        *old = new.clone();
        return;
    };
    for (name, value) in fields {
        merge(value, old.entry(name).or_insert_with(|| json!({})));
    }
}

#[tokio::test]
async fn states_may_be_merged() {
    let sandbox = demo().await;
    let config = config(&sandbox);
    let rule = "listLearners: after 2: status 403";
    sandbox.faults().add(rule).unwrap();
    let (_, mut messages) = sync(&config, &["learners"], None).await;
    sandbox.faults().clear();
    messages.extend(sync(&config, &["learners"], None).await.1);
    let mut merged = json!({});
    for message in of_type(&messages, "STATE") {
        merge(&message["value"], &mut merged);
        assert_eq!(merged, message["value"]);
    }
}

/// The configuration of a tap that reads these tenants.
fn config_of(tenants: &[(&str, &Sandbox)]) -> TapConfig {
    let tenants = tenants.iter().map(|(name, of)| tenant(of, Some(name)));
    let config = json!({"tenants": tenants.collect::<Vec<_>>()});
    TapConfig::parse(&config.to_string()).unwrap()
}

#[tokio::test]
async fn an_added_tenant_is_read_twice_before_rows_are_deleted_and_a_removed_one_keeps_its_rows() {
    let (a, b) = (demo().await, demo().await);
    let (one, both) = (config_of(&[("a", &a)]), config_of(&[("a", &a), ("b", &b)]));
    let mut target = SingerTarget::default();
    let mut load = async |config: &TapConfig| {
        let (summary, messages) = sync(config, &["tags"], target.state.clone().as_deref()).await;
        assert!(summary.is_complete(), "{summary:?}");
        target.load(&messages);
        let tenants = target.rows("tags").map(|row| row["_tenant"].to_string());
        let tenants: BTreeSet<String> = tenants.collect();
        let activated = !of_type(&messages, "ACTIVATE_VERSION").is_empty();
        (tenants.len(), activated)
    };
    assert_eq!(load(&one).await, (1, false));
    // A list of the new tenant that skipped rows deletes none.
    assert_eq!(load(&both).await, (2, false));
    assert_eq!(load(&both).await, (2, true));
    assert_eq!(load(&both).await, (2, false));
    // Nothing says that the rows of a removed tenant are gone.
    for _ in 0..4 {
        assert_eq!(load(&one).await, (2, false));
    }
}

#[tokio::test]
async fn a_count_that_an_earlier_read_had_is_missed() {
    let (tenant, names) = (Tenant::new(5), ["course_completions"]);
    let config = tenant_config(&tenant, "t");
    tenant.state().uncounted = true;
    let (summary, _) = sync(&config, &names, None).await;
    assert!(summary.is_complete(), "{summary:?}");
    tenant.state().uncounted = false;
    let (summary, mut messages) = sync(&config, &names, None).await;
    assert!(summary.is_complete(), "{summary:?}");
    tenant.state().uncounted = true;
    for _ in 0..2 {
        let state = messages.last().unwrap()["value"].to_string();
        let summary;
        (summary, messages) = sync(&config, &names, Some(&state)).await;
        let error = summary.outcomes[0].error.as_ref().unwrap();
        assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}");
        assert!(of_type(&messages, "ACTIVATE_VERSION").is_empty());
    }
}

/// The first question is that of a client with few attempts, which has a token of its own.
#[tokio::test]
async fn a_tap_asks_which_tenant_it_reads_with_each_token_and_after_each_stream() {
    let tenant = Tenant::new(30);
    sync(
        &tenant_config(&tenant, "t"),
        &["learners", "enrolments"],
        None,
    )
    .await;
    assert_eq!(tenant.questions(), 4);
    let requests = tenant.state().requests.clone();
    let tokens = requests.iter().filter(|path| *path == "oauth/token");
    assert_eq!(tokens.count(), 2);
    // The second question belongs to the token of the first page, and not to the end of its list.
    let last = requests.iter().rposition(|path| path == "learners");
    let before = requests.iter().take(last.unwrap());
    assert_eq!(before.filter(|path| *path == "oauth/me").count(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_unreachable_tenant_fails_after_three_attempts_for_all_streams() {
    let tenant = Tenant::new(30);
    tenant.state().down_from = Some("oauth/token");
    let config = tenant_config(&tenant, "t");
    let (summary, messages) = read(&config, &["courses", "learners", "tags"], None).await;
    assert_eq!(tenant.state().requests.len(), 3);
    assert_eq!(summary.outcomes.len(), 3);
    for trace in of_type(&messages, "TRACE") {
        let error = &trace["trace"]["error"];
        assert!(error.is_null() || error["failure_type"] == "transient_error");
    }
    let status = airbyte::check(&Ok(config)).await;
    assert_eq!(status["connectionStatus"]["status"], "FAILED");
    assert_eq!(tenant.state().requests.len(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_tenant_that_is_lost_in_one_stream_is_not_tried_for_the_others() {
    let tenant = Tenant::new(30);
    tenant.state().down_from = Some("courses");
    let config = tenant_config(&tenant, "t");
    let (summary, _) = sync(&config, &["courses", "learners", "tags"], None).await;
    assert!(
        summary
            .outcomes
            .iter()
            .all(|outcome| outcome.error.is_some())
    );
    let requests = &tenant.state().requests;
    assert!(
        !requests
            .iter()
            .any(|path| path == "learners" || path == "tags"),
        "{requests:?}"
    );
}

#[tokio::test]
async fn the_state_of_another_tenant_is_refused() {
    let tenant = Tenant::new(30);
    let (_, messages) = sync(&tenant_config(&tenant, "t1"), &["learners"], None).await;
    let state = messages.last().unwrap()["value"].to_string();
    let (summary, messages) =
        sync(&tenant_config(&tenant, "t2"), &["learners"], Some(&state)).await;
    let error = summary.outcomes[0].error.as_ref().unwrap();
    assert_eq!(error.kind(), ErrorKind::OtherRun, "{error}");
    assert!(of_type(&messages, "RECORD").is_empty());
    assert!(of_type(&messages, "ACTIVATE_VERSION").is_empty());

    let (summary, messages) = read(&tenant_config(&tenant, "t1"), &["learners"], None).await;
    assert!(summary.is_complete());
    let states = of_type(&messages, "STATE");
    let mut state = json!([states.last().unwrap()["state"]]);
    // Of an earlier sync.
    state[0]["stream"]["stream_state"]["sync_id"] = 6.into();
    let other = tenant_config(&tenant, "t2");
    let (summary, messages) = read(&other, &["learners"], Some(&state.to_string())).await;
    let error = summary.outcomes[0].error.as_ref().unwrap();
    assert_eq!(error.kind(), ErrorKind::OtherRun, "{error}");
    assert!(of_type(&messages, "RECORD").is_empty());
}

/// The configuration of a tap that reads a tenant with this `tid`.
fn tenant_config(tenant: &Tenant, tid: &str) -> TapConfig {
    tenant.state().tid = Some(tid.to_owned());
    let config =
        json!({"base_url": "https://acme.example", "client_id": "id", "client_secret": "s3cret"});
    let client = tenant.clone();
    TapConfig::parse(&config.to_string())
        .unwrap()
        .configure_clients(move |builder| builder.http_client(client.clone()))
}
