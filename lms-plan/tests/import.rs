//! Imports into a sandbox: situations, steps, kills, faults and undo.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test panics")]

#[cfg(target_os = "linux")]
#[path = "import/power.rs"]
mod power;

use std::{collections::BTreeMap, future::pending, path::PathBuf, sync::Arc, time::Duration};

use lms_ext::{EnrolmentScope, ListExt as _, Lms, LmsBuilder, RetryPolicy, ids::LearnerId, types};
use lms_plan::{
    Action, Applied, Apply, ErrorKind, Group, Ledger, Mapping, Operations, People, Plan, Sending,
    Situation, Status, Step, StepState, Tenant, plan_import, plan_undo,
};
use lms_sandbox::{Operation, Sandbox, Value, json};
use tempfile::TempDir;

const MAPPING: &str = r#"
key = "personnel_no"
[fields]
email = "E-mail"
firstname = "firstname"
surname = "surname"
phone_number = "phone"
[[rules]]
when = { department = "Warehouse" }
tags = ["warehouse"]
courses = ["Fire safety"]
[away]
status = "leave"
[create]
generate_password = true
send_email = false
[leavers]
gone_after = "0d"
tag = "left"
[guards.leave]
max = 3
[guards.shrink]
share = "90%"
"#;

const COLUMNS: [&str; 7] = [
    "Personnel No",
    "email",
    "firstname",
    "surname",
    "phone",
    "department",
    "status",
];

/// A tenant with two courses and a ledger.
struct Import {
    sandbox: Sandbox,
    lms: Lms,
    folder: TempDir,
    mapping: String,
    courses: [String; 2],
}

fn client(sandbox: &Sandbox) -> LmsBuilder {
    Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
        .retry(RetryPolicy::default().backoff(Duration::ZERO, Duration::ZERO))
}

