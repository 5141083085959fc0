//! The same job with reqwest and a loop around each call: `bench-faults-naive PAUSE_MS CALLS`.
#![expect(
    clippy::print_stdout,
    reason = "its answer is a line on standard output"
)]

use std::{error::Error, sync::Arc, time::Duration};

use lms_bench_subjects::fleet::{self, End, Person, Report, Task};
use reqwest::{Client, RequestBuilder};
use serde::Deserialize;
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// As often as lms-ext by default.
const ATTEMPTS: u32 = 3;

#[derive(Clone)]
struct Tenant {
    http: Client,
    base: String,
    token: String,
    pause: Duration,
}

#[derive(Deserialize)]
struct Token {
    access_token: String,
}

#[derive(Deserialize)]
struct Learners {
    items: Vec<Learner>,
}

#[derive(Deserialize)]
struct Learner {
    id: String,
    email: String,
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let pause: u64 = arguments.next().ok_or("which pause?")?.parse()?;
    let calls: u32 = arguments.next().ok_or("how many calls?")?.parse()?;
    let tenant = Tenant::connect(Duration::from_millis(pause)).await?;
    let learners: Learners = serde_json::from_value(
        tenant
            .send(|http, base| http.get(format!("{base}/learners")))
            .await
            .ok_or("no learners")?,
    )?;
    let people = learners
        .items
        .into_iter()
        .map(|Learner { id, email }| Person { id, email });
    let people: Arc<Vec<_>> = Arc::new(people.collect());
    let mut report = Report::default();
    report
        .work_off((0..calls).collect(), move |number| {
            let tenant = tenant.clone();
            let person = people[number as usize % people.len()].clone();
            async move { tenant.call(number, &person).await }
        })
        .await?;
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

impl Tenant {
    async fn connect(pause: Duration) -> Result<Self> {
        let http = Client::builder().timeout(Duration::from_secs(60)).build()?;
        let base = format!("{}/api/v1", std::env::var("LMS_BASE_URL")?);
        let credentials = json!({
            "grant_type": "client_credentials",
            "client_id": std::env::var("LMS_CLIENT_ID")?,
            "client_secret": std::env::var("LMS_CLIENT_SECRET")?,
        });
        let answer = http
            .post(format!("{base}/oauth/token"))
            .json(&credentials)
            .send()
            .await?;
        let Token { access_token } = answer.error_for_status()?.json().await?;
        Ok(Self {
            http,
            base,
            token: access_token,
            pause,
        })
    }

    /// Sends until there is an answer that is no failure, or the attempts are used up.
    async fn send(&self, request: impl Fn(&Client, &str) -> RequestBuilder) -> Option<Value> {
        for attempt in 1..=ATTEMPTS {
            let answer = request(&self.http, &self.base)
                .bearer_auth(&self.token)
                .send()
                .await;
            if let Ok(answer) = answer.and_then(reqwest::Response::error_for_status)
                && let Ok(body) = answer.json().await
            {
                return Some(body);
            }
            if attempt < ATTEMPTS {
                tokio::time::sleep(self.pause).await;
            }
        }
        None
    }

    async fn call(&self, number: u32, person: &Person) -> End {
        let Person { id, email } = person;
        let answer = match fleet::task(number) {
            Task::ReadLearner => {
                self.send(|http, base| http.get(format!("{base}/learners/{id}")))
                    .await
            }
            Task::ReadEnrolments => {
                self.send(|http, base| {
                    http.get(format!("{base}/enrolments"))
                        .query(&[("user", id)])
                })
                .await
            }
            Task::AddCourse => {
                let body = json!({"name": fleet::course(number)});
                self.send(|http, base| http.post(format!("{base}/courses")).json(&body))
                    .await
            }
            Task::EditLearner => {
                let body = json!({
                    "firstname": "Sam",
                    "surname": format!("Jones {number}"),
                    "email": email,
                });
                self.send(|http, base| http.put(format!("{base}/learners/{id}")).json(&body))
                    .await
            }
        };
        match answer {
            Some(_) => End::Done,
            None => End::Failed,
        }
    }
}
