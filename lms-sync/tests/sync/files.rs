//! Exports into files.

use std::{
    fs,
    num::NonZeroU64,
    path::{Path, PathBuf},
};

use lms_ext::{Lms, prelude::*};
use lms_sync::{
    Error, ErrorKind, Export, RunSummary,
    sink::files::{Compression, FilesOptions, FilesSink, Format, Manifest},
};
use serde_json::{Value, json};

use crate::{
    client, demo,
    destination::{files, names},
};

async fn export(
    lms: &Lms,
    to: &Path,
    options: FilesOptions,
    names: &[&str],
) -> Result<RunSummary, Error> {
    let sink = FilesSink::new(to, options);
    let export = Export::new(lms).collections(names.iter().copied())?;
    export.run(sink).await
}

/// The learners, as the tenant returns them.
async fn learners(lms: &Lms) -> Vec<Value> {
    lms.list_learners().items_as().collect_all().await.unwrap()
}

#[tokio::test]
async fn csv_is_read_by_another_program_and_guards_against_formulas_if_it_is_asked_to() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    let surnames = [
        "=1+1",
        "@x",
        "-",
        "'=x",
        "O'Brien",
        "a \"b\", c\r\nd",
        "",
        "+44 (0)20 7946",
    ];
    for (index, surname) in surnames.iter().enumerate() {
        let learner = lms_sandbox::json!({
            "firstname": "Ann", "surname": surname, "email": format!("guard{index}@acme.example"),
        });
        sandbox.seed().add_learner(&learner).unwrap();
    }
    let guarded = [
        "'=1+1",
        "'@x",
        "'-",
        "''=x",
        "O'Brien",
        "a \"b\", c\r\nd",
        "",
        "+44 (0)20 7946",
    ];
    let plain = FilesOptions::new(Format::Csv).byte_order_mark();
    for (options, expected, changed) in [
        (plain.clone(), surnames, &[][..]),
        (plain.formula_guard(), guarded, &["surname"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        _ = export(&lms, folder.path(), options, &["learners"])
            .await
            .unwrap();
        let manifest = Manifest::read(folder.path()).unwrap();
        let record = manifest.collections["learners"].record.as_ref().unwrap();
        assert!(record.guarded_columns.iter().eq(changed));
        let content = files(folder.path()).remove("learners.csv").unwrap();
        let text = content.strip_prefix("\u{feff}".as_bytes()).unwrap();
        let mut reader = csv::ReaderBuilder::new()
            .terminator(csv::Terminator::CRLF)
            .from_reader(text);
        let header = reader.headers().unwrap().clone();
        let column = |name: &str| header.iter().position(|known| known == name).unwrap();
        let (email, surname) = (column("email"), column("surname"));
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let items = learners(&lms).await;
        assert_eq!(rows.len(), items.len());
        for (index, expected) in expected.iter().enumerate() {
            let address = format!("guard{index}@acme.example");
            let row = rows.iter().find(|row| row[email] == address).unwrap();
            assert_eq!(&row[surname], *expected);
        }
    }
}

#[tokio::test]
async fn parquet_has_typed_columns_in_parts_and_groups() {
    use parquet::{
        file::reader::{FileReader as _, SerializedFileReader},
        record::Field,
    };
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let options = FilesOptions::new(Format::Parquet)
        .rows_per_part(NonZeroU64::new(500).unwrap())
        .bytes_per_group(NonZeroU64::new(20_000).unwrap());
    let lms = client(&sandbox);
    let summary = export(&lms, folder.path(), options, &["course_completions"])
        .await
        .unwrap();
    let rows = summary.collections[0].record.rows;
    let (mut found, mut groups) = (0, Vec::new());
    for (part, (name, content)) in files(folder.path()).into_iter().enumerate() {
        assert_eq!(
            name,
            format!("course_completions/part-{:05}.parquet", part + 1)
        );
        let reader = SerializedFileReader::new(bytes::Bytes::from(content)).unwrap();
        groups.push(reader.metadata().num_row_groups());
        assert!(reader.metadata().file_metadata().num_rows() <= 500);
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            let field = |name: &str| {
                let mut columns = row.get_column_iter();
                columns.find(|(known, _)| *known == name).unwrap().1.clone()
            };
            let (Field::Str(sent), Field::TimestampMicros(utc)) =
                (field("happened"), field("happened_utc"))
            else {
                panic!("{row:?}");
            };
            let sent: jiff::Timestamp = sent.parse().unwrap();
            assert_eq!(utc, sent.as_microsecond());
            found += 1;
        }
    }
    assert!(rows > 500);
    assert_eq!(found, rows);
    // The rows of a full part have more than 20,000 bytes.
    assert!(groups[0] > 1, "{groups:?}");
}