impl Import {
    async fn new() -> Self {
        let sandbox = Sandbox::builder().start().await.unwrap();
        let lms = client(&sandbox).build().unwrap();
        let courses =
            ["Fire safety", "First aid"].map(|name| sandbox.seed().add_course(name).unwrap());
        Self {
            sandbox,
            lms,
            folder: tempfile::tempdir().unwrap(),
            mapping: MAPPING.to_owned(),
            courses,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("ledger.db")
    }

    async fn ledger(&self) -> Ledger {
        let tenant = lms_sync::tenant_id(&self.lms).await.unwrap();
        Ledger::open(&self.path(), Some(&tenant)).unwrap()
    }

    async fn plan(&self, rows: &[&str]) -> Plan {
        self.try_plan(rows).await.unwrap()
    }

    async fn try_plan(&self, rows: &[&str]) -> Result<Plan, lms_plan::Error> {
        let mut people = People::new("people.csv", b"", COLUMNS.map(str::to_owned).to_vec());
        for (row, line) in rows.iter().zip(2..) {
            let texts = |row: &str| row.split(',').map(str::to_owned).collect();
            match row.strip_prefix('!') {
                Some(row) => people.push(line, texts(row), Some("it cannot be read".to_owned())),
                None => people.push(line, texts(row), None),
            }
        }
        let mapping = Mapping::parse(&self.mapping).unwrap();
        let tenant = Tenant::read(&self.lms).await.unwrap();
        plan_import(&people, &mapping, &tenant, &self.ledger().await)
    }

    /// Applies a plan with this hash, by operations that send nothing if `of_a_program`.
    fn approved<'a>(&'a self, ledger: &'a Ledger, hash: &str, of_a_program: bool) -> Apply<'a> {
        Apply {
            approved: (!hash.is_empty()).then(|| hash.to_owned()),
            operations: of_a_program.then(|| Arc::new(Unused) as Arc<dyn Operations>),
            ..Apply::new(&self.lms, ledger)
        }
    }

    async fn apply(&self, plan: &Plan) -> Applied {
        let ledger = self.ledger().await;
        // As from a file.
        let plan = Plan::parse(&json(plan)).unwrap();
        Apply::new(&self.lms, &ledger)
            .run(plan, |_, _, _| (), pending())
            .await
            .unwrap()
    }

    /// Plans and applies.
    async fn import(&self, rows: &[&str]) -> Applied {
        let plan = self.plan(rows).await;
        self.apply(&plan).await
    }

    fn learner(&self, name: &str, more: &Value) -> String {
        let mut learner = json!({
            "firstname": name, "surname": "Old", "email": format!("{}@acme.example", name.to_lowercase()),
        });
        for (field, value) in more.as_object().into_iter().flatten() {
            learner[field] = value.clone();
        }
        self.sandbox.seed().add_learner(&learner).unwrap()
    }

    /// The learner that most imports add.
    async fn ann(&self) -> LearnerId {
        let ann = self.lms.get_learner_by_email("ann@acme.example").await;
        ann.unwrap().id.unwrap()
    }

    /// Each learner by email address: surname, phone number, tags and courses.
    async fn state(&self) -> BTreeMap<String, String> {
        let mut state = BTreeMap::new();
        let learners = self.lms.list_learners().items().collect_all().await;
        for learner in learners.unwrap() {
            let enrolments = self.lms.list_enrolments().user(learner.id.clone().unwrap());
            let enrolments = enrolments.items().collect_all().await.unwrap();
            let mut courses: Vec<_> = enrolments
                .iter()
                .map(|it| it.course.clone().unwrap().to_string())
                .collect();
            courses.sort();
            let mut tags = learner.tags.clone();
            tags.sort();
            let text = format!(
                "{:?} {:?} {:?} {tags:?} {courses:?}",
                learner.firstname,
                learner.surname,
                learner.phone_number.unwrap_or_default()
            );
            let old = state.insert(learner.email.unwrap(), text);
            assert_eq!(old, None, "a learner was added twice");
        }
        state
    }

    /// 5 % of the requests fail in every way.
    fn add_faults(&self) {
        for effect in [
            "status 503",
            "drop before",
            "drop after",
            "rate-limited absent",
        ] {
            let fault = format!("all: chance 0.0125: {effect}");
            self.sandbox.faults().add(fault.as_str()).unwrap();
        }
    }

    fn writes(&self) -> usize {
        let requests = self.sandbox.requests().unwrap();
        let writes = requests
            .iter()
            .filter(|it| it.method != "GET" && it.operation != Some(Operation::GetToken));
        writes.count()
    }
}

fn json(plan: &Plan) -> String {
    let mut json = Vec::new();
    plan.write(&mut json).unwrap();
    String::from_utf8(json).unwrap()
}

fn undo(it: &Import, ledger: &Ledger, run: i64) -> Plan {
    let steps = ledger.steps(Some(run), None).unwrap();
    let tenant = ledger.tenant().unwrap();
    plan_undo((&tenant, it.lms.base_url()), run, &steps).unwrap()
}

fn names(plan: &Plan) -> Vec<&str> {
    plan.steps.iter().map(|step| step.action.name()).collect()
}

#[tokio::test]
async fn people_are_added_found_changed_and_enrolled_and_then_nothing_is_left() {
    let it = Import::new().await;
    let ben = it.learner("Ben", &json!({}));
    let rows = [
        "1,ann@acme.example,Ann,Lee,,Warehouse,",
        "2,ben@acme.example,Ben,Moss,+49 1,Sales,",
        "3,,Cleo,Kim,,Sales,",
    ];
    let plan = it.plan(&rows).await;
    assert_eq!(names(&plan), ["create", "enrol", "link", "edit"]);
    assert_eq!(
        (plan.count(Group::Create), plan.count(Group::Change)),
        (1, 1)
    );
    assert_eq!(plan.situations[&Situation::Invalid], 1);
    assert_eq!(plan.notes[0].reason, "E-mail is empty");
    assert_eq!(it.writes(), 0);

    let applied = it.apply(&plan).await;
    assert!(applied.is_complete(), "{applied:?}");
    let writes = it.writes();
    assert_eq!(writes, 3);
    let state = it.state().await;
    let course = &it.courses[0];
    assert_eq!(
        state["ann@acme.example"],
        format!("Some(\"Ann\") Some(\"Lee\") \"\" [\"warehouse\"] [{course:?}]")
    );
    assert_eq!(
        state["ben@acme.example"],
        "Some(\"Ben\") Some(\"Moss\") \"+49 1\" [] []"
    );

    // The plan of the result is empty, and the same plan again sends nothing.
    let next = it.plan(&rows).await;
    assert!(next.is_empty(), "{next:?}");
    assert_eq!(next.unchanged(), 2);
    let again = it.apply(&plan).await;
    assert!(again.was_finished && again.is_complete());
    assert_eq!(it.writes(), writes);
    assert_eq!(
        it.ledger().await.steps(Some(1), Some(&ben)).unwrap().len(),
        2
    );
}

#[tokio::test]
async fn an_address_can_be_the_key_and_the_username() {
    let mut it = Import::new().await;
    let mapping = MAPPING.replace("personnel_no", "E-mail");
    it.mapping = mapping.replace("email = \"", "username = \"E-mail\"\nemail = \"");
    let rows = [
        "1,ann@acme.example,Ann,Lee,,,",
        "2,ben@acme.example,Ben,Moss,,,",
    ];
    let plan = it.plan(&rows).await;
    assert_eq!(plan.situations, BTreeMap::from([(Situation::Unmatched, 2)]));
}

#[tokio::test]
async fn a_learner_who_cannot_be_told_is_left_alone() {
    let mut it = Import::new().await;
    it.mapping = it
        .mapping
        .replace("phone_number = \"phone\"", "username = \"phone\"");
    it.learner("Ann", &json!({}));
    it.learner("Ben", &json!({ "username": "ben" }));
    it.mapping += "[guards.undecided]\nmax = 8";
    it.learner("Root", &json!({ "is_admin": true }));
    it.learner("Dan", &json!({ "username": "dan" }));
    it.import(&["1,ann@acme.example,Ann,Old,,,"]).await;
    let before = it.state().await;
    let plan = it
        .plan(&[
            "1,ann@acme.example,Ann,Old,,,",
            // A new key for a linked learner, two learners for one person, an administrator, a key twice, leave, and one
            // learner for two people.
            "7,ann@acme.example,Ann,New,,,",
            "8,root@acme.example,Ben,New,ben,,",
            "9,root@acme.example,Root,New,,,",
            "10,x@acme.example,X,New,,,",
            "10,y@acme.example,Y,New,,,",
            "11,z@acme.example,Z,New,,,leave",
            "12,dan@acme.example,Dan,New,,,",
            "13,d@acme.example,Dan,New,dan,,",
        ])
        .await;
    assert_eq!(names(&plan), [] as [&str; 0], "{plan:?}");
    let reasons: Vec<_> = plan
        .notes
        .iter()
        .map(|note| (note.key.as_str(), note.situation))
        .collect();
    let disputed = |key| (key, Situation::Disputed);
    assert_eq!(
        reasons,
        [
            disputed("1"),
            disputed("7"),
            disputed("8"),
            disputed("9"),
            disputed("10"),
            disputed("10"),
            ("11", Situation::Away),
            disputed("12"),
            disputed("13"),
        ]
    );
    it.apply(&plan).await;
    assert_eq!(it.state().await, before);
}

#[tokio::test]
async fn a_field_that_a_person_has_changed_is_kept_unless_the_file_wins() {
    let it = Import::new().await;
    it.import(&["1,ann@acme.example,Ann,Lee,1,Warehouse,"])
        .await;
    let ann = it.ann().await;
    let rename = |learner: &mut types::EditLearner| {
        learner.surname = "Lee-Kim".into();
        learner.tags.clear();
    };
    it.lms.update_learner(ann.clone(), rename).await.unwrap();
    let rows = ["1,ann@acme.example,Ann,Lee,2,Warehouse,"];
    let plan = it.plan(&rows).await;
    let Action::Edit(edit) = &plan.steps[0].action else {
        panic!("{plan:?}")
    };
    let (fields, add_tags) = (&edit.fields, &edit.add_tags);
    assert_eq!(
        (fields.len(), fields[0].field.as_str(), add_tags.len()),
        (1, "phone_number", 0)
    );
    assert!(
        plan.notes[0]
            .reason
            .contains("surname was changed to \"Lee-Kim\" in the tenant"),
        "{:?}",
        plan.notes
    );
    assert!(
        plan.notes[0]
            .reason
            .contains("the tag warehouse was removed"),
        "{:?}",
        plan.notes
    );

    let it = Import {
        mapping: format!("wins = [\"surname\", \"tags\"]\n{}", it.mapping),
        ..it
    };
    assert!(it.import(&rows).await.is_complete());
    let state = it.state().await;
    assert!(
        state["ann@acme.example"].contains("Some(\"Lee\") \"2\" [\"warehouse\"]"),
        "{state:?}"
    );
}

#[tokio::test]
async fn a_person_who_leaves_is_unenrolled_and_tagged_and_comes_back() {
    let it = Import::new().await;
    let rows = [
        "1,ann@acme.example,Ann,Lee,,Warehouse,",
        "2,ben@acme.example,Ben,Moss,,Sales,",
    ];
    it.import(&rows).await;
    let before = it.state().await;
    let ann = it.ann().await;
    it.sandbox.seed().enrol(&ann, &it.courses[1]).unwrap();

    let plan = it.plan(&rows[1..]).await;
    assert_eq!(names(&plan), ["unenrol", "unenrol", "edit", "leave"]);
    it.apply(&plan).await;
    let left = it.state().await;
    assert_eq!(
        left["ann@acme.example"],
        "Some(\"Ann\") Some(\"Lee\") \"\" [\"left\", \"warehouse\"] []"
    );
    assert!(it.plan(&rows[1..]).await.is_empty());

    let plan = it.plan(&rows).await;
    assert_eq!(plan.situations[&Situation::Returned], 1);
    it.apply(&plan).await;
    let back = it.state().await;
    let [one, two] = &it.courses;
    assert_eq!(
        back["ann@acme.example"],
        format!("Some(\"Ann\") Some(\"Lee\") \"\" [\"warehouse\"] [{one:?}, {two:?}]")
    );
    assert_eq!(back["ben@acme.example"], before["ben@acme.example"]);
    assert!(it.plan(&rows).await.is_empty());

    // The next time, only the courses of then come back.
    let scope = EnrolmentScope::learner_in_course(ann.clone(), it.courses[1].clone());
    it.lms.unenrol(scope).await.unwrap();
    it.import(&rows[1..]).await;
    it.import(&rows).await;
    assert_eq!(
        it.state().await["ann@acme.example"],
        format!("Some(\"Ann\") Some(\"Lee\") \"\" [\"warehouse\"] [{one:?}]")
    );

    // A tag that the rules took away is one of the tenant, if it comes back.
    let sales = ["1,ann@acme.example,Ann,Lee,,Sales,", rows[1]];
    it.import(&sales).await;
    let tag = |learner: &mut types::EditLearner| learner.tags = vec!["warehouse".into()];
    it.lms.update_learner(ann, tag).await.unwrap();
    assert!(it.plan(&sales).await.is_empty());

    // Somebody who is absent waits.
    let it = Import {
        mapping: it.mapping.replace("\"0d\"", "\"14d\""),
        ..it
    };
    let plan = it.plan(&rows[1..]).await;
    assert!(
        plan.is_empty() && plan.situations[&Situation::Waiting] == 1,
        "{plan:?}"
    );
}

#[derive(Debug)]
struct Unused;

impl Operations for Unused {
    fn send<'a>(&'a self, _: &'a Lms, _: &'a Step, _: &'a StepState) -> Sending<'a> {
        panic!("a step is sent")
    }
}

#[tokio::test]
async fn a_person_whose_learner_was_deleted_is_added_again_only_if_the_mapping_says_so() {
    let mut it = Import::new().await;
    let rows = ["1,ann@acme.example,Ann,Lee,,Warehouse,"];
    it.import(&rows).await;
    let old = it.ann().await;
    it.lms.delete_learner(old.clone()).await.unwrap();
    let plan = it.plan(&rows).await;
    assert!(plan.is_empty(), "{plan:?}");
    assert!(
        plan.notes[0].reason.contains("`relink = [\"1\"]`"),
        "{:?}",
        plan.notes
    );
    it.mapping.insert_str(0, "relink = [\"1\"]\n");
    it.import(&rows).await;
    assert_ne!(it.ann().await, old);
    let plan = it.plan(&rows).await;
    assert_eq!(
        (plan.is_empty(), plan.situations[&Situation::Linked]),
        (true, 1),
        "{plan:?}"
    );
}

#[tokio::test]
async fn a_plan_beyond_a_guard_is_held_and_sends_nothing_until_it_is_approved() {
    let mut it = Import::new().await;
    let rows: Vec<String> = (0..20)
        .map(|number| format!("{number},p{number}@acme.example,P,Q,,,"))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert!(it.plan(&rows).await.held.is_empty());
    it.import(&rows).await;
    let (plan, writes) = (it.plan(&rows[4..]).await, it.writes());
    assert_eq!(
        plan.held,
        ["4 of 20 linked people leave, and the limit is 3"]
    );
    let ledger = it.ledger().await;
    let approved = |hash| it.approved(&ledger, hash, false);
    let of_a_program = |hash| it.approved(&ledger, hash, true);
    for apply in [approved(""), approved("another hash"), of_a_program("")] {
        let refused = apply
            .run(plan.clone(), |_, _, _| (), pending())
            .await
            .unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Held);
    }
    let mut foreign = plan.clone();
    foreign.tenant = "another".to_owned();
    let refused = of_a_program(&plan.hash).run(foreign, |_, _, _| (), pending());
    assert_eq!(refused.await.unwrap_err().kind(), ErrorKind::OtherTenant);
    assert_eq!(it.writes(), writes);
    let applied = approved(&plan.hash).run(plan.clone(), |_, _, _| (), pending());
    assert!(applied.await.unwrap().is_complete());
    drop(ledger);
    let empty = it.plan(&[]).await;
    assert!(
        empty.held.contains(&"the file has no rows".to_owned()),
        "{:?}",
        empty.held
    );
    let held = empty.held.join("\n");
    assert!(held.contains("rows of the last file are missing"), "{held}");
    let swapped: Vec<String> = rows.iter().map(|row| row.replace("P,Q", "Q,P")).collect();
    for (number, held) in [(4, true), (3, false)] {
        let mixed = swapped.iter().map(String::as_str).take(4 + number);
        let mixed: Vec<&str> = mixed.chain(rows[4 + number..].iter().copied()).collect();
        let plan = it.plan(&mixed[4..]).await;
        let sentence = "people have firstname and surname exchanged, and the limit is 20 %";
        let sentence = format!("{number} of 16 {sentence}");
        assert_eq!(plan.held.contains(&sentence), held, "{:?}", plan.held);
        // Nothing to do is not known for a row that cannot be read.
        let broken: Vec<String> = rows.iter().map(|row| format!("!{row}")).collect();
        let some = broken.iter().map(String::as_str).take(4 + number);
        let some: Vec<&str> = some.chain(rows[4 + number..].iter().copied()).collect();
        let plan = it.plan(&some[4..]).await;
        let sentence =
            format!("{number} of 16 rows are not valid or disputed, and the limit is 20 %");
        assert_eq!(plan.held.contains(&sentence), held, "{number}");
    }
    it.mapping.push_str("[scope]\ndepartment = \"Warehouse\"\n");
    assert_eq!(it.plan(&rows[4..]).await.held, ["no row is in [scope]"]);
    // A plan that was edited is not applied.
    let edited = json(&plan).replace("p0@", "p1@");
    assert!(Plan::parse(&edited.replacen("\"left\"", "\"gone\"", 1)).is_err());
}

