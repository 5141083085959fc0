//! The runs of the kit: batches of rows, and the calls that store them.

use std::collections::HashMap;

use lms_ext::Lms;
use lms_sync::{
    Batch, Collection, ColumnKind, Completeness, CompletenessRecord, Error, Extract,
    ExtractCheckpoint, Row, Value, collection,
    internals::{CollectionPlan, CollectionState, Plan},
    sink::Sink,
};

/// The collections of the kit.
pub const NAMES: [&str; 2] = ["learners", "course_completions"];
pub const BATCHES: usize = 4;
const ROWS: usize = 3;

pub fn collections() -> impl Iterator<Item = &'static Collection> {
    NAMES.iter().filter_map(|name| collection(name))
}

pub fn plan(tenant: &str) -> Plan {
    Plan::new(tenant, collections().map(CollectionPlan::new))
}

/// The batches of a run.
pub struct Rows(pub Vec<Vec<Batch>>);

/// A call of a sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Store(usize, usize),
    Commit(usize),
    Publish,
}

impl Rows {
    /// The rows of a tenant. Of two generations, some rows are the same, some have changed, some were added and removed.
    pub fn new(generation: usize) -> Self {
        let batches = collections().map(|collection| {
            let batch = |number: usize| {
                let rows = (0..ROWS).map(|row| row_of(collection, number * ROWS + row, generation));
                let mut batch = Batch::of_rows(collection, rows.collect());
                let mut checkpoint = serde_json::to_value(&batch.checkpoint).unwrap();
                checkpoint["progress"]["record"]["pages"] = (number + 1).into();
                batch.checkpoint = serde_json::from_value(checkpoint).unwrap();
                batch
            };
            (0..BATCHES).map(batch).collect()
        });
        Self(batches.collect())
    }

    pub fn rows(&self, collection: usize) -> Vec<Row> {
        let batches = self.0[collection].iter();
        batches.flat_map(|batch| batch.rows.clone()).collect()
    }

    /// The record of all rows of a collection.
    pub fn record(&self, collection: usize, complete: bool) -> CompletenessRecord {
        let lms = Lms::builder("https://acme.example").token("token");
        let of = self.0[collection][0].collection;
        let mut record = Extract::new(&lms.build().unwrap(), of).record();
        for row in self.rows(collection) {
            record.rows += 1;
            record.rows_sha256.add(&row);
        }
        record.distinct_keys = record.rows;
        if complete {
            record.completeness = Completeness::Complete;
            record.because.clear();
        }
        record
    }

    /// All calls between `begin` and `end`, collection by collection.
    pub fn steps(&self) -> Vec<Step> {
        let of = |collection: usize| {
            let batches = 0..self.0[collection].len();
            let calls = batches.map(move |batch| Step::Store(collection, batch));
            calls.chain([Step::Commit(collection)])
        };
        let steps = (0..self.0.len()).flat_map(of);
        steps.chain([Step::Publish]).collect()
    }

    pub fn make(&self, sink: &mut dyn Sink, step: Step) -> Result<(), Error> {
        match step {
            Step::Store(collection, batch) => sink.store(self.0[collection][batch].clone()),
            Step::Commit(collection) => {
                let record = self.record(collection, true);
                let collection = self.0[collection][0].collection;
                sink.commit(collection, &record, HashMap::new())
            }
            Step::Publish => {
                let refused = sink.publish()?;
                refused.into_iter().try_for_each(|(_, error)| Err(error))
            }
        }
    }

    /// Begins and makes the first calls; panics if one fails.
    pub fn run(&self, sink: &mut dyn Sink, plan: &Plan, steps: &[Step]) {
        succeed("begin", sink.begin(plan));
        for step in steps {
            succeed(&format!("{step:?}"), self.make(sink, *step));
        }
    }

    /// Continues each collection from the state that the sink returned, and ends the run.
    pub fn finish(&self, sink: &mut dyn Sink, plan: &Plan) {
        let states = succeed("begin", sink.begin(plan));
        for (index, state) in states.into_iter().enumerate() {
            let from = match state {
                CollectionState::Done(_) => continue,
                CollectionState::Fresh => 0,
                CollectionState::Resume(checkpoint) => self.after(index, &checkpoint),
            };
            for batch in from..BATCHES {
                succeed("store", self.make(sink, Step::Store(index, batch)));
            }
            succeed("commit", self.make(sink, Step::Commit(index)));
        }
        succeed("publish", self.make(sink, Step::Publish));
        succeed("end", sink.end());
    }

    /// The number of batches before a checkpoint.
    pub fn after(&self, collection: usize, checkpoint: &ExtractCheckpoint) -> usize {
        let mut batches = self.0[collection].iter();
        let found = batches.position(|batch| batch.checkpoint == *checkpoint);
        let found = found.map(|batch| batch + 1);
        assert!(
            found.is_some(),
            "begin returned a checkpoint that was never stored: {checkpoint:?}"
        );
        found.unwrap_or_default()
    }
}

/// A row with every kind of value.
fn row_of(of: &'static Collection, index: usize, generation: usize) -> Row {
    // One row of four is only in one generation, and one of four changes.
    let id = if index % 4 == 1 {
        index + 1000 * generation
    } else {
        index
    };
    let change = if index % 4 == 2 { generation } else { 0 };
    let values = of.columns.iter().map(|column| match column.kind {
        _ if column.name == "id" => Value::Text(format!("id{id}")),
        ColumnKind::Json => Value::Json(format!("{{\"a\":[{index},\"é\"]}}")),
        _ if index.is_multiple_of(3) => Value::Null,
        ColumnKind::Text => Value::Text(format!("=\"{index}\",'é'\n\\ {change}")),
        ColumnKind::Timestamp => Value::Text("2024-03-16T08:20:10.25Z".to_owned()),
        ColumnKind::Utc => Value::Utc(1_710_577_210_250_000),
        ColumnKind::Integer => Value::Integer(i64::MIN),
        ColumnKind::Float => Value::Float(0.1),
        _ => Value::Boolean(index.is_multiple_of(2)),
    });
    Row::new(of, values.collect())
}

#[track_caller]
pub fn succeed<T>(doing: &str, outcome: Result<T, Error>) -> T {
    match outcome {
        Ok(value) => value,
        Err(error) => unreachable!("{doing} failed: {error}"),
    }
}
