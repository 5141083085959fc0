//! The arguments of [`Seed`](crate::Seed).
//!
//! Ids are those of the API. Times are durations since 1970, as [`Clock::now`](crate::Clock::now) returns them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::api::timestamp;

/// The author of data that [`Seed`](crate::Seed) adds.
pub(crate) const AUTHOR: &str = "admin";

/// A topic to add to a course.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewTopic {
    /// The id of the course.
    pub course: String,
    /// The name.
    pub name: String,
    /// The kind of topic; `content` by default.
    pub kind: Option<String>,
    /// Visible to learners; `true` by default.
    pub published: bool,
    /// Hides its heading.
    pub hide_heading: bool,
    /// Locked.
    pub locked: bool,
    /// Completing it must be confirmed.
    pub require_confirmation: bool,
}

impl Default for NewTopic {
    fn default() -> Self {
        Self {
            course: String::new(),
            name: String::new(),
            kind: Some("content".into()),
            published: true,
            hide_heading: false,
            locked: false,
            require_confirmation: false,
        }
    }
}

/// A learner to add, with fields that the API cannot set.
#[derive(Clone, Debug, Default)]
pub struct NewLearner {
    /// The first name.
    pub firstname: String,
    /// The surname.
    pub surname: String,
    /// The email address; must be unique.
    pub email: String,
    /// The username; must be unique.
    pub username: Option<String>,
    /// The phone number.
    pub phone_number: Option<String>,
    /// The URL of a picture.
    pub image: Option<String>,
    /// Notes.
    pub notes: Option<String>,
    /// The id at the single sign-on provider.
    pub sso_id: Option<String>,
    /// The id of the sign-up page that was used.
    pub signup_page: Option<String>,
    /// Names of tags.
    pub tags: Vec<String>,
    /// Ids of profiles to apply.
    pub profiles: Vec<String>,
    /// Ids of courses to enrol in.
    pub courses: Vec<String>,
    /// The account is archived.
    pub archived: bool,
    /// The learner is also an administrator.
    pub is_admin: bool,
    /// The creator of the learner; `admin` by default.
    pub created_by: Option<String>,
    /// The kind of account that added the learner; `admin` by default.
    pub creator_kind: Option<String>,
    /// The origin of the account; `manual` by default.
    pub create_type: Option<String>,
    /// Time of creation; now by default. It does not change the order of lists by creation.
    pub created: Option<Duration>,
    /// Time of the last login.
    pub last_logged_in: Option<Duration>,
}

/// The resource of a custom field.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Resource {
    /// The kind of resource.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The id.
    pub resource_id: String,
}

/// A custom field to add.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewUserField {
    /// The name.
    pub name: String,
    /// The description.
    pub description: Option<String>,
    /// The kind of values; `text` by default.
    pub kind: Option<String>,
    /// The default value.
    pub default: Option<String>,
    /// A value is required.
    pub required: bool,
    /// Learners see their value; `true` by default.
    pub user_visible: bool,
    /// Learners can change their value.
    pub user_editable: bool,
    /// Changes are not announced.
    pub disable_notifications: bool,
    /// Its values can be searched.
    pub indexed: bool,
    /// It does not apply to learners by default.
    pub not_applicable: bool,
    /// The resource that it belongs to.
    pub resource: Option<Resource>,
    /// Archived. Lists can be filtered by it, but responses do not have it.
    pub archived: bool,
    /// Published; `true` by default. Lists can be filtered by it, but responses do not have it.
    pub published: bool,
}

impl Default for NewUserField {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: None,
            kind: Some("text".into()),
            default: None,
            required: false,
            user_visible: true,
            user_editable: false,
            disable_notifications: false,
            indexed: false,
            not_applicable: false,
            resource: None,
            archived: false,
            published: true,
        }
    }
}

/// The permissions of a learner for a custom field.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FieldPermission {
    /// The id of the field.
    pub user_field: String,
    /// The field does not apply to the learner.
    pub not_applicable: bool,
    /// The learner sees the value.
    pub user_visible: bool,
    /// The learner can change the value.
    pub user_editable: bool,
}

/// A file of a record.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewAttachment {
    /// The kind of attachment.
    pub kind: String,
    /// The file name.
    pub filename: String,
    /// The media type.
    pub content_type: String,
    /// The key under which it is stored.
    pub blob_key: String,
    /// The size in bytes.
    pub file_size: i64,
}

/// A learner's value for a custom field.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewRecord {
    /// The id of the learner.
    pub learner: String,
    /// The id of the field.
    pub user_field: String,
    /// The value.
    pub value: String,
    /// A reference, such as the number of a certificate.
    pub reference: Option<String>,
    /// The cost.
    pub cost: Option<String>,
    /// Notes.
    pub notes: Option<String>,
    /// The training provider.
    pub training_provider: Option<String>,
    /// Date of the payment, as text.
    pub payment_date: Option<String>,
    /// Time at which it was achieved.
    #[serde(deserialize_with = "timestamp::since_1970")]
    pub achieved_on: Option<Duration>,
    /// Time of expiry.
    #[serde(deserialize_with = "timestamp::since_1970")]
    pub expires_on: Option<Duration>,
    /// The person who entered it.
    pub created_by: Option<String>,
    /// The attachments. The first is also the file of the record itself.
    pub attachments: Vec<NewAttachment>,
}

/// A profile to add.
#[derive(Clone, Debug, Default)]
pub struct NewProfile {
    /// The name.
    pub name: String,
    /// Names of tags to assign.
    pub tags: Vec<String>,
    /// Ids of courses to assign.
    pub courses: Vec<String>,
    /// Permissions to assign.
    pub permissions: Vec<FieldPermission>,
}

/// A sign-up page to add.
#[derive(Clone, Debug, Default)]
pub struct NewSignupPage {
    /// The name.
    pub name: String,
    /// The title of the page.
    pub page_title: Option<String>,
    /// The text of the page.
    pub page_description: Option<String>,
    /// The URL of the page; generated from the name by default.
    pub url: Option<String>,
    /// Names of tags to assign.
    pub tags: Vec<String>,
    /// Ids of courses to assign.
    pub courses: Vec<String>,
}

/// A time in seconds since 1970, as the store has it.
pub(crate) fn seconds(time: Option<Duration>) -> Option<i64> {
    time.map(|time| i64::try_from(time.as_secs()).unwrap_or(i64::MAX))
}
