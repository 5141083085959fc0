//! The tenant as an HTTP client sees it, in the process and without a socket.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
};

use lms_ext::http::{HttpClient, HttpFuture};
use reqwest::{Request, Response};
use serde_json::{Value, json};

use super::{
    lie::{Around, Draft, Lie, Times},
    subject::{List, Subject},
    tenant::{Change, Part, Tenant},
    transcript::Transcript,
};

/// The events during a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// Each before the request with this number, counted from 1; 0 is before the run.
    pub changes: Vec<(u8, Change)>,
    pub lies: Vec<Lie>,
}

/// A tenant that changes and lies as its script says.
#[derive(Clone)]
pub struct Server(Arc<Mutex<State>>);

pub struct State {
    subject: Subject,
    pub tenant: Tenant,
    pub transcript: Transcript,
    script: Script,
    requests: usize,
    /// The requests for objects in this run.
    objects: usize,
    /// The lies that were told in this run.
    told: BTreeSet<usize>,
    /// The rows that were there all the time since the read began.
    pub there: BTreeMap<String, u64>,
    /// `true` if the script had an effect.
    pub disturbed: bool,
    /// A mirror that does not change before the last request of a run, and the last change in its feed.
    pub mirror: Option<(PathBuf, i64)>,
    /// `true` if the tenant has stated another identity than its own.
    pub told_other_tid: bool,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Server")
    }
}

/// Whether a run reads a collection from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    Anew,
    /// It may continue the run before it.
    Maybe,
}

impl Server {
    pub fn new(subject: Subject, tenant: Tenant) -> Self {
        Self(Arc::new(Mutex::new(State {
            subject,
            there: tenant.rows(),
            transcript: Transcript::new(subject),
            tenant,
            script: Script::default(),
            requests: 0,
            objects: 0,
            told: BTreeSet::new(),
            disturbed: false,
            mirror: None,
            told_other_tid: false,
        })))
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// A run begins.
    pub fn begin(&self, script: &Script, read: Read) {
        let mut state = self.state();
        state.script = script.clone();
        (state.requests, state.objects) = (0, 0);
        state.told.clear();
        state.transcript.begin();
        state.change();
        if read == Read::Anew {
            state.there = state.tenant.rows();
            state.transcript.served.clear();
            state.disturbed = false;
        }
    }
}

impl State {
    /// The changes before the current request.
    fn change(&mut self) {
        // Parts take several times as many requests.
        let step = if self.subject == Subject::Parts { 3 } else { 1 };
        let due = self.script.changes.iter();
        let due: Vec<Change> = due
            .filter(|(at, _)| usize::from(*at) * step == self.requests)
            .map(|(_, change)| *change)
            .collect();
        for change in due {
            self.tenant.apply(change);
            self.disturbed |= self.requests > 0;
            let rows = self.tenant.rows();
            self.there.retain(|key, _| rows.contains_key(key));
        }
    }

    fn respond(&mut self, request: &Request) -> Draft {
        let url = request.url();
        let path = url.path().trim_start_matches("/api/v1/");
        let path: Vec<&str> = path.split('/').collect();
        if path == ["oauth", "token"] {
            return Draft::json(
                json!({"access_token": "3VQmJx9c", "token_type": "Bearer", "expires_in": 86_400}),
            );
        }
        self.requests += 1;
        self.change();
        if let Some((path, last_change)) = &self.mirror {
            let connection = rusqlite::Connection::open(path).unwrap();
            let sql = "SELECT coalesce(max(sequence), 0) FROM _lms_changes";
            let changes: i64 = connection.query_one(sql, (), |row| row.get(0)).unwrap();
            assert_eq!(changes, *last_change, "one table is newer than the other");
        }
        let query = |name: &str| {
            let mut pairs = url.query_pairs();
            pairs
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.into_owned())
        };
        if let Some(list) = List::at(self.subject, &path, query("course").as_deref()) {
            let only_count =
                self.subject == Subject::Parts && query("limit").as_deref() == Some("1");
            return self.list(list, query("cursor").as_deref(), only_count);
        }
        match path[..] {
            ["oauth", "me"] => self.me(),
            ["course_progress", course, user] if self.subject == Subject::CourseProgress => {
                self.object(&format!("{course}\n{user}"))
            }
            ["users", user, "user_fields", field, "record"] if self.subject == Subject::Records => {
                self.object(&format!("{user}\n{field}"))
            }
            ["users", user, "user_field_permissions"] => self.impossible_list(user),
            ["learners", id] => self.by_id(id),
            _ => Draft::not_found(),
        }
    }

