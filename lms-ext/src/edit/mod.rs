//! Edits: `PUT` replaces the entire object, so a field that is missing from the body may be cleared.
//!
//! An edit reads the object, passes it to a closure, and writes all of it back: a learner with every field of `EditLearner`, a
//! course as the JSON object that was read, including unknown fields. Then it compares the response with the intended
//! result. [`Lms::update_learner`] has the rules.

mod change;
mod snapshot;
mod target;

use lms_client::{
    ids::{CourseId, LearnerId},
    types,
};

pub use change::{Edited, FieldChange};
pub(crate) use change::{equivalent, fields};

use crate::{
    client::Lms,
    error::Error,
    write::{Write, WriteMode},
};
use snapshot::Snapshot;
use target::Editable;

impl Lms {
    /// Edits a learner: reads it, applies `edit`, writes it back, and compares the response.
    ///
    /// Returns the learner after the edit. If `edit` changes nothing, nothing is written.
    ///
    /// The closure runs in a task, so it owns what it uses: a borrowed value does not compile, and is copied first.
    ///
    /// ```compile_fail
    /// # async fn example(lms: lms_ext::Lms, name: &str) -> Result<(), lms_ext::Error> {
    /// lms.update_learner("l1", |l| l.surname = name.into()).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms, name: &str) -> Result<(), lms_ext::Error> {
    /// let name = name.to_owned();
    /// lms.update_learner("l1", move |l| l.surname = name).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Mismatch`](crate::ErrorKind::Mismatch) if the learner was written, but the response differs from the intended
    /// result; [`fields`](Error::fields) lists the fields. [`Decode`](crate::ErrorKind::Decode), with nothing written,
    /// if the learner was read without its id or a required field. A [usage error](Error::is_usage) if `edit` changes
    /// the id or sets an empty password. Otherwise the errors of any call; after an
    /// [ambiguous](Error::is_ambiguous) one, it is safe to call this again.
    ///
    /// # Request body
    ///
    /// - **Unchanged fields** are sent as they were read. A learner's field that is empty is left out.
    /// - **A course's documented integers** are sent as strings, as the documentation specifies, even if the service
    ///   returned numbers. All other numbers, and those of unknown fields, keep their notation: `1.50` stays `1.50`.
    /// - **A learner's field that was cleared** (`None`, an empty string, no tags) is sent as an empty string or an
    ///   empty list, which means the same whether the service clears or keeps fields that are left out.
    /// - **A course's field that was set to `None`** is left out; an empty string is sent.
    /// - **A password** is sent only if the closure sets one. The closure never sees the current password.
    ///
    /// # Required fields
    ///
    /// A response that is not the object must not overwrite it. An edit therefore writes only if the read returned the
    /// requested id, and every required field that the edit does not set: `firstname`, `surname` and `email` of a learner,
    /// `name` of a course. Otherwise the error is [`Mismatch`](crate::ErrorKind::Mismatch) for another id and
    /// [`Decode`](crate::ErrorKind::Decode) for a missing field, and [`fields`](Error::fields) lists the fields.
    ///
    /// # Comparison of the response
    ///
    /// All fields are compared by value: absent, `null`, empty and `false` are equal, `"5"` equals 5, tags are a set, and
    /// times are compared as instants (in UTC without a time zone). Fields that the service maintains are ignored:
    /// `password`, `modified`, `updated`, `last_logged_in` and `user_version`. URLs that the service derives (`permalink`,
    /// `image`, cover art) and unknown fields of a course may change, but must not become empty.
    ///
    /// # Concurrent edits
    ///
    /// Edits of one object by one client, its clones included, run one after the other: each reads the result of the
    /// previous edit. The service has no versions and no `ETag`, so a write by another program is not detected: the later
    /// of two writes overwrites the earlier one. An edit reads immediately before it writes, which limits this to one round
    /// trip. The plain operations (`edit_learner`, `edit_course`), and an edit that was dropped while it was writing, can
    /// also overwrite a write.
    pub fn update_learner(
        &self,
        id: impl Into<LearnerId>,
        edit: impl FnOnce(&mut types::EditLearner) + Send + 'static,
    ) -> Write<Edited<types::Learner>> {
        self.update(id.into().into_string(), edit)
    }

    /// Edits a course: reads it, applies `edit`, writes it back, and compares the response.
    ///
    /// Returns the course after the edit. If `edit` changes nothing, nothing is written. Which fields can be
    /// written is not documented ([Courses](lms_client::service#courses)); the error lists those that the
    /// service did not accept.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::Int64;
    ///
    /// lms.update_course("c1", |course| {
    ///     course.name = Some("Safety at work".into());
    ///     course.pass_mark = Some(Int64::new(80));
    /// })
    /// .await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Mismatch`](crate::ErrorKind::Mismatch) if the course was written, but the response differs from the intended
    /// result. [`Decode`](crate::ErrorKind::Decode), with nothing written, if the course was read without its id or its
    /// name. Otherwise as for [`update_learner`](Self::update_learner), which also describes the request body and the
    /// comparison of the response.
    pub fn update_course(
        &self,
        id: impl Into<CourseId>,
        edit: impl FnOnce(&mut types::Course) + Send + 'static,
    ) -> Write<Edited<types::Course>> {
        self.update(id.into().into_string(), edit)
    }

    fn update<T: Editable>(
        &self,
        id: String,
        edit: impl FnOnce(&mut T::Draft) + Send + 'static,
    ) -> Write<Edited<T>> {
        let lms = self.clone();
        Write::new(async move |mode| {
            let (edited, ()) = lms.update_with(id, edit, mode).await?;
            Ok(edited)
        })
    }

    /// Also returns the result of the closure.
    pub(crate) async fn update_with<T: Editable, R: Send + 'static>(
        &self,
        id: String,
        edit: impl FnOnce(&mut T::Draft) -> R + Send + 'static,
        mode: WriteMode,
    ) -> Result<(Edited<T>, R), Error> {
        let lms = self.clone();
        self.engine()
            .exclusively(format!("{} {id}", T::NAME), async move {
                let read = Snapshot::<T>::read(&lms, &id).await?;
                let (edit, returned) = read.edit(edit)?;
                let edited = if edit.is_empty() || mode == WriteMode::DryRun {
                    read.plan(edit)
                } else {
                    read.write(lms, id, edit).await?
                };
                Ok((edited, returned))
            })
            .await
    }
}
