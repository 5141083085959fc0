//! Cases: a tenant, a destination and the events in each run. They are generated, and shrink to few rows.

use proptest::{collection::vec, option::weighted, prelude::*, sample::select};

use super::{
    destination::Kind,
    lie::{Lie, Times, Twist, Wrong},
    server::Script,
    subject::Subject,
    tenant::{Change, Paging, Part, Tenant, What},
};

#[derive(Clone, Debug)]
pub struct Case {
    pub subject: Subject,
    pub paging: Paging,
    pub page: u8,
    pub rows: u8,
    /// The rows of the second list.
    pub seconds: u8,
    /// A bit for each object that does not exist.
    pub absent: u8,
    pub runs: Vec<Script>,
}

impl Case {
    pub fn tenant(&self) -> Tenant {
        let (rows, seconds) = (self.rows.into(), self.seconds.into());
        Tenant::new(self.subject, self.paging, self.page.into(), rows, seconds)
            .without_objects(self.absent)
    }
}

/// The cases for a kind of destination.
pub fn cases(kind: Kind) -> impl Strategy<Value = Case> {
    let mut subjects: Vec<Subject> = Subject::ALL.into();
    if kind == Kind::Sqlite {
        // No other destination has a third witness.
        subjects.extend([Subject::Children; 2]);
    }
    let shape = (
        select(subjects),
        select(&[Paging::Offset, Paging::Keyset][..]),
        1..=3_u8,
        0..=5_u8,
        0..=2_u8,
        prop_oneof![3 => Just(0_u8), 1 => any::<u8>()],
    );
    let most = if kind == Kind::Files { 2 } else { 4 };
    (shape, vec(scripts(), 1..=most)).prop_map(
        |((subject, paging, page, rows, seconds, absent), runs)| Case {
            subject,
            paging,
            page,
            rows,
            seconds,
            absent,
            runs,
        },
    )
}

fn scripts() -> impl Strategy<Value = Script> {
    let script = (vec(changes(), 0..=3), vec(lies(), 0..=2));
    weighted(0.8, script).prop_map(|script| {
        let (changes, lies) = script.unwrap_or_default();
        Script { changes, lies }
    })
}

fn changes() -> impl Strategy<Value = (u8, Change)> {
    let what = prop_oneof![
        3 => Just(What::Delete),
        2 => Just(What::Insert),
        1 => Just(What::MoveToStart),
        1 => Just(What::MoveToEnd),
        1 => Just(What::Edit),
    ];
    let part =
        prop_oneof![4 => Just(Part::First), 2 => Just(Part::Second), 1 => Just(Part::Object)];
    (0..8_u8, part, what, 0..6_u8)
        .prop_map(|(at, part, what, index)| (at, Change { part, what, index }))
}

fn lies() -> impl Strategy<Value = Lie> {
    let part = prop_oneof![
        6 => Just(Part::First),
        3 => Just(Part::Second),
        4 => Just(Part::Object),
        3 => Just(Part::ById),
        1 => Just(Part::Me),
    ];
    let times = select(&[Times::Once, Times::Always, Times::Everywhere][..]);
    (part, 0..4_u8, times, twists()).prop_map(|(part, page, times, twist)| Lie {
        part,
        page,
        times,
        twist,
    })
}

const FIELDS: &[&str] = &[
    "items",
    "number_found",
    "cursor",
    "next_cursor",
    "limit",
    "more",
    "tid",
];

const BODIES: &[&str] = &[
    "",
    "null",
    "[]",
    "{}",
    r#"{"items":[]}"#,
    r#"{"items":[],"more":false}"#,
    r#"{"items":[],"number_found":"0","more":false}"#,
    r#"{"error":"busy"}"#,
    r#"{"items":[],"items":[{"id":"u1"}],"more":false}"#,
    r#"{"items":[{"id":"u1"#,
    "<!doctype html><title>Sign in</title>",
];

fn twists() -> impl Strategy<Value = Twist> {
    prop_oneof![
        4 => (select(FIELDS), wrongs()).prop_map(|(name, wrong)| Twist::Field(name, wrong)),
        2 => (-3..=3_i64).prop_map(Twist::Count),
        2 => Just(Twist::Repeat),
        2 => Just(Twist::Skip),
        2 => Just(Twist::Empty),
        2 => Just(Twist::End),
        1 => Just(Twist::Loop),
        2 => (0..4_u8).prop_map(Twist::RepeatItem),
        2 => (0..4_u8).prop_map(Twist::DropItem),
        3 => (0..4_u8, 0..4_u8, wrongs()).prop_map(|(item, field, wrong)| Twist::ItemField(item, field, wrong)),
        1 => (0..4_u8, wrongs()).prop_map(|(item, wrong)| Twist::Item(item, wrong)),
        1 => select(BODIES).prop_map(Twist::Body),
        3 => select(&[201_u16, 202, 203, 204, 206, 302, 400, 403, 404, 410, 429, 500, 503][..]).prop_map(Twist::Status),
        1 => Just(Twist::Html),
        2 => Just(Twist::NotFound),
        2 => Just(Twist::Gateway),
        2 => Just(Twist::OtherFilter),
        1 => Just(Twist::OtherTenant),
    ]
}

fn wrongs() -> impl Strategy<Value = Wrong> {
    let texts: &[&str] = &[
        "", " ", "0", "1", "2", "-1", "+1", "1,000", "1000", "1.0", "many", "u1", "u2", "f1", "e1",
        "p1", "t1", "c1", "c2", "o1", "false",
    ];
    prop_oneof![
        3 => Just(Wrong::Absent),
        2 => Just(Wrong::Null),
        1 => any::<bool>().prop_map(Wrong::Boolean),
        2 => select(&[0_i64, 1, 2, -1, 1000, i64::MAX][..]).prop_map(Wrong::Integer),
        1 => select(&[0.0_f64, 1.0, 1.5, 1000.0, 1e300][..]).prop_map(Wrong::Float),
        4 => select(texts).prop_map(Wrong::Text),
        1 => Just(Wrong::Array),
        1 => Just(Wrong::Object),
    ]
}
