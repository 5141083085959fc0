// @generated from spec/openapi.yaml by `cargo xtask regen`. Do not edit.

/// Calls a macro with the names of all types.
macro_rules! with_all_types {
    ($macro:ident) => {
        $macro!(
            AddCourse,
            AddDuplicateCourse,
            AddEnrolment,
            AddLearner,
            Course,
            CourseCompletion,
            CourseCompletionsResponse,
            CourseList,
            CourseProgress,
            DuplicateCourse,
            EditLearner,
            Enrolment,
            EnrolmentList,
            Learner,
            LearnerList,
            MeResponse,
            Profile,
            ProfileList,
            ProfilePermission,
            Record,
            RecordAttachment,
            SignupPage,
            SignupPageList,
            Tag,
            TagList,
            TestResponse,
            TokenRequest,
            TokenResponse,
            Topic,
            TopicList,
            TopicProgress,
            TopicProgressList,
            UserField,
            UserFieldList,
            UserFieldPermission,
            UserFieldPermissionList,
            UserFieldResource,
        )
    };
}