#[tokio::test]
async fn a_second_export_replaces_the_files_of_the_first() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let lms = client(&sandbox);
    let options = FilesOptions::new(Format::Ndjson).rows_per_part(NonZeroU64::new(5).unwrap());
    _ = export(&lms, folder.path(), options.clone(), &["tags", "courses"])
        .await
        .unwrap();
    let before = files(folder.path());
    let tag = lms.list_tags().collect_all().await.unwrap().len();
    assert!(tag > 5);
    sandbox.seed().add_tag("one more", None).unwrap();
    _ = export(&lms, folder.path(), options.clone(), &["tags"])
        .await
        .unwrap();
    let after = files(folder.path());
    let lines = |files: &std::collections::BTreeMap<String, Vec<u8>>, name: &str| {
        let of = files.iter().filter(|(path, _)| path.starts_with(name));
        of.map(|(_, content)| content.iter().filter(|byte| **byte == b'\n').count())
            .sum::<usize>()
    };
    assert_eq!(lines(&after, "tags"), lines(&before, "tags") + 1);
    assert_eq!(lines(&after, "courses"), lines(&before, "courses"));
    // As one file, the parts are gone.
    _ = export(
        &lms,
        folder.path(),
        FilesOptions::new(Format::Ndjson),
        &["tags"],
    )
    .await
    .unwrap();
    assert!(
        fs::read_dir(folder.path().join("tags"))
            .unwrap()
            .next()
            .is_none()
    );
}

#[tokio::test]
async fn a_failing_list_leaves_its_files_and_the_others_alone() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let lms = client(&sandbox);
    let options = FilesOptions::new(Format::Ndjson);
    _ = export(&lms, folder.path(), options.clone(), &["learners", "tags"])
        .await
        .unwrap();
    let before = files(folder.path());
    let rule = "listLearners: after 1: status 403 json";
    sandbox.faults().add(rule).unwrap();
    sandbox.seed().add_tag("new", None).unwrap();
    let summary = export(&lms, folder.path(), options.clone(), &["learners", "tags"])
        .await
        .unwrap();
    assert!(!summary.is_complete());
    let [learners, tags] = &summary.collections[..] else {
        panic!("{summary:?}")
    };
    assert!(!learners.record.is_complete());
    assert_eq!(learners.error.as_ref().unwrap().kind(), ErrorKind::Tenant);
    assert!(tags.record.is_complete());
    let after = files(folder.path());
    assert_eq!(after["learners.ndjson"], before["learners.ndjson"]);
    assert_ne!(after["tags.ndjson"], before["tags.ndjson"]);
    let error = summary.into_result().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tenant);
    assert!(error.tenant_error().is_some());
    assert!(
        error
            .to_string()
            .starts_with("1 of 2 collections failed: learners: reading failed: "),
        "{error}"
    );
    let manifest = Manifest::read(folder.path()).unwrap();
    let entry = &manifest.collections["learners"];
    assert!(entry.record.as_ref().unwrap().is_complete());
    assert!(!entry.incomplete_run.as_ref().unwrap().is_complete());

    // Started again, the run resumes the list that failed.
    sandbox.faults().clear();
    sandbox.clear_requests();
    let summary = export(&lms, folder.path(), options, &["learners", "tags"])
        .await
        .unwrap();
    assert!(summary.is_complete());
    assert_eq!(summary.collections[0].record.resumes, 1);
    assert!(
        sandbox
            .requests_to(lms_sandbox::Operation::ListTags)
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        files(folder.path())["learners.ndjson"],
        before["learners.ndjson"]
    );
    assert!(
        Manifest::read(folder.path()).unwrap().collections["learners"]
            .incomplete_run
            .is_none()
    );
}

