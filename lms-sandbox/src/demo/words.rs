//! The names and dates that generated data is made of.

/// 2025-01-06 08:00 UTC, in seconds since 1970: the tenant's first day. It is fixed, so that the data does not depend on
/// the current date.
pub(super) const FIRST_DAY: i64 = 1_736_150_400;
/// The seconds of a day.
pub(super) const DAY: i64 = 86_400;

pub(super) const FIRSTNAMES: &[&str] = &[
    "Ada", "Amir", "Ana", "Anders", "Aoife", "Beatriz", "Ben", "Chidi", "Chloé", "Daniela",
    "David", "Elif", "Emma", "Fatima", "Femi", "Grace", "Hana", "Hugo", "Ines", "Ivan", "Jack",
    "Jin", "Joana", "Karim", "Katya", "Lars", "Leila", "Liam", "Lucía", "Mads", "Maria", "Mei",
    "Mohammed", "Nadia", "Niamh", "Noor", "Olga", "Oscar", "Paul", "Priya", "Rafael", "Rosa",
    "Sam", "Sofia", "Søren", "Tariq", "Tomás", "Uma", "Wei", "Zoë",
];

pub(super) const SURNAMES: &[&str] = &[
    "Abadi",
    "Adeyemi",
    "Andersen",
    "Bauer",
    "Becker",
    "Brown",
    "Byrne",
    "Chen",
    "Costa",
    "Da Silva",
    "Dubois",
    "Fernández",
    "Fischer",
    "García",
    "Gupta",
    "Haddad",
    "Hansen",
    "Hughes",
    "Ito",
    "Ivanova",
    "Jensen",
    "Johnson",
    "Jones",
    "Kaya",
    "Khan",
    "Kim",
    "Kowalski",
    "Kumar",
    "Lee",
    "Lindqvist",
    "López",
    "Martin",
    "Mendes",
    "Müller",
    "Murphy",
    "Nguyen",
    "Novak",
    "O'Brien",
    "Okafor",
    "Osei",
    "Patel",
    "Petrov",
    "Popescu",
    "Rossi",
    "Sato",
    "Schmidt",
    "Singh",
    "Smith",
    "Tanaka",
    "Taylor",
    "Walsh",
    "Wang",
    "Williams",
    "Yılmaz",
    "Zhang",
];

pub(super) const DOMAINS: &[&str] = &[
    "example.com",
    "example.org",
    "site.example",
    "works.example",
];

/// Name and color.
pub(super) const TAGS: &[(&str, &str)] = &[
    ("apac", "#1565c0"),
    ("contractor", "#6d4c41"),
    ("emea", "#2e7d32"),
    ("first-aider", "#c62828"),
    ("manager", "#4527a0"),
    ("new starter", "#f9a825"),
    ("night shift", "#263238"),
    ("north america", "#00838f"),
    ("remote", "#558b2f"),
];

/// Name, description, number of topics.
pub(super) const COURSES: &[(&str, &str, usize)] = &[
    ("Fire safety", "What burns, what to do, and where to go.", 6),
    (
        "Working at height",
        "Ladders, harnesses and when not to climb.",
        7,
    ),
    (
        "First aid at work",
        "The first ten minutes, until help arrives.",
        8,
    ),
    ("Manual handling", "Lifting without hurting your back.", 4),
    (
        "Data protection",
        "Personal data, and what you may do with it.",
        5,
    ),
    (
        "Phishing and passwords",
        "Mails that want something, and how to tell.",
        4,
    ),
    (
        "Induction",
        "Your first week: who is who and what is where.",
        6,
    ),
    (
        "Forklift refresher",
        "The yearly reminder for licensed drivers.",
        5,
    ),
    ("Leading a team", "From colleague to team leader.", 8),
    ("Food hygiene", "Clean hands, cold chains and allergens.", 6),
    ("Quality management (draft)", "Being written.", 3),
    ("Fire safety 2019", "Replaced by Fire safety.", 4),
];

pub(super) const TOPIC_NAMES: &[&str] = &[
    "Welcome",
    "The basics",
    "What the law says",
    "In practice",
    "When it goes wrong",
    "Case study",
    "Practice test",
    "Final test",
];

/// Name, kind, description.
pub(super) const FIELDS: &[(&str, &str, &str)] = &[
    ("Department", "text", "Where the learner works."),
    ("Employee number", "text", "As in the payroll."),
    ("Site", "text", "The site the learner belongs to."),
    ("Start date", "date", "The first working day."),
    ("Line manager", "text", "Who approves training."),
    ("Driving licence", "certificate", "A copy of the licence."),
    (
        "First aid certificate",
        "certificate",
        "From an accredited provider.",
    ),
    ("Forklift licence", "certificate", "Renewed every year."),
    ("Shoe size", "number", "For safety shoes."),
    ("Dietary needs", "text", "For training days."),
];

/// Name, title, the tag it gives.
pub(super) const PAGES: &[(&str, &str, &str)] = &[
    ("staff", "Welcome to our staff training", "emea"),
    ("contractors", "Training for contractors", "contractor"),
    ("visitors", "Before you visit a site", "remote"),
];

/// Name, the tag it gives.
pub(super) const PROFILES: &[(&str, &str)] = &[
    ("Warehouse", "night shift"),
    ("Office", "remote"),
    ("Site management", "manager"),
    ("New starter", "new starter"),
];
