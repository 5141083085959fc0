-- The tenant's tables.
--
-- Ids are AUTOINCREMENT integers: they ascend in the order of creation, so the order by creation is the order by id,
-- and the id of a deleted row is not reused while a cursor points at it. A nullable column is an optional field.
-- Timestamps are seconds since 1970.
--
-- There are no foreign keys: references are checked when a request contains them, so that the error can name the
-- field, and `service` cascades deletions explicitly.

CREATE TABLE courses (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The whole course as JSON, as it is sent: it is written rarely, read often, and may have undocumented fields.
    document    TEXT    NOT NULL,
    -- Filters of the list.
    archived    INTEGER GENERATED ALWAYS AS (document ->> 'archived') VIRTUAL,
    published   INTEGER GENERATED ALWAYS AS (document ->> 'published') VIRTUAL
) STRICT;

CREATE TABLE topics (
    id                   INTEGER PRIMARY KEY AUTOINCREMENT,
    course               INTEGER NOT NULL,
    kind                 TEXT    DEFAULT 'content',
    name                 TEXT    NOT NULL DEFAULT '',
    published            INTEGER NOT NULL DEFAULT 1,
    hide_heading         INTEGER NOT NULL DEFAULT 0,
    locked               INTEGER NOT NULL DEFAULT 0,
    require_confirmation INTEGER NOT NULL DEFAULT 0,
    created              INTEGER NOT NULL,
    modified             INTEGER NOT NULL
) STRICT;
CREATE INDEX topics_by_course    ON topics (course);

CREATE TABLE learners (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    username       TEXT COLLATE NOCASE,
    firstname      TEXT    NOT NULL DEFAULT '',
    surname        TEXT    NOT NULL DEFAULT '',
    email          TEXT    NOT NULL COLLATE NOCASE,
    phone_number   TEXT,
    image          TEXT,
    notes          TEXT,
    sso_id         TEXT,
    signup_page    TEXT,
    -- The learner's tags as a JSON array of names, ready to be sent; `learner_tags` is the same for searching.
    tags           TEXT    NOT NULL,
    archived       INTEGER NOT NULL DEFAULT 0,
    is_admin       INTEGER NOT NULL DEFAULT 0,
    created_by     TEXT,
    creator_kind   TEXT,
    create_type    TEXT,
    created        INTEGER NOT NULL,
    updated        INTEGER NOT NULL,
    last_logged_in INTEGER,
    -- The key of the order by username.
    username_order TEXT COLLATE NOCASE GENERATED ALWAYS AS (ifnull(username, '')) VIRTUAL
) STRICT;
CREATE UNIQUE INDEX learners_by_email    ON learners (email);
CREATE UNIQUE INDEX learners_by_username ON learners (username);
-- One index for each order of the list. (By creation is by id.)
CREATE INDEX learners_in_username_order  ON learners (username_order);
CREATE INDEX learners_in_updated_order   ON learners (updated);
CREATE INDEX learners_in_firstname_order ON learners (firstname);
CREATE INDEX learners_in_surname_order   ON learners (surname);

CREATE TABLE learner_tags (
    tag     INTEGER NOT NULL,
    learner INTEGER NOT NULL,
    PRIMARY KEY (tag, learner)
) STRICT, WITHOUT ROWID;

CREATE TABLE tags (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    name     TEXT    NOT NULL UNIQUE,
    color    TEXT,
    created  INTEGER NOT NULL,
    modified INTEGER NOT NULL
) STRICT;

CREATE TABLE enrolments (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    course       INTEGER NOT NULL,
    learner      INTEGER NOT NULL,
    created      INTEGER NOT NULL,
    completed_on INTEGER
) STRICT;
CREATE UNIQUE INDEX enrolments_by_pair ON enrolments (learner, course);
CREATE INDEX enrolments_by_course      ON enrolments (course);

