//! Whole nights, against a sandbox: what a dependent of `lms-ext` can promise, and how it is tested.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that goes wrong is to stop where it does"
)]

use std::{fs, path::PathBuf, time::Duration};

use lms_ext::{ErrorKind, Lms, RetryPolicy, prelude::*};
use lms_sandbox::{
    Clock, DropPoint, Effect, FaultRule, NewLearner, NewTopic, Operation, Sandbox, SandboxBuilder,
    When,
};
use nightly_sync::{
    Mode,
    completions::export,
    people::{self, Person},
    sync::{Report, sync},
};
use tempfile::TempDir;

/// A tenant with two courses, a client of it, and a folder for the export.
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
            // Repeats as in earnest, without the waits.
            .retry(RetryPolicy::default().backoff(Duration::ZERO, Duration::ZERO))
            .build()
            .unwrap();
        let seed = sandbox.seed();
        let courses = ["Fire safety", "First aid"].map(|name| seed.add_course(name).unwrap());
        let topics = courses.clone().map(|course| {
            seed.add_topic(&NewTopic {
                course,
                name: "The one topic".into(),
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

    /// Ann is to be in both courses, Ben in the first.
    fn people(&self) -> Vec<Person> {
        let [one, two] = &self.courses;
        read(&format!(
            "firstname,surname,email,courses\n\
             Ann,Jones,ann@acme.example,{one} {two}\n\
             Ben,Okafor,ben@acme.example,{one}\n"
        ))
    }

    async fn sync(&self, people: &[Person]) -> Report {
        sync(&self.lms, people, Mode::Write, |_| ()).await
    }

    async fn learner(&self, email: &str) -> types::Learner {
        let learner = self.lms.get_learner_by_email().email(email).call().await;
        learner.unwrap()
    }

    async fn complete(&self, email: &str, topic: &str) {
        let id = self.learner(email).await.id.unwrap();
        self.sandbox.seed().complete_topic(&id, topic).unwrap();
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("completions.csv")
    }

    async fn export(&self) -> u64 {
        export(&self.lms, &self.file(), Mode::Write).await.unwrap()
    }

    fn lines(&self) -> Vec<String> {
        let text = fs::read_to_string(self.file()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    async fn counts(&self) -> (usize, usize) {
        (
            self.lms.list_learners().collect_all().await.unwrap().len(),
            self.lms
                .list_enrolments()
                .collect_all()
                .await
                .unwrap()
                .len(),
        )
    }
}

fn read(export: &str) -> Vec<Person> {
    people::read(export.as_bytes()).unwrap()
}

#[track_caller]
fn went_well(report: &Report) -> (usize, usize, usize) {
    assert!(report.stopped.is_none(), "{:?}", report.stopped);
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    (report.added, report.changed, report.enrolled)
}

#[tokio::test]
async fn the_first_night_adds_everybody_and_the_second_nobody() {
    let night = Night::begin().await;
    let people = night.people();
    assert_eq!(went_well(&night.sync(&people).await), (2, 0, 3));
    assert_eq!(night.counts().await, (2, 3));

    night.sandbox.clear_requests();
    assert_eq!(went_well(&night.sync(&people).await), (0, 0, 0));
    assert_eq!(night.counts().await, (2, 3));
    for operation in [
        Operation::AddLearner,
        Operation::EditLearner,
        Operation::AddEnrolment,
    ] {
        assert!(
            night.sandbox.requests_to(operation).is_empty(),
            "{operation:?}"
        );
    }
}

#[tokio::test]
async fn a_new_surname_is_taken_over_and_nothing_else_is_touched() {
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

    assert_eq!(went_well(&night.sync(&night.people()).await), (1, 1, 3));

    let ann = night.learner("ann@acme.example").await;
    assert_eq!(ann.surname.as_deref(), Some("Jones"));
    assert_eq!(ann.phone_number.as_deref(), Some("+44 20 7946 0000"));
    assert_eq!(ann.tags, ["emea"]);
}

#[tokio::test]
async fn each_completion_is_written_once_whatever_happened_in_between() {
    let night = Night::begin().await;
    night.sync(&night.people()).await;
    assert_eq!(night.export().await, 0);
    assert_eq!(night.lines(), ["completion,user,course,happened"]);

    night.complete("ann@acme.example", &night.topics[0]).await;
    assert_eq!(night.export().await, 1);
    night.complete("ann@acme.example", &night.topics[1]).await;
    night.complete("ben@acme.example", &night.topics[0]).await;

    // Killed in the middle of a row: the row is whole after the next run, and there once.
    let mut text = fs::read_to_string(night.file()).unwrap();
    text.push_str("cc");
    fs::write(night.file(), text).unwrap();
    assert_eq!(night.export().await, 2);
    assert_eq!(night.export().await, 0);

    let lines = night.lines();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(
        lines
            .iter()
            .skip(1)
            .all(|line| line.split(',').all(|field| !field.is_empty()))
    );
    let different: std::collections::HashSet<_> = lines.iter().collect();
    assert_eq!(different.len(), lines.len());
}

#[tokio::test]
async fn a_token_that_runs_out_in_the_middle_is_nobodys_concern() {
    let night = Night::begin().await;
    let people = night.people();
    // Five minutes pass at the tenant behind each person. The client does not know, and is refused.
    let report = sync(&night.lms, &people, Mode::Write, |_| {
        night.sandbox.clock().advance(Duration::from_secs(301));
    })
    .await;

    assert_eq!(went_well(&report), (2, 0, 3));
    assert_eq!(night.counts().await, (2, 3));
    let refused = night
        .sandbox
        .requests()
        .iter()
        .filter(|r| r.status.is_some_and(|status| status == 401))
        .count();
    assert!(refused > 0);
    assert_eq!(
        night.sandbox.requests_to(Operation::GetToken).len(),
        refused + 1
    );
}

#[tokio::test]
async fn a_tenant_with_every_quirk_makes_no_difference() {
    let night = Night::with(Sandbox::builder().quirks(["all"])).await;
    let people = night.people();
    assert_eq!(went_well(&night.sync(&people).await), (2, 0, 3));
    assert_eq!(went_well(&night.sync(&people).await), (0, 0, 0));
    night.complete("ann@acme.example", &night.topics[0]).await;
    assert_eq!(night.export().await, 1);
    assert_eq!(night.export().await, 0);
    assert_eq!(night.counts().await, (2, 3));
}

#[tokio::test]
async fn an_addition_whose_answer_was_lost_is_not_made_again() {
    for operation in [Operation::AddLearner, Operation::AddEnrolment] {
        let night = Night::begin().await;
        let lost = FaultRule::new(Effect::Drop {
            at: DropPoint::After,
        });
        night
            .sandbox
            .faults()
            .add(lost.on([operation]).when(When::First(1)))
            .unwrap();
        assert_eq!(went_well(&night.sync(&night.people()).await), (2, 0, 3));
        assert_eq!(night.counts().await, (2, 3), "{operation:?}");
    }
}

#[tokio::test]
async fn one_persons_mistake_is_noted_and_the_others_have_their_turn() {
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
    let lines: Vec<_> = report.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [2, 3]);
}

#[tokio::test]
async fn what_would_befall_everybody_ends_the_run() {
    let night = Night::begin().await;
    let lms = Lms::builder(night.sandbox.base_url())
        .client_credentials(night.sandbox.client_id(), "not the secret")
        .build()
        .unwrap();
    let mut seen = 0;
    let report = sync(&lms, &night.people(), Mode::Write, |_| seen += 1).await;
    assert_eq!(report.stopped.unwrap().kind(), ErrorKind::Unauthenticated);
    assert_eq!(seen, 0);

    // A tenant that has broken down stops the run; the next run does what was left.
    let down = FaultRule::new(Effect::status(503));
    night
        .sandbox
        .faults()
        .add(down.on([Operation::GetLearnerByEmail]).when(When::After(1)))
        .unwrap();
    let report = night.sync(&night.people()).await;
    assert_eq!(report.stopped.unwrap().kind(), ErrorKind::Server);
    assert_eq!(report.added, 1);
    night.sandbox.faults().clear();
    assert_eq!(went_well(&night.sync(&night.people()).await), (1, 0, 1));
}

#[tokio::test]
async fn a_dry_run_says_the_same_and_changes_nothing() {
    let night = Night::begin().await;
    let people = night.people();
    let dry = sync(&night.lms, &people, Mode::DryRun, |_| ()).await;
    assert_eq!(night.counts().await, (0, 0));
    assert_eq!(went_well(&dry), went_well(&night.sync(&people).await));

    night.complete("ann@acme.example", &night.topics[0]).await;
    let renamed = read("firstname,surname,email,courses\nAnn,Bell,ann@acme.example,\n");
    night.sandbox.clear_requests();
    let dry = sync(&night.lms, &renamed, Mode::DryRun, |_| ()).await;
    assert_eq!(went_well(&dry), (0, 1, 0));
    assert_eq!(
        export(&night.lms, &night.file(), Mode::DryRun)
            .await
            .unwrap(),
        1
    );
    assert!(!night.file().exists());
    assert!(
        night
            .sandbox
            .requests()
            .iter()
            .all(|request| request.method == "GET")
    );
}

#[tokio::test]
async fn a_tenant_whose_clock_stands_still_gives_the_same_file() {
    let at = std::time::UNIX_EPOCH + Duration::from_secs(1_772_357_400);
    let night = Night::with(Sandbox::builder().clock(Clock::stopped_at(at))).await;
    night.sync(&night.people()).await;
    night.complete("ben@acme.example", &night.topics[0]).await;
    night.export().await;
    let lines = night.lines();
    assert!(lines[1].ends_with(",2026-03-01T09:30:00Z"), "{lines:?}");
}
