//! Changing a field without wiping the others.
//!
//! `PUT` replaces: a field that is left out may be lost, and a body built by hand leaves out what its
//! author did not know. An edit reads the object, lets a closure change it, and writes it back whole. A
//! learner goes back with every field that `EditLearner` has (§2), a course as the document that was
//! read, members that nobody described included, letter by letter. Then the answer is compared with what
//! was meant.
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! lms.update_learner("l1", |l| l.surname = "Jones".into()).await?;
//! lms.update_course("c1", |c| c.archived = Some(true)).await?;
//! # Ok(())
//! # }
//! ```
//!
//! # What goes over the wire
//!
//! - **A field that nobody touched** goes back as it came. A learner's field that the tenant holds nothing
//!   for is left out: there is nothing to lose.
//! - **A learner's field that was cleared** (`None`, an empty text, no tags) is sent as an empty text or an
//!   empty list: it reads the same whether a service wipes what is left out or keeps it.
//! - **A course's field that was set to `None`** is left out of the document; an empty text is sent as one.
//! - **A password** is sent when the closure set one, and not otherwise. The closure never sees one, even
//!   if the tenant sent it.
//!
//! # What is compared
//!
//! Every field, by its meaning: absent, `null`, empty and `false` are nothing, `"5"` is 5, tags are a set,
//! a time is the same in another zone, and in UTC where it names none.
//! Not compared is what the service keeps by itself: `password`, `modified`, `updated`, `last_logged_in`,
//! `user_version`. Addresses that it derives (`permalink`, `image`, cover art), and members of a course
//! that nobody described, may change and must not vanish.
//!
//! # Two edits at once
//!
//! The service has no versions and no `ETag` (§4), so the later of two writes wins. An edit reads right
//! before it writes, which keeps the gap to one round trip. A [`Plan`], which may be days old, reads again
//! and refuses when somebody else has changed what it is about to change.

mod change;
mod plan;
mod raw_object;
mod snapshot;
mod target;

use lms_client::types;

pub use change::Change;
pub(crate) use change::{alike, fields};
pub use plan::Plan;

use crate::{client::Lms, error::Error};
use snapshot::{Edit, Snapshot};
use target::Editable;

impl Lms {
    /// Changes a learner: reads, lets `edit` change what it likes, writes, and compares the answer.
    ///
    /// Gives back the learner as it is afterwards. When `edit` changes nothing, nothing is written.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// lms.update_learner("l1", |l| l.surname = "Jones".into()).await?;
    ///
    /// let learner = lms
    ///     .update_learner("l1", |l| {
    ///         l.phone_number = None;
    ///         l.tags.push("emea".into());
    ///     })
    ///     .await?;
    /// println!("{:?}, written: {}", learner.value().tags, learner.was_written());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Mismatch`](crate::ErrorKind::Mismatch) when the learner was written and the answer is not what
    /// was meant; [`fields`](Error::fields) names the difference. A [usage error](Error::is_usage) when
    /// `edit` changes the id or sets an empty password. Otherwise as any call; after an
    /// [ambiguous](Error::is_ambiguous) one it is safe to call again.
    pub async fn update_learner(
        &self,
        id: impl Into<String>,
        edit: impl FnOnce(&mut types::EditLearner),
    ) -> Result<Edited<types::Learner>, Error> {
        self.update(&id.into(), edit).await
    }

    /// Changes a course: reads, lets `edit` change what it likes, writes, and compares the answer.
    ///
    /// Gives back the course as it is afterwards. When `edit` changes nothing, nothing is written. Which
    /// fields the service lets anyone write is not documented (§2): one that it does not take is named by
    /// the error.
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
    /// As [`update_learner`](Self::update_learner).
    pub async fn update_course(
        &self,
        id: impl Into<String>,
        edit: impl FnOnce(&mut types::Course),
    ) -> Result<Edited<types::Course>, Error> {
        self.update(&id.into(), edit).await
    }