    fn list(&mut self, list: List, cursor: Option<&str>, only_count: bool) -> Draft {
        let listing = self.transcript.listing(list);
        let index = match (cursor, listing) {
            (Some(_), Some(listing)) => listing.index(cursor),
            _ => 0,
        };
        let before = index
            .checked_sub(1)
            .and_then(|before| listing?.pages.get(before));
        let before = before.map(|page| Value::Array(page.items.clone()));
        let honest = self.tenant.page(list, cursor);
        let next = honest
            .as_ref()
            .and_then(|page| page.get("next_cursor")?.as_str());
        let after = next.and_then(|next| self.tenant.page(list, Some(next)));
        let around = Around {
            cursor: cursor.map(ToOwned::to_owned),
            before,
            after,
            other: self.tenant.other_page(list),
        };
        let mut draft = honest.map_or_else(Draft::not_found, |page| Draft::json(page.into()));
        let part = match list {
            List::Part(_) => Part::Object,
            list if list == self.subject.first() => Part::First,
            _ => Part::Second,
        };
        self.lie(part, index, &mut draft, &around);
        if only_count {
            self.transcript.count(list, &draft);
        } else {
            self.transcript.list(list, cursor, &draft);
        }
        if let List::Permissions(user) = list
            && matches!(draft.status, 404 | 410)
        {
            self.transcript.list_gone(&format!("u{user}"), &draft);
        }
        draft
    }

    fn object(&mut self, key: &str) -> Draft {
        let mut draft = self
            .tenant
            .object(key)
            .map_or_else(Draft::not_found, Draft::json);
        let index = self.objects;
        self.objects += 1;
        self.lie(Part::Object, index, &mut draft, &Around::default());
        self.transcript.object(key, &draft);
        self.transcript.by_id(key, &draft);
        draft
    }

    /// The list of a learner that cannot exist.
    fn impossible_list(&mut self, user: &str) -> Draft {
        let mut draft = Draft::not_found();
        self.lie(Part::Second, 0, &mut draft, &Around::default());
        self.transcript.by_id(user, &draft);
        draft
    }

    fn by_id(&mut self, id: &str) -> Draft {
        let mut draft = self
            .tenant
            .by_id(id)
            .map_or_else(Draft::not_found, Draft::json);
        let index = self.objects;
        self.objects += 1;
        self.lie(Part::ById, index, &mut draft, &Around::default());
        self.transcript.by_id(id, &draft);
        draft
    }

    fn me(&mut self) -> Draft {
        let honest = self.tenant.me();
        let tid_of = |body: &Value| {
            body.get("tid")
                .and_then(Value::as_str)
                .map(ToOwned::to_owned)
        };
        let mut draft = Draft::json(honest.clone());
        let index = self.transcript.tids.len();
        self.lie(Part::Me, index, &mut draft, &Around::default());
        let body = draft.body.as_ref().ok();
        let tid = body
            .filter(|_| (200..=299).contains(&draft.status))
            .and_then(tid_of);
        self.told_other_tid |= tid != tid_of(&honest);
        self.transcript.tids.push(tid);
        draft
    }

    fn lie(&mut self, part: Part, index: usize, draft: &mut Draft, around: &Around) {
        for (number, lie) in self.script.lies.iter().enumerate() {
            let here = lie.times == Times::Everywhere || usize::from(lie.page) == index;
            let again = lie.times != Times::Once || !self.told.contains(&number);
            if lie.part == part && here && again && lie.twist.apply(draft, around) {
                self.told.insert(number);
                self.disturbed = true;
            }
        }
    }
}

impl HttpClient for Server {
    fn send(&self, request: Request) -> HttpFuture<'_> {
        let draft = self.state().respond(&request);
        let response = http::Response::builder()
            .status(draft.status)
            .header("content-type", draft.content_type)
            .body(draft.text());
        let response: Response = response.unwrap().into();
        Box::pin(std::future::ready(Ok(response)))
    }
}
