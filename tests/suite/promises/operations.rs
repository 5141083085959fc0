//! The public operations, each with the claims that must be true when it has ended.

use std::{pin::Pin, sync::Arc, time::Duration};

use futures_util::future::join_all;
use lms_ext::{
    EnrolmentScope, FieldChange, SyncedEnrolments, Unenrolled, WriteMode, bulk::Outcomes,
    concurrent::PartsCheckpoint, ids, prelude::*, requests,
};
use reqwest::Method;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    claim::{Claim, found, may_be_applied, wrote},
    reads,
    world::{COURSES, LEARNERS, World, email},
};

/// The result of an operation that deletes an enrolment.
pub const NONE_FOUND: &str = "none found";

type Run = fn(Lms, Arc<World>) -> Pin<Box<dyn Future<Output = Claim>>>;

pub struct Operation {
    pub name: &'static str,
    /// Maximum number of calls, one after the other; each has its own timeout.
    pub calls: u32,
    pub run: Run,
}

macro_rules! operations {
    ($($name:literal, $calls:literal: |$lms:ident, $world:ident| $run:expr;)*) => {
        pub const OPERATIONS: &[Operation] = &[$(Operation {
            name: $name,
            calls: $calls,
            run: |$lms, $world| Box::pin(async move { $run }),
        }),*];
    };
}

fn new_learner() -> types::builder::AddLearner {
    types::AddLearner::builder("Sam", "New", "new@x.example").generate_password(true)
}

fn some(texts: &[String]) -> Vec<Option<String>> {
    texts.iter().cloned().map(Some).collect()
}

/// The claim of concurrent calls that make one change, and return whether they made it.
fn once(results: impl Iterator<Item = Result<bool, Error>>, change: String) -> Claim {
    let (done, failed): (Vec<_>, Vec<_>) = results.partition(Result::is_ok);
    let new = done.iter().filter(|new| matches!(new, Ok(true))).count();
    let errors: Vec<_> = failed.into_iter().filter_map(Result::err).collect();
    let mut claim = Claim {
        errors,
        ..Claim::default()
    };
    match done.is_empty() {
        false => claim.made.push(change),
        true if claim.errors.iter().any(may_be_applied) => claim.possible.push(change),
        true => {}
    }
    claim.wrong = (new > 1).then(|| format!("{new} new objects"));
    claim
}

/// The claim of a synchronization of the third learner, which adds and removes so many enrolments.
fn synced(result: Result<SyncedEnrolments, Error>, world: &World, expected: [usize; 2]) -> Claim {
    let changes = |sign: char, courses: &[ids::CourseId]| {
        let number =
            |id: &ids::CourseId| world.courses.iter().position(|known| id == known.as_str());
        let changes = courses.iter().filter_map(number);
        changes
            .map(|course| format!("{sign}{}", world.enrolment(2, course)))
            .collect::<Vec<_>>()
    };
    match result {
        Ok(synced) => {
            let counts = [synced.added.len(), synced.removed.len()];
            let made = [changes('+', &synced.added), changes('-', &synced.removed)].concat();
            let wrong = (counts != expected).then(|| format!("{counts:?} instead of {expected:?}"));
            Claim {
                made,
                wrong,
                ..Claim::default()
            }
        }
        // Some of the changes may have been made before.
        Err(error) => Claim {
            possible: vec![
                format!("+{}", world.enrolment(2, 0)),
                format!("-{}", world.enrolment(2, 2)),
            ],
            errors: vec![error],
            ..Claim::default()
        },
    }
}

/// The names of the fields that change.
fn fields(changes: &[FieldChange]) -> String {
    changes
        .iter()
        .map(FieldChange::field)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The claim of a dry run, which says whether it found nothing, and its changes.
fn planned(plan: Result<(bool, String), Error>, expected: &str) -> Claim {
    match plan {
        Ok((true, _)) => Claim::wrong(NONE_FOUND.to_owned()),
        plan => found(plan.map(|(_, changes)| changes), &expected.to_owned()),
    }
}

/// The claim of operations for many items. A failed one may have been applied if it was `repeated`.
async fn every_outcome<T: Send + 'static>(
    mut outcomes: Outcomes<usize, T>,
    change: impl Fn(&usize) -> String,
    repeated: bool,
) -> Claim {
    let mut claim = Claim::default();
    loop {
        match outcomes.try_next().await {
            Ok(Some(outcome)) => {
                let change = change(&outcome.item);
                if repeated && outcome.result.is_err() {
                    claim.possible.push(change.clone());
                }
                claim = claim.and(wrote(outcome.result, &[change]));
            }
            Ok(None) => break claim,
            Err(error) => {
                // An item without an outcome was tried before, or not.
                claim
                    .possible
                    .extend(outcomes.unfinished().iter().map(&change));
                claim.errors.push(error);
            }
        }
    }
}

