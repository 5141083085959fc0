//! `--metrics-file`: what a job did, in the text format of Prometheus, for a collector that reads files.

use std::{fs, path::PathBuf, time::UNIX_EPOCH};

use clap::{Arg, ArgMatches, ValueHint};
use lms_sync::CompletenessRecord;
use metrics::gauge;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

use crate::{
    args::{given, text},
    failure::Failure,
    profile::{config::check_replaced, without_path},
};

pub(super) fn argument() -> Arg {
    text(
        "metrics-file",
        "FILE",
        "Write metrics of the job to a file for the textfile collector of Prometheus",
    )
    .value_hint(ValueHint::FilePath)
}

/// The file with the metrics of a job.
pub(super) struct MetricsFile {
    path: PathBuf,
    metrics: PrometheusHandle,
}

impl MetricsFile {
    /// Begins to record the metrics, if a file for them was named.
    pub(super) fn begin(matches: &ArgMatches) -> Result<Option<Self>, Failure> {
        let Some(path) = given::<String>(matches, "metrics-file") else {
            return Ok(None);
        };
        check_replaced(path.as_ref(), "#")?;
        let recorder = PrometheusBuilder::new().install_recorder();
        let metrics = recorder.map_err(|error| Failure::fault(error.to_string()))?;
        lms_ext::describe_metrics();
        Ok(Some(Self {
            path: path.into(),
            metrics,
        }))
    }

    /// Replaces the file in one step, because a collector may read it at any time.
    pub(super) fn write(&self) -> Result<(), Failure> {
        let failed = |error| Failure::destination(&self.path, &error);
        let mut part = self.path.clone().into_os_string();
        part.push(".part");
        fs::write(&part, self.metrics.render()).map_err(failed)?;
        fs::rename(&part, &self.path).map_err(failed)
    }
}

/// Records that no collection of a tenant is complete.
pub(super) fn record_failed(base_url: &str, collections: &[&str]) {
    // As a client that could be built would say.
    let tenant = format!("{}/api/v1", without_path(base_url));
    for collection in collections {
        let labels = [
            ("tenant", tenant.clone()),
            ("collection", (*collection).to_owned()),
        ];
        gauge!("lms.sync.complete", &labels).set(0.0);
    }
}

/// Records what is known of a collection after a run.
pub(super) fn record(of: &CompletenessRecord) {
    let labels = [
        ("tenant", of.tenant.clone()),
        ("collection", of.collection.clone()),
    ];
    #[expect(clippy::cast_precision_loss, reason = "numbers for a chart")]
    let number = |number: u64| number as f64;
    gauge!("lms.sync.rows", &labels).set(number(of.rows));
    gauge!("lms.sync.requests", &labels).set(number(of.requests));
    gauge!("lms.sync.retries", &labels).set(number(of.retries));
    gauge!("lms.sync.complete", &labels).set(f64::from(u8::from(of.is_complete())));
    let ended = humantime::parse_rfc3339(&of.ended).ok();
    if let Some(ended) = ended.and_then(|ended| ended.duration_since(UNIX_EPOCH).ok()) {
        gauge!("lms.sync.read.timestamp.seconds", &labels).set(number(ended.as_secs()));
    }
}