#[tokio::test]
async fn a_run_with_other_arguments_is_refused_and_told_the_difference() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let lms = client(&sandbox);
    let options = FilesOptions::new(Format::Csv);
    let cancelled = Export::new(&lms)
        .collections(["tags"])
        .unwrap()
        .cancel_on(async {})
        .run(FilesSink::new(folder.path(), options.clone()))
        .await
        .unwrap();
    assert!(cancelled.cancelled);
    let parts = options.clone().rows_per_part(NonZeroU64::new(9).unwrap());
    for (options, names, expected) in [
        (parts, &["tags"][..], "rows per part"),
        (FilesOptions::new(Format::Ndjson), &["tags"], "format"),
        (
            options.clone(),
            &["tags", "courses"],
            "collections: it has \"tags\", this run has \"tags, courses\"",
        ),
    ] {
        let error = export(&lms, folder.path(), options, names)
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OtherRun, "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert!(
        export(&lms, folder.path(), options, &["tags"])
            .await
            .unwrap()
            .is_complete()
    );
}

#[tokio::test]
async fn an_unfinished_run_with_a_damaged_plan_can_be_discarded() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    for plan in [json!(""), json!({"tenant": "t"}), json!({}), json!([1])] {
        let folder = tempfile::tempdir().unwrap();
        let options = FilesOptions::new(Format::Csv);
        stop_after(2, &lms, folder.path(), &options).await;
        let state = folder.path().join(".lms-sync");
        let manifest = folder.path().join("manifest.json");
        let mut damaged: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
        damaged["unfinished"] = plan.clone();
        fs::write(&manifest, damaged.to_string()).unwrap();
        let refused = export(&lms, folder.path(), options.clone(), &["tags"]).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("`discard_unfinished()`"), "{refused}");
        let run = Export::new(&lms).collections(["tags"]).unwrap();
        let sink = FilesSink::new(folder.path(), options).discard_unfinished();
        assert!(run.run(sink).await.unwrap().is_complete(), "{plan}");
        assert!(!state.join("enrolments").exists(), "{plan}");
    }
}

#[tokio::test]
async fn a_damaged_manifest_is_no_dead_end() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    for damaged in ["", "{\"version\": 1, \"coll", "[]"] {
        let folder = tempfile::tempdir().unwrap();
        let options = FilesOptions::new(Format::Csv);
        _ = export(&lms, folder.path(), options.clone(), &["tags"]).await;
        let paths = ["manifest.json", "tags.csv"].map(|name| folder.path().join(name));
        let good = fs::read(&paths[0]).unwrap();
        fs::write(&paths[0], damaged).unwrap();
        let run = Export::new(&lms).collections(["tags"]).unwrap();
        let sink = FilesSink::new(folder.path(), options.clone()).discard_unfinished();
        let error = run.run(sink).await.unwrap_err().to_string();
        let advice = "restore it, or move it and the files of the export away";
        assert!(error.contains(advice), "{error}");
        // Both work.
        fs::write(&paths[0], good).unwrap();
        for path in [None, Some(paths)] {
            path.into_iter()
                .flatten()
                .for_each(|path| fs::remove_file(path).unwrap());
            let run = export(&lms, folder.path(), options.clone(), &["tags"]).await;
            assert!(run.unwrap().is_complete(), "{damaged}");
        }
    }
}

