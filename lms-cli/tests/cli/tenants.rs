//! Commands for several tenants: reads, exports, mirrors and their status.

use std::fs;

use calamine::{Data, Reader as _, Xlsx};
use serde_json::{Value, json};

use crate::program::{Program, Ran, assert_members, demo, demo_program, fault};

fn rows(ran: &Ran) -> Vec<Value> {
    let rows: Value = serde_json::from_str(&ran.stdout).unwrap();
    rows.as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_of_several_tenants_names_the_tenant_of_each_row() {
    let (acme, globex) = (demo().await, demo().await);
    let program = Program::with_profiles(&[("acme", &acme, ""), ("globex", &globex, "")]);
    let several = "--mirror sqlite:{profile}.db --all-profiles";
    let inactive = format!("report inactive --for 1d {several}");
    let absent = program.run(&inactive);
    assert_eq!(
        (absent.code, absent.stdout.as_str()),
        (2, "[]\n"),
        "{}",
        absent.stderr
    );
    let mirror = "mirror learners --to sqlite:{profile}.db --all-profiles";
    program.run(mirror).exits(0);
    let one = "report inactive --for 1d --mirror sqlite:acme.db";
    let of_one = program.json(one)["rows"].as_array().unwrap().len();
    assert!(of_one > 100, "{of_one}");
    let ran = program.run(&inactive).exits(0);
    for tenant in ["acme", "globex"] {
        let rows = rows(&ran);
        let of_tenant = rows.iter().filter(|row| row["_tenant"] == tenant);
        assert_eq!(of_tenant.count(), of_one, "{tenant}");
        ran.assert_stderr(&format!("{tenant}: inactive of http"));
    }
    let tagged = program.run(&format!("{inactive} --tag nosuch"));
    tagged.exits(3).assert_stderr("there is no tag nosuch");
    program
        .run(&format!("{inactive} --to people.parquet"))
        .assert_failure(2, "name a file that ends with .xlsx");
    program
        .run(&format!("{inactive} --to people.xlsx"))
        .exits(0);
    let path = program.path().join("people.xlsx");
    let mut book: Xlsx<_> = calamine::open_workbook(path).unwrap();
    let sheet = book.worksheet_range_at(0).unwrap().unwrap();
    for tenant in ["acme", "globex"] {
        let of_tenant = sheet
            .rows()
            .filter(|row| row[0] == Data::String(tenant.to_owned()));
        assert_eq!(of_tenant.count(), of_one, "{tenant}");
    }
    let about = book.worksheet_range("About").unwrap();
    let is_source = |row: &&[Data]| row[0].to_string().starts_with("inactive of http");
    assert_eq!(about.rows().filter(is_source).count(), 2, "{about:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_tenant_is_mirrored_and_one_that_another_process_holds_is_passed_over() {
    let (acme, globex) = (demo().await, demo().await);
    let program = Program::with_profiles(&[("acme", &acme, ""), ("globex", &globex, "")]);
    let mirror = "mirror tags,courses --to sqlite:{profile}.db --all-profiles";
    let refused = program.run("mirror --to sqlite:one.db --all-profiles");
    refused.assert_stderr("several tenants need a file each");
    let held = fs::File::create(program.path().join("acme.db-lock")).unwrap();
    held.lock().unwrap();
    let ran = program.run(mirror).exits(0);
    let summary = rows(&ran);
    assert!(
        summary[0]["skipped"].as_str().unwrap().contains("in use"),
        "{summary:?}"
    );
    assert!(
        acme.requests().unwrap().is_empty(),
        "a held tenant is not asked"
    );
    assert_members(&summary[0], &json!({ "rows": null, "complete": null }));
    let mirrored = summary[1]["rows"].clone();
    assert_members(
        &summary[1],
        &json!({ "complete": true, "skipped": null, "requests": 2, "retries": 0 }),
    );
    assert!(summary[1]["bytes"].as_u64() > Some(1000), "{summary:?}");
    assert_eq!(summary[1]["collections"][0]["collection"], "tags");
    drop(held);

    globex.clear_requests();
    let ran = program.run(&format!("{mirror} --max-age 20h"));
    let summary = rows(&ran);
    assert_eq!(summary[0]["complete"], true, "{}", ran.stderr);
    assert!(summary[1]["skipped"].is_string());
    assert_members(&summary[1], &json!({ "rows": mirrored, "complete": true }));
    assert!(
        globex.requests().unwrap().is_empty(),
        "a fresh tenant is not asked"
    );
    let status = program.json("status --mirror sqlite:{profile}.db --profile acme");
    assert_members(
        &status[0],
        &json!({ "collection": "courses", "state": "complete", "unfinished": null }),
    );
    let status = program.json("status --mirror sqlite:{profile}.db --all-profiles");
    assert_eq!(status[0]["complete"], true, "{status}");
    assert!(status[0]["age"].is_string(), "{status}");
}

/// A mirror that reads learners page by page, so that a fault can interrupt it.
const IN_PAGES: &str = "mirror tags,learners --to sqlite:t.db --page-size 100";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_status_during_a_run_is_that_of_the_last_run_that_ended() {
    let (sandbox, program) = demo_program().await;
    program.run(IN_PAGES).exits(0);
    fault(&sandbox, "listLearners: nth 6: delay 1h");
    let mut run = program.command(IN_PAGES).spawn().unwrap();
    let during = loop {
        let during = program.run("status --mirror sqlite:t.db").exits(0);
        assert!(run.try_wait().unwrap().is_none(), "{during:?}");
        let rows: Vec<Value> = serde_json::from_str(&during.stdout).unwrap();
        let of_learners = |row: &&Value| row["collection"] == "learners";
        if rows.iter().find(of_learners).unwrap()["unfinished"].is_string() {
            break during;
        }
    };
    assert!(
        during.stderr.starts_with("a run is under way since 20"),
        "{during:?}"
    );
    run.kill().unwrap();
    run.wait().unwrap();
    let after = program.run("status --mirror sqlite:t.db").exits(8);
    assert!(after.stderr.contains("(interrupted)"), "{after:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_file_has_the_rows_of_all_tenants_and_a_deletion_stays_in_its_tenant() {
    let (acme, globex) = (demo().await, demo().await);
    let program = Program::with_profiles(&[("acme", &acme, ""), ("globex", &globex, "")]);
    let mirror = "mirror learners,courses --to sqlite:all.db";
    let mirror = format!("{mirror} --one-schema --all-profiles");
    let count = |query: &str| -> i64 {
        let file = rusqlite::Connection::open(program.path().join("all.db")).unwrap();
        file.query_row(query, [], |row| row.get(0)).unwrap()
    };
    let of_acme = "SELECT count(*) FROM learners WHERE _tenant = 'acme'";
    let of_all = "SELECT count(*) FROM learners";
    program.run(&mirror).exits(0);
    assert_eq!((count(of_acme), count(of_all)), (650, 1300));

    for change in ["learners rm l1 --yes", "learners edit l2 --surname Jones"] {
        program.run(&format!("{change} --profile acme")).exits(0);
    }
    let without_limit = format!("{mirror} --max-delete 100%");
    program.run(&without_limit).exits(0);
    assert_eq!((count(of_acme), count(of_all)), (649, 1299));
    let jones =
        "SELECT count(*) FROM learners WHERE id = 'l2' AND surname = 'Jones' AND _tenant = 'acme'";
    assert_eq!(count(jones), 1);
    let key = "SELECT group_concat(name) = '_tenant,id' FROM \
               (SELECT name FROM pragma_table_info('courses') WHERE pk > 0 ORDER BY pk)";
    assert_eq!(count(key), 1);

    let status = "status --mirror sqlite:all.db --all-profiles";
    let status = program.json(status);
    let mut tenants = status.as_array().unwrap().iter();
    assert!(tenants.all(|tenant| tenant["complete"] == true), "{status}");
    // As if a process was killed after it had read the tenants.
    fs::remove_file(program.path().join("all.db")).unwrap();
    let fresh = program.run(&format!("{mirror} --max-age 1h"));
    fresh.assert_stderr("skipped");
    assert_eq!(count(of_all), 1299);
}