#[tokio::test]
async fn a_plan_that_takes_the_tag_of_a_rule_from_all_is_held() {
    let it = Import::new().await;
    let rows = |department: &str| {
        let row = |number| format!("{number},p{number}@acme.example,P,Q,,{department},");
        (0..4).map(row).collect::<Vec<_>>()
    };
    let (before, after) = (rows("Warehouse"), rows("Storage"));
    it.import(&before.iter().map(String::as_str).collect::<Vec<_>>())
        .await;
    let mut after: Vec<&str> = after.iter().map(String::as_str).collect();
    let held = "4 of 4 linked people have the tag warehouse, whose rule no row meets, and the limit is 0 %";
    assert_eq!(it.plan(&after).await.held, [held]);
    after[0] = &before[0];
    assert_eq!(it.plan(&after).await.held, [""; 0]);
}

#[tokio::test]
async fn an_object_that_is_not_as_the_plan_saw_it_is_a_conflict() {
    let it = Import::new().await;
    let ben = it.learner("Ben", &json!({}));
    let plan = it
        .plan(&[
            "1,ann@acme.example,Ann,Lee,,Warehouse,",
            "2,ben@acme.example,Ben,Moss,,,",
        ])
        .await;
    it.learner("Ann", &json!({}));
    it.lms
        .update_learner(ben.as_str(), |learner| {
            learner.phone_number = Some("9".into());
        })
        .await
        .unwrap();
    let writes = it.writes();
    let applied = it.apply(&plan).await;
    assert_eq!(it.writes(), writes);
    assert_eq!(
        (applied.count(Status::Conflict), applied.failures.len()),
        (3, 2),
        "{applied:?}"
    );
    assert!(
        applied.failures[0]
            .state
            .reason
            .contains("has got this email address"),
        "{applied:?}"
    );
    assert!(
        applied.failures[1]
            .state
            .reason
            .contains("phone_number is \"9\""),
        "{applied:?}"
    );
    assert_eq!(applied.failures[1].step.line, 3);
}

