// @generated from spec/openapi.yaml by `cargo xtask regen`.
// Do not edit: change the document, then run that command again.

/// Enums that keep values that the document does not list.
pub mod enums {
    crate::open_enum::open_enum! {
        ListLearnersOrderDirection { Asc = "ASC", Desc = "DESC", } Unknown
    }
}
/// A struct or an enum for each schema, and a builder for each struct.
pub mod types {
    #[doc(inline)]
    pub use super::enums::*;
    #[doc(inline)]
    pub use crate::raw::types::*;
    /// Types for composing complex structures.
    pub mod builder {
        use super::super::types;
        crate::builder::of_struct! {
            AddCourse(name : required::std::string::String;) { archived : optional bool,
            cover_art : optional::std::string::String, description :
            optional::std::string::String, display_priority : optional f64, published :
            optional bool, suggested_duration : optional::std::string::String, }
        }
        crate::builder::of_struct! {
            AddDuplicateCourse(course : required crate ::ids::CourseId;) {
            copy_enrolments : optional bool, copy_responses : optional bool, name :
            optional::std::string::String, published : optional bool, }
        }
        crate::builder::of_struct! {
            AddEnrolment(course : required crate ::ids::CourseId; user : required crate
            ::ids::LearnerId;) { send_emails : optional bool, }
        }
        crate::builder::of_struct! {
            AddLearner(firstname : required::std::string::String; surname :
            required::std::string::String; email : required::std::string::String;) {
            courses : list::std::string::String, generate_password : optional bool,
            password : optional crate ::wire::Secret, phone_number :
            optional::std::string::String, profiles : list::std::string::String,
            send_email : optional bool, send_sms : optional bool, signup_page :
            optional::std::string::String, sso_id : optional::std::string::String, tags :
            list::std::string::String, username : optional::std::string::String, }
        }
        crate::builder::of_struct! {
            Course() { archived : optional bool, auto_due_date : optional crate
            ::wire::Timestamp, auto_due_seconds : optional crate ::wire::Int64,
            auto_due_type : optional::std::string::String, completion_notifications :
            optional::std::string::String, cover_art_url : optional::std::string::String,
            created : optional crate ::wire::Timestamp, creator :
            optional::std::string::String, description : optional::std::string::String,
            disable_certificates : optional bool, display_priority : optional f64,
            enable_progression : optional bool, has_cover_art : optional bool, id :
            optional crate ::ids::CourseId, is_graded : optional bool, locked : optional
            bool, modified : optional crate ::wire::Timestamp, name :
            optional::std::string::String, pass_mark : optional crate ::wire::Int64,
            pass_mark_type : optional::std::string::String, permalink :
            optional::std::string::String, published : optional bool, renewal_date :
            optional crate ::wire::Timestamp, renewal_days : optional crate
            ::wire::Int64, renewal_repeat : optional bool, renewal_type :
            optional::std::string::String, show_details : optional bool,
            show_grade_certificate : optional bool, show_grade_learner : optional bool,
            submission_notifications : optional::std::string::String, suggested_duration
            : optional::std::string::String, thumbnail_url :
            optional::std::string::String, track_progress : optional bool, user_version :
            optional crate ::wire::Int64, }
        }
        crate::builder::of_struct! {
            CourseCompletion() { course : optional crate ::ids::CourseId, happened :
            optional crate ::wire::Timestamp, id : optional crate
            ::ids::CourseCompletionId, user : optional crate ::ids::LearnerId, }
        }
        crate::builder::of_struct! {
            CourseCompletionsResponse(items : list types::CourseCompletion, ItemsBy;) {
            more : optional bool, next_cursor : optional::std::string::String, }
        }
        crate::builder::of_struct! {
            CourseList(items : list types::Course, ItemsBy;) { archived : optional bool,
            cursor : optional::std::string::String, limit : optional crate ::wire::Int64,
            more : optional bool, next_cursor : optional::std::string::String,
            number_found : optional crate ::wire::Int64, published : optional bool, }
        }
        crate::builder::of_struct! {
            CourseProgress() { completed : optional bool, completed_on : optional crate
            ::wire::Timestamp, course : optional crate ::ids::CourseId, id : optional
            crate ::ids::CourseProgressId, overdue : optional bool, processed : optional
            bool, user : optional crate ::ids::LearnerId, }
        }
        crate::builder::of_struct! {
            DuplicateCourse() { complete : optional bool, id : optional crate
            ::ids::DuplicateCourseId, new_course : optional crate ::ids::CourseId,
            old_course : optional crate ::ids::CourseId, progress : optional crate
            ::wire::Int64, stage : optional crate ::wire::Int64, }
        }
        crate::builder::of_struct! {
            EditLearner(firstname : required::std::string::String; surname :
            required::std::string::String; email : required::std::string::String;) { id :
            optional crate ::ids::LearnerId, notes : optional::std::string::String,
            password : optional crate ::wire::Secret, phone_number :
            optional::std::string::String, tags : list::std::string::String, username :
            optional::std::string::String, }
        }
        crate::builder::of_struct! {
            Enrolment() { course : optional crate ::ids::CourseId, created : optional
            crate ::wire::Timestamp, id : optional crate ::ids::EnrolmentId, user :
            optional crate ::ids::LearnerId, }
        }
        crate::builder::of_struct! {
            EnrolmentList(items : list types::Enrolment, ItemsBy;) { course : optional
            crate ::ids::CourseId, cursor : optional::std::string::String, limit :
            optional crate ::wire::Int64, more : optional bool, next_cursor :
            optional::std::string::String, number_found : optional crate ::wire::Int64,
            user : optional crate ::ids::LearnerId, }
        }
        crate::builder::of_struct! {
            Learner() { archived : optional bool, create_type :
            optional::std::string::String, created : optional crate ::wire::Timestamp,
            created_by : optional::std::string::String, creator_kind :
            optional::std::string::String, deleted : optional bool, email :
            optional::std::string::String, firstname : optional::std::string::String, id
            : optional crate ::ids::LearnerId, image : optional::std::string::String,
            is_admin : optional bool, is_learner : optional bool, last_logged_in :
            optional crate ::wire::Timestamp, notes : optional::std::string::String,
            password : optional crate ::wire::Secret, phone_number :
            optional::std::string::String, signup_page : optional::std::string::String,
            sso_id : optional::std::string::String, surname :
            optional::std::string::String, tags : list::std::string::String, updated :
            optional crate ::wire::Timestamp, username : optional::std::string::String, }
        }
        crate::builder::of_struct! {
            LearnerList(items : list types::Learner, ItemsBy;) { cursor :
            optional::std::string::String, email : optional::std::string::String, limit :
            optional crate ::wire::Int64, more : optional bool, next_cursor :
            optional::std::string::String, number_found : optional crate ::wire::Int64,
            order_by : optional::std::string::String, order_direction :
            optional::std::string::String, signup_page : optional::std::string::String,
            tags : list::std::string::String, username : optional::std::string::String, }
        }
        crate::builder::of_struct! {
            MeResponse() { aud : optional::std::string::String, domain :
            optional::std::string::String, name : optional::std::string::String, tid :
            optional::std::string::String, }
        }
        crate::builder::of_struct! {
            Profile() { courses : list::std::string::String, created : optional crate
            ::wire::Timestamp, id : optional crate ::ids::ProfileId, modified : optional
            crate ::wire::Timestamp, name : optional::std::string::String, permissions :
            list types::ProfilePermission, tags : list::std::string::String, }
        }
        crate::builder::of_struct! {
            ProfileList(items : list types::Profile, ItemsBy;) {}
        }
        crate::builder::of_struct! {
            ProfilePermission() { not_applicable : optional bool, user_editable :
            optional bool, user_field : optional crate ::ids::UserFieldId, user_visible :
            optional bool, }
        }
        crate::builder::of_struct! {
            Record() { achievable : optional bool, achieved_on : optional crate
            ::wire::Timestamp, active : optional bool, attachments : list
            types::RecordAttachment, blob_key : optional::std::string::String,
            content_type : optional::std::string::String, cost :
            optional::std::string::String, created : optional crate ::wire::Timestamp,
            created_by : optional::std::string::String, expired : optional bool, expires
            : optional bool, expires_on : optional crate ::wire::Timestamp, file_size :
            optional crate ::wire::Int64, filename : optional::std::string::String,
            has_value : optional bool, id : optional crate ::ids::RecordId, modified :
            optional crate ::wire::Timestamp, modified_by :
            optional::std::string::String, not_applicable : optional bool, notes :
            optional::std::string::String, payment_date : optional::std::string::String,
            reference : optional::std::string::String, training_provider :
            optional::std::string::String, upcoming : optional bool, user : optional
            crate ::ids::LearnerId, user_editable : optional bool, user_field : optional
            crate ::ids::UserFieldId, user_visible : optional bool, valid : optional
            bool, value : optional::std::string::String, }
        }
        crate::builder::of_struct! {
            RecordAttachment() { blob_key : optional::std::string::String, content_type :
            optional::std::string::String, course : optional crate ::ids::CourseId,
            course_name : optional::std::string::String, file_size : optional crate
            ::wire::Int64, filename : optional::std::string::String, kind :
            optional::std::string::String, user_field_file :
            optional::std::string::String, user_log : optional::std::string::String, }
        }
        crate::builder::of_struct! {
            SignupPage() { courses : list::std::string::String, created : optional crate
            ::wire::Timestamp, id : optional crate ::ids::SignupPageId, modified :
            optional crate ::wire::Timestamp, name : optional::std::string::String,
            page_description : optional::std::string::String, page_title :
            optional::std::string::String, tags : list::std::string::String, url :
            optional::std::string::String, }
        }
        crate::builder::of_struct! {
            SignupPageList(items : list types::SignupPage, ItemsBy;) {}
        }
        crate::builder::of_struct! {
            Tag(name : required::std::string::String;) { color :
            optional::std::string::String, created : optional crate ::wire::Timestamp, id
            : optional crate ::ids::TagId, modified : optional crate ::wire::Timestamp, }
        }
        crate::builder::of_struct! {
            TagList(items : list types::Tag, ItemsBy;) {}
        }
        crate::builder::of_struct! {
            TestResponse() { tid : optional::std::string::String, }
        }
        crate::builder::of_struct! {
            TokenRequest() { audience : optional::std::string::String, client_id :
            optional crate ::wire::Int64, client_secret : optional crate ::wire::Secret,
            code : optional crate ::wire::Secret, grant_type :
            optional::std::string::String, redirect_uri : optional::std::string::String,
            refresh_token : optional crate ::wire::Secret, }
        }
        crate::builder::of_struct! {
            TokenResponse() { access_token : optional crate ::wire::Secret, aud :
            optional::std::string::String, expires_in : optional crate ::wire::Int64,
            name : optional::std::string::String, refresh_token : optional crate
            ::wire::Secret, scope : optional::std::string::String, token_type :
            optional::std::string::String, }
        }
        crate::builder::of_struct! {
            Topic(name : required::std::string::String; published : required bool;) {
            course : optional crate ::ids::CourseId, created : optional crate
            ::wire::Timestamp, hide_heading : optional bool, id : optional crate
            ::ids::TopicId, kind : optional::std::string::String, locked : optional bool,
            modified : optional crate ::wire::Timestamp, require_confirmation : optional
            bool, }
        }
        crate::builder::of_struct! {
            TopicList(items : list types::Topic, ItemsBy;) { course : optional crate
            ::ids::CourseId, cursor : optional::std::string::String, kind :
            optional::std::string::String, limit : optional crate ::wire::Int64, more :
            optional bool, next_cursor : optional::std::string::String, number_found :
            optional crate ::wire::Int64, published : optional bool, }
        }
        crate::builder::of_struct! {
            TopicProgress() { completed : optional bool, completed_by :
            optional::std::string::String, completed_on : optional crate
            ::wire::Timestamp, confirmed : optional bool, confirmed_by :
            optional::std::string::String, confirmed_on : optional crate
            ::wire::Timestamp, course : optional crate ::ids::CourseId, created :
            optional crate ::wire::Timestamp, id : optional crate ::ids::TopicProgressId,
            modified : optional crate ::wire::Timestamp, topic : optional crate
            ::ids::TopicId, user : optional crate ::ids::LearnerId, }
        }
        crate::builder::of_struct! {
            TopicProgressList(items : list types::TopicProgress, ItemsBy;) { completed :
            optional bool, course : optional crate ::ids::CourseId, cursor :
            optional::std::string::String, limit : optional crate ::wire::Int64, more :
            optional bool, next_cursor : optional::std::string::String, number_found :
            optional crate ::wire::Int64, topic : optional crate ::ids::TopicId, user :
            optional crate ::ids::LearnerId, }
        }
        crate::builder::of_struct! {
            UserField() { created : optional crate ::wire::Timestamp, default :
            optional::std::string::String, description : optional::std::string::String,
            disable_notifications : optional bool, id : optional crate
            ::ids::UserFieldId, indexed : optional bool, kind :
            optional::std::string::String, modified : optional crate ::wire::Timestamp,
            name : optional::std::string::String, not_applicable : optional bool,
            required : optional bool, resource : optional types::UserFieldResource,
            user_editable : optional bool, user_visible : optional bool, }
        }
        crate::builder::of_struct! {
            UserFieldList(items : list types::UserField, ItemsBy;) { cursor :
            optional::std::string::String, limit : optional crate ::wire::Int64, more :
            optional bool, next_cursor : optional::std::string::String, number_found :
            optional crate ::wire::Int64, }
        }
        crate::builder::of_struct! {
            UserFieldPermission() { not_applicable : optional bool, user : optional crate
            ::ids::LearnerId, user_editable : optional bool, user_field : optional crate
            ::ids::UserFieldId, user_visible : optional bool, }
        }
        crate::builder::of_struct! {
            UserFieldPermissionList(items : list types::UserFieldPermission, ItemsBy;) {
            cursor : optional::std::string::String, limit : optional crate ::wire::Int64,
            more : optional bool, next_cursor : optional::std::string::String,
            number_found : optional crate ::wire::Int64, user : optional crate
            ::ids::LearnerId, }
        }
        crate::builder::of_struct! {
            UserFieldResource() { kind : optional::std::string::String, name :
            optional::std::string::String, resource_id : optional::std::string::String, }
        }
    }
}
impl<T> crate::Operations<T> {
    /**List courses

Returns one page of courses and echoes the filters of the request. Follow `next_cursor` while `more` is true to read them all. The order is not documented, nor whether archived and unpublished courses are included without a filter.

Sends a `GET` request to `/courses`

Parameters:
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `archived`: Only courses with this value of `archived`.
- `published`: Only courses with this value of `published`.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_courses().items();
while let Some(course) = items.try_next().await? {
    println!("{course:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Course`](types::Course) of all pages; awaiting it returns one [`CourseList`](types::CourseList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_courses(&self) -> requests::ListCourses<'_, T> {
        requests::ListCourses::new(self)
    }
    /**Add a course

Creates a course and returns it as stored, with its `id`. Only `name` is required. An edit can change more fields than this request can set; their initial values are not documented. The API has no idempotency keys, so sending the request twice presumably creates two courses.

Sends a `POST` request to `/courses`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let course = lms.add_course("Fire safety for kitchen staff").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Course`](types::Course). It is sent again only if the server cannot have processed it, such as after a 429.

Error kinds: `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn add_course(
        &self,
        name: crate::builder::argument!(required::std::string::String),
    ) -> requests::AddCourse<'_, T> {
        requests::AddCourse::new(self, types::AddCourse::builder(name))
    }
    /**Get a course

Returns one course with all its fields. The response for an unknown id is not documented.

Sends a `GET` request to `/courses/{id}`

Parameters:
- `id`: Id of the course.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let course = lms.get_course("crs-8d1f03").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Course`](types::Course). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_course(
        &self,
        id: crate::builder::argument!(required crate ::ids::CourseId),
    ) -> requests::GetCourse<'_, T> {
        requests::GetCourse::new(self, id)
    }
    /**Edit a course

Writes a course and returns it as stored. The body is a whole course, in the shape of the response. Whether a field that is left out keeps its value, and which fields are writable, is not documented. To change one field safely, read the course, change the field and send the whole course back.

Sends a `PUT` request to `/courses/{id}`

Parameters:
- `id`: Id of the course.
- `body`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
use lms_ext::types::Course;

let course = lms.edit_course("crs-8d1f03", Course::builder().id("crs-8d1f03").name("Fire safety for kitchen staff").description("Extinguishers, escape routes, and who calls whom.")).await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.update_course(id, edit)`: it keeps the fields that are not changed, which this call clears.

Awaiting it returns [`Course`](types::Course). It is retried, since a second request has the same effect as the first.

Error kinds: `NotFound`, `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn edit_course(
        &self,
        id: crate::builder::argument!(required crate ::ids::CourseId),
        body: crate::builder::argument!(builder types::builder::Course),
    ) -> requests::EditCourse<'_, T> {
        requests::EditCourse::new(self, id, body)
    }
    /**Delete a course

Deletes a course. The response has no body. What happens to its topics, enrolments, progress and completions, and the response to a second deletion, are not documented.

Sends a `DELETE` request to `/courses/{id}`

Parameters:
- `id`: Id of the course.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
lms.delete_course("crs-8d1f03").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns nothing. It is retried, since a second request has no further effect; a 404 after a lost response is a success.

Error kinds: `NotFound`, `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn delete_course(
        &self,
        id: crate::builder::argument!(required crate ::ids::CourseId),
    ) -> requests::DeleteCourse<'_, T> {
        requests::DeleteCourse::new(self, id)
    }
    /**Start duplicating a course

Starts a task that copies a course, and returns the task. Keep its `id` and poll `viewDuplicateCourse` until `complete` is true. Sending the request twice presumably makes two copies.

Sends a `POST` request to `/duplicate_courses`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let duplicate_course = lms.add_duplicate_course("crs-8d1f03").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.duplicate_course(id, options)`: it returns a handle that waits for the copy.

Awaiting it returns [`DuplicateCourse`](types::DuplicateCourse). It is sent again only if the server cannot have processed it, such as after a 429.

Error kinds: `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn add_duplicate_course(
        &self,
        course: crate::builder::argument!(required crate ::ids::CourseId),
    ) -> requests::AddDuplicateCourse<'_, T> {
        requests::AddDuplicateCourse::new(
            self,
            types::AddDuplicateCourse::builder(course),
        )
    }
    /**Get a course duplication

Returns the current state of the task. The copy is finished when `complete` is true. How often the task may be polled, how long a finished task can be read, and how a failed task is reported are not documented.

Sends a `GET` request to `/duplicate_courses/{id}`

Parameters:
- `id`: Id of the task, as returned by `addDuplicateCourse`; not the id of a course.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let duplicate_course = lms.view_duplicate_course("dup-4f0c55").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.course_copy(id)`: it waits for the copy, within a deadline.

Awaiting it returns [`DuplicateCourse`](types::DuplicateCourse). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn view_duplicate_course(
        &self,
        id: crate::builder::argument!(required crate ::ids::DuplicateCourseId),
    ) -> requests::ViewDuplicateCourse<'_, T> {
        requests::ViewDuplicateCourse::new(self, id)
    }
    /**List topics

Returns one page of topics of one course or of all courses, and echoes the filters of the request. Follow `next_cursor` while `more` is true to read them all. The order is not documented.

Sends a `GET` request to `/topics`

Parameters:
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `course`: Only topics of the course with this id.
- `kind`: Only topics of this kind. The kinds are not documented.
- `published`: Only topics with this value of `published`.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_topics().items();
while let Some(topic) = items.try_next().await? {
    println!("{topic:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Topic`](types::Topic) of all pages; awaiting it returns one [`TopicList`](types::TopicList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_topics(&self) -> requests::ListTopics<'_, T> {
        requests::ListTopics::new(self)
    }
    /**Get a topic

Returns one topic: its name, its kind, its course and a few flags. Its content is not part of the API. The response for an unknown id is not documented.

Sends a `GET` request to `/topics/{id}`

Parameters:
- `id`: Id of the topic.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let topic = lms.get_topic("top-c40e19").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Topic`](types::Topic). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_topic(
        &self,
        id: crate::builder::argument!(required crate ::ids::TopicId),
    ) -> requests::GetTopic<'_, T> {
        requests::GetTopic::new(self, id)
    }
    /**List learners

Returns one page of learners and echoes the filters and the order of the request. Follow `next_cursor` while `more` is true to read them all. The default order, whether archived and deleted learners are included, and whether filters compare whole values are not documented.

Sends a `GET` request to `/learners`

Parameters:
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `signup_page`: Only learners who registered through this sign-up page.
- `username`: Only learners with this username.
- `email`: Only learners with this email address.
- `tags`: Only learners with these tags. The parameter is repeated for each tag. Whether a learner must have all of the tags or any of them is not documented.
- `order_by`: Name of the field to order by. The accepted names are not documented.
- `order_direction`: Direction of the order, ascending or descending.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_learners().items();
while let Some(learner) = items.try_next().await? {
    println!("{learner:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Learner`](types::Learner) of all pages; awaiting it returns one [`LearnerList`](types::LearnerList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_learners(&self) -> requests::ListLearners<'_, T> {
        requests::ListLearners::new(self)
    }
    /**Add a learner

Creates a learner and returns it as stored, with its `id`. `firstname`, `surname` and `email` are required, and `password` is required when `generate_password` is false. `send_email` and `send_sms` may reach a real person. The response when the email address or the username is already in use is not documented. The API has no idempotency keys.

Sends a `POST` request to `/learners`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let learner = lms.add_learner("Amara", "Okafor", "amara.okafor@kitchen.example").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.ensure_learner(learner)`: it adds no second learner when it is called again.

Awaiting it returns [`Learner`](types::Learner). It is sent again only if the server cannot have processed it, such as after a 429.

Error kinds: `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn add_learner(
        &self,
        firstname: crate::builder::argument!(required::std::string::String),
        surname: crate::builder::argument!(required::std::string::String),
        email: crate::builder::argument!(required::std::string::String),
    ) -> requests::AddLearner<'_, T> {
        requests::AddLearner::new(
            self,
            types::AddLearner::builder(firstname, surname, email),
        )
    }
    /**Get a learner by email address

Returns the learner with this email address. Whether case matters, and the response for an unknown address, are not documented.

Sends a `GET` request to `/learners/email/{email}`

Parameters:
- `email`: Email address of the learner.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let learner = lms.get_learner_by_email("amara.okafor@kitchen.example").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Learner`](types::Learner). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_learner_by_email(
        &self,
        email: crate::builder::argument!(required::std::string::String),
    ) -> requests::GetLearnerByEmail<'_, T> {
        requests::GetLearnerByEmail::new(self, email)
    }
    /**Get a learner by id

Returns one learner with all fields. The response for an unknown id or a deleted learner is not documented.

Sends a `GET` request to `/learners/{id}`

Parameters:
- `id`: Id of the learner.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let learner = lms.get_learner_by_id("usr-5e90b1").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Learner`](types::Learner). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_learner_by_id(
        &self,
        id: crate::builder::argument!(required crate ::ids::LearnerId),
    ) -> requests::GetLearnerById<'_, T> {
        requests::GetLearnerById::new(self, id)
    }
    /**Edit a learner

Writes every editable field of a learner and returns the learner as stored. A field that is left out may lose its value, so send every field with the value it should have afterwards. The exception is `password`, which changes only when it is sent.

Sends a `PUT` request to `/learners/{id}`

Parameters:
- `id`: Id of the learner.
- `body`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
use lms_ext::types::EditLearner;

let learner = lms.edit_learner("usr-5e90b1", EditLearner::builder("Amara", "Okafor-Lind", "amara.okafor@kitchen.example")).await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.update_learner(id, edit)`: it keeps the fields that are not changed, which this call clears.

Awaiting it returns [`Learner`](types::Learner). It is retried, since a second request has the same effect as the first.

Error kinds: `NotFound`, `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn edit_learner(
        &self,
        id: crate::builder::argument!(required crate ::ids::LearnerId),
        body: crate::builder::argument!(builder types::builder::EditLearner),
    ) -> requests::EditLearner<'_, T> {
        requests::EditLearner::new(self, id, body)
    }
    /**Delete a learner

Deletes a learner. The response has no body. Learners have a `deleted` flag, so the account may continue to exist in some form. What happens to enrolments, progress and completions, whether the email address can be used again, and the response to a second deletion are not documented.

Sends a `DELETE` request to `/learners/{id}`

Parameters:
- `id`: Id of the learner.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
lms.delete_learner("usr-5e90b1").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns nothing. It is retried, since a second request has no further effect; a 404 after a lost response is a success.

Error kinds: `NotFound`, `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn delete_learner(
        &self,
        id: crate::builder::argument!(required crate ::ids::LearnerId),
    ) -> requests::DeleteLearner<'_, T> {
        requests::DeleteLearner::new(self, id)
    }
    /**List enrolments

Returns one page of enrolments and echoes the filters of the request. Filter by `course` for the learners of a course, by `user` for the courses of a learner, or by both to find one enrolment. Follow `next_cursor` while `more` is true to read them all. The order is not documented.

Sends a `GET` request to `/enrolments`

Parameters:
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `course`: Only enrolments in the course with this id.
- `user`: Only enrolments of the learner with this id.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_enrolments().items();
while let Some(enrolment) = items.try_next().await? {
    println!("{enrolment:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Enrolment`](types::Enrolment) of all pages; awaiting it returns one [`EnrolmentList`](types::EnrolmentList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_enrolments(&self) -> requests::ListEnrolments<'_, T> {
        requests::ListEnrolments::new(self)
    }
    /**Enrol a learner in a course

Enrols a learner in a course and returns the enrolment. `send_emails` may reach a real person. The response when the learner is already enrolled is not documented. The API has no idempotency keys.

Sends a `POST` request to `/enrolments`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let enrolment = lms.add_enrolment("crs-8d1f03", "usr-5e90b1").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.ensure_enrolment(enrolment)`: it succeeds if the learner is already enrolled.

Awaiting it returns [`Enrolment`](types::Enrolment). It is sent again only if the server cannot have processed it, such as after a 429.

Error kinds: `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn add_enrolment(
        &self,
        course: crate::builder::argument!(required crate ::ids::CourseId),
        user: crate::builder::argument!(required crate ::ids::LearnerId),
    ) -> requests::AddEnrolment<'_, T> {
        requests::AddEnrolment::new(self, types::AddEnrolment::builder(course, user))
    }
    /**Delete enrolments

Deletes the enrolment of a learner in a course. The response has no body. **Both parameters are optional, and the effect of leaving one or both out is not documented.** A request with one parameter may delete every enrolment of a learner or of a course. A request without parameters may delete every enrolment of the tenant. Send both.

Sends a `DELETE` request to `/enrolments`

Parameters:
- `user`: Id of the learner. Without it, more enrolments may be deleted.
- `course`: Id of the course. Without it, more enrolments may be deleted.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
lms.delete_enrolment().user("usr-5e90b1").course("crs-8d1f03").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.unenrol(scope)`: it requires a learner or a course, and says what it deleted.

Awaiting it returns nothing. It is retried, since a second request has no further effect; a 404 after a lost response is a success.

Error kinds: `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn delete_enrolment(&self) -> requests::DeleteEnrolment<'_, T> {
        requests::DeleteEnrolment::new(self)
    }
    /**Get a learner's progress in a topic

Returns the progress of one learner in one topic. The effect of the two query filters on a single object, and the response when the learner has not started the topic, are not documented.

Sends a `GET` request to `/topic_progress/{user}/{topic}`

Parameters:
- `user`: Id of the learner.
- `topic`: Id of the topic.
- `course`: Id of a course. Its effect is not documented.
- `completed`: Value of the `completed` flag. Its effect is not documented.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let topic_progress = lms.get_topic_progress("usr-5e90b1", "top-c40e19").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`TopicProgress`](types::TopicProgress). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_topic_progress(
        &self,
        user: crate::builder::argument!(required crate ::ids::LearnerId),
        topic: crate::builder::argument!(required crate ::ids::TopicId),
    ) -> requests::GetTopicProgress<'_, T> {
        requests::GetTopicProgress::new(self, user, topic)
    }
    /**List progress in topics

Returns one page of topic progress, across learners, topics and courses, and echoes the filters of the request. Follow `next_cursor` while `more` is true to read it all. The order, and whether a topic that was not started is listed, are not documented.

Sends a `GET` request to `/topic_progress`

Parameters:
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `user`: Only progress of the learner with this id.
- `topic`: Only progress in the topic with this id.
- `course`: Only progress in topics of the course with this id.
- `completed`: Only progress with this value of `completed`.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_topic_progress().items();
while let Some(topic_progress) = items.try_next().await? {
    println!("{topic_progress:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`TopicProgress`](types::TopicProgress) of all pages; awaiting it returns one [`TopicProgressList`](types::TopicProgressList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_topic_progress(&self) -> requests::ListTopicProgress<'_, T> {
        requests::ListTopicProgress::new(self)
    }
    /**Get a learner's progress in a course

Returns whether one learner has completed one course, and whether the learner is overdue. The response has flags and no percentage. The response for a learner who is not enrolled is not documented.

Sends a `GET` request to `/course_progress/{course}/{user}`

Parameters:
- `course`: Id of the course. It precedes the learner here, unlike in topic progress.
- `user`: Id of the learner.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let course_progress = lms.get_course_progress("crs-8d1f03", "usr-5e90b1").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`CourseProgress`](types::CourseProgress). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_course_progress(
        &self,
        course: crate::builder::argument!(required crate ::ids::CourseId),
        user: crate::builder::argument!(required crate ::ids::LearnerId),
    ) -> requests::GetCourseProgress<'_, T> {
        requests::GetCourseProgress::new(self, course, user)
    }
    /**List course completions

Returns one page of the history of completed courses. Follow `next_cursor` while `more` is true to read it all. Unlike the other paginated lists, it has no count and no echoed filters. The order is not documented, so the newest entry may be the first or the last.

Sends a `GET` request to `/course_completions`

Parameters:
- `course`: Only completions of the course with this id.
- `user`: Only completions of the learner with this id.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_course_completions().items();
while let Some(course_completion) = items.try_next().await? {
    println!("{course_completion:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`CourseCompletion`](types::CourseCompletion) of all pages; awaiting it returns one [`CourseCompletionsResponse`](types::CourseCompletionsResponse). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_course_completions(&self) -> requests::ListCourseCompletions<'_, T> {
        requests::ListCourseCompletions::new(self)
    }
    /**Get a custom field

Returns the definition of one custom field. The value that a learner has for it is a record: see `getActiveRecord`. The response for an unknown id is not documented.

Sends a `GET` request to `/user_fields/{id}`

Parameters:
- `id`: Id of the custom field.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let user_field = lms.get_user_field("ufd-2e18").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`UserField`](types::UserField). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_user_field(
        &self,
        id: crate::builder::argument!(required crate ::ids::UserFieldId),
    ) -> requests::GetUserField<'_, T> {
        requests::GetUserField::new(self, id)
    }
    /**List custom fields

Returns one page of the tenant's custom fields. Follow `next_cursor` while `more` is true to read them all. Custom fields have no `archived` or `published` flag and the response does not echo the two filters, so their effect cannot be observed. The order is not documented.

Sends a `GET` request to `/user_fields`

Parameters:
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `archived`: Filters by whether the field is archived. The effect is not documented.
- `published`: Filters by whether the field is published. The effect is not documented.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_user_fields().items();
while let Some(user_field) = items.try_next().await? {
    println!("{user_field:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`UserField`](types::UserField) of all pages; awaiting it returns one [`UserFieldList`](types::UserFieldList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_user_fields(&self) -> requests::ListUserFields<'_, T> {
        requests::ListUserFields::new(self)
    }
    /**List a learner's custom field permissions

Returns one page of what one learner may see and edit of the custom fields, and echoes the learner. Follow `next_cursor` while `more` is true to read them all. Whether a field without a permission of its own is listed, and the order, are not documented.

Sends a `GET` request to `/users/{user}/user_field_permissions`

Parameters:
- `user`: Id of the learner.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_user_field_permissions("usr-5e90b1").items();
while let Some(user_field_permission) = items.try_next().await? {
    println!("{user_field_permission:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`UserFieldPermission`](types::UserFieldPermission) of all pages; awaiting it returns one [`UserFieldPermissionList`](types::UserFieldPermissionList). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_user_field_permissions(
        &self,
        user: crate::builder::argument!(required crate ::ids::LearnerId),
    ) -> requests::ListUserFieldPermissions<'_, T> {
        requests::ListUserFieldPermissions::new(self, user)
    }
    /**Get a learner's record for a custom field

Returns the record with the current value of a custom field for a learner. Which record is the active one, and the response when the learner has none, are not documented. Check `has_value` before using `value`.

Sends a `GET` request to `/users/{user}/user_fields/{user_field}/record`

Parameters:
- `user`: Id of the learner.
- `user_field`: Id of the custom field.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let record = lms.get_active_record("usr-5e90b1", "ufd-2e18").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Record`](types::Record). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_active_record(
        &self,
        user: crate::builder::argument!(required crate ::ids::LearnerId),
        user_field: crate::builder::argument!(required crate ::ids::UserFieldId),
    ) -> requests::GetActiveRecord<'_, T> {
        requests::GetActiveRecord::new(self, user, user_field)
    }
    /**List sign-up pages

Returns all sign-up pages of the tenant in one response, without filters and without pagination.

Sends a `GET` request to `/signup_pages`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_signup_pages().items();
while let Some(signup_page) = items.try_next().await? {
    println!("{signup_page:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`SignupPage`](types::SignupPage); awaiting it returns one [`SignupPageList`](types::SignupPageList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_signup_pages(&self) -> requests::ListSignupPages<'_, T> {
        requests::ListSignupPages::new(self)
    }
    /**List profiles

Returns all profiles of the tenant in one response, without filters and without pagination. `addLearner` takes profiles; whether by id or by name is not documented.

Sends a `GET` request to `/profiles`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_profiles().items();
while let Some(profile) = items.try_next().await? {
    println!("{profile:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Profile`](types::Profile); awaiting it returns one [`ProfileList`](types::ProfileList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_profiles(&self) -> requests::ListProfiles<'_, T> {
        requests::ListProfiles::new(self)
    }
    /**List tags

Returns all tags of the tenant in one response, without filters and without pagination. Whether other operations take the id or the name of a tag is not documented.

Sends a `GET` request to `/tags`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_tags().items();
while let Some(tag) = items.try_next().await? {
    println!("{tag:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Tag`](types::Tag); awaiting it returns one [`TagList`](types::TagList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_tags(&self) -> requests::ListTags<'_, T> {
        requests::ListTags::new(self)
    }
    /**Get an access token

Exchanges the client id and client secret, with `client_credentials` as the `grant_type`, for an access token. The tenant issues both when the integration is installed. The request is sent without an access token. `expires_in` is the lifetime of the token in seconds, as text or as a JSON number.

Sends a `POST` request to `/oauth/token`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
use lms_ext::types::TokenRequest;

let token_response = lms.get_token(TokenRequest::builder().grant_type("client_credentials").client_id("731904588").client_secret("not-a-real-secret")).await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`TokenResponse`](types::TokenResponse). It is retried, since a second request has the same effect as the first.

Error kinds: `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_token(
        &self,
        body: crate::builder::argument!(builder types::builder::TokenRequest),
    ) -> requests::GetToken<'_, T> {
        requests::GetToken::new(self, body)
    }
    /**Check the access token

Returns the tenant that the access token belongs to. Use it to check that authorization works. It changes nothing.

Sends a `GET` request to `/oauth/me`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let me_response = lms.me().await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`MeResponse`](types::MeResponse). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn me(&self) -> requests::Me<'_, T> {
        requests::Me::new(self)
    }
    /**Check the connection

Returns the `tid` of the tenant without authorization. Use it to check that requests reach the server before any credentials are involved.

Sends a `GET` request to `/test`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let test_response = lms.test().await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`TestResponse`](types::TestResponse). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn test(&self) -> requests::Test<'_, T> {
        requests::Test::new(self)
    }
}
/// A builder for each operation.
pub mod requests {
    use super::types;
    crate::builder::of_request! {
        #[doc = " The request of [`list_courses`](crate::Operations::list_courses)."]
        ListCourses -> types::CourseList, 0, pub (super) new() { limit : optional crate
        ::wire::Int64, cursor : optional::std::string::String, archived : optional bool,
        published : optional bool, } | client | client.list_courses(archived, cursor
        .as_deref(), limit.as_ref(), published)
    }
    crate::builder::of_request! {
        #[doc = " The request of [`add_course`](crate::Operations::add_course)."]
        AddCourse -> types::Course, 1, #[doc = " The request with a whole body."] pub
        new(body : body builder types::builder::AddCourse;) {} | client | client
        .add_course(& body)
    }
    impl<T> AddCourse<'_, T> {
        crate::builder::setters_of_body! {
            archived : optional bool, cover_art : optional::std::string::String,
            description : optional::std::string::String, display_priority : optional f64,
            published : optional bool, suggested_duration :
            optional::std::string::String,
        }
    }
    crate::builder::of_request! {
        #[doc = " The request of [`get_course`](crate::Operations::get_course)."]
        GetCourse -> types::Course, 2, pub (super) new(id : segment required crate
        ::ids::CourseId;) {} | client | client.get_course(& id)
    }
    crate::builder::of_request! {
        #[doc = " The request of [`edit_course`](crate::Operations::edit_course)."]
        EditCourse -> types::Course, 3, pub (super) new(id : segment required crate
        ::ids::CourseId; body : body builder types::builder::Course;) {} | client |
        client.edit_course(& id, & body)
    }
    crate::builder::of_request! {
        #[doc = " The request of [`delete_course`](crate::Operations::delete_course)."]
        DeleteCourse -> (), 4, pub (super) new(id : segment required crate
        ::ids::CourseId;) {} | client | client.delete_course(& id)
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`add_duplicate_course`](crate::Operations::add_duplicate_course)."]
        AddDuplicateCourse -> types::DuplicateCourse, 5, #[doc =
        " The request with a whole body."] pub new(body : body builder
        types::builder::AddDuplicateCourse;) {} | client | client.add_duplicate_course(&
        body)
    }
    impl<T> AddDuplicateCourse<'_, T> {
        crate::builder::setters_of_body! {
            copy_enrolments : optional bool, copy_responses : optional bool, name :
            optional::std::string::String, published : optional bool,
        }
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`view_duplicate_course`](crate::Operations::view_duplicate_course)."]
        ViewDuplicateCourse -> types::DuplicateCourse, 6, pub (super) new(id : segment
        required crate ::ids::DuplicateCourseId;) {} | client | client
        .view_duplicate_course(& id)
    }
    crate::builder::of_request! {
        #[doc = " The request of [`list_topics`](crate::Operations::list_topics)."]
        ListTopics -> types::TopicList, 7, pub (super) new() { cursor :
        optional::std::string::String, limit : optional crate ::wire::Int64, course :
        optional crate ::ids::CourseId, kind : optional::std::string::String, published :
        optional bool, } | client | client.list_topics(course.as_ref(), cursor
        .as_deref(), kind.as_deref(), limit.as_ref(), published)
    }
    crate::builder::of_request! {
        #[doc = " The request of [`get_topic`](crate::Operations::get_topic)."] GetTopic
        -> types::Topic, 8, pub (super) new(id : segment required crate ::ids::TopicId;)
        {} | client | client.get_topic(& id)
    }
    crate::builder::of_request! {
        #[doc = " The request of [`list_learners`](crate::Operations::list_learners)."]
        ListLearners -> types::LearnerList, 9, pub (super) new() { cursor :
        optional::std::string::String, limit : optional crate ::wire::Int64, signup_page
        : optional::std::string::String, username : optional::std::string::String, email
        : optional::std::string::String, tags : optional_list::std::string::String,
        order_by : optional::std::string::String, order_direction : optional crate
        ::enums::ListLearnersOrderDirection, } | client | client.list_learners(cursor
        .as_deref(), email.as_deref(), limit.as_ref(), order_by.as_deref(),
        order_direction.as_ref(), signup_page.as_deref(), tags.as_ref(), username
        .as_deref())
    }
    crate::builder::of_request! {
        #[doc = " The request of [`add_learner`](crate::Operations::add_learner)."]
        AddLearner -> types::Learner, 10, #[doc = " The request with a whole body."] pub
        new(body : body builder types::builder::AddLearner;) {} | client | client
        .add_learner(& body)
    }
    impl<T> AddLearner<'_, T> {
        crate::builder::setters_of_body! {
            courses : list::std::string::String, generate_password : optional bool,
            password : optional crate ::wire::Secret, phone_number :
            optional::std::string::String, profiles : list::std::string::String,
            send_email : optional bool, send_sms : optional bool, signup_page :
            optional::std::string::String, sso_id : optional::std::string::String, tags :
            list::std::string::String, username : optional::std::string::String,
        }
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`get_learner_by_email`](crate::Operations::get_learner_by_email)."]
        GetLearnerByEmail -> types::Learner, 11, pub (super) new(email : segment
        required::std::string::String;) {} | client | client.get_learner_by_email(&
        email)
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`get_learner_by_id`](crate::Operations::get_learner_by_id)."]
        GetLearnerById -> types::Learner, 12, pub (super) new(id : segment required crate
        ::ids::LearnerId;) {} | client | client.get_learner_by_id(& id)
    }
    crate::builder::of_request! {
        #[doc = " The request of [`edit_learner`](crate::Operations::edit_learner)."]
        EditLearner -> types::Learner, 13, pub (super) new(id : segment required crate
        ::ids::LearnerId; body : body builder types::builder::EditLearner;) {} | client |
        client.edit_learner(& id, & body)
    }
    crate::builder::of_request! {
        #[doc = " The request of [`delete_learner`](crate::Operations::delete_learner)."]
        DeleteLearner -> (), 14, pub (super) new(id : segment required crate
        ::ids::LearnerId;) {} | client | client.delete_learner(& id)
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`list_enrolments`](crate::Operations::list_enrolments)."]
        ListEnrolments -> types::EnrolmentList, 15, pub (super) new() { limit : optional
        crate ::wire::Int64, cursor : optional::std::string::String, course : optional
        crate ::ids::CourseId, user : optional crate ::ids::LearnerId, } | client |
        client.list_enrolments(course.as_ref(), cursor.as_deref(), limit.as_ref(), user
        .as_ref())
    }
    crate::builder::of_request! {
        #[doc = " The request of [`add_enrolment`](crate::Operations::add_enrolment)."]
        AddEnrolment -> types::Enrolment, 16, #[doc = " The request with a whole body."]
        pub new(body : body builder types::builder::AddEnrolment;) {} | client | client
        .add_enrolment(& body)
    }
    impl<T> AddEnrolment<'_, T> {
        crate::builder::setters_of_body! {
            send_emails : optional bool,
        }
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`delete_enrolment`](crate::Operations::delete_enrolment)."]
        DeleteEnrolment -> (), 17, pub (super) new() { user : given crate
        ::ids::LearnerId, course : given crate ::ids::CourseId, } | client | client
        .delete_enrolment(course.as_ref(), user.as_ref())
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`get_topic_progress`](crate::Operations::get_topic_progress)."]
        GetTopicProgress -> types::TopicProgress, 18, pub (super) new(user : segment
        required crate ::ids::LearnerId; topic : segment required crate ::ids::TopicId;)
        { course : optional crate ::ids::CourseId, completed : optional bool, } | client
        | client.get_topic_progress(& user, & topic, completed, course.as_ref())
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`list_topic_progress`](crate::Operations::list_topic_progress)."]
        ListTopicProgress -> types::TopicProgressList, 19, pub (super) new() { cursor :
        optional::std::string::String, limit : optional crate ::wire::Int64, user :
        optional crate ::ids::LearnerId, topic : optional crate ::ids::TopicId, course :
        optional crate ::ids::CourseId, completed : optional bool, } | client | client
        .list_topic_progress(completed, course.as_ref(), cursor.as_deref(), limit
        .as_ref(), topic.as_ref(), user.as_ref())
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`get_course_progress`](crate::Operations::get_course_progress)."]
        GetCourseProgress -> types::CourseProgress, 20, pub (super) new(course : segment
        required crate ::ids::CourseId; user : segment required crate ::ids::LearnerId;)
        {} | client | client.get_course_progress(& course, & user)
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`list_course_completions`](crate::Operations::list_course_completions)."]
        ListCourseCompletions -> types::CourseCompletionsResponse, 21, pub (super) new()
        { course : optional crate ::ids::CourseId, user : optional crate
        ::ids::LearnerId, cursor : optional::std::string::String, limit : optional crate
        ::wire::Int64, } | client | client.list_course_completions(course.as_ref(),
        cursor.as_deref(), limit.as_ref(), user.as_ref())
    }
    crate::builder::of_request! {
        #[doc = " The request of [`get_user_field`](crate::Operations::get_user_field)."]
        GetUserField -> types::UserField, 22, pub (super) new(id : segment required crate
        ::ids::UserFieldId;) {} | client | client.get_user_field(& id)
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`list_user_fields`](crate::Operations::list_user_fields)."]
        ListUserFields -> types::UserFieldList, 23, pub (super) new() { limit : optional
        crate ::wire::Int64, cursor : optional::std::string::String, archived : optional
        bool, published : optional bool, } | client | client.list_user_fields(archived,
        cursor.as_deref(), limit.as_ref(), published)
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`list_user_field_permissions`](crate::Operations::list_user_field_permissions)."]
        ListUserFieldPermissions -> types::UserFieldPermissionList, 24, pub (super)
        new(user : segment required crate ::ids::LearnerId;) { limit : optional crate
        ::wire::Int64, cursor : optional::std::string::String, } | client | client
        .list_user_field_permissions(& user, cursor.as_deref(), limit.as_ref())
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`get_active_record`](crate::Operations::get_active_record)."]
        GetActiveRecord -> types::Record, 25, pub (super) new(user : segment required
        crate ::ids::LearnerId; user_field : segment required crate ::ids::UserFieldId;)
        {} | client | client.get_active_record(& user, & user_field)
    }
    crate::builder::of_request! {
        #[doc =
        " The request of [`list_signup_pages`](crate::Operations::list_signup_pages)."]
        ListSignupPages -> types::SignupPageList, 26, pub (super) new() {} | client |
        client.list_signup_pages()
    }
    crate::builder::of_request! {
        #[doc = " The request of [`list_profiles`](crate::Operations::list_profiles)."]
        ListProfiles -> types::ProfileList, 27, pub (super) new() {} | client | client
        .list_profiles()
    }
    crate::builder::of_request! {
        #[doc = " The request of [`list_tags`](crate::Operations::list_tags)."] ListTags
        -> types::TagList, 28, pub (super) new() {} | client | client.list_tags()
    }
    crate::builder::of_request! {
        #[doc = " The request of [`get_token`](crate::Operations::get_token)."] GetToken
        -> types::TokenResponse, 29, pub (super) new(body : body builder
        types::builder::TokenRequest;) {} | client | client.get_token(& body)
    }
    crate::builder::of_request! {
        #[doc = " The request of [`me`](crate::Operations::me)."] Me ->
        types::MeResponse, 30, pub (super) new() {} | client | client.me()
    }
    crate::builder::of_request! {
        #[doc = " The request of [`test`](crate::Operations::test)."] Test ->
        types::TestResponse, 31, pub (super) new() {} | client | client.test()
    }
}
/// All operations, in the order of the document.
pub static OPERATIONS: &[crate::operation::OperationInfo] = &[
    crate::operation::OperationInfo {
        id: "list_courses",
        method: ::reqwest::Method::GET,
        path: "/courses",
        path_parameters: &[],
        query_parameters: &["limit", "cursor", "archived", "published"],
        id_parameters: &[],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "archived",
            "published",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "add_course",
        method: ::reqwest::Method::POST,
        path: "/courses",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &[
            "id",
            "name",
            "description",
            "creator",
            "created",
            "modified",
            "archived",
            "published",
            "locked",
            "display_priority",
            "suggested_duration",
            "permalink",
            "has_cover_art",
            "cover_art_url",
            "thumbnail_url",
            "show_details",
            "track_progress",
            "enable_progression",
            "is_graded",
            "pass_mark_type",
            "pass_mark",
            "show_grade_learner",
            "show_grade_certificate",
            "disable_certificates",
            "submission_notifications",
            "completion_notifications",
            "user_version",
            "renewal_type",
            "renewal_date",
            "renewal_days",
            "renewal_repeat",
            "auto_due_type",
            "auto_due_seconds",
            "auto_due_date",
        ],
        authenticated: true,
        idempotent: false,
        has_content: true,
        creates: true,
    },
    crate::operation::OperationInfo {
        id: "get_course",
        method: ::reqwest::Method::GET,
        path: "/courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "name",
            "description",
            "creator",
            "created",
            "modified",
            "archived",
            "published",
            "locked",
            "display_priority",
            "suggested_duration",
            "permalink",
            "has_cover_art",
            "cover_art_url",
            "thumbnail_url",
            "show_details",
            "track_progress",
            "enable_progression",
            "is_graded",
            "pass_mark_type",
            "pass_mark",
            "show_grade_learner",
            "show_grade_certificate",
            "disable_certificates",
            "submission_notifications",
            "completion_notifications",
            "user_version",
            "renewal_type",
            "renewal_date",
            "renewal_days",
            "renewal_repeat",
            "auto_due_type",
            "auto_due_seconds",
            "auto_due_date",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "edit_course",
        method: ::reqwest::Method::PUT,
        path: "/courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "name",
            "description",
            "creator",
            "created",
            "modified",
            "archived",
            "published",
            "locked",
            "display_priority",
            "suggested_duration",
            "permalink",
            "has_cover_art",
            "cover_art_url",
            "thumbnail_url",
            "show_details",
            "track_progress",
            "enable_progression",
            "is_graded",
            "pass_mark_type",
            "pass_mark",
            "show_grade_learner",
            "show_grade_certificate",
            "disable_certificates",
            "submission_notifications",
            "completion_notifications",
            "user_version",
            "renewal_type",
            "renewal_date",
            "renewal_days",
            "renewal_repeat",
            "auto_due_type",
            "auto_due_seconds",
            "auto_due_date",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "delete_course",
        method: ::reqwest::Method::DELETE,
        path: "/courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[],
        authenticated: true,
        idempotent: true,
        has_content: false,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "add_duplicate_course",
        method: ::reqwest::Method::POST,
        path: "/duplicate_courses",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &[
            "id",
            "new_course",
            "old_course",
            "complete",
            "progress",
            "stage",
        ],
        authenticated: true,
        idempotent: false,
        has_content: true,
        creates: true,
    },
    crate::operation::OperationInfo {
        id: "view_duplicate_course",
        method: ::reqwest::Method::GET,
        path: "/duplicate_courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "new_course",
            "old_course",
            "complete",
            "progress",
            "stage",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_topics",
        method: ::reqwest::Method::GET,
        path: "/topics",
        path_parameters: &[],
        query_parameters: &["cursor", "limit", "course", "kind", "published"],
        id_parameters: &["course"],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "kind",
            "course",
            "published",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_topic",
        method: ::reqwest::Method::GET,
        path: "/topics/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "kind",
            "course",
            "created",
            "modified",
            "name",
            "published",
            "hide_heading",
            "locked",
            "require_confirmation",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_learners",
        method: ::reqwest::Method::GET,
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
        id_parameters: &[],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "username",
            "email",
            "signup_page",
            "tags",
            "order_by",
            "order_direction",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "add_learner",
        method: ::reqwest::Method::POST,
        path: "/learners",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &[
            "id",
            "username",
            "firstname",
            "surname",
            "email",
            "phone_number",
            "image",
            "notes",
            "sso_id",
            "signup_page",
            "tags",
            "archived",
            "deleted",
            "is_admin",
            "is_learner",
            "created_by",
            "creator_kind",
            "create_type",
            "created",
            "updated",
            "last_logged_in",
            "password",
        ],
        authenticated: true,
        idempotent: false,
        has_content: true,
        creates: true,
    },
    crate::operation::OperationInfo {
        id: "get_learner_by_email",
        method: ::reqwest::Method::GET,
        path: "/learners/email/{email}",
        path_parameters: &["email"],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &[
            "id",
            "username",
            "firstname",
            "surname",
            "email",
            "phone_number",
            "image",
            "notes",
            "sso_id",
            "signup_page",
            "tags",
            "archived",
            "deleted",
            "is_admin",
            "is_learner",
            "created_by",
            "creator_kind",
            "create_type",
            "created",
            "updated",
            "last_logged_in",
            "password",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_learner_by_id",
        method: ::reqwest::Method::GET,
        path: "/learners/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "username",
            "firstname",
            "surname",
            "email",
            "phone_number",
            "image",
            "notes",
            "sso_id",
            "signup_page",
            "tags",
            "archived",
            "deleted",
            "is_admin",
            "is_learner",
            "created_by",
            "creator_kind",
            "create_type",
            "created",
            "updated",
            "last_logged_in",
            "password",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "edit_learner",
        method: ::reqwest::Method::PUT,
        path: "/learners/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "username",
            "firstname",
            "surname",
            "email",
            "phone_number",
            "image",
            "notes",
            "sso_id",
            "signup_page",
            "tags",
            "archived",
            "deleted",
            "is_admin",
            "is_learner",
            "created_by",
            "creator_kind",
            "create_type",
            "created",
            "updated",
            "last_logged_in",
            "password",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "delete_learner",
        method: ::reqwest::Method::DELETE,
        path: "/learners/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[],
        authenticated: true,
        idempotent: true,
        has_content: false,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_enrolments",
        method: ::reqwest::Method::GET,
        path: "/enrolments",
        path_parameters: &[],
        query_parameters: &["limit", "cursor", "course", "user"],
        id_parameters: &["course", "user"],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "course",
            "user",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "add_enrolment",
        method: ::reqwest::Method::POST,
        path: "/enrolments",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["id", "course", "user", "created"],
        authenticated: true,
        idempotent: false,
        has_content: true,
        creates: true,
    },
    crate::operation::OperationInfo {
        id: "delete_enrolment",
        method: ::reqwest::Method::DELETE,
        path: "/enrolments",
        path_parameters: &[],
        query_parameters: &["user", "course"],
        id_parameters: &["user", "course"],
        response_fields: &[],
        authenticated: true,
        idempotent: true,
        has_content: false,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_topic_progress",
        method: ::reqwest::Method::GET,
        path: "/topic_progress/{user}/{topic}",
        path_parameters: &["user", "topic"],
        query_parameters: &["course", "completed"],
        id_parameters: &["user", "topic", "course"],
        response_fields: &[
            "id",
            "user",
            "topic",
            "course",
            "created",
            "modified",
            "completed_on",
            "completed_by",
            "confirmed_on",
            "confirmed_by",
            "completed",
            "confirmed",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_topic_progress",
        method: ::reqwest::Method::GET,
        path: "/topic_progress",
        path_parameters: &[],
        query_parameters: &["cursor", "limit", "user", "topic", "course", "completed"],
        id_parameters: &["user", "topic", "course"],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "topic",
            "course",
            "user",
            "completed",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_course_progress",
        method: ::reqwest::Method::GET,
        path: "/course_progress/{course}/{user}",
        path_parameters: &["course", "user"],
        query_parameters: &[],
        id_parameters: &["course", "user"],
        response_fields: &[
            "id",
            "user",
            "course",
            "completed_on",
            "completed",
            "processed",
            "overdue",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_course_completions",
        method: ::reqwest::Method::GET,
        path: "/course_completions",
        path_parameters: &[],
        query_parameters: &["course", "user", "cursor", "limit"],
        id_parameters: &["course", "user"],
        response_fields: &["items", "next_cursor", "more"],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_user_field",
        method: ::reqwest::Method::GET,
        path: "/user_fields/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "name",
            "description",
            "kind",
            "default",
            "created",
            "modified",
            "required",
            "user_visible",
            "user_editable",
            "disable_notifications",
            "indexed",
            "not_applicable",
            "resource",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_user_fields",
        method: ::reqwest::Method::GET,
        path: "/user_fields",
        path_parameters: &[],
        query_parameters: &["limit", "cursor", "archived", "published"],
        id_parameters: &[],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_user_field_permissions",
        method: ::reqwest::Method::GET,
        path: "/users/{user}/user_field_permissions",
        path_parameters: &["user"],
        query_parameters: &["limit", "cursor"],
        id_parameters: &["user"],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "user",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_active_record",
        method: ::reqwest::Method::GET,
        path: "/users/{user}/user_fields/{user_field}/record",
        path_parameters: &["user", "user_field"],
        query_parameters: &[],
        id_parameters: &["user", "user_field"],
        response_fields: &[
            "id",
            "user",
            "user_field",
            "value",
            "reference",
            "cost",
            "notes",
            "training_provider",
            "payment_date",
            "achieved_on",
            "expires_on",
            "created",
            "modified",
            "created_by",
            "modified_by",
            "filename",
            "content_type",
            "blob_key",
            "file_size",
            "user_visible",
            "user_editable",
            "not_applicable",
            "has_value",
            "achievable",
            "valid",
            "upcoming",
            "expires",
            "expired",
            "active",
            "attachments",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_signup_pages",
        method: ::reqwest::Method::GET,
        path: "/signup_pages",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["items"],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_profiles",
        method: ::reqwest::Method::GET,
        path: "/profiles",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["items"],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_tags",
        method: ::reqwest::Method::GET,
        path: "/tags",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["items"],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_token",
        method: ::reqwest::Method::POST,
        path: "/oauth/token",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &[
            "aud",
            "access_token",
            "token_type",
            "scope",
            "refresh_token",
            "name",
            "expires_in",
        ],
        authenticated: false,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "me",
        method: ::reqwest::Method::GET,
        path: "/oauth/me",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["tid", "domain", "aud", "name"],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "test",
        method: ::reqwest::Method::GET,
        path: "/test",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["tid"],
        authenticated: false,
        idempotent: true,
        has_content: true,
        creates: false,
    },
];
impl<T: Clone> crate::operation::List for requests::ListCourses<'_, T> {
    type Item = types::Course;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListTopics<'_, T> {
    type Item = types::Topic;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListLearners<'_, T> {
    type Item = types::Learner;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListEnrolments<'_, T> {
    type Item = types::Enrolment;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListTopicProgress<'_, T> {
    type Item = types::TopicProgress;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListCourseCompletions<'_, T> {
    type Item = types::CourseCompletion;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListUserFields<'_, T> {
    type Item = types::UserField;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListUserFieldPermissions<'_, T> {
    type Item = types::UserFieldPermission;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListSignupPages<'_, T> {
    type Item = types::SignupPage;
    const CURSOR: bool = false;
}
impl<T: Clone> crate::operation::List for requests::ListProfiles<'_, T> {
    type Item = types::Profile;
    const CURSOR: bool = false;
}
impl<T: Clone> crate::operation::List for requests::ListTags<'_, T> {
    type Item = types::Tag;
    const CURSOR: bool = false;
}
impl crate::operation::HasId for types::Course {
    type Id = crate::ids::CourseId;
    const KIND: &'static str = "course";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::CourseCompletion {
    type Id = crate::ids::CourseCompletionId;
    const KIND: &'static str = "course completion";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::CourseProgress {
    type Id = crate::ids::CourseProgressId;
    const KIND: &'static str = "course progress";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::DuplicateCourse {
    type Id = crate::ids::DuplicateCourseId;
    const KIND: &'static str = "duplicate course";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Enrolment {
    type Id = crate::ids::EnrolmentId;
    const KIND: &'static str = "enrolment";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Learner {
    type Id = crate::ids::LearnerId;
    const KIND: &'static str = "learner";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Profile {
    type Id = crate::ids::ProfileId;
    const KIND: &'static str = "profile";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Record {
    type Id = crate::ids::RecordId;
    const KIND: &'static str = "record";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::SignupPage {
    type Id = crate::ids::SignupPageId;
    const KIND: &'static str = "signup page";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Tag {
    type Id = crate::ids::TagId;
    const KIND: &'static str = "tag";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Topic {
    type Id = crate::ids::TopicId;
    const KIND: &'static str = "topic";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::TopicProgress {
    type Id = crate::ids::TopicProgressId;
    const KIND: &'static str = "topic progress";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::UserField {
    type Id = crate::ids::UserFieldId;
    const KIND: &'static str = "user field";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::Identified for types::UserFieldPermission {
    fn id(&self) -> Option<::std::borrow::Cow<'_, str>> {
        crate::operation::joined_id(&[self.user_field.as_deref(), self.user.as_deref()])
    }
}
/// The types of ids, one for each kind of object.
pub mod ids {
    /// The id of one object: course.
    pub type CourseId = crate::id::Id<kind::Course>;
    /// The id of one object: course completion.
    pub type CourseCompletionId = crate::id::Id<kind::CourseCompletion>;
    /// The id of one object: course progress.
    pub type CourseProgressId = crate::id::Id<kind::CourseProgress>;
    /// The id of one object: duplicate course.
    pub type DuplicateCourseId = crate::id::Id<kind::DuplicateCourse>;
    /// The id of one object: enrolment.
    pub type EnrolmentId = crate::id::Id<kind::Enrolment>;
    /// The id of one object: learner.
    pub type LearnerId = crate::id::Id<kind::Learner>;
    /// The id of one object: profile.
    pub type ProfileId = crate::id::Id<kind::Profile>;
    /// The id of one object: record.
    pub type RecordId = crate::id::Id<kind::Record>;
    /// The id of one object: signup page.
    pub type SignupPageId = crate::id::Id<kind::SignupPage>;
    /// The id of one object: tag.
    pub type TagId = crate::id::Id<kind::Tag>;
    /// The id of one object: topic.
    pub type TopicId = crate::id::Id<kind::Topic>;
    /// The id of one object: topic progress.
    pub type TopicProgressId = crate::id::Id<kind::TopicProgress>;
    /// The id of one object: user field.
    pub type UserFieldId = crate::id::Id<kind::UserField>;
    /// The kinds of objects that have ids. They have no values.
    pub mod kind {
        /// The kind of [`CourseId`](super::CourseId).
        pub enum Course {}
        impl crate::id::Kind for Course {
            const FORMAT: &'static str = "course-id";
        }
        /// The kind of [`CourseCompletionId`](super::CourseCompletionId).
        pub enum CourseCompletion {}
        impl crate::id::Kind for CourseCompletion {
            const FORMAT: &'static str = "course-completion-id";
        }
        /// The kind of [`CourseProgressId`](super::CourseProgressId).
        pub enum CourseProgress {}
        impl crate::id::Kind for CourseProgress {
            const FORMAT: &'static str = "course-progress-id";
        }
        /// The kind of [`DuplicateCourseId`](super::DuplicateCourseId).
        pub enum DuplicateCourse {}
        impl crate::id::Kind for DuplicateCourse {
            const FORMAT: &'static str = "duplicate-course-id";
        }
        /// The kind of [`EnrolmentId`](super::EnrolmentId).
        pub enum Enrolment {}
        impl crate::id::Kind for Enrolment {
            const FORMAT: &'static str = "enrolment-id";
        }
        /// The kind of [`LearnerId`](super::LearnerId).
        pub enum Learner {}
        impl crate::id::Kind for Learner {
            const FORMAT: &'static str = "learner-id";
        }
        /// The kind of [`ProfileId`](super::ProfileId).
        pub enum Profile {}
        impl crate::id::Kind for Profile {
            const FORMAT: &'static str = "profile-id";
        }
        /// The kind of [`RecordId`](super::RecordId).
        pub enum Record {}
        impl crate::id::Kind for Record {
            const FORMAT: &'static str = "record-id";
        }
        /// The kind of [`SignupPageId`](super::SignupPageId).
        pub enum SignupPage {}
        impl crate::id::Kind for SignupPage {
            const FORMAT: &'static str = "signup-page-id";
        }
        /// The kind of [`TagId`](super::TagId).
        pub enum Tag {}
        impl crate::id::Kind for Tag {
            const FORMAT: &'static str = "tag-id";
        }
        /// The kind of [`TopicId`](super::TopicId).
        pub enum Topic {}
        impl crate::id::Kind for Topic {
            const FORMAT: &'static str = "topic-id";
        }
        /// The kind of [`TopicProgressId`](super::TopicProgressId).
        pub enum TopicProgress {}
        impl crate::id::Kind for TopicProgress {
            const FORMAT: &'static str = "topic-progress-id";
        }
        /// The kind of [`UserFieldId`](super::UserFieldId).
        pub enum UserField {}
        impl crate::id::Kind for UserField {
            const FORMAT: &'static str = "user-field-id";
        }
    }
}
/// The names of all properties with a secret, in alphabetical order.
pub static SECRET_PROPERTIES: &[&str] = &[
    "access_token",
    "client_secret",
    "code",
    "password",
    "refresh_token",
];
/// The names of all properties with a secret, except those of the token endpoint, in alphabetical order.
///
/// A field with such a name is a secret wherever a response has it. The names of the token endpoint are not:
/// a `code` there is a secret, and that of a course is not.
pub static OBJECT_SECRETS: &[&str] = &["password"];
