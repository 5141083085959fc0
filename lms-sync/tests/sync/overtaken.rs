//! Runs that are overtaken: suspended before a write, while their lock expires and another run begins.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use async_trait::async_trait;
use futures_util::TryStreamExt as _;
use object_store::{
    ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, memory::InMemory, path::Path,
};
use tokio::sync::Semaphore;

use lms_sync::{
    Error, ErrorKind, Row,
    internals::{CollectionState, SinkCalls},
    sink::{
        Sink,
        files::{FilesOptions, Format, Manifest},
        objects::{ObjectsSink, verify},
    },
};

use crate::{
    kit::rows::{BATCHES, Rows, Step, collections, plan, succeed},
    objects::block,
    store::{Watch, Watched, Write},
};

/// Suspends a run before one of its writes, or takes the conditions from them.
#[derive(Debug)]
struct At {
    /// The number of writes before that one.
    writes: AtomicUsize,
    events: mpsc::Sender<Event>,
    resumed: Semaphore,
    ignores_conditions: bool,
}

/// The event in a run on such a store.
#[derive(Debug)]
enum Event {
    Suspended,
    Ended(Result<(), Error>),
}

#[async_trait]
impl Watch for Arc<At> {
    async fn before(&self, write: Write<'_>) {
        if self.writes.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.events.send(Event::Suspended).unwrap();
            self.resumed.acquire().await.unwrap().forget();
        }
        if let Write::Put(_, options) = write
            && self.ignores_conditions
        {
            options.mode = PutMode::Overwrite;
        }
    }
}

/// The first write after a run has read what is stored. A run that is suspended before it takes the lock has not begun.
const FIRST: usize = 2;

fn sink(store: Arc<dyn ObjectStore>) -> ObjectsSink {
    let options = FilesOptions::new(Format::Ndjson).rows_per_part(5.try_into().unwrap());
    ObjectsSink::new(store, "acme", options).checkpoint_every(0, std::time::Duration::ZERO)
}

/// Reads both collections from their beginnings, whatever is stored of them.
fn read_again(sink: &mut dyn Sink, rows: &Rows) -> Result<(), Error> {
    for (collection, state) in collections().zip(sink.begin(&plan("acme"))?) {
        if state != CollectionState::Fresh {
            sink.restart(collection)?;
        }
    }
    for step in rows.steps() {
        rows.make(sink, step)?;
    }
    sink.end()
}

/// A run that is suspended before a write, and its store.
struct Overtaken {
    store: Arc<InMemory>,
    at: Arc<At>,
    events: mpsc::Receiver<Event>,
    run: thread::JoinHandle<()>,
}

impl Overtaken {
    /// Starts a run on a store that has the rows of an earlier one. `None` if the run has fewer writes.
    fn suspended_before(write: usize, rows: &Arc<Rows>) -> Option<Self> {
        let store = Arc::new(InMemory::new());
        Rows::new(0).finish(&mut sink(store.clone()), &plan("acme"));
        let (sender, events) = mpsc::channel();
        let at = Arc::new(At {
            writes: AtomicUsize::new(write),
            events: sender.clone(),
            resumed: Semaphore::new(0),
            ignores_conditions: false,
        });
        let on = Watched {
            store: store.clone(),
            watch: at.clone(),
        };
        let rows = rows.clone();
        let run = thread::spawn(move || {
            let mut sink = sink(Arc::new(on));
            let ended = read_again(&mut sink, &rows);
            // Releases the lock, which is a write.
            drop(sink);
            sender.send(Event::Ended(ended)).unwrap();
        });
        let this = Self {
            store,
            at,
            events,
            run,
        };
        match this.events.recv().unwrap() {
            Event::Suspended => {
                this.let_lock_expire();
                Some(this)
            }
            Event::Ended(ended) => {
                succeed("a run", ended);
                None
            }
        }
    }

    fn let_lock_expire(&self) {
        let lock = r#"{"process":1,"host":"elsewhere","since":"","until":"2026-01-01T00:00:00Z"}"#;
        let path = Path::from("acme/_lms-sync/lock");
        block(self.store.put(&path, lock.into())).unwrap();
    }

    fn sink(&self) -> ObjectsSink {
        sink(self.store.clone())
    }

    /// Lets the run continue until it ends.
    fn resume(self) -> Arc<InMemory> {
        self.at.resumed.add_permits(1);
        match self.events.recv().unwrap() {
            Event::Ended(Ok(())) => {}
            Event::Ended(Err(error)) => assert!(
                matches!(error.kind(), ErrorKind::Locked | ErrorKind::Destination),
                "{error:?}"
            ),
            Event::Suspended => unreachable!("it was suspended twice"),
        }
        self.run.join().unwrap();
        self.store
    }
}