-- A learner has progress in every topic of every course that the learner is enrolled in. So topic progress is
-- enrolments x topics, and only changes are stored. An enrolment is one row, whatever the size of the course, and a
-- topic that is added to a course has progress for all learners.
CREATE TABLE topic_marks (
    enrolment    INTEGER NOT NULL,
    topic        INTEGER NOT NULL,
    course       INTEGER NOT NULL,
    completed    INTEGER NOT NULL,
    completed_on INTEGER,
    completed_by INTEGER,
    confirmed    INTEGER NOT NULL,
    confirmed_on INTEGER,
    confirmed_by INTEGER,
    modified     INTEGER NOT NULL,
    PRIMARY KEY (enrolment, topic)
) STRICT, WITHOUT ROWID;
CREATE INDEX completed_by_course ON topic_marks (course, enrolment, topic) WHERE completed = 1;
CREATE INDEX completed_by_topic  ON topic_marks (topic, enrolment)         WHERE completed = 1;

-- History: it outlives the learner, the course and the enrolment.
CREATE TABLE completions (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    course   INTEGER NOT NULL,
    learner  INTEGER NOT NULL,
    happened INTEGER NOT NULL
) STRICT;
CREATE INDEX completions_by_course  ON completions (course);
CREATE INDEX completions_by_learner ON completions (learner, course);

CREATE TABLE duplications (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    old_course      INTEGER NOT NULL,
    new_course      INTEGER,
    name            TEXT,
    published       INTEGER,
    copy_enrolments INTEGER NOT NULL,
    polls           INTEGER NOT NULL,
    -- When the copy is made without a further poll; NULL if it is made, or cannot be.
    due             INTEGER
) STRICT;
-- Every request looks for the next one that is due.
CREATE INDEX duplications_by_due ON duplications (due) WHERE due IS NOT NULL;

CREATE TABLE user_fields (
    id                    INTEGER PRIMARY KEY AUTOINCREMENT,
    name                  TEXT    NOT NULL DEFAULT '',
    description           TEXT,
    kind                  TEXT    DEFAULT 'text',
    "default"             TEXT,
    required              INTEGER NOT NULL DEFAULT 0,
    user_visible          INTEGER NOT NULL DEFAULT 1,
    user_editable         INTEGER NOT NULL DEFAULT 0,
    disable_notifications INTEGER NOT NULL DEFAULT 0,
    indexed               INTEGER NOT NULL DEFAULT 0,
    not_applicable        INTEGER NOT NULL DEFAULT 0,
    -- As JSON.
    resource              TEXT,
    -- Filters of the list, which are not in responses.
    archived              INTEGER NOT NULL DEFAULT 0,
    published             INTEGER NOT NULL DEFAULT 1,
    created               INTEGER NOT NULL,
    modified              INTEGER NOT NULL
) STRICT;

-- Only what differs from the settings of the field.
CREATE TABLE permissions (
    user           INTEGER NOT NULL,
    user_field     INTEGER NOT NULL,
    not_applicable INTEGER NOT NULL DEFAULT 0,
    user_visible   INTEGER NOT NULL DEFAULT 0,
    user_editable  INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user, user_field)
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    learner     INTEGER NOT NULL,
    user_field  INTEGER NOT NULL,
    achieved_on INTEGER,
    expires_on  INTEGER,
    -- The other fields as a JSON object.
    document    TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX records_by_pair ON records (learner, user_field);

CREATE TABLE profiles (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT    NOT NULL DEFAULT '',
    tags        TEXT    NOT NULL DEFAULT '[]',
    courses     TEXT    NOT NULL DEFAULT '[]',
    permissions TEXT    NOT NULL DEFAULT '[]',
    created     INTEGER NOT NULL,
    modified    INTEGER NOT NULL
) STRICT;

CREATE TABLE signup_pages (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    name             TEXT    NOT NULL DEFAULT '',
    page_title       TEXT,
    page_description TEXT,
    url              TEXT,
    tags             TEXT    NOT NULL DEFAULT '[]',
    courses          TEXT    NOT NULL DEFAULT '[]',
    created          INTEGER NOT NULL,
    modified         INTEGER NOT NULL
) STRICT;
