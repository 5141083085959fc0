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
    /// The prefix of ids, the name for messages, and the table that has a row for each id.
    fn row(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Course => ("c", "course", "courses"),
            Self::Topic => ("t", "topic", "topics"),
            Self::Learner => ("l", "learner", "learners"),
            Self::Enrolment => ("e", "enrolment", "enrolments"),
            Self::CourseCompletion => ("cc", "course completion", "completions"),
            Self::CourseProgress => ("cp", "course progress", "enrolments"),
            Self::TopicProgress => ("tp", "topic progress", "topic_marks"),
            Self::DuplicateCourse => ("d", "duplication", "duplications"),
            Self::UserField => ("f", "user field", "user_fields"),
            Self::Record => ("r", "record", "records"),
            Self::Profile => ("p", "profile", "profiles"),
            Self::SignupPage => ("s", "sign-up page", "signup_pages"),
            Self::Tag => ("g", "tag", "tags"),
        }
    }

    pub(crate) fn prefix(self) -> &'static str {
        self.row().0
    }

    pub(crate) fn noun(self) -> &'static str {
        self.row().1
    }

    pub(crate) fn table(self) -> &'static str {
        self.row().2
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
        let wrong = " l l0 l017 l+17 l-1 c17 17 l17_ L17 l99999999999999999999";
        for wrong in wrong.split(' ') {
            assert_eq!(Kind::Learner.parse(wrong), None, "{wrong}");
        }
    }
}
