//! What does an id look like?
//!
//! Ids are strings (§2) and a client must not look into them. These are a letter and a number, so that a course's
//! id in the place of a learner's finds nothing and a log line says what it is about.

/// What an id names; the letters are its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Course,
    Topic,
    Learner,
    Enrolment,
    Completion,
    CourseProgress,
    Duplication,
    UserField,
    Record,
    Profile,
    SignupPage,
    Tag,
}

impl Kind {
    fn prefix(self) -> &'static str {
        match self {
            Self::Course => "c",
            Self::Topic => "t",
            Self::Learner => "l",
            Self::Enrolment => "e",
            Self::Completion => "cc",
            Self::CourseProgress => "cp",
            Self::Duplication => "d",
            Self::UserField => "f",
            Self::Record => "r",
            Self::Profile => "p",
            Self::SignupPage => "s",
            Self::Tag => "g",
        }
    }

    /// The words for what the id names, for messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Course => "course",
            Self::Topic => "topic",
            Self::Learner => "learner",
            Self::Enrolment => "enrolment",
            Self::Completion => "course completion",
            Self::CourseProgress => "course progress",
            Self::Duplication => "duplication",
            Self::UserField => "user field",
            Self::Record => "record",
            Self::Profile => "profile",
            Self::SignupPage => "sign-up page",
            Self::Tag => "tag",
        }
    }

    /// The id of row `number`.
    pub(crate) fn id(self, number: i64) -> String {
        format!("{}{number}", self.prefix())
    }

    /// Appends the id of row `number` to `out`.
    pub(crate) fn write(self, out: &mut Vec<u8>, number: i64) {
        out.extend_from_slice(self.prefix().as_bytes());
        crate::json::digits(out, number);
    }

    /// The row an id names; `None` for what was never an id of this kind. Only the one spelling that
    /// [`id`](Self::id) makes is accepted, so that an id compares equal to itself everywhere.
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
    fn only_the_spelling_that_was_given_out_is_an_id() {
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
