//! What is asked of the tenant.

use std::{error::Error, str::FromStr};

use lms_bench_subjects::learners::{Client, Tenant};
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Job {
    /// Whether the tenant is there: what a request costs about which nothing has to be looked up.
    Test,
    /// A learner.
    Read,
    /// A learner by email address.
    Email,
    /// A page of 200 learners, and then the one behind it.
    Page,
    /// A learner is written as it is, so that the tenant stays the same.
    Edit,
    /// A learner is added; [`Worker::tidy_up`] removes them again.
    Add,
}

impl FromStr for Job {
    type Err = String;

    fn from_str(name: &str) -> std::result::Result<Self, String> {
        match name {
            "test" => Ok(Self::Test),
            "read" => Ok(Self::Read),
            "email" => Ok(Self::Email),
            "page" => Ok(Self::Page),
            "edit" => Ok(Self::Edit),
            "add" => Ok(Self::Add),
            _ => Err(format!("there is no job {name}")),
        }
    }
}

/// One connection, on which one request follows the other.
pub(crate) struct Worker {
    client: Client,
    job: Job,
    learners: u64,
    /// Which of the workers it is.
    number: u64,
    /// How many requests of its job were answered.
    pub(crate) requests: u64,
    /// Learners as they are, to be asked for by their email addresses or written again.
    known: Vec<Known>,
    cursor: Option<String>,
    added: Vec<String>,
}

/// What can be written of a learner.
#[derive(Deserialize, Serialize)]
struct Known {
    id: String,
    firstname: String,
    surname: String,
    email: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Deserialize)]
struct Rest {
    next_cursor: Option<String>,
}

/// How many learners a worker reads before it begins.
const KNOWN: u64 = 128;

impl Worker {
    pub(crate) async fn new(tenant: &Tenant, job: Job, learners: u64, number: u64) -> Result<Self> {
        let mut worker = Self {
            client: Client::connect(tenant).await?,
            job,
            learners,
            number,
            requests: 0,
            known: Vec::new(),
            cursor: None,
            added: Vec::new(),
        };
        if matches!(job, Job::Email | Job::Edit) {
            for index in 0..KNOWN {
                let path = format!("learners/{}", worker.id(index));
                let body = worker.send(Method::GET, &path, None).await?;
                worker.known.push(serde_json::from_slice(&body)?);
            }
        }
        Ok(worker)
    }

    /// Sends one request and waits for the whole answer.
    pub(crate) async fn ask(&mut self) -> reqwest::Result<()> {
        let turn = self.requests;
        match self.job {
            Job::Test => {
                self.send(Method::GET, "test", None).await?;
            }
            Job::Read => {
                let path = format!("learners/{}", self.id(turn));
                self.send(Method::GET, &path, None).await?;
            }
            Job::Email => {
                if let Some(known) = self.known(turn) {
                    let path = format!("learners/email/{}", known.email);
                    self.send(Method::GET, &path, None).await?;
                }
            }
            Job::Page => self.page().await?,
            Job::Edit => {
                if let Some(known) = self.known(turn) {
                    let path = format!("learners/{}", known.id);
                    self.send(Method::PUT, &path, Some(&json!(known))).await?;
                }
            }
            Job::Add => {
                let body = json!({
                    "firstname": "Maria",
                    "surname": "Silva",
                    "email": format!("maria.silva.{}.{turn}@added.example", self.number),
                    "generate_password": true,
                });
                let answer = self.client.request(Method::POST, "learners").json(&body);
                let learner: Known = answer.send().await?.error_for_status()?.json().await?;
                self.added.push(learner.id);
            }
        }
        self.requests += 1;
        Ok(())
    }

    /// Removes what was added, so that the tenant is as large as before.
    pub(crate) async fn tidy_up(self) -> Result<()> {
        for id in &self.added {
            self.send(Method::DELETE, &format!("learners/{id}"), None)
                .await?;
        }
        Ok(())
    }

    /// The next page, or after the last one the first.
    async fn page(&mut self) -> reqwest::Result<()> {
        let mut request = self.client.request(Method::GET, "learners");
        if let Some(cursor) = &self.cursor {
            request = request.query(&[("cursor", cursor)]);
        }
        let rest: Rest = request.send().await?.error_for_status()?.json().await?;
        self.cursor = rest.next_cursor;
        Ok(())
    }

    /// One learner after another from all over the tenant.
    fn id(&self, turn: u64) -> String {
        // A prime number larger than any tenant here, so that it takes long until one comes again.
        const STRIDE: u64 = 15_485_863;
        let index = (self.number * 7_919 + turn * STRIDE) % self.learners;
        format!("l{}", index + 1)
    }

    fn known(&self, turn: u64) -> Option<&Known> {
        usize::try_from(turn % KNOWN)
            .ok()
            .and_then(|index| self.known.get(index))
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> reqwest::Result<bytes::Bytes> {
        let mut request = self.client.request(method, path);
        if let Some(body) = body {
            request = request.json(body);
        }
        request.send().await?.error_for_status()?.bytes().await
    }
}
