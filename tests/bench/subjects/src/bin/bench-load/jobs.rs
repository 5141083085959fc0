//! The requests.

use std::str::FromStr;

use lms_bench_subjects::{
    Result,
    learners::{Client, Tenant},
};
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Job {
    /// `GET /test`, which reads no data.
    Test,
    /// Reads a learner.
    Read,
    /// Reads a learner by email address.
    Email,
    /// Reads pages of 200 learners, one after another.
    Page,
    /// Writes a learner without changes.
    Edit,
    /// Adds a learner; [`Worker::clean_up`] deletes them.
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

/// Sends requests in sequence on one connection.
pub(crate) struct Worker {
    client: Client,
    job: Job,
    learners: u64,
    /// The index of the worker.
    number: u64,
    /// The number of responses.
    pub(crate) requests: u64,
    /// Learners to read by email address or to write.
    known: Vec<Known>,
    cursor: Option<String>,
    added: Vec<String>,
}

/// The fields of a learner that can be written.
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

/// How many learners a worker reads before it starts.
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

    /// Sends one request and reads the response.
    pub(crate) async fn send_one(&mut self) -> reqwest::Result<()> {
        let index = self.requests;
        match self.job {
            Job::Test => {
                self.send(Method::GET, "test", None).await?;
            }
            Job::Read => {
                let path = format!("learners/{}", self.id(index));
                self.send(Method::GET, &path, None).await?;
            }
            Job::Email => {
                if let Some(known) = self.known(index) {
                    let path = format!("learners/email/{}", known.email);
                    self.send(Method::GET, &path, None).await?;
                }
            }
            Job::Page => self.page().await?,
            Job::Edit => {
                if let Some(known) = self.known(index) {
                    let path = format!("learners/{}", known.id);
                    self.send(Method::PUT, &path, Some(&json!(known))).await?;
                }
            }
            Job::Add => {
                let body = json!({
                    "firstname": "Maria",
                    "surname": "Silva",
                    "email": format!("maria.silva.{}.{index}@added.example", self.number),
                    "generate_password": true,
                });
                let request = self.client.request(Method::POST, "learners").json(&body);
                let learner: Known = request.send().await?.error_for_status()?.json().await?;
                self.added.push(learner.id);
            }
        }
        self.requests += 1;
        Ok(())
    }

    /// Deletes the added learners.
    pub(crate) async fn clean_up(self) -> Result<()> {
        for id in &self.added {
            self.send(Method::DELETE, &format!("learners/{id}"), None)
                .await?;
        }
        Ok(())
    }

    /// Reads the next page, or the first after the last.
    async fn page(&mut self) -> reqwest::Result<()> {
        let mut request = self.client.request(Method::GET, "learners");
        if let Some(cursor) = &self.cursor {
            request = request.query(&[("cursor", cursor)]);
        }
        let rest: Rest = request.send().await?.error_for_status()?.json().await?;
        self.cursor = rest.next_cursor;
        Ok(())
    }

    /// Returns an id, spread over all learners of the tenant.
    fn id(&self, index: u64) -> String {
        // A prime number, so that it takes long until an id is used again.
        const STRIDE: u64 = 15_485_863;
        let learner = (self.number * 7_919 + index * STRIDE) % self.learners;
        format!("l{}", learner + 1)
    }

    fn known(&self, index: u64) -> Option<&Known> {
        usize::try_from(index % KNOWN)
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