/// Stores a checkpoint and reads it again.
fn stored<T: Serialize + DeserializeOwned>(checkpoint: &T) -> T {
    serde_json::from_str(&serde_json::to_string(checkpoint).unwrap()).unwrap()
}

/// Reads a list to its end. The position is stored after some item or page and resumed; after an error, reading is
/// resumed from there, the third time without faults.
macro_rules! resumed {
    ($lms:ident, $world:ident: $listing:expr) => {{
        let stop = fastrand::usize(..=LEARNERS);
        let mut rows = Vec::new();
        let mut from = None;
        let mut failed = None;
        'listings: for (index, most) in [stop, usize::MAX, usize::MAX, usize::MAX]
            .into_iter()
            .enumerate()
        {
            let $lms = if index == 3 {
                $world.undisturbed()
            } else {
                &$lms
            };
            let mut listing = $listing;
            if let Some(from) = &from {
                listing = listing.resume(from).unwrap();
            }
            failed = None;
            while rows.len() < most {
                match listing.try_next().await {
                    Ok(Some(row)) => rows.push(row),
                    Ok(None) => {
                        assert!(listing.checkpoint().is_finished());
                        break 'listings;
                    }
                    Err(error) => {
                        assert!(!error.is_ambiguous() && !error.is_usage(), "{error:#}");
                        assert!(!listing.checkpoint().is_finished(), "{error:#}");
                        failed = Some(error);
                        break;
                    }
                }
            }
            from = Some(stored(&listing.checkpoint()));
        }
        match failed {
            None => rows,
            Some(error) => return Claim::wrong(format!("without faults: {error}")),
        }
    }};
}

const PAGE: i64 = 3;

