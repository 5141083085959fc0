// @generated from spec/openapi.yaml by `cargo xtask regen`.
// Do not edit: change the document, then run that command again.

use lms_client::{builder, types};
use reqwest::Method;
use super::{RequireId, operation::{PreparedRequest, List, Operation}};
use crate::values::OperationInfo;
/// Every operation of the service, in the order of the document.
pub static OPERATIONS: [OperationInfo; 32] = [
    OperationInfo {
        id: "list_courses",
        method: Method::GET,
        path: "/courses",
        path_parameters: &[],
        query_parameters: &["limit", "cursor", "archived", "published"],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "add_course",
        method: Method::POST,
        path: "/courses",
        path_parameters: &[],
        query_parameters: &[],
        authenticated: true,
        idempotent: false,
    },
    OperationInfo {
        id: "get_course",
        method: Method::GET,
        path: "/courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "edit_course",
        method: Method::PUT,
        path: "/courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "delete_course",
        method: Method::DELETE,
        path: "/courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "add_duplicate_course",
        method: Method::POST,
        path: "/duplicate_courses",
        path_parameters: &[],
        query_parameters: &[],
        authenticated: true,
        idempotent: false,
    },
    OperationInfo {
        id: "view_duplicate_course",
        method: Method::GET,
        path: "/duplicate_courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "list_topics",
        method: Method::GET,
        path: "/topics",
        path_parameters: &[],
        query_parameters: &["cursor", "limit", "course", "kind", "published"],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "get_topic",
        method: Method::GET,
        path: "/topics/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "list_learners",
        method: Method::GET,
        path: "/learners",
        path_parameters: &[],
        query_parameters: &[
            "cursor",
            "limit",
            "signup_page",
            "username",
            "email",
            "tags",
            "order_by",
            "order_direction",
        ],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "add_learner",
        method: Method::POST,
        path: "/learners",
        path_parameters: &[],
        query_parameters: &[],
        authenticated: true,
        idempotent: false,
    },
    OperationInfo {
        id: "get_learner_by_email",
        method: Method::GET,
        path: "/learners/email/{email}",
        path_parameters: &["email"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "get_learner_by_id",
        method: Method::GET,
        path: "/learners/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "edit_learner",
        method: Method::PUT,
        path: "/learners/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "delete_learner",
        method: Method::DELETE,
        path: "/learners/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "list_enrolments",
        method: Method::GET,
        path: "/enrolments",
        path_parameters: &[],
        query_parameters: &["limit", "cursor", "course", "user"],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "add_enrolment",
        method: Method::POST,
        path: "/enrolments",
        path_parameters: &[],
        query_parameters: &[],
        authenticated: true,
        idempotent: false,
    },
    OperationInfo {
        id: "delete_enrolment",
        method: Method::DELETE,
        path: "/enrolments",
        path_parameters: &[],
        query_parameters: &["user", "course"],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "get_topic_progress",
        method: Method::GET,
        path: "/topic_progress/{user}/{topic}",
        path_parameters: &["user", "topic"],
        query_parameters: &["course", "completed"],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "list_topic_progress",
        method: Method::GET,
        path: "/topic_progress",
        path_parameters: &[],
        query_parameters: &["cursor", "limit", "user", "topic", "course", "completed"],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "get_course_progress",
        method: Method::GET,
        path: "/course_progress/{course}/{user}",
        path_parameters: &["course", "user"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "list_course_completions",
        method: Method::GET,
        path: "/course_completions",
        path_parameters: &[],
        query_parameters: &["course", "user", "cursor", "limit"],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "get_user_field",
        method: Method::GET,
        path: "/user_fields/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "list_user_fields",
        method: Method::GET,
        path: "/user_fields",
        path_parameters: &[],
        query_parameters: &["limit", "cursor", "archived", "published"],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "list_user_field_permissions",
        method: Method::GET,
        path: "/users/{user}/user_field_permissions",
        path_parameters: &["user"],
        query_parameters: &["limit", "cursor"],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "get_active_record",
        method: Method::GET,
        path: "/users/{user}/user_fields/{user_field}/record",
        path_parameters: &["user", "user_field"],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "list_signup_pages",
        method: Method::GET,
        path: "/signup_pages",
        path_parameters: &[],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "list_profiles",
        method: Method::GET,
        path: "/profiles",
        path_parameters: &[],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "list_tags",
        method: Method::GET,
        path: "/tags",
        path_parameters: &[],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "get_token",
        method: Method::POST,
        path: "/oauth/token",
        path_parameters: &[],
        query_parameters: &[],
        authenticated: false,
        idempotent: false,
    },
    OperationInfo {
        id: "me",
        method: Method::GET,
        path: "/oauth/me",
        path_parameters: &[],
        query_parameters: &[],
        authenticated: true,
        idempotent: true,
    },
    OperationInfo {
        id: "test",
        method: Method::GET,
        path: "/test",
        path_parameters: &[],
        query_parameters: &[],
        authenticated: false,
        idempotent: true,
    },
];
impl Operation for builder::ListCourses<'_> {
    type Output = types::CourseList;
    const INFO: &'static OperationInfo = &OPERATIONS[0];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ListCourses::prepare(self)
    }
}
impl List for builder::ListCourses<'_> {
    type Item = types::Course;
    const CURSOR: bool = true;
}
impl Operation for builder::AddCourse<'_> {
    type Output = types::Course;
    const INFO: &'static OperationInfo = &OPERATIONS[1];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::AddCourse::prepare(self)
    }
}
impl Operation for builder::GetCourse<'_> {
    type Output = types::Course;
    const INFO: &'static OperationInfo = &OPERATIONS[2];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::GetCourse::prepare(self)
    }
}
impl Operation for builder::EditCourse<'_> {
    type Output = types::Course;
    const INFO: &'static OperationInfo = &OPERATIONS[3];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::EditCourse::prepare(self)
    }
}
impl Operation for builder::DeleteCourse<'_> {
    type Output = ();
    const INFO: &'static OperationInfo = &OPERATIONS[4];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::DeleteCourse::prepare(self)
    }
}
impl Operation for builder::AddDuplicateCourse<'_> {
    type Output = types::DuplicateCourse;
    const INFO: &'static OperationInfo = &OPERATIONS[5];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::AddDuplicateCourse::prepare(self)
    }
}
impl Operation for builder::ViewDuplicateCourse<'_> {
    type Output = types::DuplicateCourse;
    const INFO: &'static OperationInfo = &OPERATIONS[6];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ViewDuplicateCourse::prepare(self)
    }
}
impl Operation for builder::ListTopics<'_> {
    type Output = types::TopicList;
    const INFO: &'static OperationInfo = &OPERATIONS[7];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ListTopics::prepare(self)
    }
}
impl List for builder::ListTopics<'_> {
    type Item = types::Topic;
    const CURSOR: bool = true;
}
impl Operation for builder::GetTopic<'_> {
    type Output = types::Topic;
    const INFO: &'static OperationInfo = &OPERATIONS[8];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::GetTopic::prepare(self)
    }
}
impl Operation for builder::ListLearners<'_> {
    type Output = types::LearnerList;
    const INFO: &'static OperationInfo = &OPERATIONS[9];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ListLearners::prepare(self)
    }
}
impl List for builder::ListLearners<'_> {
    type Item = types::Learner;
    const CURSOR: bool = true;
}
impl Operation for builder::AddLearner<'_> {
    type Output = types::Learner;
    const INFO: &'static OperationInfo = &OPERATIONS[10];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::AddLearner::prepare(self)
    }
}
impl Operation for builder::GetLearnerByEmail<'_> {
    type Output = types::Learner;
    const INFO: &'static OperationInfo = &OPERATIONS[11];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::GetLearnerByEmail::prepare(self)
    }
}
impl Operation for builder::GetLearnerById<'_> {
    type Output = types::Learner;
    const INFO: &'static OperationInfo = &OPERATIONS[12];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::GetLearnerById::prepare(self)
    }
}
impl Operation for builder::EditLearner<'_> {
    type Output = types::Learner;
    const INFO: &'static OperationInfo = &OPERATIONS[13];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::EditLearner::prepare(self)
    }
}
impl Operation for builder::DeleteLearner<'_> {
    type Output = ();
    const INFO: &'static OperationInfo = &OPERATIONS[14];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::DeleteLearner::prepare(self)
    }
}
impl Operation for builder::ListEnrolments<'_> {
    type Output = types::EnrolmentList;
    const INFO: &'static OperationInfo = &OPERATIONS[15];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ListEnrolments::prepare(self)
    }
}
impl List for builder::ListEnrolments<'_> {
    type Item = types::Enrolment;
    const CURSOR: bool = true;
}
impl Operation for builder::AddEnrolment<'_> {
    type Output = types::Enrolment;
    const INFO: &'static OperationInfo = &OPERATIONS[16];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::AddEnrolment::prepare(self)
    }
}
impl Operation for builder::DeleteEnrolment<'_> {
    type Output = ();
    const INFO: &'static OperationInfo = &OPERATIONS[17];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::DeleteEnrolment::prepare(self)
    }
}
impl Operation for builder::GetTopicProgress<'_> {
    type Output = types::TopicProgress;
    const INFO: &'static OperationInfo = &OPERATIONS[18];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::GetTopicProgress::prepare(self)
    }
}
impl Operation for builder::ListTopicProgress<'_> {
    type Output = types::TopicProgressList;
    const INFO: &'static OperationInfo = &OPERATIONS[19];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ListTopicProgress::prepare(self)
    }
}
impl List for builder::ListTopicProgress<'_> {
    type Item = types::TopicProgress;
    const CURSOR: bool = true;
}
impl Operation for builder::GetCourseProgress<'_> {
    type Output = types::CourseProgress;
    const INFO: &'static OperationInfo = &OPERATIONS[20];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::GetCourseProgress::prepare(self)
    }
}
impl Operation for builder::ListCourseCompletions<'_> {
    type Output = types::CourseCompletionsResponse;
    const INFO: &'static OperationInfo = &OPERATIONS[21];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ListCourseCompletions::prepare(self)
    }
}
impl List for builder::ListCourseCompletions<'_> {
    type Item = types::CourseCompletion;
    const CURSOR: bool = true;
}
impl Operation for builder::GetUserField<'_> {
    type Output = types::UserField;
    const INFO: &'static OperationInfo = &OPERATIONS[22];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::GetUserField::prepare(self)
    }
}
impl Operation for builder::ListUserFields<'_> {
    type Output = types::UserFieldList;
    const INFO: &'static OperationInfo = &OPERATIONS[23];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ListUserFields::prepare(self)
    }
}
impl List for builder::ListUserFields<'_> {
    type Item = types::UserField;
    const CURSOR: bool = true;
}
impl Operation for builder::ListUserFieldPermissions<'_> {
    type Output = types::UserFieldPermissionList;
    const INFO: &'static OperationInfo = &OPERATIONS[24];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ListUserFieldPermissions::prepare(self)
    }
}
impl List for builder::ListUserFieldPermissions<'_> {
    type Item = types::UserFieldPermission;
    const CURSOR: bool = true;
}
impl Operation for builder::GetActiveRecord<'_> {
    type Output = types::Record;
    const INFO: &'static OperationInfo = &OPERATIONS[25];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::GetActiveRecord::prepare(self)
    }
}
impl Operation for builder::ListSignupPages<'_> {
    type Output = types::SignupPageList;
    const INFO: &'static OperationInfo = &OPERATIONS[26];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ListSignupPages::prepare(self)
    }
}
impl List for builder::ListSignupPages<'_> {
    type Item = types::SignupPage;
    const CURSOR: bool = false;
}
impl Operation for builder::ListProfiles<'_> {
    type Output = types::ProfileList;
    const INFO: &'static OperationInfo = &OPERATIONS[27];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ListProfiles::prepare(self)
    }
}
impl List for builder::ListProfiles<'_> {
    type Item = types::Profile;
    const CURSOR: bool = false;
}
impl Operation for builder::ListTags<'_> {
    type Output = types::TagList;
    const INFO: &'static OperationInfo = &OPERATIONS[28];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::ListTags::prepare(self)
    }
}
impl List for builder::ListTags<'_> {
    type Item = types::Tag;
    const CURSOR: bool = false;
}
impl Operation for builder::GetToken<'_> {
    type Output = types::TokenResponse;
    const INFO: &'static OperationInfo = &OPERATIONS[29];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::GetToken::prepare(self)
    }
}
impl Operation for builder::Me<'_> {
    type Output = types::MeResponse;
    const INFO: &'static OperationInfo = &OPERATIONS[30];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::Me::prepare(self)
    }
}
impl Operation for builder::Test<'_> {
    type Output = types::TestResponse;
    const INFO: &'static OperationInfo = &OPERATIONS[31];
    #[inline]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        builder::Test::prepare(self)
    }
}
impl RequireId for types::Course {
    const KIND: &'static str = "course";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::CourseCompletion {
    const KIND: &'static str = "course completion";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::CourseProgress {
    const KIND: &'static str = "course progress";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::DuplicateCourse {
    const KIND: &'static str = "duplicate course";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::Enrolment {
    const KIND: &'static str = "enrolment";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::Learner {
    const KIND: &'static str = "learner";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::Profile {
    const KIND: &'static str = "profile";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::Record {
    const KIND: &'static str = "record";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::SignupPage {
    const KIND: &'static str = "signup page";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::Tag {
    const KIND: &'static str = "tag";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::Topic {
    const KIND: &'static str = "topic";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::TopicProgress {
    const KIND: &'static str = "topic progress";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
impl RequireId for types::UserField {
    const KIND: &'static str = "user field";
    fn raw_id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