#[tokio::test]
async fn a_file_of_somebody_else_is_not_replaced() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let lms = client(&sandbox);
    fs::write(folder.path().join("tags.csv"), "mine").unwrap();
    sandbox.clear_requests();
    let error = export(
        &lms,
        folder.path(),
        FilesOptions::new(Format::Csv),
        &["courses", "tags"],
    )
    .await
    .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Foreign, "{error}");
    assert!(crate::reads(&sandbox).is_empty());
    assert_eq!(names(folder.path()), ["tags.csv"]);
    assert_eq!(fs::read(folder.path().join("tags.csv")).unwrap(), b"mine");
}

/// Files of parts get their names in a folder of their own, which no user can write into here.
#[tokio::test]
async fn a_folder_that_cannot_be_written_is_refused_before_anything_is_read() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    std::os::unix::fs::symlink("/proc", folder.path().join("tags")).unwrap();
    let options = FilesOptions::new(Format::Csv).rows_per_part(NonZeroU64::new(9).unwrap());
    let lms = client(&sandbox);
    let error = export(&lms, folder.path(), options, &["courses", "tags"])
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Destination, "{error}");
    assert!(
        error.to_string().contains("it is a link, and not a folder"),
        "{error}"
    );
    assert!(crate::reads(&sandbox).is_empty());
    assert_eq!(names(folder.path()), ["tags"]);
}

#[tokio::test]
async fn a_list_that_is_not_allowed_stops_no_other() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let lms = client(&sandbox);
    let rule = "listTags: always: status 403 json";
    sandbox.faults().add(rule).unwrap();
    let summary = Export::new(&lms)
        .collections(["learners", "tags", "courses"])
        .unwrap()
        .run(FilesSink::new(
            folder.path(),
            FilesOptions::new(Format::Csv),
        ))
        .await
        .unwrap();
    let complete: Vec<bool> = summary
        .collections
        .iter()
        .map(|outcome| outcome.record.is_complete())
        .collect();
    assert_eq!(complete, [true, false, true]);
    let tags = &summary.collections[1];
    assert_eq!(tags.error.as_ref().unwrap().kind(), ErrorKind::Tenant);
    assert_eq!(tags.record.rows, 0);
    assert_eq!(
        files(folder.path()).into_keys().collect::<Vec<_>>(),
        ["courses.csv", "learners.csv"]
    );
    let manifest = Manifest::read(folder.path()).unwrap();
    assert!(manifest.collections["tags"].incomplete_run.is_some());
}

#[tokio::test]
async fn a_destination_that_is_a_file_or_of_a_newer_version_is_refused() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let lms = client(&sandbox);
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = export(&lms, &file, FilesOptions::new(Format::Csv), &["tags"])
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Destination, "{error}");
    for (text, kind) in [
        (
            r#"{"version": 99, "generator": "", "collections": {}}"#,
            ErrorKind::Foreign,
        ),
        ("{}", ErrorKind::Foreign),
        (r#"{"version": 1, "generator"#, ErrorKind::Damaged),
    ] {
        fs::write(folder.path().join("manifest.json"), text).unwrap();
        let error = export(
            &lms,
            folder.path(),
            FilesOptions::new(Format::Csv),
            &["tags"],
        )
        .await
        .unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
    }
}