operations! {
    "every_read", 30: |lms, world| reads::every(lms, &world).await;
    "me", 1: |lms, _world| found(lms.me().call().await.map(|me| me.tid.is_some()), &true);
    "get_learner_by_email", 1: |lms, world| {
        let learner = lms.get_learner_by_email(email(2)).call().await;
        found(learner.map(|learner| learner.id.map(String::from)), &Some(world.learners[2].clone()))
    };
    "get_course", 1: |lms, world| {
        let course = lms.get_course(&world.courses[1]).call().await;
        found(course.map(|course| course.name), &Some("C1".to_owned()))
    };
    "raw", 1: |lms, world| {
        let path = format!("/courses/{}", world.courses[1]);
        let course = lms.raw(Method::GET, &path).unwrap().call_as::<Value>().await;
        found(course.map(|course| course.value["name"].clone()), &"C1".into())
    };
    "list_learners.call", 1: |lms, world| {
        let page = lms.list_learners().call().await;
        let ids = page.map(|page| page.items.into_iter().map(|one| one.id.map(String::from)).collect::<Vec<_>>());
        // With a smaller page, it says that there are more.
        match ids {
            Ok(ids) if some(&world.learners).starts_with(&ids) && ids.len() < LEARNERS => Claim::default(),
            ids => found(ids, &some(&world.learners)),
        }
    };
    "list_tags.call", 1: |lms, world| {
        let tags = lms.list_tags().call().await;
        found(tags.map(|tags| tags.items.into_iter().map(|tag| tag.name).collect()), &world.tags)
    };
    "list_learners.items", 90: |lms, world| {
        let rows = resumed!(lms, world: lms.list_learners().limit(PAGE).items());
        found(Ok(rows.into_iter().map(|one| one.id.map(String::from)).collect()), &some(&world.learners))
    };
    "list_learners.items.without_read_ahead", 90: |lms, world| {
        let rows = resumed!(lms, world: lms.list_learners().limit(PAGE).items().without_read_ahead());
        found(Ok(rows.into_iter().map(|one| one.id.map(String::from)).collect()), &some(&world.learners))
    };
    "list_learners.items.dedup", 30: |lms, world| {
        let rows = lms.list_learners().limit(PAGE).items().dedup().collect_all().await;
        let ids = rows.map(|rows| rows.into_iter().map(|one| one.id.map(String::from)).collect());
        found(ids, &some(&world.learners))
    };
    "list_enrolments.pages", 90: |lms, world| {
        let pages = resumed!(lms, world: lms.list_enrolments().course(&world.courses[1]).limit(PAGE).pages());
        let rows = pages.into_iter().flat_map(|page| page.items);
        found(Ok(rows.map(|one| one.user.map(String::from)).collect()), &some(world.users_of(1)))
    };
    "list_courses.collect_all", 30: |lms, world| {
        let rows = lms.list_courses().limit(2).items_as::<Value>().without_read_ahead().collect_all().await;
        let ids = rows.map(|rows| rows.iter().map(|one| one["id"].as_str().map(str::to_owned)).collect());
        found(ids, &some(&world.courses))
    };
    "list_topics.items", 30: |lms, world| {
        let rows = lms.list_topics().limit(1).items().collect_all().await;
        found(rows.map(|rows| rows.into_iter().map(|one| one.id.map(String::from)).collect()), &some(&world.topics))
    };
    "enrolments_by_course", 150: |lms, world| {
        let concurrency = fastrand::usize(1..5);
        let mut from: Option<PartsCheckpoint> = None;
        let mut users = vec![Vec::new(); COURSES];
        let mut last = None;
        // The third time without faults.
        for lms in [Some(&lms), Some(&lms), None] {
            let lms = lms.unwrap_or_else(|| world.undisturbed());
            let mut listing = lms.enrolments_by_course().concurrency(concurrency);
            if let Some(from) = from.take() {
                listing = listing.resume(from).unwrap();
            }
            last = None;
            loop {
                match listing.try_next().await {
                    Ok(Some(row)) => {
                        let course = world.courses.iter().position(|id| row.course.as_deref() == Some(id.as_str()));
                        users[course.unwrap()].push(row.user.map(String::from));
                    }
                    Ok(None) => break,
                    Err(error) => {
                        last = Some(error);
                        break;
                    }
                }
            }
            if last.is_none() {
                break;
            }
            from = Some(stored(&listing.checkpoint()));
        }
        match last {
            None => found(Ok(users), &(0..COURSES).map(|course| some(world.users_of(course))).collect()),
            Some(error) => Claim::wrong(format!("without faults: {error}")),
        }
    };
    "add_learner", 3: |lms, world| {
        let added = requests::AddLearner::new(&lms, new_learner()).call().await;
        let id = added.as_ref().ok().map(|learner| learner.id.clone());
        let mut claim = wrote(added, &["+learner new@x.example".into()]);
        if let Some(id) = id {
            let there = world.undisturbed().get_learner_by_email("new@x.example").call().await;
            claim = claim.and(found(there.map(|there| there.id), &id));
        }
        claim
    };
    "add_course", 1: |lms, _world| {
        wrote(lms.add_course("New").call().await, &["+course New".into()])
    };
    "add_enrolment", 1: |lms, world| {
        let enrolment = lms.add_enrolment(&world.courses[0], &world.learners[0]);
        wrote(enrolment.call().await, &[format!("+{}", world.enrolment(0, 0))])
    };
    "edit_learner", 1: |lms, world| {
        let learner = types::EditLearner::builder("Sam", "New", email(3))
            .phone_number("1")
            .tags(["a"]);
        let edited = lms.edit_learner(&world.learners[3], learner).call().await;
        wrote(edited, &["learner l3@x.example: surname".into()])
    };
    "delete_learner", 1: |lms, world| {
        wrote(lms.delete_learner(&world.learners[0]).call().await, &["-learner l0@x.example".into()])
    };
    "delete_course", 1: |lms, world| {
        wrote(lms.delete_course(&world.courses[0]).call().await, &["-course C0".into()])
    };
    "update_learner", 4: |lms, world| {
        let edited = lms.update_learner(&world.learners[2], |learner| learner.surname = "New".into()).await;
        wrote(edited, &["learner l2@x.example: surname".into()])
    };
    "update_learner.twice", 6: |lms, world| {
        let id = &world.learners[2];
        let edits = join_all([
            lms.update_learner(id, |learner| learner.surname = "New".into()).into_future(),
            lms.update_learner(id, |learner| learner.firstname = "New".into()).into_future(),
        ]);
        let [surname, firstname]: [_; 2] = edits.await.try_into().unwrap();
        wrote(surname, &["learner l2@x.example: surname".into()])
            .and(wrote(firstname, &["learner l2@x.example: firstname".into()]))
    };
    "update_course", 4: |lms, world| {
        let edited = lms.update_course(&world.courses[1], |course| course.description = Some("New".into())).await;
        wrote(edited, &["course C1: description".into()])
    };
    "ensure_learner", 4: |lms, _world| {
        wrote(lms.ensure_learner(new_learner()).await, &["+learner new@x.example".into()])
    };
    "ensure_learner.by_username", 30: |lms, _world| {
        let learner = new_learner().username("new");
        wrote(lms.ensure_learner(learner).by_username().await, &["+learner new@x.example".into()])
    };
    "ensure_learner.or_update", 8: |lms, _world| {
        let learner = new_learner().firstname("New").surname("Old").email(email(2));
        let ensured = lms.ensure_learner(learner).or_update().await;
        wrote(ensured, &["learner l2@x.example: firstname".into()])
    };
    "ensure_enrolment", 30: |lms, world| {
        let enrolment = types::AddEnrolment::builder(&world.courses[1], &world.learners[0]);
        wrote(lms.ensure_enrolment(enrolment).await, &[format!("+{}", world.enrolment(0, 1))])
    };
    "ensure_enrolment.until_done", 120: |lms, world| {
        let enrolment = || types::AddEnrolment::builder(&world.courses[1], &world.learners[0]);
        for _ in 0..3 {
            if lms.ensure_enrolment(enrolment()).await.is_ok() {
                break;
            }
        }
        let ensured = world.undisturbed().ensure_enrolment(enrolment()).await;
        let claim = wrote(ensured, &[format!("+{}", world.enrolment(0, 1))]);
        let sent_again = world.bridge.conflicts() > 0;
        let wrong = sent_again.then(|| "an enrolment that it had added, and sent again".to_owned());
        Claim { wrong, ..claim }
    };
    "ensure_enrolment.existing", 30: |lms, world| {
        let enrolment = types::AddEnrolment::builder(&world.courses[1], &world.learners[2]);
        found(lms.ensure_enrolment(enrolment).await.map(|ensured| ensured.is_new()), &false)
    };
    "unenrol", 2: |lms, world| {
        let scope = EnrolmentScope::learner_in_course(&world.learners[2], &world.courses[1]);
        let unenrolled = lms.unenrol(scope).await;
        let wrong = matches!(unenrolled, Ok(Unenrolled::NoneFound)).then(|| NONE_FOUND.to_owned());
        let claim = wrote(unenrolled, &[format!("-{}", world.enrolment(2, 1))]);
        Claim { wrong, ..claim }
    };
    "duplicate_course", 90: |lms, world| {
        let made = ["+course Copy".to_owned()];
        match lms.duplicate_course(&world.courses[1], |copy| copy.name("Copy")).await {
            Err(error) => wrote(Err::<(), _>(error), &made),
            Ok(copy) => match copy.timeout(Duration::from_secs(120)).wait().await {
                Ok(_) => wrote(Ok(()), &made),
                // It was started, and continues by itself.
                Err(error) => Claim { possible: made.into(), errors: vec![error], ..Claim::default() },
            },
        }
    };
    "course_copy", 90: |lms, world| {
        let made = ["+course Copy".to_owned()];
        let task = match lms.duplicate_course(&world.courses[1], |copy| copy.name("Copy")).await {
            Err(error) => return wrote(Err::<(), _>(error), &made),
            Ok(copy) => copy.task_id().clone(),
        };
        let copy = lms.course_copy(task).timeout(Duration::from_secs(120));
        match copy.wait().await {
            Ok(_) => wrote(Ok(()), &made),
            Err(error) => Claim { possible: made.into(), errors: vec![error], ..Claim::default() },
        }
    };
    "ensure_learner.twice", 16: |lms, _world| {
        let ensured = [(); 2].map(|()| lms.ensure_learner(new_learner()).into_future());
        let ensured = join_all(ensured).await.into_iter();
        once(ensured.map(|ensured| ensured.map(|ensured| ensured.is_new())), "+learner new@x.example".into())
    };
    "ensure_learner.by_sso_id.or_update", 60: |lms, _world| {
        let moved = new_learner().surname("Old").email("moved@x.example").sso_id("s2");
        let ensured = lms.ensure_learner(moved).by_sso_id().or_update().await;
        wrote(ensured, &["-learner l2@x.example".into(), "+learner moved@x.example".into()])
    };
    "ensure_enrolment.twice", 60: |lms, world| {
        let enrolment = || types::AddEnrolment::builder(&world.courses[1], &world.learners[0]);
        let ensured = [(); 2].map(|()| lms.ensure_enrolment(enrolment()).into_future());
        let ensured = join_all(ensured).await.into_iter();
        once(ensured.map(|ensured| ensured.map(|ensured| ensured.is_new())), format!("+{}", world.enrolment(0, 1)))
    };
    "sync_enrolments", 120: |lms, world| {
        let wanted = || [&world.courses[0], &world.courses[1], &world.courses[1]];
        let sync = || lms.sync_enrolments(&world.learners[2], wanted());
        // Others are removed only on request.
        let claim = synced(sync().await, &world, [1, 0]);
        if !claim.errors.is_empty() {
            return claim;
        }
        claim.and(synced(sync().remove_others().await, &world, [0, 1]))
    };
    "dry_runs", 180: |lms, world| {
        let learner = new_learner().firstname("New").surname("Old").email(email(2));
        let plan = lms.ensure_learner(learner).or_update().run(WriteMode::DryRun).await;
        let ensured = planned(plan.map(|plan| (plan.is_new(), fields(plan.changes()))), "firstname");
        let plan = lms.update_learner(&world.learners[2], |learner| learner.surname = "New".into());
        let plan = plan.run(WriteMode::DryRun).await;
        let edited = planned(plan.map(|plan| (false, fields(plan.changes()))), "surname");
        let (learner, course) = (&world.learners[2], &world.courses[1]);
        let mut removed = Claim::default();
        for (scope, expected) in [
            (EnrolmentScope::learner(learner), "Some(2)"),
            (EnrolmentScope::course(course), "Some(6)"),
            (EnrolmentScope::learner_in_course(learner, course), "Some(1)"),
        ] {
            let plan = lms.unenrol(scope).run(WriteMode::DryRun).await;
            let count = plan.map(|plan| (plan.count() == Some(0), format!("{:?}", plan.count())));
            removed = removed.and(planned(count, expected));
        }
        let wanted = [&world.courses[0], &world.courses[1]];
        let plan = lms.sync_enrolments(&world.learners[2], wanted).remove_others().run(WriteMode::DryRun).await;
        let counts = plan.map(|plan| (false, format!("{} {}", plan.added.len(), plan.removed.len())));
        ensured.and(edited).and(removed).and(planned(counts, "1 1"))
    };
    "unenrol.learner", 2: |lms, world| {
        let unenrolled = lms.unenrol(EnrolmentScope::learner(&world.learners[2])).await;
        let wrong = matches!(unenrolled, Ok(Unenrolled::NoneFound)).then(|| NONE_FOUND.to_owned());
        let claim = wrote(unenrolled, &[1, 2].map(|course| format!("-{}", world.enrolment(2, course))));
        Claim { wrong, ..claim }
    };
    "unenrol.course", 2: |lms, world| {
        let unenrolled = lms.unenrol(EnrolmentScope::course(&world.courses[1])).await;
        let wrong = matches!(unenrolled, Ok(Unenrolled::NoneFound)).then(|| NONE_FOUND.to_owned());
        let all: Vec<_> = (1..LEARNERS).map(|learner| format!("-{}", world.enrolment(learner, 1))).collect();
        Claim { wrong, ..wrote(unenrolled, &all) }
    };
    "bulk", 12: |lms, world| {
        let of = Arc::clone(&world);
        let run = move |lms: Lms, learner: usize| lms.add_enrolment(&of.courses[0], &of.learners[learner]).call();
        let outcomes = lms.bulk(vec![1, 2, 3]).concurrency(2).run(run);
        every_outcome(outcomes, |learner| format!("+{}", world.enrolment(*learner, 0)), false).await
    };
    "bulk.idempotent", 60: |lms, _world| {
        let bulk = lms.bulk(vec![7_usize, 8, 9]).idempotent().concurrency(2);
        let outcomes = bulk.run(|lms, number| lms.ensure_learner(new_learner().email(email(number))));
        every_outcome(outcomes, |number| format!("+learner {}", email(*number)), true).await
    };
}