/// The objects of a store that readers see.
fn seen(store: &InMemory) -> BTreeMap<String, String> {
    let read = async |path: &Path| {
        let object = store.get(path).await.unwrap();
        String::from_utf8(object.bytes().await.unwrap().to_vec()).unwrap()
    };
    block(async {
        let objects: Vec<ObjectMeta> = store.list(None).try_collect().await.unwrap();
        let mut seen = BTreeMap::new();
        for object in objects {
            let path = object.location.as_ref().strip_prefix("acme/").unwrap();
            if !path.starts_with("_lms-sync/") {
                seen.insert(path.to_owned(), read(&object.location).await);
            }
        }
        seen
    })
}

/// Fails unless a store has exactly these rows, in the files that its manifest lists.
#[track_caller]
fn expect(store: &Arc<InMemory>, rows: &Rows, when: &str) {
    let mut seen = seen(store);
    let manifest: Manifest = serde_json::from_str(&seen.remove("manifest.json").unwrap()).unwrap();
    for (index, collection) in collections().enumerate() {
        let files = &manifest.collections[collection.name].files;
        let text: String = files
            .iter()
            .map(|file| seen.remove(&file.path).unwrap())
            .collect();
        let found = text.lines().map(|line| Row::from_json(collection, line));
        let found: Vec<String> = found.map(|row| row.unwrap().to_json()).collect();
        let expected: Vec<String> = rows.rows(index).iter().map(Row::to_json).collect();
        assert_eq!(found, expected, "{when}");
    }
    let others: Vec<String> = seen.into_keys().collect();
    assert_eq!(others, [""; 0], "{when}");
    let store: Arc<dyn ObjectStore> = store.clone();
    for verified in verify(&store, "acme").unwrap() {
        assert!(verified.is_intact(), "{when}: {verified:?}");
    }
}

#[test]
fn a_run_that_was_overtaken_changes_nothing_after_the_other_one_has_ended() {
    let rows = Arc::new(Rows::new(1));
    for write in FIRST.. {
        let Some(overtaken) = Overtaken::suspended_before(write, &rows) else {
            assert!(write > 40, "a run has {write} writes");
            break;
        };
        let when = format!("a run was suspended before write {write}");
        succeed(&when, read_again(&mut overtaken.sink(), &Rows::new(2)));
        expect(&overtaken.store, &Rows::new(2), &when);
        let before = seen(&overtaken.store);
        let store = overtaken.resume();
        assert!(seen(&store) == before, "{when}");
        let mut next = sink(store.clone());
        let states = succeed(&when, next.begin(&plan("acme")));
        assert_eq!(
            states,
            [CollectionState::Fresh, CollectionState::Fresh],
            "{when}"
        );
        drop(next);
        Rows::new(3).finish(&mut sink(store.clone()), &plan("acme"));
        expect(&store, &Rows::new(3), &when);
    }
}

#[test]
fn a_run_that_was_overtaken_damages_nothing_that_the_other_one_has_stored() {
    let rows = Arc::new(Rows::new(1));
    let steps = rows.steps();
    for (write, calls) in (FIRST..).zip((0..=steps.len()).cycle()) {
        let Some(overtaken) = Overtaken::suspended_before(write, &rows) else {
            break;
        };
        let when =
            format!("a run was suspended before write {write}, another killed after {calls} calls");
        // The other run is also killed.
        let mut other = overtaken.sink();
        let states = succeed(&when, other.begin(&plan("acme")));
        let mut stored = states.iter().enumerate().map(|(index, state)| {
            let at = |checkpoint| rows.after(index, checkpoint);
            match state {
                CollectionState::Fresh => 0,
                CollectionState::Resume(checkpoint) => at(checkpoint),
                CollectionState::Done(_) => BATCHES + 1,
            }
        });
        let mut stored = [stored.next().unwrap(), stored.next().unwrap()];
        for step in steps.iter().take(calls) {
            match *step {
                Step::Store(index, batch) if batch >= stored[index] => {
                    succeed(&when, rows.make(&mut other, *step));
                    stored[index] = batch + 1;
                }
                Step::Commit(index) if stored[index] == BATCHES => {
                    succeed(&when, rows.make(&mut other, *step));
                    stored[index] = BATCHES + 1;
                }
                _ => {}
            }
        }
        drop(other);
        let seen_before = seen(&overtaken.store);
        let store = overtaken.resume();
        // A part that was being copied is not in the manifest before the next run has published it.
        let mut seen_after = seen(&store);
        seen_after.retain(|path, _| seen_before.contains_key(path));
        assert!(seen_after == seen_before, "{when}");
        let states = succeed(&when, sink(store.clone()).begin(&plan("acme")));
        for (index, state) in states.iter().enumerate() {
            match state {
                CollectionState::Done(_) => assert_eq!(stored[index], BATCHES + 1, "{when}"),
                CollectionState::Resume(at) => {
                    assert_eq!(rows.after(index, at), stored[index], "{when}");
                }
                CollectionState::Fresh => assert_eq!(stored[index], 0, "{when}"),
            }
        }
        rows.finish(&mut sink(store.clone()), &plan("acme"));
        expect(&store, &rows, &when);
    }
}

