//! Several tenants in one set of tables.

use lms_ext::Call as _;
use lms_sync::{
    ErrorKind, VerifiedCollection, collection,
    mirror::Mirror,
    sink::postgres::{prepare_shared, share, union_views},
};

use super::server::{at, mirror, new_schema, sql, texts, value};
use crate::{client, demo};

#[tokio::test]
#[ignore = "run by .ci/postgres"]
async fn the_tables_of_tenants_are_parts_of_shared_ones_and_deletions_stay_in_their_tenant() {
    let (name, shared) = new_schema();
    let names = ["tags", "learners"];
    let collections = names.map(|name| collection(name).unwrap());
    let tenants = [("acme", demo().await), ("glo'bex", demo().await)];
    let own = |tenant: &str| at(&format!("{name}_{}", tenant.replace('\'', "")));
    for run in 0..3 {
        for (tenant, sandbox) in &tenants {
            let lms = client(sandbox);
            if run == 1 && *tenant == "acme" {
                lms.delete_learner("l1").call().await.unwrap();
                let edit = lms.update_learner("l2", |learner| learner.surname = "Jones".into());
                edit.await.unwrap();
            }
            prepare_shared(&shared, &collections).unwrap();
            let summary = mirror(&lms, &own(tenant), &names).await.unwrap();
            assert!(summary.is_complete(), "{summary:?}");
            share(&shared, &own(tenant), tenant, &collections).unwrap();
            let overview = Mirror::postgres(&own(tenant)).overview().unwrap();
            let states = overview.collections.iter();
            let states = states.map(|of| (of.committed.is_some(), of.is_unfinished));
            assert_eq!(states.collect::<Vec<_>>(), [(true, false); 2]);
        }
        let counts = texts(
            &name,
            "SELECT _tenant || ' ' || count(*) FROM learners GROUP BY _tenant ORDER BY 1",
        );
        let of_acme = if run == 0 { 650 } else { 649 };
        assert_eq!(counts, [format!("acme {of_acme}"), "glo'bex 650".into()]);
    }
    let surnames = "SELECT count(DISTINCT surname) FROM learners WHERE id = 'l2'";
    assert_eq!(value(&name, surnames), "2");
    let keys = "SELECT count(DISTINCT (_tenant, id)) - count(*) FROM learners";
    assert_eq!(value(&name, keys), "0");
    for (tenant, _) in &tenants {
        for verified in Mirror::postgres(&own(tenant)).verify().unwrap() {
            assert_eq!(verified.problems, [""; 0], "{:?}", verified.record);
        }
    }
    // A column that only a newer version knows comes into the tables of all tenants.
    sql(&name, "ALTER TABLE learners DROP COLUMN image");
    for (tenant, _) in &tenants {
        let verified = Mirror::postgres(&own(tenant)).verify().unwrap();
        assert!(
            verified.iter().all(VerifiedCollection::is_intact),
            "{verified:?}"
        );
    }
    prepare_shared(&shared, &collections).unwrap();
    assert_eq!(value(&name, "SELECT count(image) FROM learners"), "0");
    let (tenant, sandbox) = &tenants[0];
    let summary = mirror(&client(sandbox), &own(tenant), &names)
        .await
        .unwrap();
    assert!(summary.is_complete(), "{summary:?}");
}

#[tokio::test]
#[ignore = "run by .ci/postgres"]
async fn a_view_over_tenants_has_the_rows_of_all_and_the_columns_of_the_newest() {
    let (name, shared) = new_schema();
    let names = ["tags", "learners"];
    let tenants = ["acme", "glo'bex"].map(|tenant| {
        (
            tenant.to_owned(),
            at(&format!("{name}_{}", tenant.replace('\'', ""))),
        )
    });
    for (tenant, own) in &tenants {
        let sandbox = demo().await;
        if tenant == "acme" {
            client(&sandbox).delete_learner("l1").call().await.unwrap();
        }
        let summary = mirror(&client(&sandbox), own, &names).await.unwrap();
        assert!(summary.is_complete(), "{summary:?}");
    }
    sql(
        &format!("{name}_acme"),
        "ALTER TABLE learners DROP COLUMN image",
    );
    // The second time, the first tenant is not there yet.
    for of_these in [&tenants[..], &tenants[1..], &tenants[..]] {
        union_views(&shared, of_these).unwrap();
        let counts = "SELECT _tenant || ' ' || count(*) || ' ' || count(image) FROM learners GROUP BY _tenant ORDER BY 1";
        let expected = ["acme 649 0", "glo'bex 650 0"];
        assert_eq!(texts(&name, counts), expected[2 - of_these.len()..]);
        let collections = "SELECT DISTINCT collection FROM mirror_status ORDER BY 1";
        assert_eq!(texts(&name, collections), ["learners", "tags"]);
    }
    sql(
        &name,
        "DROP VIEW tags; CREATE VIEW tags AS SELECT 1 AS mine",
    );
    let refused = union_views(&shared, &tenants).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Foreign, "{refused}");
    assert_eq!(value(&name, "SELECT CAST(mine AS TEXT) FROM tags"), "1");
}
