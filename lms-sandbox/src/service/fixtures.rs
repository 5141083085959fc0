//! The plain values that [`Seed`](super::Seed) takes. Ids in them are those of the API, times are counted from 1970
//! as [`Clock::now`](crate::Clock::now) counts them, and what is left at its default is absent.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Who adds what a test adds, in the fields that say so.
pub(crate) const AUTHOR: &str = "admin";

/// A topic to be added to a course.
#[derive(Clone, Debug)]
pub struct NewTopic {
    /// The course's id.
    pub course: String,
    /// Its name.
    pub name: String,
    /// What kind of topic it is; `content` by default.
    pub kind: Option<String>,
    /// Whether learners see it; by default they do.
    pub published: bool,
    /// Whether its heading is hidden.
    pub hide_heading: bool,
    /// Whether it is locked.
    pub locked: bool,
    /// Whether someone must confirm that a learner has completed it.
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

/// A learner to be added, with the fields that the API cannot set.
#[derive(Clone, Debug)]
pub struct NewLearner {
    /// The first name.
    pub firstname: String,
    /// The surname.
    pub surname: String,
    /// The email address, which no other learner has.
    pub email: String,
    /// The username, which no other learner has.
    pub username: Option<String>,
    /// The phone number.
    pub phone_number: Option<String>,
    /// The address of a picture.
    pub image: Option<String>,
    /// Notes.
    pub notes: Option<String>,
    /// The id at a single sign-on provider.
    pub sso_id: Option<String>,
    /// The id of the sign-up page that the learner came by.
    pub signup_page: Option<String>,
    /// Names of tags.
    pub tags: Vec<String>,
    /// Ids of profiles to apply.
    pub profiles: Vec<String>,
    /// Ids of courses to enrol in.
    pub courses: Vec<String>,
    /// Whether the account is archived.
    pub archived: bool,
    /// Whether the learner is an administrator too.
    pub is_admin: bool,
    /// Whether the learner has a password.
    pub has_password: bool,
    /// Who added the learner.
    pub created_by: Option<String>,
    /// What kind of account that is.
    pub creator_kind: Option<String>,
    /// How the learner was added.
    pub create_type: Option<String>,
    /// When the learner was added; now, if not given. Lists by creation go by the order of adding all the same.
    pub created: Option<Duration>,
    /// When the learner was last here.
    pub last_logged_in: Option<Duration>,
}

impl Default for NewLearner {
    fn default() -> Self {
        Self {
            firstname: String::new(),
            surname: String::new(),
            email: String::new(),
            username: None,
            phone_number: None,
            image: None,
            notes: None,
            sso_id: None,
            signup_page: None,
            tags: Vec::new(),
            profiles: Vec::new(),
            courses: Vec::new(),
            archived: false,
            is_admin: false,
            has_password: false,
            created_by: Some(AUTHOR.into()),
            creator_kind: Some("admin".into()),
            create_type: Some("manual".into()),
            created: None,
            last_logged_in: None,
        }
    }
}

/// What a custom field is about.
#[derive(Clone, Debug, Default)]
pub struct Resource {
    /// The kind of thing.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its id.
    pub resource_id: String,
}

/// A custom field to be added.
#[derive(Clone, Debug)]
pub struct NewUserField {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// What kind of values it has; `text` by default.
    pub kind: Option<String>,
    /// The value of those who have none.
    pub default: Option<String>,
    /// Whether everyone must have a value.
    pub required: bool,
    /// Whether learners see their own value; by default they do.
    pub user_visible: bool,
    /// Whether learners can change their own value.
    pub user_editable: bool,
    /// Whether nobody is told of changes.
    pub disable_notifications: bool,
    /// Whether it can be searched by.
    pub indexed: bool,
    /// Whether it does not apply to those who are not said to need it.
    pub not_applicable: bool,
    /// What it is about.
    pub resource: Option<Resource>,
    /// Whether it is archived. A list can be filtered by this, though the field does not show it.
    pub archived: bool,
    /// Whether it is published; by default it is. A list can be filtered by this, though the field does not show it.
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

/// What a learner may do with a custom field.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FieldPermission {
    /// The field's id.
    pub user_field: String,
    /// Whether the field does not apply to the learner.
    pub not_applicable: bool,
    /// Whether the learner sees the value.
    pub user_visible: bool,
    /// Whether the learner can change the value.
    pub user_editable: bool,
}

/// A file that belongs to a record.
#[derive(Clone, Debug, Default)]
pub struct NewAttachment {
    /// What kind of attachment it is.
    pub kind: String,
    /// The file's name.
    pub filename: String,
    /// Its media type.
    pub content_type: String,
    /// The key it is kept under.
    pub blob_key: String,
    /// Its size in bytes.
    pub file_size: i64,
}

/// A learner's value for a custom field.
#[derive(Clone, Debug, Default)]
pub struct NewRecord {
    /// The learner's id.
    pub learner: String,
    /// The field's id.
    pub user_field: String,
    /// The value.
    pub value: String,
    /// A reference such as a certificate's number.
    pub reference: Option<String>,
    /// What it cost.
    pub cost: Option<String>,
    /// Notes.
    pub notes: Option<String>,
    /// Who gave the training.
    pub training_provider: Option<String>,
    /// When it was paid, as text.
    pub payment_date: Option<String>,
    /// When it was achieved.
    pub achieved_on: Option<Duration>,
    /// When it runs out.
    pub expires_on: Option<Duration>,
    /// Who entered it.
    pub created_by: Option<String>,
    /// Files; the first is the record's own.
    pub attachments: Vec<NewAttachment>,
}

/// A profile to be added.
#[derive(Clone, Debug, Default)]
pub struct NewProfile {
    /// Its name.
    pub name: String,
    /// Names of tags it gives.
    pub tags: Vec<String>,
    /// Ids of courses it enrols in.
    pub courses: Vec<String>,
    /// Permissions it gives.
    pub permissions: Vec<FieldPermission>,
}

/// A sign-up page to be added.
#[derive(Clone, Debug, Default)]
pub struct NewSignupPage {
    /// Its name.
    pub name: String,
    /// The page's title.
    pub page_title: Option<String>,
    /// The page's text.
    pub page_description: Option<String>,
    /// The page's address; made from the name if not given.
    pub url: Option<String>,
    /// Names of tags it gives.
    pub tags: Vec<String>,
    /// Ids of courses it enrols in.
    pub courses: Vec<String>,
}

/// A time from 1970 in whole seconds, as the store has it.
pub(crate) fn seconds(time: Option<Duration>) -> Option<i64> {
    time.map(|time| i64::try_from(time.as_secs()).unwrap_or(i64::MAX))
}
