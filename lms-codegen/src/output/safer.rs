//! The functions of `lms-ext` that take the place of a plain call.

/// A function that takes the place of an operation.
pub(super) struct Safer {
    operation: &'static str,
    /// The call with its arguments.
    pub(super) call: &'static str,
    /// Why it is safer.
    pub(super) reason: &'static str,
}

const SAFER: [Safer; 7] = [
    Safer {
        operation: "editLearner",
        call: "lms.update_learner(id, edit)",
        reason: "it keeps the fields that are not changed, which this call clears",
    },
    Safer {
        operation: "editCourse",
        call: "lms.update_course(id, edit)",
        reason: "it keeps the fields that are not changed, which this call clears",
    },
    Safer {
        operation: "addLearner",
        call: "lms.ensure_learner(learner)",
        reason: "it adds no second learner when it is called again",
    },
    Safer {
        operation: "addEnrolment",
        call: "lms.ensure_enrolment(enrolment)",
        reason: "it succeeds if the learner is already enrolled",
    },
    Safer {
        operation: "deleteEnrolment",
        call: "lms.unenrol(scope)",
        reason: "it requires a learner or a course, and says what it deleted",
    },
    Safer {
        operation: "addDuplicateCourse",
        call: "lms.duplicate_course(id, options)",
        reason: "it returns a handle that waits for the copy",
    },
    Safer {
        operation: "viewDuplicateCourse",
        call: "lms.course_copy(id)",
        reason: "it waits for the copy, within a deadline",
    },
];

/// The function that takes the place of an operation, by its id.
pub(super) fn safer(operation: &str) -> Option<&'static Safer> {
    SAFER.iter().find(|safer| safer.operation == operation)
}
