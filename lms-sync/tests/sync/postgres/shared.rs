//! Several tenants in one set of views.

use lms_ext::Call as _;
use lms_sync::{ErrorKind, sink::postgres::union_views};

use super::server::{at, mirror, new_schema, sql, texts, value};
use crate::{client, demo};

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
    let counts = "SELECT _tenant || ' ' || count(*) || ' ' || count(image) FROM learners GROUP BY _tenant ORDER BY 1";
    let expected = ["acme 649 0", "glo'bex 650 0"];
    // A tenant is added when it was mirrored, and stays when the next run is of other tenants.
    for (of_these, found) in [(1..2, 1..2), (0..1, 0..2), (0..0, 0..2), (0..2, 0..2)] {
        union_views(&shared, &tenants[of_these]).unwrap();
        assert_eq!(texts(&name, counts), expected[found]);
        let collections = "SELECT DISTINCT collection FROM mirror_status ORDER BY 1";
        assert_eq!(texts(&name, collections), ["learners", "tags"]);
    }
    sql(&name, &format!("DROP SCHEMA \"{name}_acme\" CASCADE"));
    union_views(&shared, &tenants[1..]).unwrap();
    assert_eq!(texts(&name, counts), expected[1..]);
    sql(
        &name,
        "DROP VIEW tags; CREATE VIEW tags AS SELECT 1 AS mine",
    );
    let refused = union_views(&shared, &tenants).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Foreign, "{refused}");
    assert_eq!(value(&name, "SELECT CAST(mine AS TEXT) FROM tags"), "1");
}