    /// Says what [`update_learner`](Self::update_learner) would change. Only reads.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// let plan = lms.plan_update_learner("l1", |l| l.tags.clear()).await?;
    /// println!("{plan}");
    /// plan.apply().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage) when `edit` changes the id or sets an empty password; otherwise as
    /// any call.
    pub async fn plan_update_learner(
        &self,
        id: impl Into<String>,
        edit: impl FnOnce(&mut types::EditLearner),
    ) -> Result<Plan<types::Learner>, Error> {
        self.plan(id.into(), edit).await
    }

    /// Says what [`update_course`](Self::update_course) would change. Only reads.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// let plan = lms.plan_update_course("c1", |course| course.locked = Some(false)).await?;
    /// assert!(plan.changes().len() <= 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`plan_update_learner`](Self::plan_update_learner).
    pub async fn plan_update_course(
        &self,
        id: impl Into<String>,
        edit: impl FnOnce(&mut types::Course),
    ) -> Result<Plan<types::Course>, Error> {
        self.plan(id.into(), edit).await
    }

    /// Archives a course: sets `archived`, and leaves everything else as it is.
    ///
    /// What an archived course is to learners is not documented (§2). Learners cannot be archived:
    /// `EditLearner` has no such field.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// lms.archive_course("c1").await?;
    /// lms.restore_course("c1").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`update_course`](Self::update_course).
    pub async fn archive_course(
        &self,
        id: impl Into<String>,
    ) -> Result<Edited<types::Course>, Error> {
        self.update_course(id, |course| course.archived = Some(true))
            .await
    }

    /// Takes a course out of the archive; see [`archive_course`](Self::archive_course).
    ///
    /// # Errors
    ///
    /// As [`update_course`](Self::update_course).
    pub async fn restore_course(
        &self,
        id: impl Into<String>,
    ) -> Result<Edited<types::Course>, Error> {
        self.update_course(id, |course| course.archived = Some(false))
            .await
    }

    /// Publishes a course: sets `published`, and leaves everything else as it is.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// lms.publish_course("c1").await?;
    /// lms.unpublish_course("c1").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`update_course`](Self::update_course).
    pub async fn publish_course(
        &self,
        id: impl Into<String>,
    ) -> Result<Edited<types::Course>, Error> {
        self.update_course(id, |course| course.published = Some(true))
            .await
    }

    /// Takes back that a course is published; see [`publish_course`](Self::publish_course).
    ///
    /// # Errors
    ///
    /// As [`update_course`](Self::update_course).
    pub async fn unpublish_course(
        &self,
        id: impl Into<String>,
    ) -> Result<Edited<types::Course>, Error> {
        self.update_course(id, |course| course.published = Some(false))
            .await
    }

    async fn update<T: Editable>(
        &self,
        id: &str,
        edit: impl FnOnce(&mut T::Draft),
    ) -> Result<Edited<T>, Error> {
        let snapshot = Snapshot::<T>::read(self, id).await?;
        let edit = snapshot.edit(edit)?;
        snapshot.write(self, id, edit).await
    }

    async fn plan<T: Editable>(
        &self,
        id: String,
        edit: impl FnOnce(&mut T::Draft),
    ) -> Result<Plan<T>, Error> {
        let edit = Snapshot::<T>::read(self, &id).await?.edit(edit)?;
        Ok(Plan::new(self.clone(), id, edit))
    }
}

/// The result of an edit: the object as it is now, and what changed.
#[derive(Clone, Debug)]
pub struct Edited<T> {
    value: T,
    changes: Vec<Change>,
    written: bool,
}

impl<T> Edited<T> {
    fn unwritten(value: T) -> Self {
        Self {
            value,
            changes: Vec::new(),
            written: false,
        }
    }

    fn written(value: T, edit: &Edit) -> Self {
        Self {
            value,
            changes: edit.shown(),
            written: true,
        }
    }

    /// Whether anything was written; if not, everything already was as it should be.
    #[must_use]
    pub fn was_written(&self) -> bool {
        self.written
    }

    /// The fields that were changed; none when nothing was written.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The learner or course after the edit.
    #[must_use]
    pub fn value(&self) -> &T {
        &self.value
    }

    /// As [`value`](Self::value), owned.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }
}
