//! Exports that read a mirror in place of the tenant, into a destination that fails.

use std::{collections::HashMap, path::Path};

use lms_sync::{
    Batch, Collection, CompletenessRecord, Error, ErrorKind, Export, RowsDigest, RunSummary,
    VerifiedCollection, export_mirror,
    internals::{CollectionState, Lookup, Plan, SinkCalls},
    mirror::Mirror,
    sink::files::{FilesOptions, FilesSink, Format, Manifest},
    verify_files,
};
use tokio::runtime::Handle;

use crate::{client, demo, sqlite};

const NAMES: [&str; 3] = ["learners", "enrolments", "tags"];

fn sink(folder: &Path) -> FilesSink {
    FilesSink::new(folder, FilesOptions::new(Format::Ndjson))
}

/// The hash and the size of each collection. The order of the rows may differ.
fn rows(folder: &Path) -> Vec<(RowsDigest, u64)> {
    let entries = Manifest::read(folder).unwrap().collections.into_values();
    let rows = entries.map(|entry| (entry.record.unwrap().rows_sha256, entry.files[0].bytes));
    rows.collect()
}

/// A sink that fails at one of its calls.
struct Failing<'a> {
    sink: FilesSink,
    /// The number of calls before that one.
    calls: &'a mut usize,
}

impl Failing<'_> {
    fn call<T>(
        &mut self,
        call: impl FnOnce(&mut FilesSink) -> Result<T, Error>,
    ) -> Result<T, Error> {
        *self.calls = self.calls.wrapping_sub(1);
        match *self.calls {
            usize::MAX => Err(Mirror::sqlite("/none").overview().unwrap_err()),
            _ => call(&mut self.sink),
        }
    }
}

impl SinkCalls for Failing<'_> {
    fn begin(&mut self, plan: &Plan) -> Result<Vec<CollectionState>, Error> {
        self.call(|sink| sink.begin(plan))
    }

    fn visit_keys(
        &mut self,
        of: &'static Collection,
        visit: &mut dyn FnMut(u128),
    ) -> Result<(), Error> {
        self.call(|sink| sink.visit_keys(of, visit))
    }

    fn store(&mut self, batch: Batch) -> Result<(), Error> {
        self.call(|sink| sink.store(batch))
    }

    fn restart(&mut self, of: &'static Collection) -> Result<(), Error> {
        self.call(|sink| sink.restart(of))
    }

    fn commit(
        &mut self,
        of: &'static Collection,
        record: &CompletenessRecord,
        lookups: HashMap<i64, Lookup>,
    ) -> Result<(), Error> {
        self.call(|sink| sink.commit(of, record, lookups))
    }

    fn publish(&mut self) -> Result<Vec<(&'static Collection, Error)>, Error> {
        self.call(SinkCalls::publish)
    }

    fn abort(&mut self, of: &'static Collection, record: &CompletenessRecord) -> Result<(), Error> {
        self.call(|sink| sink.abort(of, record))
    }

    fn end(&mut self) -> Result<(), Error> {
        self.call(SinkCalls::end)
    }
}

/// Exports the mirror of one day into a sink that fails, and then that of the next day.
#[tokio::test]
async fn an_export_that_fails_at_any_call_says_so_and_the_next_one_has_the_rows_of_its_mirror() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let lms = client(&sandbox);
    let [first, second, expected] =
        ["1.db", "2.db", "expected"].map(|name| folder.path().join(name));
    _ = sqlite::mirror(&lms, &first, &NAMES).await.unwrap();
    sandbox.seed().add_learner(&sqlite::learner(1)).unwrap();
    _ = sqlite::mirror(&lms, &second, &NAMES).await.unwrap();
    let export = |path: &Path, out: &Path, calls: &mut usize| {
        let sink = sink(out);
        let summary = export_mirror(&Mirror::sqlite(path), NAMES, Failing { sink, calls });
        summary.and_then(RunSummary::into_result)
    };
    let check = move || {
        _ = export(&second, &expected, &mut usize::MAX.clone()).unwrap();
        for number in 0.. {
            let out = folder.path().join(number.to_string());
            let (mut calls, mut left) = (number, usize::MAX);
            let failed = export(&first, &out, &mut calls);
            if calls != usize::MAX && failed.is_ok() {
                assert!(number > 10, "{number}");
                return;
            }
            assert!(failed.is_err(), "at call {number}");
            if out.join("manifest.json").exists() {
                let verified = verify_files(&out).unwrap();
                let mut intact = verified.iter().map(VerifiedCollection::is_intact);
                assert!(!intact.all(|intact| intact), "{verified:?}");
            }
            if number == 3 {
                let of_tenant = Export::new(&lms).collections(NAMES).unwrap();
                let error = Handle::current().block_on(of_tenant.run(sink(&out)));
                assert_eq!(error.unwrap_err().kind(), ErrorKind::OtherRun);
            }
            let next = export(&second, &out, &mut left);
            assert_eq!(next.unwrap().len(), NAMES.len(), "after call {number}");
            assert_eq!(rows(&out), rows(&expected), "after call {number}");
            let verified = verify_files(&out).unwrap();
            assert!(verified.iter().all(VerifiedCollection::is_intact));
        }
    };
    tokio::task::spawn_blocking(check).await.unwrap();
}
