//! Four processes mirror the same tenants, and are killed again and again.
//!
//! `LMS_TESTS=full` does so with 300 tenants.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::PathBuf,
    process::{Child, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use lms_sandbox::{Sandbox, json};

use crate::program::{Program, peak_memory};

const PROCESSES: u64 = 4;
const LEARNERS: u32 = 30;

/// The limit of each tenant.
const PER_SECOND: usize = 20;

/// A process sends these requests before its rate limiter has its limit: to check the credentials, and their token.
const BEFORE_THE_LIMIT: usize = 3;

/// The number of tenants, and the number of times that each of the processes is killed.
fn size() -> (usize, u64) {
    match std::env::var("LMS_TESTS").as_deref() {
        Ok("full") => (300, 30),
        _ => (20, 2),
    }
}

async fn tenants(count: usize) -> Vec<Sandbox> {
    let mut tenants = Vec::new();
    for _ in 0..count {
        let sandbox = Sandbox::builder().start().await.unwrap();
        sandbox.seed().add_course("Lifting").unwrap();
        for number in 0..LEARNERS {
            let learner = json!({
                "firstname": "Ann", "surname": format!("New {number}"), "email": format!("new{number}@acme.example"),
            });
            sandbox.seed().add_learner(&learner).unwrap();
        }
        tenants.push(sandbox);
    }
    tenants
}

/// The processes, which have a profile for each tenant.
struct Fleet<'a> {
    program: Program,
    tenants: &'a [Sandbox],
    /// The destination.
    to: &'a str,
    started: AtomicU64,
    /// The most memory that a process had, in MB.
    memory: AtomicU64,
}

impl<'a> Fleet<'a> {
    fn new(tenants: &'a [Sandbox], to: &'a str) -> Self {
        let limit = format!("max_per_second = {PER_SECOND}");
        let names: Vec<_> = (0..tenants.len())
            .map(|number| format!("t{number}"))
            .collect();
        let profiles = names.iter().zip(tenants);
        let profiles: Vec<_> = profiles
            .map(|(name, tenant)| (name.as_str(), tenant, limit.as_str()))
            .collect();
        let program = Program::with_profiles(&profiles);
        Self {
            program,
            tenants,
            to,
            started: AtomicU64::new(0),
            memory: AtomicU64::new(0),
        }
    }

    /// Starts a process that has no token yet, so that its requests are told apart from those of others. Its errors go to a file:
    /// a process waits for the reader of a full pipe.
    fn start(&self) -> (Child, PathBuf) {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let errors = self.program.path().join(format!("errors{number}"));
        let cache = self.program.path().join(format!("cache{number}"));
        let mirror = format!(
            "mirror courses,learners --to {} --all-profiles --at-once 8 --max-age 1h --page-size 10 --quiet",
            self.to
        );
        let child = self
            .program
            .command(&mirror)
            .env("XDG_CACHE_HOME", cache)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&errors).unwrap())
            .spawn();
        (child.unwrap(), errors)
    }

    fn requests(&self) -> usize {
        let tenants = self.tenants.iter();
        tenants.map(|tenant| tenant.requests().unwrap().len()).sum()
    }

    /// Waits until the process has ended, or `enough` says so.
    fn watch(&self, child: &mut Child, enough: impl Fn() -> bool) {
        while child.try_wait().unwrap().is_none() && !enough() {
            let memory = peak_memory(child);
            self.memory.fetch_max(memory, Ordering::Relaxed);
            // To count the requests of many tenants takes a while itself.
            let pause = u64::try_from(self.tenants.len()).unwrap() / 2;
            thread::sleep(Duration::from_millis(pause));
        }
    }

    /// Runs a process to its end, after others that were killed.
    fn work(&self, worker: u64, kills: u64) {
        for kill in 0..kills {
            let (mut child, _) = self.start();
            // The same in every run, and different for each process.
            let requests = 10 + (worker * 37 + kill * 61) % 120;
            let until = self.requests() + usize::try_from(requests).unwrap();
            self.watch(&mut child, || self.requests() >= until);
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let (mut child, errors) = self.start();
        self.watch(&mut child, || false);
        let status = child.wait().unwrap();
        assert!(status.success(), "{}", fs::read_to_string(errors).unwrap());
    }
}

/// Fails unless the requests with each token follow each other: no process has asked the tenant between those of another.
fn assert_one_at_a_time(tenant: &Sandbox) {
    let mut ended = BTreeSet::new();
    let mut current = None;
    for record in tenant.requests().unwrap() {
        let Some(token) = record.token else { continue };
        if current != Some(token) {
            assert!(
                ended.insert(token),
                "two processes read the tenant at a time"
            );
            current = Some(token);
        }
    }
}

/// Fails if a tenant got more requests within a second than its limit.
fn assert_within_limit(tenant: &Sandbox) {
    let records = tenant.requests().unwrap();
    for (index, first) in records.iter().enumerate() {
        let second = records[index..]
            .iter()
            .take_while(|record| record.at < first.at + Duration::from_secs(1));
        let (mut sent, mut processes) = (0, BTreeSet::new());
        for record in second {
            sent += 1;
            processes.extend(record.token);
        }
        let allowed = PER_SECOND + BEFORE_THE_LIMIT * processes.len().max(1);
        assert!(
            sent <= allowed,
            "{sent} requests in a second, {allowed} are allowed"
        );
    }
}

async fn every_tenant_is_mirrored_whole(to: &str) {
    let (count, kills) = size();
    let tenants = tenants(count).await;
    let fleet = Fleet::new(&tenants, to);
    thread::scope(|scope| {
        for worker in 0..PROCESSES {
            let fleet = &fleet;
            scope.spawn(move || fleet.work(worker, kills));
        }
    });
    // What the last process held when it was killed.
    fleet.work(0, 0);
    let status = format!("status --mirror {to} --all-profiles --quiet");
    let status = fleet.program.json(&status);
    let status = status.as_array().unwrap();
    assert_eq!(status.len(), count);
    for tenant in status {
        assert_eq!(tenant["complete"], true, "{tenant}");
        assert_eq!(tenant["rows"], u64::from(LEARNERS) + 1, "{tenant}");
    }
    for tenant in &tenants {
        assert_one_at_a_time(tenant);
        assert_within_limit(tenant);
    }
    let memory = fleet.memory.load(Ordering::Relaxed);
    assert!(memory < 500, "{memory} MB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tenants_are_mirrored_whole_into_files_by_processes_that_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let to = format!("sqlite:{}/{{profile}}.db", folder.path().display());
    every_tenant_is_mirrored_whole(&to).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by .ci/postgres"]
async fn tenants_are_mirrored_whole_into_postgres_by_processes_that_are_killed() {
    let url = std::env::var("LMS_TEST_POSTGRES").expect("run by `.ci/postgres`");
    every_tenant_is_mirrored_whole(&format!("{url}?schema=fleet")).await;
}
