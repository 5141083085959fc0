//! Tests whole runs against a sandbox, as a program with `lms-ext` can be tested.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test panics")]

use std::{fs, path::PathBuf, time::Duration};

use lms_ext::{ErrorKind, Lms, RetryPolicy, WriteMode, prelude::*};
use lms_sandbox::{
    Clock, DropPoint, Effect, FaultPlan, FaultRule, NewLearner, NewTopic, Operation, RequestRecord,
    Sandbox, SandboxBuilder, When,
};
use nightly_sync::{
    completions::export,
    people::{self, Person},
    sync::{Report, sync},
};
use tempfile::TempDir;

/// A tenant with two courses, its client, and a folder for the export.
struct Night {
    sandbox: Sandbox,
    lms: Lms,
    courses: [String; 2],
    topics: [String; 2],
    folder: TempDir,
}

impl Night {
    async fn begin() -> Self {
        Self::with(Sandbox::builder()).await
    }

    async fn with(sandbox: SandboxBuilder) -> Self {
        let sandbox = sandbox.start().await.unwrap();
        let lms = Lms::builder(sandbox.base_url())
            .client_credentials(sandbox.client_id(), sandbox.client_secret())
            // Retries without backoff.
            .retry(RetryPolicy::default().backoff(Duration::ZERO, Duration::ZERO))
            .build()
            .unwrap();
        let seed = sandbox.seed();
        let courses = ["Fire safety", "First aid"].map(|name| seed.add_course(name).unwrap());
        let topics = courses.clone().map(|course| {
            seed.add_topic(&NewTopic {
                course,
                name: "Introduction".into(),
                ..NewTopic::default()
            })
            .unwrap()
        });
        Self {
            sandbox,
            lms,
            courses,
            topics,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// Ann in both courses, Ben in the first.
    fn people(&self) -> Vec<Person> {
        let [one, two] = &self.courses;
        read(&format!(
            "firstname,surname,email,courses\n\
             Ann,Jones,ann@acme.example,{one} {two}\n\
             Ben,Okafor,ben@acme.example,{one}\n"
        ))
    }

    fn fault(&self, effect: Effect, operation: Operation, when: When) {
        let rule = FaultRule::new(effect).on([operation]).when(when);
        self.sandbox.faults().add(rule).unwrap();
    }

    async fn sync(&self, people: &[Person]) -> Report {
        sync(&self.lms, people, WriteMode::Apply, || ()).await
    }

    async fn learner(&self, email: &str) -> types::Learner {
        let learner = self.lms.get_learner_by_email(email).call().await;
        learner.unwrap()
    }

    async fn complete(&self, email: &str, topic: &str) {
        let id = self.learner(email).await.id.unwrap();
        self.sandbox.seed().complete_topic(&id, topic).unwrap();
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("completions.csv")
    }

    async fn export(&self) -> usize {
        export(&self.lms, &self.file(), WriteMode::Apply)
            .await
            .unwrap()
    }

    fn lines(&self) -> Vec<String> {
        let text = fs::read_to_string(self.file()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    async fn counts(&self) -> (usize, usize) {
        let learners = self.lms.list_learners().collect_all().await.unwrap();
        let enrolments = self.lms.list_enrolments().collect_all().await.unwrap();
        (learners.len(), enrolments.len())
    }
}

fn read(export: &str) -> Vec<Person> {
    people::read(export.as_bytes()).unwrap()
}

#[track_caller]
fn successful(report: &Report) -> (usize, usize, usize) {
    assert!(report.stopped.is_none(), "{:?}", report.stopped);
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    (report.added, report.changed, report.enrolled)
}

#[tokio::test]
async fn the_first_run_adds_all_learners_and_the_second_none() {
    let night = Night::begin().await;
    let people = night.people();
    assert_eq!(successful(&night.sync(&people).await), (2, 0, 3));
    assert_eq!(night.counts().await, (2, 3));

    night.sandbox.clear_requests();
    assert_eq!(successful(&night.sync(&people).await), (0, 0, 0));
    let requests = night.sandbox.requests().unwrap();
    assert!(requests.iter().all(|request| request.method == "GET"));
    assert_eq!(night.counts().await, (2, 3));
}

#[tokio::test]
async fn a_run_with_nothing_to_do_for_500_people_costs_ten_requests() {
    let night = Night::begin().await;
    let course = &night.courses[0];
    let mut export = "firstname,surname,email,courses\n".to_owned();
    for n in 0..500 {
        export += &format!("Ann,Number {n},Ann.{n}@acme.example,{course}\n");
    }
    let people = read(&export);
    assert_eq!(successful(&night.sync(&people).await), (500, 0, 500));

    night.sandbox.clear_requests();
    assert_eq!(successful(&night.sync(&people).await), (0, 0, 0));
    let requests = night.sandbox.requests().unwrap().len();
    assert!(requests <= 10, "{requests} requests");
}

#[tokio::test]
async fn a_person_who_is_twice_in_the_export_is_added_once() {
    let night = Night::begin().await;
    let mut people = night.people();
    people.extend(night.people());
    assert_eq!(successful(&night.sync(&people).await), (2, 0, 3));
    assert_eq!(night.counts().await, (2, 3));
}

#[tokio::test]
async fn a_new_surname_is_written_and_other_fields_are_kept() {
    let night = Night::begin().await;
    let seed = night.sandbox.seed();
    seed.add_learner(&NewLearner {
        firstname: "Ann".into(),
        surname: "Smith".into(),
        email: "Ann@acme.example".into(),
        phone_number: Some("+44 20 7946 0000".into()),
        tags: vec!["emea".into()],
        ..NewLearner::default()
    })
    .unwrap();

    assert_eq!(successful(&night.sync(&night.people()).await), (1, 1, 3));

    let ann = night.learner("ann@acme.example").await;
    assert_eq!(ann.surname.as_deref(), Some("Jones"));
    assert_eq!(ann.phone_number.as_deref(), Some("+44 20 7946 0000"));
    assert_eq!(ann.tags, ["emea"]);
}

#[tokio::test]
async fn each_completion_is_written_once_even_after_a_partial_row() {
    let night = Night::begin().await;
    night.sync(&night.people()).await;
    assert_eq!(night.export().await, 0);
    assert_eq!(night.lines(), ["completion,user,course,happened"]);

    night.complete("ann@acme.example", &night.topics[0]).await;
    assert_eq!(night.export().await, 1);
    night.complete("ann@acme.example", &night.topics[1]).await;
    night.complete("ben@acme.example", &night.topics[0]).await;

    // A killed run leaves a partial row, which the next run replaces.
    let mut text = fs::read_to_string(night.file()).unwrap();
    text.push_str("cc");
    fs::write(night.file(), text).unwrap();
    assert_eq!(night.export().await, 2);
    assert_eq!(night.export().await, 0);

    let lines = night.lines();
    assert_eq!(lines.len(), 4, "{lines:?}");
    let mut fields = lines.iter().flat_map(|line| line.split(','));
    assert!(fields.all(|field| !field.is_empty()), "{lines:?}");
    let different: std::collections::HashSet<_> = lines.iter().collect();
    assert_eq!(different.len(), lines.len());
}

#[tokio::test]
async fn tokens_that_expire_during_a_run_are_replaced() {
    let night = Night::begin().await;
    let people = night.people();
    // Advances only the clock of the sandbox, so that the client uses expired tokens.
    let report = sync(&night.lms, &people, WriteMode::Apply, || {
        night.sandbox.clock().advance(Duration::from_secs(301));
    })
    .await;

    assert_eq!(successful(&report), (2, 0, 3));
    assert_eq!(night.counts().await, (2, 3));
    let requests = night.sandbox.requests().unwrap();
    let expired = |request: &&RequestRecord| request.status.is_some_and(|status| status == 401);
    let expired = requests.iter().filter(expired).count();
    assert!(expired > 0);
    let tokens = night.sandbox.requests_to(Operation::GetToken).unwrap();
    assert_eq!(tokens.len(), expired + 1);
}

#[tokio::test]
async fn a_tenant_with_unusual_behaviour_is_synchronized() {
    let night = Night::with(Sandbox::builder().faults(FaultPlan::unusual())).await;
    let people = night.people();
    assert_eq!(successful(&night.sync(&people).await), (2, 0, 3));
    assert_eq!(successful(&night.sync(&people).await), (0, 0, 0));
    night.complete("ann@acme.example", &night.topics[0]).await;
    assert_eq!(night.export().await, 1);
    assert_eq!(night.export().await, 0);
    assert_eq!(night.counts().await, (2, 3));
}

#[tokio::test]
async fn an_addition_whose_response_was_lost_is_not_sent_again() {
    for operation in [Operation::AddLearner, Operation::AddEnrolment] {
        let night = Night::begin().await;
        let lost = Effect::Drop {
            at: DropPoint::After,
        };
        night.fault(lost, operation, When::First(1));
        assert_eq!(successful(&night.sync(&night.people()).await), (2, 0, 3));
        assert_eq!(night.counts().await, (2, 3), "{operation:?}");
    }
}

#[tokio::test]
async fn an_error_about_one_person_is_recorded_and_the_run_continues() {
    let night = Night::begin().await;
    let course = &night.courses[0];
    let people = read(&format!(
        "firstname,surname,email,courses\n\
         Ann,Jones,ann.at.acme,{course}\n\
         Ben,Okafor,ben@acme.example,c999\n\
         Cem,Aydin,cem@acme.example,{course}\n"
    ));
    let report = night.sync(&people).await;

    assert!(report.stopped.is_none());
    assert_eq!((report.added, report.enrolled), (2, 1));
    let lines: Vec<_> = report.problems.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 3]);
}

#[tokio::test]
async fn an_error_that_affects_everyone_ends_the_run() {
    let night = Night::begin().await;
    let lms = Lms::builder(night.sandbox.base_url())
        .client_credentials(night.sandbox.client_id(), "not the secret")
        .build()
        .unwrap();
    let mut seen = 0;
    let report = sync(&lms, &night.people(), WriteMode::Apply, || seen += 1).await;
    assert_eq!(report.stopped.unwrap().kind(), ErrorKind::Unauthenticated);
    assert_eq!(seen, 0);

    // So does an outage; the next run completes the rest.
    let before_the_last_enrolment = When::After(3);
    night.fault(
        Effect::status(503),
        Operation::ListEnrolments,
        before_the_last_enrolment,
    );
    let report = night.sync(&night.people()).await;
    assert_eq!(report.stopped.unwrap().kind(), ErrorKind::Server);
    assert_eq!((report.added, report.enrolled), (2, 2));
    night.sandbox.faults().clear();
    assert_eq!(successful(&night.sync(&night.people()).await), (0, 0, 1));
}

#[tokio::test]
async fn a_dry_run_reports_the_same_and_changes_nothing() {
    let night = Night::begin().await;
    let people = night.people();
    let dry = sync(&night.lms, &people, WriteMode::DryRun, || ()).await;
    assert_eq!(night.counts().await, (0, 0));
    assert_eq!(successful(&dry), successful(&night.sync(&people).await));

    night.complete("ann@acme.example", &night.topics[0]).await;
    let renamed = read("firstname,surname,email,courses\nAnn,Bell,ann@acme.example,\n");
    night.sandbox.clear_requests();
    let dry = sync(&night.lms, &renamed, WriteMode::DryRun, || ()).await;
    assert_eq!(successful(&dry), (0, 1, 0));
    let new = export(&night.lms, &night.file(), WriteMode::DryRun)
        .await
        .unwrap();
    assert_eq!(new, 1);
    assert!(!night.file().exists());
    let requests = night.sandbox.requests().unwrap();
    assert!(requests.iter().all(|request| request.method == "GET"));
}

#[tokio::test]
async fn completions_are_exported_with_the_time_of_the_service() {
    let at = std::time::UNIX_EPOCH + Duration::from_secs(1_772_357_400);
    let night = Night::with(Sandbox::builder().clock(Clock::stopped_at(at))).await;
    night.sync(&night.people()).await;
    night.complete("ben@acme.example", &night.topics[0]).await;
    night.export().await;
    let lines = night.lines();
    assert!(lines[1].ends_with(",2026-03-01T09:30:00Z"), "{lines:?}");
}
