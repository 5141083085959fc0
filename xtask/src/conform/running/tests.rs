use super::*;

fn program(folder: &tempfile::TempDir, script: &str) -> Program {
    Program::new("sh", folder.path().join("log"))
        .arg("-c")
        .arg(script)
}

/// Returns `true` if a process with this id exists.
fn exists(id: &str) -> bool {
    Path::new("/proc").join(id).exists()
}

#[test]
fn a_server_is_ended_on_drop() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = program(&folder, "echo $$; exec sleep 600").start().unwrap();
    let id = running
        .wait_until(Duration::from_secs(60), |output| {
            Some(output.strip_suffix('\n')?.to_owned())
        })
        .unwrap();
    assert!(exists(&id));
    drop(running);
    assert!(!exists(&id));
}

#[test]
fn a_program_that_hangs_is_ended_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = program(&folder, "echo $$; exec sleep 600")
        .run(Duration::from_secs(2))
        .unwrap_err();
    assert!(error.to_string().contains("did not end"), "{error}");
    let id = fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(!exists(id.trim()));
}

#[test]
fn an_error_shows_the_last_lines_of_output() {
    let folder = tempfile::tempdir().unwrap();
    let error = program(&folder, "seq 100; echo alas >&2; exit 3")
        .run(Duration::from_secs(60))
        .unwrap_err()
        .to_string();
    assert!(error.contains("alas"), "{error}");
    assert!(error.contains("\n  100\n"), "{error}");
    assert!(!error.contains("\n  1\n"), "{error}");
}

#[test]
fn a_server_that_ends_early_is_an_error_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let error = program(&folder, "echo no such port; exit 1")
        .start()
        .unwrap()
        .wait_until(Duration::from_secs(600), |_| None::<()>)
        .unwrap_err();
    assert!(error.to_string().contains("no such port"), "{error}");
}
