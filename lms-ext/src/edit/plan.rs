//! An edit that is looked at before it is made.

use std::fmt;

use super::{
    Edited,
    change::Change,
    snapshot::{Edit, Snapshot},
    target::Editable,
};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    request::CallFuture,
};

/// What an edit would change; nothing has been written.
///
/// Made by [`Lms::plan_update_learner`] and [`Lms::plan_update_course`]. `Display` is a difference to
/// read, one line for each field; like [`changes`](Self::changes), it holds what the tenant holds, so it
/// is as confidential as that.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// let plan = lms.plan_update_course("c1", |course| course.name = Some("Safety".into())).await?;
/// println!("{plan}"); // course c1: 1 field changes
///                     //   name: "Old name" → "Safety"
/// if plan.changes().iter().all(|change| change.field() == "name") {
///     plan.apply().await?;
/// }
/// # Ok(())
/// # }
/// ```
pub struct Plan<T> {
    lms: Lms,
    id: String,
    edit: Edit,
    changes: Vec<Change>,
    name: &'static str,
    apply: fn(Self) -> CallFuture<Edited<T>>,
}

impl<T> Plan<T> {
    pub(super) fn new(lms: Lms, id: String, edit: Edit) -> Self
    where
        T: Editable,
    {
        let changes = edit.shown();
        Self {
            lms,
            id,
            edit,
            changes,
            name: T::NAME,
            apply: |plan| Box::pin(apply(plan)),
        }
    }

    /// The fields that would change, in the order of the alphabet; a new password, hidden, comes last.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether nothing would change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Makes the changes.
    ///
    /// The object is read again first, and what others have changed since in other fields stays. A field
    /// that already is as planned is fine too, so a plan can be applied again after an error. When
    /// nothing is left to change, nothing is written. The service knows no versions (§4), so a change by
    /// somebody else between this read and the write right behind it is overwritten unseen.
    ///
    /// # Errors
    ///
    /// A [conflict](Error::is_conflict) when somebody else has changed a field of the plan since it was
    /// made, with nothing written and [`fields`](Error::fields) naming them. Otherwise as
    /// [`Lms::update_learner`].
    pub async fn apply(&self) -> Result<Edited<T>, Error> {
        (self.apply)(self.clone()).await
    }
}

async fn apply<T: Editable>(plan: Plan<T>) -> Result<Edited<T>, Error> {
    let now = Snapshot::<T>::read(&plan.lms, &plan.id).await?;
    let overtaken = now.overtaken(&plan.edit)?;
    if overtaken.is_empty() {
        return now.write(&plan.lms, &plan.id, plan.edit).await;
    }
    let detail = format!(
        "the {} has changed in {} since the edit was planned, so nothing was written; plan it again",
        T::NAME,
        overtaken.join(", ")
    );
    Err(Error::new(ErrorKind::Conflict, detail).with_fields(overtaken))
}

// By hand, since a derived one would ask that `T` can be cloned.
impl<T> Clone for Plan<T> {
    fn clone(&self) -> Self {
        Self {
            lms: self.lms.clone(),
            id: self.id.clone(),
            edit: self.edit.clone(),
            changes: self.changes.clone(),
            name: self.name,
            apply: self.apply,
        }
    }
}

impl Edit {
    /// The changes as they may be shown.
    #[inline]
    pub(super) fn shown(&self) -> Vec<Change> {
        let mut changes = self.changes.clone();
        if self.password.is_some() {
            changes.push(Change::new("password", None, Some(&"<hidden>".into())));
        }
        changes
    }
}

impl<T> fmt::Display for Plan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name;
        match self.changes.len() {
            0 => write!(f, "{name} {}: nothing changes", self.id)?,
            1 => write!(f, "{name} {}: 1 field changes", self.id)?,
            several => write!(f, "{name} {}: {several} fields change", self.id)?,
        }
        for change in &self.changes {
            match change.field() {
                "password" => f.write_str("\n  password: a new one (hidden)")?,
                _ => write!(f, "\n  {change}")?,
            }
        }
        Ok(())
    }
}

impl<T> fmt::Debug for Plan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("id", &self.id)
            .field("changes", &self.changes)
            .finish_non_exhaustive()
    }
}