#[tokio::test]
async fn a_linked_learner_who_was_archived_or_became_an_administrator_is_left_alone() {
    let rows = [
        "1,ann@acme.example,Ann,Lee,,Sales,",
        "2,ben@acme.example,Ben,Moss,,Sales,",
    ];
    let changed = ["1,ann@acme.example,Ann,New,,Warehouse,", rows[1]];
    for (archived, reason, absent) in [
        (true, "is archived or deleted", Situation::Gone),
        (false, "is an administrator", Situation::Disputed),
    ] {
        let it = Import::new().await;
        it.import(&rows).await;
        let more = json!({ "archived": archived, "is_admin": !archived });
        let other = it.learner("Cleo", &more);
        it.sandbox.seed().enrol(&other, &it.courses[0]).unwrap();
        let ledger = rusqlite::Connection::open(it.path()).unwrap();
        let update = "UPDATE links SET learner = ?1 WHERE key = '1'";
        ledger.execute(update, [&other]).unwrap();
        drop(ledger);
        let before = it.state().await;
        let plan = it.plan(&changed).await;
        assert!(
            plan.is_empty() && plan.notes[0].reason.contains(reason),
            "{plan:?}"
        );
        // The person leaves: without a request, or not at all.
        let plan = it.plan(&rows[1..]).await;
        let expected: &[&str] = if archived { &["leave"] } else { &[] };
        assert_eq!(names(&plan), expected);
        assert_eq!(plan.situations[&absent], 1, "{plan:?}");
        it.apply(&plan).await;
        assert_eq!(it.state().await, before);
    }
}

