//! The sink in the test kit of sinks.

use std::any::Any;

use lms_sync::{
    Collection, ErrorKind, Row,
    mirror::{Mirror, MirrorPolicy},
    sink::{
        Sink,
        postgres::{PostgresSchema, PostgresSink},
    },
};

use super::server::{new_schema, sql};
use crate::kit;

struct MirrorFixture {
    name: String,
    schema: PostgresSchema,
}

impl kit::Fixture for MirrorFixture {
    fn sink(&self) -> Box<dyn Sink> {
        let policy = MirrorPolicy::default().max_delete_share(1.0);
        Box::new(PostgresSink::new(self.schema.clone()).policy(policy))
    }

    fn publishes_together(&self) -> bool {
        true
    }

    fn published(&self, collection: &'static Collection) -> Option<Vec<Row>> {
        let mut rows = Vec::new();
        let read = Mirror::postgres(&self.schema)
            .read(|mirror| mirror.visit_rows(collection, &mut |row| rows.push(row)));
        match read {
            Ok(()) => Some(rows),
            Err(error) if error.kind() == ErrorKind::Foreign => None,
            // A collection has no table before its first commit.
            Err(error) if error.to_string().contains("does not exist") => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// Makes the server report a full disk for one of the tables that a run writes.
    fn fill(&self) -> Option<Box<dyn Any>> {
        sql(
            &self.name,
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ \
             BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$; \
             CREATE TRIGGER full_disk BEFORE INSERT ON _lms_staging_course_completions \
             FOR EACH ROW EXECUTE FUNCTION full_disk()",
        );
        Some(Box::new(Space(self.name.clone())))
    }
}

/// Frees the space when it is dropped.
struct Space(String);

impl Drop for Space {
    fn drop(&mut self) {
        sql(&self.0, "DROP FUNCTION full_disk CASCADE");
    }
}

#[test]
#[ignore = "run by .ci/postgres"]
fn postgres_passes_the_kit() {
    kit::check(|| {
        let (name, schema) = new_schema();
        MirrorFixture { name, schema }
    });
}