#[test]
fn a_store_that_ignores_conditions_is_refused() {
    let at = At {
        writes: AtomicUsize::new(usize::MAX),
        events: mpsc::channel().0,
        resumed: Semaphore::new(0),
        ignores_conditions: true,
    };
    let store = Watched {
        store: Arc::new(InMemory::new()),
        watch: Arc::new(at),
    };
    let error = sink(Arc::new(store.clone())).begin(&plan("acme"));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("AWS_CONDITIONAL_PUT=disabled"), "{error}");
    assert!(seen(&store.store).is_empty());
}

#[test]
fn names_that_no_run_gives_are_refused() {
    let store = Arc::new(InMemory::new());
    let rows = Rows::new(0);
    rows.run(&mut sink(store.clone()), &plan("acme"), &rows.steps()[..1]);
    let path = Path::from("acme/manifest.json");
    let stored = seen(&store).remove("manifest.json").unwrap();
    for (name, other) in [("journals", "../../../other"), ("run", "x/y")] {
        let mut manifest: serde_json::Value = serde_json::from_str(&stored).unwrap();
        let unfinished = &mut manifest["unfinished"];
        match name {
            "journals" => unfinished["journals"]["learners"] = other.into(),
            _ => unfinished["run"] = other.into(),
        }
        block(store.put(&path, manifest.to_string().into())).unwrap();
        let error = sink(store.clone()).begin(&plan("acme")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Foreign, "{error}");
    }
}

#[test]
fn a_damaged_state_of_an_unfinished_run_can_be_discarded() {
    for damaged in [
        r#""x""#,
        "[]",
        "{}",
        r#"{"run": "x/y", "journals": {"a": "../.."}, "commits": 5}"#,
    ] {
        let store = Arc::new(InMemory::new());
        Rows::new(0).finish(&mut sink(store.clone()), &plan("acme"));
        let rows = Rows::new(1);
        rows.run(&mut sink(store.clone()), &plan("acme"), &rows.steps()[..3]);
        let mut manifest: serde_json::Value =
            serde_json::from_str(&seen(&store)["manifest.json"]).unwrap();
        manifest["unfinished"] = serde_json::from_str(damaged).unwrap();
        let path = Path::from("acme/manifest.json");
        block(store.put(&path, manifest.to_string().into())).unwrap();
        let error = sink(store.clone()).begin(&plan("acme")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged, "{damaged}: {error}");
        assert!(error.to_string().contains("discard_unfinished"), "{error}");
        let mut discarding = sink(store.clone()).discard_unfinished();
        let states = succeed(damaged, discarding.begin(&plan("acme")));
        assert_eq!(states, [CollectionState::Fresh, CollectionState::Fresh]);
        drop(discarding);
        Rows::new(2).finish(&mut sink(store.clone()), &plan("acme"));
        expect(&store, &Rows::new(2), damaged);
    }
}

#[test]
fn discarding_a_run_removes_everything_that_it_has_stored() {
    let store = Arc::new(InMemory::new());
    Rows::new(0).finish(&mut sink(store.clone()), &plan("acme"));
    let rows = Rows::new(1);
    rows.run(&mut sink(store.clone()), &plan("acme"), &rows.steps()[..3]);
    // Copied, but not listed when the run was killed.
    let mut manifest: serde_json::Value =
        serde_json::from_str(&seen(&store)["manifest.json"]).unwrap();
    let mut commit = manifest["collections"]["learners"].clone();
    let orphan = "learners/run=20261122T083000.123Z/part-00001-0000000000000000.ndjson";
    let published = commit["files"][0].clone();
    commit["files"][0]["path"] = orphan.into();
    // One that was listed.
    commit["files"]
        .as_array_mut()
        .unwrap()
        .push(published.clone());
    commit["replaces"] = serde_json::json!([]);
    manifest["unfinished"]["commits"] = serde_json::json!({ "learners": commit });
    let put = |path: &str, content: String| {
        block(store.put(&Path::from(format!("acme/{path}")), content.into())).unwrap();
    };
    put("manifest.json", manifest.to_string());
    put(orphan, "a part".to_owned());
    let mut discarding = sink(store.clone()).discard_unfinished();
    let states = succeed("begin", discarding.begin(&plan("acme")));
    assert_eq!(states, [CollectionState::Fresh, CollectionState::Fresh]);
    drop(discarding);
    assert!(seen(&store).contains_key(published["path"].as_str().unwrap()));
    Rows::new(2).finish(&mut sink(store.clone()), &plan("acme"));
    expect(&store, &Rows::new(2), "after a run was discarded");
}