/// Each call is dropped after a number of requests, as if the program was killed; 5 % of the requests fail in every way.
#[tokio::test]
async fn a_run_that_is_killed_again_and_again_sends_each_step_once() {
    let kills = if std::env::var("LMS_TESTS").is_ok_and(|tests| tests == "full") {
        200
    } else {
        10
    };
    let rows: Vec<String> = (0..kills)
        .map(|number| format!("{number},p{number}@acme.example,P,Q{number},{number},Warehouse,"))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let expected = Import::new().await;
    expected.import(&rows).await;
    let it = Import::new().await;
    let plan = it.plan(&rows).await;
    it.add_faults();
    for kill in 0..kills {
        let ledger = it.ledger().await;
        let before = it.sandbox.requests().unwrap().len();
        let apply = Apply::new(&it.lms, &ledger).run(plan.clone(), |_, _, _| (), pending());
        let killed = async {
            while it.sandbox.requests().unwrap().len() < before + 3 + kill % 5 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = apply => {}
            () = killed => {}
        }
    }
    it.sandbox.faults().clear();
    for _ in 0..3 {
        it.apply(&plan).await;
    }
    let applied = it.apply(&plan).await;
    assert!(applied.is_complete(), "{applied:?}");
    assert_eq!(it.state().await, expected.state().await);
    assert!(it.plan(&rows).await.is_empty());
}

#[tokio::test]
async fn a_run_continues_with_the_people_and_groups_that_are_left() {
    let it = Import::new().await;
    it.learner("Ben", &json!({}));
    let plan = it
        .plan(&[
            "1,a@acme.example,A,B,,,",
            "2,ben@acme.example,Ben,Moss,,,",
            "3,c@acme.example,C,D,,,",
        ])
        .await;
    let ledger = it.ledger().await;
    let run = |only: Group, limit: usize| {
        let apply = Apply {
            only: vec![only],
            limit: Some(limit),
            ..Apply::new(&it.lms, &ledger)
        };
        apply.run(plan.clone(), |_, _, _| (), pending())
    };
    assert_eq!(run(Group::Create, 1).await.unwrap().count(Status::Done), 1);
    assert_eq!(run(Group::Change, 9).await.unwrap().count(Status::Done), 3);
    it.sandbox
        .faults()
        .add("addLearner: always: status 400")
        .unwrap();
    let failed = run(Group::Create, 9).await.unwrap();
    assert_eq!(
        (
            failed.count(Status::Failed),
            failed.failures[0].step.row[0].as_str()
        ),
        (1, "3")
    );
    it.sandbox.faults().clear();
    let applied = run(Group::Create, 9).await.unwrap();
    assert!(applied.is_complete());
    assert!(applied.states.iter().all(|of| of.reason.is_empty()));
    assert_eq!(
        it.sandbox.requests_to(Operation::AddLearner).unwrap().len(),
        3
    );
    let runs = ledger.runs().unwrap();
    assert_eq!((runs.len(), runs[0].ended.is_some()), (1, true));
}

