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
    let mut folders = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let text = folders.find_map(|of| std::fs::read_to_string(of.join("spec/openapi.json")).ok());
    let document: Value = serde_json::from_str(&text.unwrap()).unwrap();
    document["components"]["schemas"]
        .as_object()
        .unwrap()
        .clone()
}
