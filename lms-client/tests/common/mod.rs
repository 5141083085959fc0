//! The schemas of the document, and their types.

use serde_json::{Map, Value};

/// Calls a macro with the names of all types.
macro_rules! with_all_types {
    ($macro:ident) => {
        $macro!(
            Course,
            AddCourse,
            CourseList,
            Learner,
            AddLearner,
            EditLearner,
            LearnerList,
            Enrolment,
            AddEnrolment,
            EnrolmentList,
            Topic,
            TopicList,
            TopicProgress,
            TopicProgressList,
            CourseProgress,
            CourseCompletion,
            CourseCompletionsResponse,
            DuplicateCourse,
            AddDuplicateCourse,
            UserField,
            UserFieldResource,
            UserFieldList,
            UserFieldPermission,
            UserFieldPermissionList,
            Record,
            RecordAttachment,
            Profile,
            ProfilePermission,
            ProfileList,
            SignupPage,
            SignupPageList,
            Tag,
            TagList,
            TokenRequest,
            TokenResponse,
            MeResponse,
            TestResponse,
        )
    };
}

/// The schemas by name.
pub(crate) fn schemas() -> Map<String, Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.json");
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    document["components"]["schemas"]
        .as_object()
        .unwrap()
        .clone()
}
