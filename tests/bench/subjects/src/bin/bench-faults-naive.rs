//! The same job with reqwest and a loop around each call: `bench-faults-naive PAUSE_MS CALLS`.

use std::{env, sync::Arc, time::Duration};

use lms_bench_subjects::{
    Result,
    fleet::{self, End, Person, Report, Task},
    learners::{Client, Page, Tenant},
    print,
    stopwatch::argument,
};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

/// The same as lms-ext by default.
const ATTEMPTS: u32 = 3;

struct Loop {
    client: Client,
    pause: Duration,
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let pause: u64 = argument(&mut arguments, "the pause")?;
    let calls: u32 = argument(&mut arguments, "the number of calls")?;
    let client = Client::connect(&Tenant::from_env()?).await?;
    let page: Page<Person> = client.page("learners", None).await?;
    let people = Arc::new(page.items);
    let tenant = Arc::new(Loop {
        client,
        pause: Duration::from_millis(pause),
    });
    let mut report = Report::default();
    report
        .run((0..calls).collect(), move |number| {
            let tenant = Arc::clone(&tenant);
            let person = people[number as usize % people.len()].clone();
            async move { tenant.call(number, &person).await }
        })
        .await?;
    print(serde_json::to_string(&report)?);
    Ok(())
}

impl Loop {
    /// Sends until there is a successful response, or the attempts are used up.
    async fn send(&self, request: RequestBuilder) -> Option<Value> {
        for attempt in 1..=ATTEMPTS {
            let response = request.try_clone()?.send().await;
            if let Ok(response) = response.and_then(reqwest::Response::error_for_status)
                && let Ok(body) = response.json().await
            {
                return Some(body);
            }
            if attempt < ATTEMPTS {
                tokio::time::sleep(self.pause).await;
            }
        }
        None
    }

    async fn call(&self, number: u32, Person { id, email }: &Person) -> End {
        let request = |method, path: &str| self.client.request(method, path);
        let learner = format!("learners/{id}");
        let request = match fleet::task(number) {
            Task::ReadLearner => request(Method::GET, &learner),
            Task::ReadEnrolments => request(Method::GET, "enrolments").query(&[("user", id)]),
            Task::AddCourse => {
                request(Method::POST, "courses").json(&json!({"name": fleet::course(number)}))
            }
            Task::EditLearner => request(Method::PUT, &learner).json(&json!({
                "firstname": "Sam",
                "surname": format!("Jones {number}"),
                "email": email,
            })),
        };
        match self.send(request).await {
            Some(_) => End::Done,
            None => End::Failed,
        }
    }
}
