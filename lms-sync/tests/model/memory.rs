//! A destination in memory, which replaces its rows by those of each complete read.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard},
};

use lms_sync::{
    Batch, Collection, CompletenessRecord, Error, ExtractCheckpoint, Row,
    internals::{CollectionState, Lookup, Plan, SinkCalls},
};

#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    published: BTreeMap<String, Row>,
    staged: Vec<Row>,
    checkpoint: Option<ExtractCheckpoint>,
    /// The names of the observations in all checkpoints.
    signs: BTreeSet<String>,
}

impl Memory {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub fn rows(&self) -> Vec<Row> {
        self.state().published.values().cloned().collect()
    }

    /// The names of the observations in all checkpoints so far.
    pub fn signs(&self) -> BTreeSet<String> {
        self.state().signs.clone()
    }
}

impl SinkCalls for Memory {
    fn begin(&mut self, plan: &Plan) -> Result<Vec<CollectionState>, Error> {
        assert_eq!(plan.collections.len(), 1);
        let checkpoint = self.state().checkpoint.clone().map(Box::new);
        Ok(vec![
            checkpoint.map_or(CollectionState::Fresh, CollectionState::Resume),
        ])
    }

    fn visit_keys(
        &mut self,
        _collection: &'static Collection,
        visit: &mut dyn FnMut(u128),
    ) -> Result<(), Error> {
        self.state()
            .staged
            .iter()
            .filter_map(Row::key_fingerprint)
            .for_each(visit);
        Ok(())
    }

    fn store(&mut self, batch: Batch) -> Result<(), Error> {
        let stored = serde_json::to_value(&batch.checkpoint).unwrap();
        let signs = stored["progress"]["evidence"].as_object().unwrap();
        let mut state = self.state();
        state.staged.extend(batch.rows);
        state.signs.extend(signs.keys().cloned());
        state.checkpoint = Some(batch.checkpoint);
        Ok(())
    }

    fn restart(&mut self, _collection: &'static Collection) -> Result<(), Error> {
        let mut state = self.state();
        state.staged.clear();
        state.checkpoint = None;
        Ok(())
    }

    fn commit(
        &mut self,
        _collection: &'static Collection,
        record: &CompletenessRecord,
        _: HashMap<i64, Lookup>,
    ) -> Result<(), Error> {
        assert!(record.is_complete());
        let mut state = self.state();
        let rows = std::mem::take(&mut state.staged);
        state.published = rows
            .into_iter()
            .filter_map(|row| Some((row.key()?, row)))
            .collect();
        state.checkpoint = None;
        Ok(())
    }

    fn abort(
        &mut self,
        _collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        assert!(!record.is_complete());
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