/// A link has the values of the file, tags and courses that the last run gave, so what a person changes after that stays.
#[tokio::test]
async fn a_link_knows_what_the_last_run_gave() {
    let it = Import::new().await;
    let [ben, eve] = ["Ben", "Eve"].map(|name| it.learner(name, &json!({})));
    let eve_row = "3,eve@acme.example,Eve,Old,,,";
    it.import(&["2,ben@acme.example,Ben,Old,,,", eve_row]).await;
    let rename = |learner: &mut types::EditLearner| learner.surname = "Kept".into();
    it.lms.update_learner(eve, rename).await.unwrap();
    let rows = ["2,ben@acme.example,Ben,New,1,Warehouse,", eve_row];
    let plan = it.plan(&rows).await;
    assert_eq!(names(&plan), ["edit", "enrol"], "{plan:?}");
    let run = it.apply(&plan).await.run;
    let revert = |learner: &mut types::EditLearner| {
        learner.surname = "Old".into();
        learner.tags.clear();
    };
    it.lms.update_learner(ben.clone(), revert).await.unwrap();
    let scope = EnrolmentScope::learner_in_course(ben.clone(), it.courses[0].as_str());
    it.lms.unenrol(scope).await.unwrap();
    let plan = it.plan(&rows).await;
    assert_eq!(names(&plan), [""; 0], "{plan:?}");
    for kept in [
        "surname was changed",
        "the tag warehouse was removed",
        "was unenrolled from",
    ] {
        assert!(plan.notes[0].reason.contains(kept), "{kept}: {plan:?}");
    }
    // The rules give back the tags and courses that an undo takes away, even to a person who left in between.
    it.lms
        .update_learner(ben.clone(), |of| of.surname = "New".into())
        .await
        .unwrap();
    let plan = undo(&it, &it.ledger().await, run);
    it.apply(&plan).await;
    assert_eq!(names(&it.plan(&rows).await), ["edit", "enrol"]);
    let plan = it.plan(&[eve_row]).await;
    assert_eq!(
        (names(&plan).last(), &*plan.steps[0].name),
        (Some(&"leave"), "Ben New")
    );
    it.apply(&plan).await;
    let plan = it.plan(&["2,ben@acme.example,Ben,Old,,,", eve_row]).await;
    assert!(!names(&plan).contains(&"enrol"), "{plan:?}");
}

#[tokio::test]
async fn undo_brings_the_fields_of_before_back_and_says_what_stays() {
    let mut it = Import::new().await;
    let ben = it.learner("Ben", &json!({ "tags": ["old"] }));
    it.sandbox.seed().enrol(&ben, &it.courses[1]).unwrap();
    let before = it.state().await;
    it.import(&[
        "1,ann@acme.example,Ann,Lee,,Sales,",
        "2,ben@acme.example,Ben,Moss,5,Warehouse,",
    ])
    .await;
    let ledger = it.ledger().await;
    let plan = undo(&it, &ledger, 1);
    assert_eq!(names(&plan), ["unenrol", "edit", "unlink"]);
    for (note, sentence) in plan.notes.iter().zip([
        "was added, and undo keeps it",
        "the progress in Fire safety since then ends",
    ]) {
        assert!(note.reason.contains(sentence), "{:?}", plan.notes);
    }
    assert_eq!(plan.notes.len(), 2);
    drop(ledger);
    assert!(it.apply(&plan).await.is_complete());
    let mut after = it.state().await;
    assert!(after.remove("ann@acme.example").is_some());
    assert_eq!(after, before);
    // The rows of a file are compared with those of the last file, and an undo has none.
    it.mapping.push_str("share_from = 1\n");
    let empty = it.plan(&[]).await;
    let missing = "2 of 2 rows of the last file are missing, and the limit is 90 %";
    assert!(empty.held.iter().any(|held| held == missing), "{empty:?}");
    let ledger = it.ledger().await;
    assert_eq!(ledger.runs().unwrap()[0].input, "run 1");
    assert_eq!(
        ledger.steps(Some(9), None).unwrap_err().kind(),
        ErrorKind::NotFound
    );
}