#[tokio::test]
async fn unknown_collections_and_empty_exports_are_refused() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    let error = Export::new(&lms).collections(["learner"]).unwrap_err();
    assert!(error.to_string().contains("learners"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let error = export(&lms, folder.path(), FilesOptions::new(Format::Csv), &[])
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
}

/// The last file with such a name in the journal of a collection, and the number of them.
fn journal_files(journal: &Path, start: &str) -> Option<(PathBuf, usize)> {
    let run = fs::read_dir(journal).ok()?.next()?.ok()?;
    let files = fs::read_dir(run.path()).ok()?;
    let files = files.filter_map(|file| file.ok().map(|file| file.path()));
    let mut files: Vec<PathBuf> = files.collect();
    files.retain(|path| {
        path.file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with(start)
    });
    Some((files.iter().max()?.clone(), files.len()))
}

/// Runs an export that is cancelled after this number of pages, each of which has a checkpoint of its own.
async fn stop_after(last: u64, lms: &Lms, folder: &Path, options: &FilesOptions) {
    let (pages, mut seen) = tokio::sync::mpsc::unbounded_channel();
    let journal = folder.join(".lms-sync/enrolments");
    let cancelled = Export::new(lms)
        .collections(["enrolments"])
        .unwrap()
        .on_progress(move |progress| {
            // Batches that wait for the sink share a checkpoint.
            let stored = || journal_files(&journal, "rows").map_or(0, |(_, number)| number);
            while stored() + 1 < usize::try_from(progress.pages).unwrap() {
                std::thread::yield_now();
            }
            pages.send(progress.pages).unwrap();
        })
        .cancel_on(async move { while seen.recv().await != Some(last) {} })
        .run(FilesSink::new(folder, options.clone()))
        .await
        .unwrap();
    assert!(cancelled.cancelled);
}

/// A power failure may leave parts and rows of any length, whatever the order in which they were written.
#[tokio::test]
async fn a_run_continues_from_what_a_power_failure_left() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    let plain = FilesOptions::new(Format::Csv);
    let compressed = plain.clone().compression(Compression::Gzip);
    for (options, name, damage) in [
        (&plain, "part", 999_i64),
        (&plain, "rows", -100),
        (&plain, "rows", 999),
        // The last byte is another one.
        (&plain, "rows", 0),
        (&plain, "rows", i64::MIN),
        (&compressed, "rows", -100),
    ] {
        let (folder, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        _ = export(&lms, whole.path(), options.clone(), &["enrolments"])
            .await
            .unwrap();
        stop_after(4, &lms, folder.path(), options).await;
        let journal = folder.path().join(".lms-sync/enrolments");
        let (path, _) = journal_files(&journal, name).unwrap();
        let mut content = fs::read(&path).unwrap();
        match usize::try_from(damage) {
            Ok(0) => *content.last_mut().unwrap() ^= 1,
            Ok(more) => content.extend(vec![0; more]),
            Err(_) if damage == i64::MIN => content.truncate(5),
            Err(_) => content.truncate(content.len() - usize::try_from(-damage).unwrap()),
        }
        fs::write(&path, content).unwrap();
        stop_after(5, &lms, folder.path(), options).await;
        let summary = export(&lms, folder.path(), options.clone(), &["enrolments"])
            .await
            .unwrap();
        assert!(summary.is_complete());
        let resumes = summary.collections[0].record.resumes;
        assert_eq!(resumes, 2, "{name} {damage}");
        assert_eq!(files(folder.path()), files(whole.path()), "{name} {damage}");
    }
}

#[tokio::test]
async fn a_derived_collection_continues_with_another_concurrency() {
    let (sandbox, folder, whole) = (
        demo().await,
        tempfile::tempdir().unwrap(),
        tempfile::tempdir().unwrap(),
    );
    let lms = client(&sandbox);
    let run = async |to: &Path, calls: usize| {
        let export = Export::new(&lms).collections(["course_progress"]).unwrap();
        let sink = FilesSink::new(to, FilesOptions::new(Format::Ndjson));
        export.concurrency(calls).run(sink).await.unwrap()
    };
    assert!(run(whole.path(), 1).await.is_complete());
    let rule = "getCourseProgress: after 300: status 403 json";
    sandbox.faults().add(rule).unwrap();
    assert!(!run(folder.path(), 2).await.is_complete());
    sandbox.faults().clear();
    let summary = run(folder.path(), 16).await;
    assert!(summary.is_complete());
    assert_eq!(summary.collections[0].record.resumes, 1);
    assert_eq!(files(folder.path()), files(whole.path()));
}
