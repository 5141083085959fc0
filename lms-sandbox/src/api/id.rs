//! Ids.
//!
//! Ids are strings that clients must not interpret. In the sandbox, an id is a prefix and a row number. A course's id
//! is therefore never found where a learner's id is expected, and a log line shows the kind of object.

/// The kind of object that an id refers to, by the formats of the document: `learner-id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Course,
    Topic,
    Learner,
    Enrolment,
    CourseCompletion,
    CourseProgress,
    TopicProgress,
    DuplicateCourse,
    UserField,
    Record,
    Profile,
    SignupPage,
    Tag,
}

impl Kind {
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Course => "c",
            Self::Topic => "t",
            Self::Learner => "l",
            Self::Enrolment => "e",
            Self::CourseCompletion => "cc",
            Self::CourseProgress => "cp",
            Self::TopicProgress => "tp",
            Self::DuplicateCourse => "d",
            Self::UserField => "f",
            Self::Record => "r",
            Self::Profile => "p",
            Self::SignupPage => "s",
            Self::Tag => "g",
        }
    }

    /// The name of the kind, for messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Course => "course",
            Self::Topic => "topic",
            Self::Learner => "learner",
            Self::Enrolment => "enrolment",
            Self::CourseCompletion => "course completion",
            Self::CourseProgress => "course progress",
            Self::TopicProgress => "topic progress",
            Self::DuplicateCourse => "duplication",
            Self::UserField => "user field",
            Self::Record => "record",
            Self::Profile => "profile",
            Self::SignupPage => "sign-up page",
            Self::Tag => "tag",
        }
    }

    /// The table that has a row for each id of this kind.
    pub(crate) fn table(self) -> &'static str {
        match self {
            Self::Course => "courses",
            Self::Topic => "topics",
            Self::Learner => "learners",
            Self::Enrolment | Self::CourseProgress => "enrolments",
            Self::TopicProgress => "topic_marks",
            Self::CourseCompletion => "completions",
            Self::DuplicateCourse => "duplications",
            Self::UserField => "user_fields",
            Self::Record => "records",
            Self::Profile => "profiles",
            Self::SignupPage => "signup_pages",
            Self::Tag => "tags",
        }
    }

    /// The id of row `number`.
    pub(crate) fn id(self, number: i64) -> String {
        format!("{}{number}", self.prefix())
    }

    /// The row number in an id; `None` if the text is not an id of this kind. Only the form that [`id`](Self::id) makes is
    /// accepted, so that each row has exactly one id.
    pub(crate) fn parse(self, id: &str) -> Option<i64> {
        let digits = id.strip_prefix(self.prefix())?;
        let canonical = !digits.starts_with('0')
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit());
        if canonical { digits.parse().ok() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn an_id_has_exactly_one_spelling() {
        assert_eq!(Kind::Learner.parse(&Kind::Learner.id(17)), Some(17));
        for wrong in [
            "",
            "l",
            "l0",
            "l017",
            "l+17",
            "l-1",
            "c17",
            "17",
            "l17 ",
            "L17",
            "l99999999999999999999",
        ] {
            assert_eq!(Kind::Learner.parse(wrong), None, "{wrong}");
        }
    }
}