#[tokio::test]
async fn what_only_the_tenant_decides_is_not_changed() {
    let it = Import::new().await;
    let rows = ["1,ann@acme.example,Ann,Lee,,Sales,"];
    it.import(&rows).await;
    let ann = it.ann().await;
    // Somebody who is in the file has the tag of leavers.
    let tag = |learner: &mut types::EditLearner| learner.tags.push("left".into());
    it.lms.update_learner(ann, tag).await.unwrap();
    assert!(it.plan(&rows).await.is_empty());
    // An address of another learner, who is in no row.
    it.learner("Cleo", &json!({}));
    let plan = it.plan(&["1,cleo@acme.example,Ann,Lee,,Sales,"]).await;
    assert!(plan.is_empty(), "{plan:?}");
    assert!(plan.notes[0].reason.contains("another learner"), "{plan:?}");
    // A field for new learners only.
    let it = Import {
        mapping: format!("only_new = [\"surname\"]\n{}", it.mapping),
        ..it
    };
    let plan = it.plan(&["1,ann@acme.example,Ann,New,,Sales,"]).await;
    assert!(plan.is_empty() && plan.notes.is_empty(), "{plan:?}");
}

/// Leavers are the people of whom the file has no row, not even one with another number, without a number, or unreadable.
#[tokio::test]
async fn a_person_whose_row_is_not_as_it_should_be_does_not_leave() {
    let it = Import::new().await;
    let rows = [
        "1,ann@acme.example,Ann,Lee,,Warehouse,",
        "2,ben@acme.example,Ben,Moss,,Sales,",
    ];
    it.import(&rows).await;
    for (row, ann, ben) in [
        (
            "01,ann@acme.example,Ann,Lee,,Warehouse,",
            Situation::Disputed,
            false,
        ),
        (
            ",ANN@acme.example,Ann,Lee,,Warehouse,",
            Situation::Invalid,
            false,
        ),
        ("!1,,Ann,Lee,,Warehouse,", Situation::Invalid, false),
        ("!,ann@acme.example,Ann,Lee,,,", Situation::Invalid, true),
        ("!", Situation::Invalid, true),
    ] {
        let plan = it.plan(&[row, rows[1]]).await;
        assert_eq!(names(&plan), [""; 0], "{row}");
        assert_eq!(plan.situations[&ann], 1, "{row}: {plan:?}");
        // Whose row it is may not be known.
        let plan = it.plan(&[row]).await;
        assert_eq!(names(&plan).is_empty(), ben, "{row}: {plan:?}");
        let waiting = plan.notes.iter().find(|note| note.key == "2");
        let reason = "not in the file, or in line 2, which cannot be read";
        assert_eq!(
            waiting.is_some_and(|note| note.reason == reason),
            ben,
            "{row}"
        );
    }
}

/// A service may keep an address in another case than the file has.
#[tokio::test]
async fn an_address_in_another_case_is_no_change_and_finds_the_history_of_its_learner() {
    let it = Import::new().await;
    let ann = it.learner("Ann", &json!({}));
    let row = |address: &str, surname| format!("1,{address},Ann,{surname},,Sales,");
    it.import(&[&row("ANN@acme.example", "Old")]).await;
    assert!(it.plan(&[&row("ANN@acme.example", "Old")]).await.is_empty());
    // It is not taken for a change by a person, who would be right.
    let plan = it.plan(&[&row("New@acme.example", "Lee")]).await;
    assert_eq!(
        (names(&plan), plan.notes.len()),
        (vec!["edit"], 0),
        "{plan:?}"
    );
    it.apply(&plan).await;
    let ledger = it.ledger().await;
    for person in ["ann@acme.example", "new@ACME.example", "1", &ann] {
        let steps = ledger.steps(None, Some(person)).unwrap();
        assert_eq!(steps.len(), 2, "{person}: {steps:?}");
    }
    for unknown in ["", "ben@acme.example"] {
        let missing = ledger.steps(None, Some(unknown)).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::NotFound, "{unknown}");
    }
}

#[tokio::test]
async fn the_time_of_an_absence_begins_once() {
    let mut it = Import::new().await;
    it.mapping = it.mapping.replace("\"0d\"", "\"14d\"");
    let rows = ["1,ann@acme.example,Ann,Lee,,Sales,"];
    it.import(&rows).await;
    let since = async |rows: &[&str]| -> Option<String> {
        it.plan(rows).await;
        let ledger = rusqlite::Connection::open(it.path()).unwrap();
        let select = "SELECT link ->> 'absent_since' FROM links";
        ledger.query_row(select, [], |row| row.get(0)).unwrap()
    };
    let other = ["2,ben@acme.example,Ben,Lee,,Sales,"];
    let first = since(&other).await;
    assert!(first.is_some());
    assert_eq!(since(&other).await, first);
    assert_eq!(since(&rows).await, None);
}

#[tokio::test]
async fn a_course_that_is_gone_does_not_come_back() {
    let it = Import::new().await;
    let rows = ["1,ann@acme.example,Ann,Lee,,Warehouse,"];
    it.import(&rows).await;
    let ann = it.ann().await;
    it.sandbox.seed().enrol(&ann, &it.courses[1]).unwrap();
    it.import(&["2,ben@acme.example,Ben,Moss,,Sales,"]).await;
    it.lms.delete_course(&it.courses[1]).await.unwrap();
    let ben = "2,ben@acme.example,Ben,Moss,,Sales,";
    let plan = it.plan(&[rows[0], ben]).await;
    assert_eq!(names(&plan), ["edit", "enrol", "return"], "{plan:?}");
}

