//! A job with failing requests, with lms-ext and its defaults: `bench-faults WAY CALLS`.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use lms_bench_subjects::{
    Result,
    fleet::{self, End, Person, Report, Task},
    learners::Tenant,
    print,
    stopwatch::argument,
};
use lms_ext::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Named {
    name: Option<String>,
}

#[tokio::main]
async fn main() -> Result<()> {
    let lms = Tenant::from_env()?.lms()?;
    let mut arguments = std::env::args().skip(1);
    let way: String = argument(&mut arguments, "the way")?;
    let calls: u32 = argument(&mut arguments, "the number of calls")?;
    let result = match &*way {
        "once" => serde_json::to_string(&once(&lms, calls).await?)?,
        "until-done" => serde_json::to_string(&until_done(&lms, calls).await?)?,
        "count" => serde_json::to_string(&courses(&lms).await?)?,
        _ => return Err(format!("there is no way {way}").into()),
    };
    print(result);
    Ok(())
}

/// Every call once.
async fn once(lms: &Lms, calls: u32) -> Result<Report> {
    let people = people(lms).await?;
    let mut report = Report::default();
    run(lms, &people, &mut report, (0..calls).collect()).await?;
    Ok(report)
}

/// Every call until it is applied; after an ambiguous error, it checks first.
async fn until_done(lms: &Lms, calls: u32) -> Result<Report> {
    let people = people(lms).await?;
    let mut report = Report::default();
    let mut open: Vec<u32> = (0..calls).collect();
    while !open.is_empty() {
        run(lms, &people, &mut report, open).await?;
        let ambiguous = std::mem::take(&mut report.ambiguous);
        open = std::mem::take(&mut report.failed);
        let started = std::time::Instant::now();
        let existing = match ambiguous.is_empty() {
            true => HashSet::new(),
            false => courses(lms).await?.into_keys().collect(),
        };
        for number in ambiguous {
            if existing.contains(&number) {
                report.added.push(number);
            } else {
                open.push(number);
            }
        }
        report.seconds += started.elapsed().as_secs_f64();
    }
    Ok(report)
}

/// Number of copies of each course of the job.
async fn courses(lms: &Lms) -> Result<BTreeMap<u32, u32>> {
    let mut existing = BTreeMap::new();
    let mut courses = lms.list_courses().items_as::<Named>();
    loop {
        match courses.try_next().await {
            Ok(Some(course)) => {
                if let Some(number) = course.name.as_deref().and_then(fleet::number) {
                    *existing.entry(number).or_default() += 1;
                }
            }
            Ok(None) => return Ok(existing),
            // Reading continues where it was.
            Err(error) if error.is_retryable() => {}
            Err(error) => return Err(error.into()),
        }
    }
}

async fn people(lms: &Lms) -> Result<Arc<Vec<Person>>> {
    let learners = lms.list_learners().call().await?.items;
    let people = learners.into_iter().map(|learner| {
        let (id, email) = learner.id.zip(learner.email)?;
        Some(Person {
            id: id.into_string(),
            email,
        })
    });
    Ok(Arc::new(
        people
            .collect::<Option<_>>()
            .ok_or("a learner without id or email")?,
    ))
}

async fn run(
    lms: &Lms,
    people: &Arc<Vec<Person>>,
    report: &mut Report,
    calls: Vec<u32>,
) -> Result<()> {
    let (lms, people) = (lms.clone(), Arc::clone(people));
    report
        .run(calls, move |number| {
            let lms = lms.clone();
            let person = people[number as usize % people.len()].clone();
            async move { end(call(&lms, number, person).await) }
        })
        .await?;
    Ok(())
}

async fn call(lms: &Lms, number: u32, person: Person) -> std::result::Result<(), Error> {
    let Person { id, email } = person;
    match fleet::task(number) {
        Task::ReadLearner => lms.get_learner_by_id(id).call().await.map(drop),
        Task::ReadEnrolments => lms.list_enrolments().user(id).call().await.map(drop),
        Task::AddCourse => {
            let call = lms.add_course(fleet::course(number)).call();
            call.await.map(drop)
        }
        Task::EditLearner => {
            let body = types::EditLearner::builder("Sam", format!("Jones {number}"), email);
            lms.edit_learner(id, body).call().await.map(drop)
        }
    }
}

fn end(outcome: std::result::Result<(), Error>) -> End {
    match outcome {
        Ok(()) => End::Done,
        Err(error) if error.is_ambiguous() => End::Ambiguous,
        Err(_) => End::Failed,
    }
}
