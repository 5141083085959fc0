//! The test kit for sinks: the required behaviour of every [`Sink`].
//!
//! [`check`] runs a sink through complete runs, crashes at every call, repeated, aborted, concurrent and foreign runs,
//! and a lack of space. It panics at the first violation.

pub mod fixtures;
pub mod rows;

use std::collections::BTreeSet;

use rows::{BATCHES, NAMES, Rows, Step, collections, plan, succeed};

use lms_sync::{
    Collection, Error, ErrorKind, Row,
    internals::{CollectionState, Plan},
    sink::Sink,
};

/// A destination that is empty at first.
pub trait Fixture {
    /// A new sink for the destination, as another process would open it.
    fn sink(&self) -> Box<dyn Sink>;

    /// The rows of a collection that readers of the destination see, in any order; `None` if there are none yet.
    fn published(&self, collection: &'static Collection) -> Option<Vec<Row>>;

    /// Whether all collections of a run become visible in one step, and not each when it is committed.
    fn publishes_together(&self) -> bool {
        false
    }

    /// Makes the destination full until the returned value is dropped. `None` if that is not possible: the kit then
    /// leaves out the checks of a full destination.
    fn fill(&self) -> Option<Box<dyn std::any::Any>>;
}

/// Checks a sink. `new` makes an empty destination. The calls block, so this must not run on a thread of an asynchronous
/// runtime.
///
/// # Panics
///
/// Panics if the sink violates the contract of [`Sink`].
pub fn check<F: Fixture>(new: impl Fn() -> F) {
    let first = Rows::new(0);
    let second = Rows::new(1);
    let plan = plan("https://acme.example");
    publishes(&new(), &plan, &first);
    replaces_what_was_published(&new(), &plan, &first, &second);
    survives_crashes(&new, &plan, &first, None);
    survives_crashes(&new, &plan, &second, Some(&first));
    keeps_what_an_abort_leaves(&new(), &plan, &first, &second);
    forgets_on_restart(&new(), &plan, &first);
    is_exclusive(&new(), &plan, &first);
    refuses_other_arguments(&new(), &plan, &first);
    runs_out_of_space(&new(), &plan, &first);
}

#[track_caller]
fn refuse<T>(outcome: Result<T, Error>, kind: ErrorKind, part: &str) {
    let error = outcome.err();
    let found = error.as_ref().map(Error::kind);
    assert_eq!(found, Some(kind), "{error:?}");
    let message = error.map(|error| error.to_string()).unwrap_or_default();
    assert!(
        message.contains(part),
        "{message:?} does not contain {part:?}"
    );
}

/// Fails unless readers see these rows, or none.
#[track_caller]
fn expect<F: Fixture>(fixture: &F, rows: Option<&Rows>, when: &str) {
    for (index, collection) in collections().enumerate() {
        expect_one(fixture, index, collection, rows, when);
    }
}

#[track_caller]
fn expect_one<F: Fixture>(
    fixture: &F,
    index: usize,
    collection: &'static Collection,
    rows: Option<&Rows>,
    when: &str,
) {
    let sorted = |rows: Vec<Row>| {
        let mut rows: Vec<String> = rows.iter().map(Row::to_json).collect();
        rows.sort_unstable();
        rows
    };
    let published = fixture
        .published(collection)
        .map(sorted)
        .unwrap_or_default();
    let expected = rows
        .map(|rows| sorted(rows.rows(index)))
        .unwrap_or_default();
    let differing = |of: &[String], in_the_other: &[String]| {
        let mut rows = of.iter();
        rows.find(|row| !in_the_other.contains(row)).cloned()
    };
    assert!(
        published == expected,
        "{when}, readers see {} rows of {} instead of {}; one too many: {:?}; one missing: {:?}",
        published.len(),
        collection.name,
        expected.len(),
        differing(&published, &expected),
        differing(&expected, &published)
    );
}

/// Whether readers see a collection after these calls.
fn is_visible<F: Fixture>(fixture: &F, done: &[Step], index: usize) -> bool {
    done.contains(&Step::Publish)
        || (done.contains(&Step::Commit(index)) && !fixture.publishes_together())
}

fn publishes<F: Fixture>(fixture: &F, plan: &Plan, rows: &Rows) {
    let mut sink = fixture.sink();
    let states = succeed("begin", sink.begin(plan));
    assert_eq!(states, vec![CollectionState::Fresh; NAMES.len()]);
    let steps = rows.steps();
    for (number, step) in (1..).zip(&steps) {
        succeed(&format!("{step:?}"), rows.make(&mut sink, *step));
        for (index, collection) in collections().enumerate() {
            let visible = is_visible(fixture, &steps[..number], index).then_some(rows);
            expect_one(
                fixture,
                index,
                collection,
                visible,
                &format!("after {step:?}"),
            );
        }
    }
    succeed("end", sink.end());
    drop(sink);
    expect(fixture, Some(rows), "after the end");
    let states = succeed("begin", fixture.sink().begin(plan));
    assert_eq!(
        states,
        vec![CollectionState::Fresh; NAMES.len()],
        "after a complete run"
    );
}

fn replaces_what_was_published<F: Fixture>(fixture: &F, plan: &Plan, first: &Rows, second: &Rows) {
    first.finish(&mut fixture.sink(), plan);
    let mut sink = fixture.sink();
    let steps = second.steps();
    let uncommitted = steps
        .iter()
        .take_while(|step| !matches!(step, Step::Commit(_)));
    let uncommitted: Vec<Step> = uncommitted.copied().collect();
    second.run(&mut sink, plan, &uncommitted);
    expect(fixture, Some(first), "while the next run reads");
    drop(sink);
    second.finish(&mut fixture.sink(), plan);
    expect(fixture, Some(second), "after the second run");
    // The same rows again change nothing.
    second.finish(&mut fixture.sink(), plan);
    expect(fixture, Some(second), "after the same run again");
}

/// Drops the sink after each number of calls, which has the same effect as killing the process.
fn survives_crashes<F: Fixture>(
    new: &impl Fn() -> F,
    plan: &Plan,
    rows: &Rows,
    before: Option<&Rows>,
) {
    let steps = rows.steps();
    for crash in 0..=steps.len() {
        let fixture = new();
        if let Some(before) = before {
            before.finish(&mut fixture.sink(), plan);
        }
        let done = &steps[..crash];
        rows.run(&mut fixture.sink(), plan, done);
        let mut sink = fixture.sink();
        let states = succeed("begin", sink.begin(plan));
        for (index, state) in states.iter().enumerate() {
            let collection = rows.0[index][0].collection;
            let committed = done.contains(&Step::Commit(index));
            let stored = (0..BATCHES).filter(|batch| done.contains(&Step::Store(index, *batch)));
            let when = format!("after a crash at call {crash} of {steps:?}");
            match (committed, stored.max(), state) {
                (true, _, CollectionState::Done(_)) | (false, None, CollectionState::Fresh) => {}
                (false, Some(last), CollectionState::Resume(checkpoint)) => {
                    assert_eq!(rows.after(index, checkpoint), last + 1, "{when}");
                    let mut keys = BTreeSet::new();
                    let known = sink.visit_keys(collection, &mut |key| {
                        keys.insert(key);
                    });
                    let batches = rows.0[index][..=last].iter();
                    let expected = batches.flat_map(|batch| &batch.rows);
                    let expected: BTreeSet<u128> =
                        expected.filter_map(Row::key_fingerprint).collect();
                    succeed("visit_keys", known);
                    assert_eq!(keys, expected, "{when}");
                }
                _ => unreachable!("{when}, {} has the state {state:?}", collection.name),
            }
            let visible = match is_visible(&fixture, done, index) {
                true => Some(rows),
                false => before,
            };
            expect_one(&fixture, index, collection, visible, &when);
        }
        drop(sink);
        rows.finish(&mut fixture.sink(), plan);
        expect(
            &fixture,
            Some(rows),
            "after a run that crashed and was continued",
        );
    }
}

fn keeps_what_an_abort_leaves<F: Fixture>(fixture: &F, plan: &Plan, first: &Rows, second: &Rows) {
    first.finish(&mut fixture.sink(), plan);
    let mut sink = fixture.sink();
    second.run(&mut sink, plan, &second.steps()[..2]);
    let last = &second.0[0][1];
    succeed(
        "abort",
        sink.abort(last.collection, &second.record(0, false)),
    );
    succeed("end", sink.end());
    drop(sink);
    expect(fixture, Some(first), "after an abort");
    let states = succeed("begin", fixture.sink().begin(plan));
    let resumed = CollectionState::Resume(Box::new(last.checkpoint.clone()));
    assert_eq!(states.first(), Some(&resumed), "after an abort");
    second.finish(&mut fixture.sink(), plan);
    expect(
        fixture,
        Some(second),
        "after a run that was aborted and was continued",
    );
}

fn forgets_on_restart<F: Fixture>(fixture: &F, plan: &Plan, rows: &Rows) {
    let mut sink = fixture.sink();
    rows.run(&mut sink, plan, &rows.steps()[..2]);
    succeed("restart", sink.restart(rows.0[0][0].collection));
    drop(sink);
    let states = succeed("begin", fixture.sink().begin(plan));
    assert_eq!(
        states.first(),
        Some(&CollectionState::Fresh),
        "after a restart"
    );
    let mut sink = fixture.sink();
    rows.run(&mut sink, plan, &rows.steps()[..2]);
    succeed("restart", sink.restart(rows.0[0][0].collection));
    // Also in the same run.
    for step in rows.steps() {
        succeed(
            &format!("{step:?} after a restart"),
            rows.make(&mut sink, step),
        );
    }
    succeed("end", sink.end());
    expect(fixture, Some(rows), "after a restart");
}

fn is_exclusive<F: Fixture>(fixture: &F, plan: &Plan, rows: &Rows) {
    let mut sink = fixture.sink();
    rows.run(&mut sink, plan, &rows.steps()[..1]);
    let process = std::process::id().to_string();
    refuse(fixture.sink().begin(plan), ErrorKind::Locked, &process);
    let host = gethostname::gethostname();
    let host = host.to_string_lossy();
    refuse(fixture.sink().begin(plan), ErrorKind::Locked, &host);
    drop(sink);
    rows.finish(&mut fixture.sink(), plan);
    expect(fixture, Some(rows), "after a concurrent run was refused");
}

fn refuses_other_arguments<F: Fixture>(fixture: &F, plan_of_run: &Plan, rows: &Rows) {
    rows.run(&mut fixture.sink(), plan_of_run, &rows.steps()[..1]);
    let other = plan("https://other.example");
    refuse(
        fixture.sink().begin(&other),
        ErrorKind::OtherRun,
        "https://other.example",
    );
    let mut other = plan_of_run.clone();
    if let Some(collection) = other.collections.first_mut() {
        collection
            .filters
            .insert("email".to_owned(), "jo@acme.example".to_owned());
    }
    refuse(
        fixture.sink().begin(&other),
        ErrorKind::OtherRun,
        "jo@acme.example",
    );
    rows.finish(&mut fixture.sink(), plan_of_run);
    expect(fixture, Some(rows), "after another run was refused");
}

fn runs_out_of_space<F: Fixture>(fixture: &F, plan: &Plan, rows: &Rows) {
    let mut sink = fixture.sink();
    rows.run(&mut sink, plan, &rows.steps()[..1]);
    let Some(filled) = fixture.fill() else {
        return;
    };
    let (mut done, mut outcome) = (Vec::new(), Ok(()));
    for step in rows.steps().into_iter().skip(1) {
        outcome = rows.make(&mut sink, step);
        if outcome.is_err() {
            break;
        }
        done.push(step);
    }
    refuse(outcome, ErrorKind::Destination, "");
    drop(sink);
    drop(filled);
    for (index, collection) in collections().enumerate() {
        let visible = is_visible(fixture, &done, index).then_some(rows);
        expect_one(fixture, index, collection, visible, "after a lack of space");
    }
    rows.finish(&mut fixture.sink(), plan);
    expect(fixture, Some(rows), "after a lack of space");
}