#[tokio::test]
async fn a_learner_who_is_gone_or_another_one_is_a_conflict() {
    let it = Import::new().await;
    let ben = it.learner("Ben", &json!({}));
    let row = ["2,ben@acme.example,Ben,Moss,,,"];
    let plan = it.plan(&row).await;
    it.lms.delete_learner(ben).await.unwrap();
    let applied = it.apply(&plan).await;
    assert_eq!(applied.count(Status::Conflict), 1, "{applied:?}");
    let reason = &applied.failures[0].state.reason;
    assert!(reason.contains("does not exist any more"), "{reason}");
    // An addition that may have been sent, and was not: somebody else has added the person.
    let plan = it.plan(&["1,ann@acme.example,Ann,Lee,,,"]).await;
    let faults = it.sandbox.faults();
    faults.add("addLearner: always: drop before").unwrap();
    let applied = it.apply(&plan).await;
    assert_eq!(applied.count(Status::Sent), 1);
    faults.clear();
    let undo = undo(&it, &it.ledger().await, applied.run);
    assert!(undo.notes[0].reason.contains("is not known"), "{undo:?}");
    it.learner("Ann", &json!({}));
    assert_eq!(it.apply(&plan).await.count(Status::Conflict), 1);
    // Steps in doubt whose effect is there have been done.
    let plan = it.plan(&["3,cleo@acme.example,Cleo,Kim,,Warehouse,"]).await;
    for (fault, well) in [("addLearner", 0), ("addEnrolment", 1)] {
        let fault = format!("{fault}: always: drop before");
        it.sandbox.faults().add(fault.as_str()).unwrap();
        let applied = it.apply(&plan).await;
        let counts = (applied.count(Status::Sent), applied.count(Status::Done));
        assert_eq!(counts, (1, well), "{applied:?}");
        it.sandbox.faults().clear();
        match well {
            0 => _ = it.learner("Cleo", &json!({ "surname": "Kim", "tags": ["warehouse"] })),
            _ => {
                let cleo = it.lms.get_learner_by_email("cleo@acme.example").await;
                let cleo = cleo.unwrap().id.unwrap();
                it.sandbox
                    .seed()
                    .enrol(cleo.as_str(), &it.courses[0])
                    .unwrap();
            }
        }
    }
    assert_eq!(it.apply(&plan).await.count(Status::Done), 2);
}

#[tokio::test]
async fn a_run_ends_early_for_an_error_of_all_and_for_too_many() {
    let it = Import::new().await;
    let plan = it
        .plan(&[
            "1,a@acme.example,A,B,,,",
            "2,b@acme.example,C,D,,,",
            "3,c@acme.example,E,F,,,",
        ])
        .await;
    let ledger = it.ledger().await;
    let run = |max_errors| {
        let apply = Apply {
            concurrency: 1,
            max_errors,
            ..Apply::new(&it.lms, &ledger)
        };
        apply.run(plan.clone(), |_, _, _| (), pending())
    };
    let faults = it.sandbox.faults();
    for (status, max, stopped, failed) in [(403, 9, true, 1), (400, 2, false, 2)] {
        let fault = format!("addLearner: always: status {status}");
        faults.add(fault.as_str()).unwrap();
        let applied = run(Some(max)).await.unwrap();
        assert_eq!(
            (applied.stopped.is_some(), applied.failures.len()),
            (stopped, failed),
            "{applied:?}"
        );
        faults.clear();
    }
    // Without a stated identity, the tenant is its URL.
    faults.add("me: always: status 404").unwrap();
    let writes = it.writes();
    let refused = run(None).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::OtherTenant);
    assert_eq!(it.writes(), writes);
}

#[cfg(unix)]
#[tokio::test]
async fn a_ledger_is_private_and_for_one_tenant_and_one_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let it = Import::new().await;
    let plan = it.plan(&["1,ann@acme.example,Ann,Lee,,Warehouse,"]).await;
    let ledger = it.ledger().await;
    let mode = std::fs::metadata(it.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(
        Ledger::open(&it.path(), None).unwrap_err().kind(),
        ErrorKind::Locked
    );
    // History can be read meanwhile, and not be written.
    let history = Ledger::open_existing(&it.path()).unwrap();
    let begun = Apply::new(&it.lms, &history)
        .run(plan, |_, _, _| (), pending())
        .await;
    assert_eq!(begun.unwrap_err().kind(), ErrorKind::Ledger);
    assert!(history.runs().unwrap().is_empty());
    drop((history, ledger));
    assert_eq!(
        Ledger::open(&it.path(), Some("another"))
            .unwrap_err()
            .kind(),
        ErrorKind::OtherTenant
    );
    let none = it.folder.path().join("none.db");
    assert_eq!(
        Ledger::open_existing(&none).unwrap_err().kind(),
        ErrorKind::NotFound
    );
}

/// Without the tags that a link had, they would not be taken away.
#[tokio::test]
async fn a_damaged_link_is_not_an_empty_one() {
    let it = Import::new().await;
    let row = ["1,ann@acme.example,Ann,Lee,,Warehouse,"];
    it.import(&row).await;
    let ledger = rusqlite::Connection::open(it.path()).unwrap();
    ledger
        .execute("UPDATE links SET link = json_remove(link, '$.tags')", ())
        .unwrap();
    assert_eq!(
        it.try_plan(&row).await.unwrap_err().kind(),
        ErrorKind::Ledger
    );
}
