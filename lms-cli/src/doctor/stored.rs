//! The checks of what runs have stored: mirrors, and runs of imports that did not end.

use std::fs;

use lms_plan::{Ledger, Status};
use lms_sync::mirror::{Mirror, Overview};

use super::{
    finding::Finding,
    local::{bytes, files_of, ledgers},
};
use crate::{
    failure::Failure,
    jobs,
    wording::{count, quoted},
};

/// A finding about the runs in the ledgers.
pub(super) fn runs() -> Option<Finding> {
    let (mut all, mut unfinished) = (0, Vec::new());
    for path in ledgers() {
        let runs = match Ledger::open_existing(&path).and_then(|ledger| ledger.runs()) {
            Ok(runs) => runs,
            Err(error) => {
                let finding = Finding::ok("runs", format!("{}: {error}", path.display()));
                return Some(finding.warn_if(true, "wait for the other run to end"));
            }
        };
        all += runs.len();
        for run in runs.iter().filter(|run| run.ended.is_none()) {
            // A run with failed steps alone is at its end: the same command sends those that were corrected.
            let left = [Status::Planned, Status::Sent].map(|of| run.steps.get(&of).copied());
            let left: usize = left.into_iter().flatten().sum();
            if left > 0 {
                let left = count(left, "step");
                let text = format!(
                    "run {}, which began {}, stopped before {left}",
                    run.run, run.began
                );
                unfinished.push(text);
            }
        }
    }
    let shown = match unfinished.is_empty() {
        true => format!("{} ended", count(all, "run")),
        false => unfinished.join("; "),
    };
    let remedy = "lms history, then run the same command again";
    let finding = Finding::ok("runs", shown)
        .warn_if(!unfinished.is_empty(), remedy)
        .number("runs", all)
        .number("unfinished", unfinished.len());
    (all > 0).then_some(finding)
}

/// Findings about the mirror that was named, or those in the working folder.
pub(super) fn mirrors(named: Option<Result<Mirror, Failure>>) -> Vec<Finding> {
    let overview = |mirror: Mirror| mirror.overview().map_err(Failure::from);
    if let Some(named) = named {
        return vec![match named.and_then(overview) {
            Ok(found) => mirror("the mirror", "DATABASE", None, &found),
            Err(failure) => Finding::failed("mirror", failure),
        }];
    }
    let mut findings = Vec::new();
    for path in files_of(".".into(), "db") {
        // A database of another program is none of ours.
        if let Ok(found) = Mirror::sqlite(&path).overview()
            && !found.collections.is_empty()
        {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let size = fs::metadata(&path).map(|file| file.len()).ok();
            let argument = quoted(&format!("sqlite:{name}"));
            findings.push(mirror(&name, &argument, size, &found));
        }
    }
    findings
}

fn mirror(name: &str, argument: &str, size: Option<u64>, found: &Overview) -> Finding {
    let complete = |record: &lms_sync::CompletenessRecord| record.is_complete();
    let wrong = found.collections.iter().filter(|of| {
        of.failed.is_some() || of.is_unfinished || !of.committed.as_ref().is_some_and(complete)
    });
    let wrong: Vec<_> = wrong.map(|of| of.collection.as_str()).collect();
    let ended = found.collections.iter().filter_map(|of| of.ended());
    let age = ended.min().and_then(jobs::age_of);
    let hours = age.map(|age| age.as_secs() / 3600);
    let age = hours.map_or(String::new(), |hours| {
        format!(", oldest list {hours} h old")
    });
    let size = size.map_or(String::new(), |size| format!(", {}", bytes(size)));
    let of = count(found.collections.len(), "collection");
    let stopped = found
        .unfinished_since
        .as_ref()
        .filter(|_| !found.is_running);
    let is_wrong = !found.is_running && !wrong.is_empty();
    let (shown, remedy) = match stopped {
        Some(since) => (
            format!("a run since {since} was interrupted; {of}"),
            format!("lms mirror --to {argument}"),
        ),
        None if is_wrong => (
            format!("not complete: {}", wrong.join(", ")),
            format!("lms status --mirror {argument}"),
        ),
        None => (of, String::new()),
    };
    Finding::ok("mirror", format!("{name}: {shown}{age}{size}"))
        .warn_if(stopped.is_some() || is_wrong, remedy)
        .number("collections", found.collections.len())
        .number("incomplete", wrong.len())
        .number("hours", hours.unwrap_or_default())
}
